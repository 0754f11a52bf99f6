import Glibc
import TextBuffer

/// Replaces, creates and removes several files, all or none.
///
///     var transaction = try FileTransaction(staging: writes)
///     try transaction.validate { … }
///     try transaction.commit()
///     let identities = transaction.finish()
///
/// New content is staged and synced in folders next to the files. `commit` renames it into place,
/// and `finish` removes the old files. Without both calls, all is put back when the value is
/// destroyed. A killed process leaves its staging folders with a journal; ``TransactionMender``
/// finishes or undoes the run.
///
/// The caller holds the locks of the files (``FileLocks``). New files are locked before they get
/// their names, until this value is destroyed, as far as the limit of open files allows. No other
/// strict writer can then interfere before the caller is done.
struct FileTransaction: ~Copyable {
  struct Target {
    /// The path in messages.
    let path: [UInt8]
    /// The file to replace; nil if it does not exist.
    let old: FileIdentity?
    let content: FileContent
    /// The new file, locked; nil if the process may not have so many files open.
    let new: SharedFile?
    /// Whether it can't be replaced and must be overwritten in place.
    var isWrittenInPlace: Bool
    /// Whether overwriting is allowed, because only its text changes.
    var mayBeOverwritten = true
    /// The identity of the file after the commit.
    var identity: FileIdentity?
  }

  /// The progress of the transaction.
  enum Phase { case isStaged, isCommitted, isOver }

  /// The files on the disk. `run.entries` and `files` have the same indices.
  var run: TransactionFiles
  var files: [Target]
  let writes: [FileWrite]
  /// For each write, its index in `files`; nil if it is written to a device or a pipe.
  let indices: [Int?]
  var phase = Phase.isStaged
  var hasJournal = false
  /// Whether a later run undoes or finishes this one after a kill, by its journal.
  let isMendable: Bool
  /// For tests: called before each step that changes the disk; an error that it throws fails the
  /// step.
  let beforeStep: () throws(SystemError) -> Void

  /// Stages and syncs the new content of all files, each given once. Waits at most `seconds` for
  /// each process that is staging files in one of the folders. If `isMendable`, a later run undoes or
  /// finishes this one after a kill; otherwise a kill leaves each file old or new.
  ///
  /// - Throws: The reason why it failed; no file has been changed.
  init(
    staging writes: [FileWrite], isMendable: Bool = true,
    waitingAtMost seconds: Double = Waiting.usualLimit,
    beforeStep: @escaping () throws(SystemError) -> Void = {}
  ) throws(FileError) {
    OpenFile.makeRoom(for: writes.count)
    var stager = FileStager(
      for: writes, waitingAtMost: seconds, beforeStep: beforeStep)
    try stager.stageAll()
    run = stager.run
    files = stager.files
    self.writes = writes
    self.isMendable = isMendable
    indices = stager.indices
    self.beforeStep = beforeStep
  }

  deinit {
    // Files that could not be put back keep their staging folder, for the next run.
    if phase == .isCommitted && !run.undo().stuck.isEmpty { run.keep() } else { run.clear() }
  }

  /// Lets `check` look at the new content of every file before any file is replaced. If hard links
  /// are possible, the staged path has the file's extension, for programs that rely on it.
  ///
  /// - Throws: The error of `check`; `altered` if staged content has changed meanwhile.
  func validate(
    _ check: (_ stagedPath: [UInt8], _ write: FileWrite) throws(FileError) ->
      Void
  ) throws(FileError) {
    let before = files.indices.map { stagedStatus($0) }
    for (write, index) in zip(writes, indices) {
      guard let index, !run.entries[index].isRemoval,
        let staging = run.folders[run.entries[index].staging]?.staging
      else {
        continue
      }
      let entry = run.entries[index]
      var name = TransactionFiles.name(entry.number)
      if let longName = Self.name(in: staging.folder, of: entry) { name = longName }
      defer { if name != TransactionFiles.name(entry.number) { staging.folder.remove(name) } }
      // Through a path name, another process could substitute another file.
      let folder = Array("/proc/\(getpid())/fd/\(staging.folder.descriptor)".utf8)
      try check(PreservedFile.join(folder, name), write)
    }
    for index in files.indices where !run.entries[index].isRemoval {
      guard let old = before[index], let new = stagedStatus(index), new.isRegular,
        TransactionJournal.Content(FileIdentity(new)) == run.entries[index].new,
        new.st_mode == old.st_mode, new.st_uid == old.st_uid, new.st_gid == old.st_gid,
        new.st_nlink == 1
      else { throw .altered(path: files[index].path) }
    }
  }

  /// The status of the new content of a file.
  private func stagedStatus(_ index: Int) -> stat? {
    let entry = run.entries[index]
    return run.folders[entry.staging]?.staging?.folder.status(
      of: TransactionFiles.name(entry.number))
  }

  /// Gives staged content a second name with the extension of its file; nil if the file has none,
  /// or a second name is impossible.
  private static func name(
    in folder: borrowing OpenFile, of entry: TransactionJournal.Entry
  ) -> [UInt8]? {
    guard let dot = entry.name.lastIndex(of: .dot),
      TransactionFiles.isExtension(entry.name[(dot + 1)...]),
      !TransactionFiles.isState(entry.name[(dot + 1)...])
    else { return nil }
    let (name, longName) = (
      TransactionFiles.name(entry.number), TransactionFiles.name(entry.number) + entry.name[dot...]
    )
    do throws(SystemError) { try folder.link(name, as: longName, in: folder) } catch { return nil }
    return longName
  }

  /// Removes the old files; returns the new file of each write, nil for a device or a pipe.
  ///
  /// - Precondition: The transaction is committed.
  consuming func finish() -> [FileIdentity?] {
    precondition(phase == .isCommitted, "not committed")
    phase = .isOver
    return indices.map { index in index.flatMap { files[$0].identity } }
  }
}

// MARK: - Commit

/// The second half of a transaction: all files are renamed, or none.
extension FileTransaction {
  /// Puts all new content in place.
  ///
  /// - Throws: The reason why it failed. All files are then the old ones, except for `notUndone`.
  mutating func commit() throws(FileError) {
    precondition(phase == .isStaged, "already committed")
    phase = .isCommitted
    do throws(FileError) {
      for index in files.indices { try check(index) }
      for index in indices { if let index { try checkPath(index) } }
      // Overwriting is safe only with a journal.
      if !isMendable, let file = files.first(where: \.isWrittenInPlace) {
        throw .notWritable(file.path, EPERM)
      }
      if files.count > 1 && isMendable { try writeJournals() }
      for index in files.indices where !files[index].isWrittenInPlace { try rename(index) }
      for index in files.indices where files[index].isWrittenInPlace { try overwrite(index) }
      try step(.closeOutput, files.last?.path ?? []) { run throws(SystemError) in
        try run.syncFolders()
      }
      // A replaced file may be a hard link to an overwritten one.
      if !files.contains(where: \.isWrittenInPlace) {
        for index in files.indices { try checkReplaced(index) }
      }
      for index in files.indices { files[index].identity = identity(index) }
      // Writes to devices and pipes can't be undone, so they are last.
      for (write, index) in zip(writes, indices) where index == nil {
        try makeUnstaged(write)
      }
    } catch {
      throw undo(after: error)
    }
  }

  /// Undoes all steps, and returns the failure; `notUndone` if not everything could be put back.
  private mutating func undo(after failure: FileError) -> FileError {
    let undoing = run.undo()
    var isStuck = false
    if undoing.stuck.isEmpty {
      phase = .isOver
      run.clear()
    } else {
      do {
        try writeJournals()
      } catch {
        // With several files, no file is replaced before a journal exists.
        isStuck = files.count == 1
        if isStuck { run.mark(TransactionFiles.stuckMark) }
      }
    }
    let paths = undoing.aside + undoing.stuck
    guard !paths.isEmpty || undoing.failure != nil else { return failure }
    var error = failure
    if failure.reason != .system {
      error = FileError(
        attempt: .closeOutput, path: paths.first ?? [], code: undoing.failure?.code ?? ESTALE)
    }
    error.reason = .notUndone(paths: paths, isStuck: isStuck)
    return error
  }

  /// Runs one step, and translates its error.
  private func step<Result>(
    _ attempt: FileError.Attempt, _ path: [UInt8],
    _ step: (TransactionFiles) throws(SystemError) -> Result
  ) throws(FileError) -> Result {
    try FileError.attempt(attempt, path) { () throws(SystemError) in
      try beforeStep()
      return try step(run)
    }
  }

  private func folder(_ index: Int) -> SharedFile? {
    run.folders[run.entries[index].folder]?.folder
  }

  private func identity(_ index: Int) -> FileIdentity? {
    folder(index)?.file.status(of: run.entries[index].name).map { FileIdentity($0) }
  }

  // MARK: - Before the first rename

  /// Checks that a file is still the one found when its new content was staged.
  private func check(_ index: Int) throws(FileError) {
    let status = folder(index)?.file.status(of: run.entries[index].name)
    if status.map({ FileIdentity($0) }) != files[index].old {
      throw .changed(path: files[index].path)
    }
  }

  /// Checks that the path of a file still leads to it, or still to no file.
  private func checkPath(_ index: Int) throws(FileError) {
    let present = OpenFile.status(of: files[index].path).map { FileIdentity($0).number }
    if present != files[index].old?.number {
      throw .changed(path: files[index].path)
    }
  }

  /// Writes the journal into each staging folder, and syncs the staging folders and their parents.
  private mutating func writeJournals() throws(FileError) {
    if hasJournal { return }
    hasJournal = true
    let path = files[0].path
    // Without /proc, the paths of folders can't be determined.
    for folder in run.folders where folder?.path.first != .slash {
      throw .notWritable(path, ENOENT)
    }
    let journal = TransactionJournal(
      folders: run.folders.compactMap { folder in
        folder.map { TransactionJournal.Folder(path: $0.path, inode: $0.number.inode) }
      }, entries: run.entries)
    let bytes = try step(.openOutput, path) { _ throws(SystemError) in try journal.bytes() }
    var first: StagingFolder?
    for staging in run.stagings {
      try step(.writeOutput, staging.folder.path) { _ throws(SystemError) in
        // One file with many names, if possible: a run may have many folders.
        if let first,
          (try? first.folder.link(
            TransactionJournal.name, as: TransactionJournal.name, in: staging.folder)) != nil
        {
          return
        }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        let file = try OpenFile(
          TransactionJournal.name, in: staging.folder.descriptor, flags, mode: 0o600)
        try unsafe DescriptorWriter.write(bytes.span.bytes, to: file.descriptor)
        try file.sync()
      }
      if first == nil { first = staging }
    }
    for staging in run.stagings {
      try step(.closeOutput, staging.folder.path) { _ throws(SystemError) in
        try staging.folder.sync()
        try staging.parent.file.sync()
      }
    }
  }

  // MARK: - Renaming

  private mutating func rename(_ index: Int) throws(FileError) {
    let entry = run.entries[index]
    let old = files[index].old
    do throws(SystemError) {
      let (staging, folder) = try run.folders(of: entry)
      try beforeStep()
      if entry.isRemoval, let old {
        let name = TransactionFiles.name(entry.number, ".old")
        let target = staging.folder.descriptor
        try folder.file.rename(entry.name, to: name, in: target, replacing: false)
        try Self.check(name, in: staging.folder, isStill: old)
      } else if let old {
        try Self.replace(entry, old, from: staging.folder, to: folder.file)
      } else {
        let descriptor = folder.file.descriptor
        try staging.folder.rename(
          TransactionFiles.name(entry.number), to: entry.name, in: descriptor, replacing: false)
      }
    } catch {
      let mustStayInPlace = [EBUSY, EXDEV, EPERM, EACCES].contains(error.code)
      if [ESTALE, EEXIST, ENOENT].contains(error.code) {
        throw .changed(path: files[index].path)
      } else if mustStayInPlace && isMendable && old != nil && !entry.isRemoval
        && files[index].mayBeOverwritten
      {
        // The cause is a mount point, or another user's file in a folder with the sticky bit.
        try copyOld(index)
        files[index].isWrittenInPlace = true
      } else {
        throw .notWritable(files[index].path, error.code)
      }
    }
  }

  /// Exchanges a file with its new content.
  ///
  /// - Throws: ESTALE if the exchanged file is not the one that was read; undoing puts it back.
  private static func replace(
    _ entry: TransactionJournal.Entry, _ old: FileIdentity, from staging: borrowing OpenFile,
    to folder: borrowing OpenFile
  ) throws(SystemError) {
    var name = TransactionFiles.name(entry.number)
    do throws(SystemError) {
      try staging.exchange(name, with: entry.name, in: folder)
    } catch {
      guard error.code == EINVAL || error.code == ENOSYS else { throw error }
      name = TransactionFiles.name(entry.number, ".old")
      try folder.link(entry.name, as: name, in: staging)
    }
    try check(name, in: staging, isStill: old)
    if name != TransactionFiles.name(entry.number) {
      try staging.rename(
        TransactionFiles.name(entry.number), to: entry.name, in: folder.descriptor, replacing: true)
    }
  }

  /// Checks that no other program has written to the old file while the new one got its name.
  private func checkReplaced(_ index: Int) throws(FileError) {
    guard let old = files[index].old, case .replaced(let name) = run.state(of: run.entries[index]),
      let staging = run.folders[run.entries[index].staging]?.staging
    else { return }
    do throws(SystemError) {
      try Self.check(name, in: staging.folder, isStill: old)
    } catch {
      throw .changed(path: files[index].path)
    }
  }

  /// Checks that the old file, under its name in a staging folder, has its old content.
  ///
  /// - Throws: ESTALE.
  private static func check(
    _ name: [UInt8], in staging: borrowing OpenFile, isStill old: FileIdentity
  ) throws(SystemError) {
    guard let status = staging.status(of: name), FileIdentity(status).hasContent(of: old) else {
      throw SystemError(code: ESTALE)
    }
  }

  // MARK: - Overwriting

  /// Copies the old bytes of a file to be overwritten.
  mutating func copyOld(_ index: Int) throws(FileError) {
    try run.copyOld(run.entries[index], files[index].path, beforeStep)
  }

  private mutating func overwrite(_ index: Int) throws(FileError) {
    try writeJournals()
    let entry = run.entries[index]
    let file = files[index]
    let (staging, target) = try step(.openOutput, file.path) { run throws(SystemError) in
      let (staging, folder) = try run.folders(of: entry)
      let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK
      return (staging, SharedFile(try OpenFile(entry.name, in: folder.file.descriptor, flags)))
    }
    guard let status = try? target.file.status(), let old = file.old,
      FileIdentity(status).hasContent(of: old)
    else {
      throw .changed(path: file.path)
    }
    let (begun, done) = (
      TransactionFiles.name(entry.number, ".begun"), TransactionFiles.name(entry.number, ".done")
    )
    try step(.writeOutput, file.path) { _ throws(SystemError) in
      try staging.folder.rename(TransactionFiles.name(entry.number), to: begun, replacing: false)
      try staging.folder.sync()
    }
    try step(.writeOutput, file.path) { _ throws(SystemError) in }
    try file.content.write(to: target.file.descriptor)
    try step(.closeOutput, file.path) { _ throws(SystemError) in
      try target.file.truncate(to: file.content.byteCount)
      FileAttributes.setSetID(of: status.st_mode, on: target.file)
      try target.file.sync()
      try target.file.checkClosing()
    }
    try step(.closeOutput, file.path) { _ throws(SystemError) in
      try staging.folder.rename(begun, to: done, replacing: false)
      // If power fails before this sync, mending may find `N.begun`, and then undoes the run.
      try staging.folder.sync()
    }
  }

  /// Makes a write to a device or a pipe.
  private func makeUnstaged(_ write: FileWrite) throws(FileError) {
    try step(.openOutput, write.path) { _ throws(SystemError) in }
    let content = FileContent(write)
    do throws(FileError) {
      if write.isStream {
        // A path that now leads to a regular file is not ours to write.
        try FileWriter(content: content, isCareful: false).feed()
      } else {
        _ = try FileWriter(content: content, isCareful: false).save(exists: true)
      }
    } catch {
      throw error.code == ESTALE ? .changed(path: write.path) : error
    }
  }
}
