import Glibc
import TextBuffer

/// The second half of a transaction: all files are renamed, or none.
extension FileTransaction {
  /// Puts all new content in the place of the old.
  ///
  /// - Throws: Why that failed; all files are the old ones then, except for `notUndone`.
  mutating func commit() throws(TransactionError) {
    precondition(phase == .isStaged, "already committed")
    phase = .isCommitted
    do throws(TransactionError) {
      for index in files.indices { try check(index) }
      for index in indices { if let index { try checkPath(index) } }
      if files.count > 1 { try writeJournals() }
      for index in files.indices where !files[index].isWrittenInPlace { try rename(index) }
      for index in files.indices where files[index].isWrittenInPlace { try overwrite(index) }
      try step(.closeOutput, files.last?.path ?? []) { run throws(SystemError) in
        try run.syncFolders()
      }
      for index in files.indices {
        files[index].identity = identity(index)
      }
      // These can't be taken back, so they are last.
      for (replacement, index) in zip(replacements, indices) where index == nil {
        try write(replacement)
      }
    } catch {
      throw undo(after: error)
    }
  }

  /// Undoes what has been done so far.
  ///
  /// - Returns: The failure, which says so if not everything could be put back.
  private mutating func undo(after failure: TransactionError) -> TransactionError {
    let undoing = run.undo()
    var isStuck = false
    if undoing.stuck.isEmpty {
      phase = .isOver
      run.clear()
    } else {
      do {
        try writeJournals()
      } catch {
        // Of several files, none is replaced before there is a journal.
        isStuck = files.count == 1
        if isStuck { run.mark(Run.stuckMark) }
      }
    }
    let paths = undoing.aside + undoing.stuck
    guard !paths.isEmpty || undoing.failure != nil else { return failure }
    if case .file(let error) = failure { return .notUndone(paths: paths, error, isStuck: isStuck) }
    let code = undoing.failure?.code ?? ESTALE
    let path = paths.first ?? []
    return .notUndone(
      paths: paths, FileError(attempt: .closeOutput, path: path, code: code), isStuck: isStuck)
  }

  /// Runs one step, and translates its error.
  private func step<Result>(
    _ attempt: FileError.Attempt, _ path: [UInt8], _ step: (Run) throws(SystemError) -> Result
  ) throws(TransactionError) -> Result {
    try TransactionError.attempt(attempt, path) { () throws(SystemError) in
      try beforeStep()
      return try step(run)
    }
  }

  /// The folder of a file.
  private func folder(_ index: Int) -> SharedFile? {
    run.folders[run.entries[index].folder]?.folder
  }

  /// The file as it is after the commit.
  private func identity(_ index: Int) -> FileIdentity? {
    folder(index)?.file.status(of: run.entries[index].name).map { FileIdentity($0) }
  }

  // MARK: - Before the first rename

  /// Checks that a file is still the one that was found when its new content was staged.
  private func check(_ index: Int) throws(TransactionError) {
    let status = folder(index)?.file.status(of: run.entries[index].name)
    if status.map({ FileIdentity($0) }) != files[index].old {
      throw .changed(path: files[index].path, .changedOutside)
    }
  }

  /// Checks that the path of a file still leads to it, or to no file.
  private func checkPath(_ index: Int) throws(TransactionError) {
    let present = OpenFile.status(of: files[index].path).map { FileIdentity($0).number }
    if present != files[index].old?.number {
      throw .changed(path: files[index].path, .changedOutside)
    }
  }

  /// Writes the journal into each staging folder, and syncs those and the folders that they are in.
  private mutating func writeJournals() throws(TransactionError) {
    if hasJournal { return }
    hasJournal = true
    let path = files[0].path
    // Without /proc, the paths of folders can't be determined.
    for folder in run.folders where folder?.path.first != .slash { throw .closed(path, ENOENT) }
    let journal = RunJournal(
      folders: run.folders.compactMap { folder in
        folder.map { RunJournal.Folder(path: $0.path, inode: $0.number.inode) }
      }, entries: run.entries)
    let bytes = try step(.openOutput, path) { _ throws(SystemError) in try journal.bytes() }
    var first: StagingFolder?
    for staging in run.stagings {
      try step(.writeOutput, staging.folder.path) { _ throws(SystemError) in
        // One file with many names, where that is possible: there may be many folders.
        if let first,
          (try? first.folder.link(RunJournal.name, as: RunJournal.name, in: staging.folder)) != nil
        {
          return
        }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        let file = try OpenFile(
          RunJournal.name, in: staging.folder.descriptor, flags, mode: 0o600)
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

  private mutating func rename(_ index: Int) throws(TransactionError) {
    let entry = run.entries[index]
    let old = files[index].old
    do throws(SystemError) {
      let (staging, folder) = try run.folders(of: entry)
      try beforeStep()
      if entry.isRemoval, let old {
        let name = Run.name(entry.number, ".old")
        let target = staging.folder.descriptor
        try folder.file.rename(entry.name, to: name, in: target, replacing: false)
        guard let status = staging.folder.status(of: name), FileIdentity(status).hasContent(of: old)
        else { throw SystemError(code: ESTALE) }
      } else if let old {
        try Self.replace(entry, old, from: staging.folder, to: folder.file)
      } else {
        let descriptor = folder.file.descriptor
        try staging.folder.rename(
          Run.name(entry.number), to: entry.name, in: descriptor, replacing: false)
      }
    } catch {
      let isFixed = [EBUSY, EXDEV, EPERM, EACCES].contains(error.code)
      if [ESTALE, EEXIST, ENOENT].contains(error.code) {
        throw .changed(path: files[index].path, .changedOutside)
      } else if isFixed && old != nil && !entry.isRemoval && files[index].mayBeOverwritten {
        // A mount point, or a file of somebody else in a folder with the sticky bit.
        try copyOld(index)
        files[index].isWrittenInPlace = true
      } else {
        throw .closed(files[index].path, error.code)
      }
    }
  }

  /// Exchanges a file with its new content.
  ///
  /// - Throws: ESTALE if another file came out than the one that was read; undoing puts it back.
  private static func replace(
    _ entry: RunJournal.Entry, _ old: FileIdentity, from staging: borrowing OpenFile,
    to folder: borrowing OpenFile
  ) throws(SystemError) {
    var name = Run.name(entry.number)
    do throws(SystemError) {
      try staging.exchange(name, with: entry.name, in: folder)
    } catch {
      guard error.code == EINVAL || error.code == ENOSYS else { throw error }
      name = Run.name(entry.number, ".old")
      try folder.link(entry.name, as: name, in: staging)
    }
    guard let status = staging.status(of: name), FileIdentity(status).hasContent(of: old) else {
      throw SystemError(code: ESTALE)
    }
    if name != Run.name(entry.number) {
      try staging.rename(
        Run.name(entry.number), to: entry.name, in: folder.descriptor, replacing: true)
    }
  }

  // MARK: - Overwriting

  /// Copies the old bytes of a file that is going to be overwritten.
  mutating func copyOld(_ index: Int) throws(TransactionError) {
    try run.copyOld(run.entries[index], files[index].path, beforeStep)
  }

  private mutating func overwrite(_ index: Int) throws(TransactionError) {
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
      throw .changed(path: file.path, .changedOutside)
    }
    let (begun, done) = (Run.name(entry.number, ".begun"), Run.name(entry.number, ".done"))
    try step(.writeOutput, file.path) { _ throws(SystemError) in
      try staging.folder.rename(Run.name(entry.number), to: begun, replacing: false)
      try staging.folder.sync()
    }
    try step(.writeOutput, file.path) { _ throws(SystemError) in }
    do {
      try file.content.write(to: target.file.descriptor)
    } catch {
      throw .file(error)
    }
    try step(.closeOutput, file.path) { _ throws(SystemError) in
      try target.file.truncate(to: file.content.byteCount)
      try target.file.sync()
      try target.file.checkClosing()
    }
    try step(.closeOutput, file.path) { _ throws(SystemError) in
      try staging.folder.rename(begun, to: done, replacing: false)
      // Else the run would be undone after a power cut, as if it had been cut off here.
      try staging.folder.sync()
    }
  }

  /// Writes to a device or a pipe.
  private func write(_ replacement: FileReplacement) throws(TransactionError) {
    try step(.openOutput, replacement.path) { _ throws(SystemError) in }
    let content = FileContent(replacement)
    do throws(FileError) {
      if replacement.isStream {
        // What has become a regular file is none of ours.
        try FileWriter(content: content, isCareful: false).feed()
      } else {
        _ = try FileWriter(content: content, isCareful: false).save(exists: true)
      }
    } catch {
      throw error.code == ESTALE
        ? .changed(path: replacement.path, .changedOutside) : .file(error)
    }
  }
}
