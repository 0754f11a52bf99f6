import Glibc

/// What of the locale decides how regular expressions match.
struct MatchingLocale: Sendable {
  /// Whether characters are UTF-8; else they are bytes, of which those from 0x80 on are no letters.
  let isUTF8: Bool
  /// Whether characters are in the order of their codes.
  let hasPlainOrder: Bool
  /// Whether `a` to `z` are the small letters of `A` to `Z`.
  let hasPlainCase: Bool

  /// The locale of the process, or nil for one that only glibc understands.
  init?() {
    // SAFETY: the strings that come back are read before anybody calls `setlocale` again.
    let codeset = unsafe nl_langinfo(nl_item(CODESET)).map { unsafe String(cString: $0) }
    let order = unsafe setlocale(LC_COLLATE, nil).map { unsafe String(cString: $0) }
    let plainOrders = ["C", "POSIX", "C.UTF-8", "C.utf8"]
    switch codeset {
    case "UTF-8": isUTF8 = true
    case "ANSI_X3.4-1968": isUTF8 = false
    default: return nil
    }
    hasPlainOrder = order.map { plainOrders.contains($0) } ?? false
    hasPlainCase = (UInt8(ascii: "a")...UInt8(ascii: "z")).allSatisfy {
      toupper(Int32($0)) == Int32($0 - 32) && tolower(Int32($0 - 32)) == Int32($0)
    }
  }
}
