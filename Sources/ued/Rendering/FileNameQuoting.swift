/// How names of files are written where only some bytes are allowed.
enum FileNameQuoting {
  /// The name as in the headers of `diff`: in quotes, as a string of C, when it has a blank, a
  /// quote, a backslash, a control character or a byte beyond ASCII; else as it is.
  static func quoted(_ name: [UInt8]) -> [UInt8] {
    if name.allSatisfy({ $0 > UInt8(ascii: " ") && $0 < 0x80 && !needsBackslash($0) }) {
      return name
    }
    return [quote] + name.flatMap(escaped) + [quote]
  }

  private static let quote = UInt8(ascii: "\"")
  /// The letters of BEL, BS, HT, LF, VT, FF and CR.
  private static let letters = Array("abtnvfr".utf8)

  private static func needsBackslash(_ byte: UInt8) -> Bool {
    byte == quote || byte == .backslash
  }

  private static func escaped(_ byte: UInt8) -> [UInt8] {
    switch byte {
    case quote, .backslash: [.backslash, byte]
    case 7...13: [.backslash, letters[Int(byte) - 7]]
    case 0..<UInt8(ascii: " "), 0x80...:
      [.backslash, .zero + (byte >> 6), .zero + (byte >> 3 & 7), .zero + (byte & 7)]
    default: [byte]
    }
  }
}
