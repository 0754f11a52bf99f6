/// Why a command had no effect, or not all of it.
enum EditorError: Error, Equatable, Sendable {
  case bufferModified
  case endOfInput
  case file(FileError)
  case fileNameTooLong
  case folderRestricted
  case infiniteSubstitution
  case interrupted
  case invalidDestination
  case invalidMark
  case invalidRedirection
  case noCurrentFileName
  case noMatch
  case noPreviousCommand
  case noPreviousPattern
  case noPreviousSubstitution
  case nothingToPut
  case nothingToUndo
  case parse(ParseError)
  case pattern(PatternError)
  case shellRestricted
  case shellUnavailable

  static let invalidAddress = EditorError.parse(.invalidAddress)
}
