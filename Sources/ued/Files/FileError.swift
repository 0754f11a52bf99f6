/// A failed operation on a file or a shell command.
struct FileError: Error, Equatable, Sendable {
  /// The operations.
  enum Attempt: Equatable, Sendable {
    case openInput, readInput, closeInput, openOutput, writeOutput, closeOutput
  }

  /// The operation that failed.
  var attempt: Attempt
  /// The path of the file, or `!` and the shell command.
  var path: [UInt8]
  /// The reason, as in `errno`; 0 for a shell command that failed.
  var code: Int32
  /// The status of a shell command that failed; 0 for any other failure.
  var shellStatus: Int32 = 0
  /// The path of the old content, if the file could not be restored.
  var oldText: [UInt8]?
}
