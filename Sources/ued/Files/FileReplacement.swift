import Glibc
import TextBuffer

/// A file that a transaction is to replace, create or remove.
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
  /// What happens to the file besides.
  var fate = FileFate()
}

/// What happens to a file besides that its text is replaced.
struct FileFate: Equatable, Sendable {
  /// Whether it is removed.
  var isRemoved = false
  /// The path of the file whose attributes a new one gets; nil for those of any new file.
  var attributesOf: [UInt8]?
  /// Whether all who can read it can run it afterwards; nil if that stays as it is.
  var isExecutable: Bool?
  /// Whether a new file is for its owner only.
  var isPrivate = false

  /// Whether nothing happens but that the text is replaced.
  var isUsual: Bool { self == FileFate() }

  /// Whether a file with a mode may be run, or not, as it should.
  func accepts(_ mode: mode_t) -> Bool {
    isExecutable.map { self.mode(mode, isExecutable: $0) == mode } ?? true
  }

  /// A mode that allows to run a file to those who can read it, or to nobody.
  private func mode(_ mode: mode_t, isExecutable: Bool) -> mode_t {
    isExecutable ? mode | (mode & 0o444) >> 2 : mode & ~0o111
  }

  /// Gives a new file the attributes that it should have.
  func apply(to new: borrowing OpenFile) throws(SystemError) {
    if let path = attributesOf {
      let old = try OpenFile(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      try FileAttributes.copy(from: old, try old.status(), to: new)
    }
    if isPrivate { try SystemError.retrying { fchmod(new.descriptor, 0o600) } }
    guard let isExecutable else { return }
    let mode = self.mode(try new.status().st_mode & 0o7777, isExecutable: isExecutable)
    try SystemError.retrying { fchmod(new.descriptor, mode) }
  }
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
  /// Some files could not be put back: the paths under which their old content is now, and whether it stays there, as
  /// no journal says where it belongs.
  case notUndone(paths: [[UInt8]], FileError, isStuck: Bool)
}

extension TransactionError {
  /// Runs one step of a transaction and translates its error.
  static func attempt<Result: ~Copyable>(
    _ attempt: FileError.Attempt, _ path: [UInt8], _ step: () throws(SystemError) -> Result
  ) throws(TransactionError) -> Result {
    do {
      return try step()
    } catch {
      if error.code == ESTALE { throw .changed(path: path, .changedOutside) }
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
