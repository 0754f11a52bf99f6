/// Why a pattern can't be compiled, a line can't be searched, or a substitution can't be carried out.
enum MatchError: Error, Equatable, Sendable {
  /// The pattern is not a regular expression, in the words of glibc.
  case invalidPattern(message: [UInt8])
  /// A line has a second empty match at the same place, so that replacing all would never end.
  case infiniteSubstitution
  /// A line is too long for glibc.
  case lineTooLong
  /// Memory is too short for a copy of a line.
  case outOfMemory
  /// A signal has come meanwhile.
  case abandoned
}
