extension UInt8 {
  static let newline = UInt8(ascii: "\n")
  static let tab = UInt8(ascii: "\t")
  static let space = UInt8(ascii: " ")
  static let backslash = UInt8(ascii: "\\")
  static let quote = UInt8(ascii: "\"")
  static let bang = UInt8(ascii: "!")
  static let percent = UInt8(ascii: "%")
  static let dot = UInt8(ascii: ".")
  static let slash = UInt8(ascii: "/")
  static let ampersand = UInt8(ascii: "&")
  static let zero = UInt8(ascii: "0")
  static let carriageReturn = UInt8(ascii: "\r")

  /// Whether this is one of the six white-space bytes of ASCII.
  var isSpace: Bool { self == 32 || (self >= 9 && self <= 13) }

  var isDigit: Bool { self >= 48 && self <= 57 }

  var isNonzeroDigit: Bool { self >= 49 && self <= 57 }

  var isLowercase: Bool { self >= 97 && self <= 122 }

  /// The lower-case letter for `A` to `Z`; any other byte unchanged.
  var lowercased: UInt8 { self >= 65 && self <= 90 ? self + 32 : self }

  /// The upper-case letter for `a` to `z`; any other byte unchanged.
  var uppercased: UInt8 { isLowercase ? self - 32 : self }
}

// MARK: - Bytes

extension RawSpan {
  /// The byte at an offset.
  ///
  /// - Precondition: `offset` is in `0..<byteCount`.
  subscript(offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < byteCount)
    // SAFETY: the offset is in bounds, and every byte is a UInt8.
    return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}

extension [UInt8] {
  mutating func append(_ span: RawSpan, in range: Range<Int>) {
    // SAFETY: `range` is checked against the span, and the bytes are copied before the closure
    // returns.
    unsafe span.withUnsafeBytes {
      unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[range]))
    }
  }
}

// MARK: - UTF-8

extension RawSpan {
  /// The length in bytes of the multibyte UTF-8 character at the start of a range; 0 for ASCII,
  /// invalid or incomplete bytes.
  func characterLength(in range: Range<Int>) -> Int {
    func byte(_ index: Int) -> UInt8 {
      let offset = range.lowerBound + index
      return offset < range.upperBound ? self[offset] : 0
    }
    let length: Int
    let seconds: ClosedRange<UInt8>
    switch byte(0) {
    case 0xC2...0xDF: (length, seconds) = (2, 0x80...0xBF)
    case 0xE0: (length, seconds) = (3, 0xA0...0xBF)
    case 0xED: (length, seconds) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (length, seconds) = (3, 0x80...0xBF)
    case 0xF0: (length, seconds) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (length, seconds) = (4, 0x80...0xBF)
    case 0xF4: (length, seconds) = (4, 0x80...0x8F)
    default: return 0
    }
    guard seconds.contains(byte(1)) else { return 0 }
    for index in 2..<max(length, 2) where byte(index) & 0xC0 != 0x80 { return 0 }
    return length
  }
}

extension Sequence<UInt8> {
  /// The bytes as lower-case hexadecimal digits, two for each byte.
  var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
