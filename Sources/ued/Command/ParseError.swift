/// A syntax error in a command.
enum ParseError: Error, Equatable, Sendable {
  case destinationExpected
  case globalInGlobal
  case ignoreCaseOnEmptyPattern
  case invalidAddress
  case invalidPatternDelimiter
  case invalidSuffix
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
