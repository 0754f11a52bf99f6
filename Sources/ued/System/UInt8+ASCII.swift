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

  /// Whether this is one of `0` to `9`.
  var isDigit: Bool { self >= 48 && self <= 57 }

  /// Whether this is one of `1` to `9`.
  var isNonzeroDigit: Bool { self >= 49 && self <= 57 }

  /// Whether this is one of `a` to `z`.
  var isLowercase: Bool { self >= 97 && self <= 122 }

  /// The small letter of `A` to `Z`; any other byte as it is.
  var lowercased: UInt8 { self >= 65 && self <= 90 ? self + 32 : self }

  /// The capital of `a` to `z`; any other byte as it is.
  var uppercased: UInt8 { isLowercase ? self - 32 : self }
}
