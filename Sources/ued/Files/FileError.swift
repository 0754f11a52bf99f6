/// What the system said no to.
struct FileError: Error, Equatable, Sendable {
  /// What was being done.
  enum Attempt: Equatable, Sendable {
    case openInput, readInput, closeInput, openOutput, writeOutput, closeOutput
  }

  /// What was being done.
  var attempt: Attempt
  /// The file's name, or a shell command behind its `!`.
  var path: [UInt8]
  /// The system's reason, as in `errno`; 0 for a shell command that did not succeed.
  var code: Int32
  /// Where the old text of the file is, when it could not be put back.
  var oldText: [UInt8]?
}
