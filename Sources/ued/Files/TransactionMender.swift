import Glibc

/// Finishes or undoes runs that were killed.
enum TransactionMender {
  /// The result of mending a run.
  enum Mending: Equatable, Sendable {
    /// The run is missing, or another process mends it, or it had not changed any file.
    case nothing
    /// The files at these paths are the old ones again.
    case undone([[UInt8]])
    /// All files are the new ones.
    case completed
    /// Other programs have changed files or moved folders since, or another user made the run. The
    /// old content, or staging folders with it, now has these paths.
    case leftAside([[UInt8]])
  }

  /// Finishes or undoes a killed run that has a staging folder next to a file, or in a folder for
  /// content that can't be staged there. Call it when the file is locked, before it is read.
  /// Returns `nothing` without a run, or if it can't be mended.
  ///
  /// - Complexity: Three system calls if there is nothing to mend.
  static func mend(beside path: [UInt8], or elsewhere: [[UInt8]] = PrivateFolder.paths) -> Mending {
    let isThere = StagingFolder.isThere(beside: path)
    if !isThere && !OpenFile.isLink(path) && OpenFile.canAddNames(beside: path) { return .nothing }
    guard let place = try? FilePlace(following: path) else { return .nothing }
    let parent = SharedFile(place.takeFolder())
    if let mending = try? mend(parent, waitingAtMost: 0), mending != .nothing {
      return mending
    }
    for path in elsewhere where StagingFolder.isThere(beside: path + [.slash]) {
      guard let folder = try? OpenFile(path, O_RDONLY | O_DIRECTORY) else { continue }
      if let mending = try? mend(SharedFile(folder), waitingAtMost: 0),
        mending != .nothing
      {
        return mending
      }
    }
    return .nothing
  }

  /// Mends the run that has a staging folder in a folder. Waits at most `seconds` for each process
  /// that has the staging folder locked.
  ///
  /// - Throws: ETIMEDOUT; EINTR after an interrupt; ENOTEMPTY for a staging folder that can't be
  ///   cleared; or the reason why not all files could be put back.
  static func mend(
    _ parent: SharedFile, waitingAtMost seconds: Double
  ) throws(SystemError) -> Mending {
    let inode = UInt64(try parent.file.status().st_ino)
    let (journal, path): (TransactionJournal, [UInt8])
    do {
      guard let found = try StagingFolder.lock(in: parent, waitingAtMost: seconds) else {
        return .nothing
      }
      if found.isCopy { return .leftAside([try found.setAside()]) }
      guard let read = try found.journal() else {
        if found.folder.has(TransactionFiles.stuckMark) {
          return .leftAside([try found.setAside()])
        }
        if !found.clear() { throw SystemError(code: ENOTEMPTY) }
        return .nothing
      }
      guard read.isSealed, let own = read.folders.first(where: { $0.inode == inode }) else {
        return .leftAside([try found.setAside()])
      }
      (journal, path) = (read, own.path)
    }
    // The lock is released now, since all locks are taken in one order.
    let run = try lockAll(of: journal, parent, inode, path)
    guard run.folders.contains(where: { $0?.number.inode == inode && $0?.staging != nil })
    else { return .nothing }
    switch run.remedy {
    case .undo: break
    case .finish:
      try run.syncFolders()
      run.clear()
      return .completed
    case .setAside:
      var paths: [[UInt8]] = []
      for staging in run.stagings { paths.append(try staging.setAside()) }
      return .leftAside(paths)
    }
    let undoing = run.undo()
    if let failure = undoing.failure { throw failure }
    run.clear()
    if !undoing.aside.isEmpty { return .leftAside(undoing.aside) }
    return undoing.paths.isEmpty ? .nothing : .undone(undoing.paths)
  }

  /// Opens the folders of a run, and locks their staging folders unless the run is over there. A
  /// folder missing at its path may have moved together with `parent`, so the same relative path is
  /// tried.
  private static func lockAll(
    of journal: TransactionJournal, _ parent: SharedFile, _ inode: UInt64, _ parentPath: [UInt8]
  ) throws(SystemError) -> TransactionFiles {
    let folders = journal.folders.map { recorded -> TransactionFiles.Folder? in
      let folder =
        recorded.inode == inode
        ? parent
        : open(recorded.path, inode: recorded.inode)
          ?? open(
            moved(recorded.path, with: parentPath, to: parent.file.path), inode: recorded.inode)
      guard let folder, let status = try? folder.file.status() else { return nil }
      return TransactionFiles.Folder(
        folder: folder, path: folder.file.path, number: FileIdentity(status).number)
    }
    var run = TransactionFiles(folders: folders, entries: journal.entries)
    for (index, folder) in run.foldersInOrder {
      do throws(SystemError) {
        let staging = try StagingFolder.lock(in: folder.folder, waitingAtMost: Waiting.usualLimit)
        if let staging, !staging.isCopy, try staging.journal() == journal {
          run.folders[index]?.staging = staging
        }
      } catch {
        if error.code != EPERM { throw error }
      }
    }
    return run
  }

  private static func open(_ path: [UInt8], inode: UInt64) -> SharedFile? {
    guard let folder = try? OpenFile(path, O_RDONLY | O_DIRECTORY),
      let status = try? folder.status(), UInt64(status.st_ino) == inode
    else { return nil }
    return SharedFile(folder)
  }

  /// The new path of a folder if it was moved along with `old` to `new`.
  private static func moved(
    _ path: [UInt8], with old: [UInt8], to new: [UInt8]
  ) -> [UInt8] {
    let (parts, oldParts) = (path.split(separator: .slash), old.split(separator: .slash))
    let common = zip(parts, oldParts).prefix { $0 == $1 }.count
    let above = new.split(separator: .slash).dropLast(oldParts.count - common)
    return (above + parts[common...]).reduce(into: []) { $0 += [.slash] + $1 }
  }
}
