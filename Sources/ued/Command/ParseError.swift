/// A syntax error in a command.
enum ParseError: Error, Equatable, Sendable {
  /// The text of a substitution with the flag `F` has the delimiter in it.
  case delimiterInPlainText
  case destinationExpected
  case globalInGlobal
  case ignoreCaseOnEmptyPattern
  case invalidAddress
  case invalidPatternDelimiter
  case invalidSuffix
  /// The line ends with CR LF.
  case lineEndsWithReturn
  case missingPatternDelimiter
  case numberOutOfRange
  case trailingBackslash
  case unbalancedBrackets
  case unexpectedAddress
  case unexpectedSuffix
  case unknownCommand

  /// Whether the letters may be those of another command.
  var isOfSpelling: Bool {
    self == .unknownCommand || self == .invalidSuffix || self == .unexpectedSuffix
  }
}
