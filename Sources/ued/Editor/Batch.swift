import Glibc
import TextBuffer

/// A text whose file has been left for another one before its writes were made.
struct LeftText {
  let fileName: [UInt8]
  var text: EditedText
  var keeper: HistoryKeeper

  mutating func update(
    _ body: (inout EditedText, inout HistoryKeeper, [UInt8]) -> Void
  ) {
    body(&text, &keeper, fileName)
  }
}

/// What a strict run holds until its files are written.
struct Batch: ~Copyable {
  /// The locks on the files that it reads and writes, and on those that it only writes.
  var locks = FileLocks()
  var furtherLocks = FileLocks()
  /// In a run over many files, the folder of the last one, if it takes new files and no killed run had to
  /// be mended there.
  var foundIntact: [UInt8]?
  /// The texts that were left before their writes were made, whose histories are not stored yet.
  var leftTexts: [LeftText] = []
  /// Notices about their histories, with the names of their files.
  var notices: [(file: [UInt8], notice: HistoryNotice)] = []
  /// Whether anything has been written since the last `giveUp`, so that the script can't simply run again.
  var hasWritten = false
  /// The files that it has opened or written, if programs are told.
  var ledger = FileLedger(isKept: false)
  /// The files that the whole run has replaced or created, if it makes backups.
  var replacedFiles: Set<[UInt8]> = []
  /// The folder of the last file that was written, opened when a second one is.
  private var lastFolder: (path: [UInt8], opened: SharedFile?)?

  /// The open folder of a file if that of the last one had the same path; otherwise nil.
  mutating func folder(of path: [UInt8]) -> SharedFile? {
    let folder = FilePlace.split(path).folder
    guard let last = lastFolder, last.path == folder else {
      lastFolder = (folder, nil)
      return nil
    }
    if let opened = last.opened { return opened }
    guard let place = try? FilePlace(replacing: path) else { return nil }
    let opened = SharedFile(place.takeFolder())
    lastFolder?.opened = opened
    return opened
  }
}

/// A failed write, and the file.
struct CommitError: Error {
  let path: [UInt8]
  let error: EditorError
}

extension CommitError {
  init(_ error: TransactionError) {
    switch error {
    case .file(let failure):
      self.init(path: failure.path, error: EditorError(failure))
    case .changed(let path, let danger): self.init(path: path, error: .fileUnseen(danger))
    case .rejected(let path): self.init(path: path, error: .rejected)
    case .altered(let path): self.init(path: path, error: .stagedFileAltered)
    case .notUndone(let paths, let failure, let isStuck):
      self.init(path: failure.path, error: .notUndone(paths, failure, isStuck: isStuck))
    }
  }
}
