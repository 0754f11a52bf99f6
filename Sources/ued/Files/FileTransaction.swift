import Glibc
import TextBuffer

/// Replaces, creates and removes several files, all or none.
///
///     var transaction = try FileTransaction(staging: replacements)
///     try transaction.validate { … }
///     try transaction.commit()
///     let identities = transaction.finish()
///
/// New content is staged and synced in folders beside the files, then all are renamed, then the old files
/// are removed. Without `commit` and `finish`, everything is put back when the value is destroyed. A process
/// that is killed leaves its staging folders with a journal, from which ``mend(beside:)`` finishes or undoes
/// the run.
///
/// The caller has the files locked (``FileLocks``). New files are locked before they get their names, until
/// this value is destroyed, as far as the limit of open files allows: no other strict writer comes in before
/// the caller is done with all else.
struct FileTransaction: ~Copyable {
  /// A file with new content.
  struct StagedFile {
    /// The path in messages.
    let path: [UInt8]
    /// The file that is replaced; nil when there is none.
    let old: FileIdentity?
    /// The new content.
    let content: FileContent
    /// The new file, locked; nil when the process may not have so many files open.
    let new: SharedFile?
    /// Whether it has to be overwritten in place, since it can't be replaced.
    var isWrittenInPlace: Bool
    /// Whether it may be: its attributes stay as they are.
    var mayBeOverwritten = true
    /// Its file after the commit.
    var identity: FileIdentity?
  }

  /// How far the transaction has got.
  enum Phase { case isStaged, isCommitted, isOver }

  /// The files on the disk; each of `run.entries` belongs to the one of `files` with its index.
  var run: Run
  var files: [StagedFile]
  let replacements: [FileReplacement]
  /// For each replacement, its index in `files`; nil for one that is written to a device or a pipe.
  let indices: [Int?]
  var phase = Phase.isStaged
  var hasJournal = false
  /// Called before each step that changes the disk, which fails with what it throws; for tests.
  let beforeStep: () throws(SystemError) -> Void

  /// Stages and syncs the new content of all files.
  ///
  /// - Parameters:
  ///   - replacements: The files, each one once.
  ///   - seconds: How long to wait for each process that is staging files in one of the folders.
  ///   - beforeStep: Called before each step.
  /// - Throws: Why that is impossible; no file has been changed.
  init(
    staging replacements: [FileReplacement], waitingAtMost seconds: Double = Waiting.usualLimit,
    beforeStep: @escaping () throws(SystemError) -> Void = {}
  ) throws(TransactionError) {
    OpenFile.makeRoom(for: replacements.count)
    var stager = FileStager(
      for: replacements, waitingAtMost: seconds, beforeStep: beforeStep)
    try stager.stageAll()
    run = stager.run
    files = stager.files
    self.replacements = replacements
    indices = stager.indices
    self.beforeStep = beforeStep
  }

  deinit {
    // What could not be put back keeps its staging folder, for the next run.
    if phase == .isCommitted && !run.undo().stuck.isEmpty { run.keep() } else { run.clear() }
  }

  /// Lets the caller look at the new content of every file before any is replaced.
  ///
  /// - Parameter check: Gets the path of the staged content, with the extension of the file where the file
  ///   system allows a second name, for programs that go by it.
  /// - Throws: What `check` throws; `altered` for staged content that has been changed meanwhile.
  func validate(
    _ check: (_ stagedPath: [UInt8], _ replacement: FileReplacement) throws(TransactionError) ->
      Void
  ) throws(TransactionError) {
    let before = files.indices.map { stagedStatus($0) }
    for (replacement, index) in zip(replacements, indices) {
      guard let index, !run.entries[index].isRemoval,
        let staging = run.folders[run.entries[index].staging]?.staging
      else {
        continue
      }
      let entry = run.entries[index]
      var name = Run.name(entry.number)
      if let longName = Self.name(in: staging.folder, of: entry) { name = longName }
      defer { if name != Run.name(entry.number) { staging.folder.remove(name) } }
      // By its path, another process could hand over another file.
      let folder = Array("/proc/\(getpid())/fd/\(staging.folder.descriptor)".utf8)
      try check(PreservedFile.join(folder, name), replacement)
    }
    for index in files.indices where !run.entries[index].isRemoval {
      guard let old = before[index], let new = stagedStatus(index), new.isRegular,
        RunJournal.Content(FileIdentity(new)) == run.entries[index].new,
        new.st_mode == old.st_mode, new.st_uid == old.st_uid, new.st_gid == old.st_gid,
        new.st_nlink == 1
      else { throw .altered(path: files[index].path) }
    }
  }

  /// The status of the new content of a file.
  private func stagedStatus(_ index: Int) -> stat? {
    let entry = run.entries[index]
    return run.folders[entry.staging]?.staging?.folder.status(of: Run.name(entry.number))
  }

  /// Gives staged content a second name with the extension of its file.
  ///
  /// - Returns: The name; nil if the file has no extension, or there can't be a second name.
  private static func name(
    in folder: borrowing OpenFile, of entry: RunJournal.Entry
  ) -> [UInt8]? {
    guard let dot = entry.name.lastIndex(of: .dot), Run.isExtension(entry.name[(dot + 1)...]),
      !Run.isState(entry.name[(dot + 1)...])
    else { return nil }
    let (name, longName) = (Run.name(entry.number), Run.name(entry.number) + entry.name[dot...])
    do throws(SystemError) { try folder.link(name, as: longName, in: folder) } catch { return nil }
    return longName
  }

  /// Removes the old files.
  ///
  /// - Returns: The new file of each replacement; nil for a device or a pipe.
  /// - Precondition: The transaction is committed.
  consuming func finish() -> [FileIdentity?] {
    precondition(phase == .isCommitted, "not committed")
    phase = .isOver
    return indices.map { index in index.flatMap { files[$0].identity } }
  }
}
