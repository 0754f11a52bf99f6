import Glibc

/// The properties of the locale that regular expressions depend on.
struct MatchingLocale: Sendable {
  /// Whether the encoding is UTF-8. Otherwise it is ASCII, in which bytes from 0x80 on are characters but
  /// not letters.
  let isUTF8: Bool
  /// Whether characters collate by their codes.
  let hasPlainOrder: Bool
  /// Whether `a` to `z` are the lower case of `A` to `Z`.
  let hasPlainCase: Bool

  /// The locale of the process; nil when its encoding is another one, which only glibc supports.
  init?() {
    // SAFETY: the returned strings are copied before any other call that may overwrite them.
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

  /// Whether no character contains the byte of another one, so that texts can be searched for as bytes. In
  /// GB18030, Big5 and Shift JIS the second byte of a character may be an ASCII letter.
  static var hasBytesOfOneMeaning: Bool {
    if __ctype_get_mb_cur_max() == 1 { return true }
    // SAFETY: the returned string is compared before any other call that may overwrite it.
    return unsafe nl_langinfo(nl_item(CODESET)).map { unsafe strcmp($0, "UTF-8") == 0 } ?? false
  }

  /// The number of bytes of the character at the start of a text, 1 if there is none.
  static func characterLength(_ text: ArraySlice<UInt8>) -> Int {
    // SAFETY: `mblen` reads at most the `count` bytes that are lent to it.
    unsafe text.withUnsafeBytes {
      max(1, Int(unsafe mblen($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)))
    }
  }
}
