import TextBuffer

/// A file that a transaction is to replace or create.
struct FileReplacement: Sendable {
  /// The path, as the user wrote it.
  var path: [UInt8]
  /// The whole new content.
  var text: PieceTable
  /// What is known of the file, which must still be so; with no identity in it, that there was no file.
  /// Nil when it was not read, and whatever is there is replaced.
  var known: KnownFile?
  /// The path for a copy of the old file, if there is one.
  var backup: [UInt8]?
  /// Whether it was a pipe or a device when the text was written to it.
  var isStream = false
}

/// Why a transaction failed. All files are as they were before, except for `notUndone`.
enum TransactionError: Error, Equatable, Sendable {
  /// A file can't be read or written.
  case file(FileError)
  /// A file is not what was read.
  case changed(path: [UInt8], KnownFile.Danger)
  /// The check of ``FileTransaction/validate(_:)`` refused the new content of a file.
  case rejected(path: [UInt8])
  /// The check has changed the new content of a file, or its attributes.
  case altered(path: [UInt8])
  /// Some files could not be put back: the paths under which their old content is now.
  case notUndone(paths: [[UInt8]], FileError)
}

extension TransactionError {
  /// Runs one step of a transaction and translates its error.
  static func attempt<Result: ~Copyable>(
    _ attempt: FileError.Attempt, _ path: [UInt8], _ step: () throws(SystemError) -> Result
  ) throws(TransactionError) -> Result {
    do {
      return try step()
    } catch {
      throw .file(FileError(attempt: attempt, path: path, code: error.code))
    }
  }

  /// The failure of opening a file for writing.
  static func closed(_ path: [UInt8], _ code: Int32) -> TransactionError {
    .file(FileError(attempt: .openOutput, path: path, code: code))
  }
}

extension FileContent {
  /// The new content of a file.
  init(_ replacement: FileReplacement) {
    let text = replacement.text
    self.init(
      text: text, range: ByteOffset(0)..<ByteOffset(text.byteCount), path: replacement.path)
  }
}
