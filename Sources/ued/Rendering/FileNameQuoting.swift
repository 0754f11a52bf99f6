/// Quoting of file names in the headers of a diff.
enum FileNameQuoting {
  /// A name as `diff` writes it: as a string literal of C if it contains a blank, a quote, a
  /// backslash, a control character or a byte beyond ASCII; otherwise unchanged.
  static func quoted(_ name: [UInt8]) -> [UInt8] {
    if name.allSatisfy({ $0 > .space && $0 < 0x80 && $0 != quote && $0 != .backslash }) {
      return name
    }
    var quoted = [quote]
    for byte in name {
      switch byte {
      case quote, .backslash: quoted += [.backslash, byte]
      case .space..<0x80: quoted.append(byte)
      default: quoted.appendEscape(of: byte)
      }
    }
    return quoted + [quote]
  }

  private static let quote = UInt8(ascii: "\"")
}

extension [UInt8] {
  /// Appends the escape sequence of C for a byte: a letter, or three octal digits.
  mutating func appendEscape(of byte: UInt8) {
    append(.backslash)
    switch byte {
    case 7...13: append(escapeLetters[Int(byte) - 7])
    default: self += [.zero + (byte >> 6), .zero + (byte >> 3 & 7), .zero + (byte & 7)]
    }
  }
}

/// The letters for BEL, BS, HT, LF, VT, FF and CR.
private let escapeLetters = Array("abtnvfr".utf8)
