/// Why a pattern can't be compiled, or a substitution can't be carried out.
enum MatchError: Error, Equatable, Sendable {
  /// The pattern is not a regular expression, in the words of glibc.
  case invalidPattern(message: [UInt8])
  /// A line has a second empty match at the same place, so that replacing all would never end.
  case infiniteSubstitution
}
