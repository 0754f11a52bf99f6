import Glibc

/// Undoing a run, by the process that made it or by a later one.
extension Run {
  /// What came of undoing a run.
  struct Undoing {
    /// The files that are the old ones again.
    var paths: [[UInt8]] = []
    /// The old content of files that others have changed since.
    var aside: [[UInt8]] = []
    /// The old content of files that could not be put back; it stays in the staging folder.
    var stuck: [[UInt8]] = []
    /// Why.
    var failure: SystemError?
  }

  /// Puts back all files that are not the old ones, the last one first.
  ///
  /// It can be repeated by another process if this one is killed.
  func undo() -> Undoing {
    var undoing = Undoing()
    mark(Self.undoMark)
    for entry in entries.reversed() {
      guard let (staging, folder) = try? folders(of: entry) else { continue }
      var state = State.replaced(old: Self.name(entry.number))
      do throws(SystemError) {
        // What can't be looked at would be taken for a file that is not there.
        _ = try folder.file.statusIfThere(of: entry.name)
        _ = try staging.folder.statusIfThere(of: Self.name(entry.number))
        state = self.state(of: entry)
        if state == .waiting || state == .over { continue }
        // Only a file that is overwritten may be in a folder without a staging folder of the run.
        if entry.folder != entry.staging && state != .overwriting && state != .overwritten {
          throw SystemError(code: EPERM)
        }
        if let path = try putBack(entry, state, from: staging, to: folder.file) {
          undoing.aside.append(path)
        } else {
          undoing.paths.append(path(of: entry))
        }
      } catch {
        undoing.failure = error
        undoing.stuck.append(PreservedFile.join(staging.folder.path, oldName(entry, state)))
      }
    }
    do {
      try syncFolders()
    } catch {
      undoing.failure = error
    }
    return undoing
  }

  /// The name of the old content in the staging folder; that of the new one if there is no old one.
  private func oldName(_ entry: RunJournal.Entry, _ state: State) -> [UInt8] {
    switch state {
    case .replaced(let name): name
    case .overwriting, .overwritten: Self.name(entry.number, ".old")
    case .waiting, .created, .over: Self.name(entry.number)
    }
  }

  /// Puts a file back if it is as the run has left it.
  ///
  /// - Returns: Where the old content has been put aside if it is not; else nil.
  private func putBack(
    _ entry: RunJournal.Entry, _ state: State, from staging: StagingFolder,
    to folder: borrowing OpenFile
  ) throws(SystemError) -> [UInt8]? {
    let name = Self.name(entry.number)
    switch state {
    case .waiting, .over: return nil
    case .replaced(let old) where old == name:
      if isNew(entry.name, in: folder, entry) {
        try staging.folder.exchange(name, with: entry.name, in: folder)
        if isNew(name, in: staging.folder, entry) { return nil }
        // Somebody has replaced it in the meantime.
        try staging.folder.exchange(name, with: entry.name, in: folder)
      }
      return try setAside(name, of: entry, from: staging, to: folder)
    case .replaced(let old) where entry.isRemoval:
      do throws(SystemError) {
        try staging.folder.rename(old, to: entry.name, in: folder.descriptor, replacing: false)
        return nil
      } catch {
        // Somebody has made a file of that name.
        if error.code != EEXIST { throw error }
      }
      return try setAside(old, of: entry, from: staging, to: folder)
    case .replaced(let old):
      if isNew(entry.name, in: folder, entry) {
        try staging.folder.rename(old, to: entry.name, in: folder.descriptor, replacing: true)
        return nil
      }
      return try setAside(old, of: entry, from: staging, to: folder)
    case .created:
      if isNew(entry.name, in: folder, entry) {
        try folder.rename(entry.name, to: name, in: staging.folder.descriptor, replacing: false)
        if !isNew(name, in: staging.folder, entry) {
          try staging.folder.rename(name, to: entry.name, in: folder.descriptor, replacing: false)
        }
      }
      return nil
    case .overwriting, .overwritten:
      let staged = Self.name(entry.number, state == .overwriting ? ".begun" : ".done")
      let old = Self.name(entry.number, ".old")
      // It is gone where a power cut has ended the removal of a run that had been undone.
      let isStaged = staging.folder.has(staged)
      if try restore(entry, from: staging, isStaged ? staged : old, old, to: folder) {
        if isStaged { try staging.folder.rename(staged, to: name, replacing: true) }
        return nil
      }
      return try setAside(old, of: entry, from: staging, to: folder)
    }
  }

  /// Whether a name is that of the file that the run has staged, and nobody has written to it.
  private func isNew(
    _ name: [UInt8], in folder: borrowing OpenFile, _ entry: RunJournal.Entry
  ) -> Bool {
    folder.status(of: name).map { RunJournal.Content(FileIdentity($0)) } == entry.new
  }

  /// Moves the old content to a name that tells whose it is, and that is looked for when the file is read.
  private func setAside(
    _ name: [UInt8], of entry: RunJournal.Entry, from staging: StagingFolder,
    to folder: borrowing OpenFile
  ) throws(SystemError) -> [UInt8] {
    let inode = folder.status(of: entry.name).map { UInt64($0.st_ino) } ?? entry.old
    for number in 1...99 {
      let newName = PreservedFile.name(inode: ino_t(inode), number)
      do throws(SystemError) {
        try staging.folder.rename(name, to: newName, in: folder.descriptor, replacing: false)
        return PreservedFile.join(folder.path, newName)
      } catch {
        if error.code == EEXIST { continue }
      }
      do throws(SystemError) {
        // The file's own folder takes no new names.
        let parent = staging.parent.file.descriptor
        try staging.folder.rename(name, to: newName, in: parent, replacing: false)
        return PreservedFile.join(staging.parent.file.path, newName)
      } catch {
        if error.code != EEXIST { throw error }
      }
    }
    throw SystemError(code: EEXIST)
  }

  // MARK: - Files overwritten in place

  /// Gives an overwritten file its old bytes back.
  ///
  /// - Returns: False if somebody else has written to it: it is not what overwriting leaves at any moment, or a power
  ///   cut leaves of it.
  private func restore(
    _ entry: RunJournal.Entry, from staging: StagingFolder, _ staged: [UInt8], _ oldName: [UInt8],
    to folder: borrowing OpenFile
  ) throws(SystemError) -> Bool {
    let present = try folder.statusIfThere(of: entry.name)
    guard let present, present.isRegular else { return false }
    let flags = O_NOFOLLOW | O_NONBLOCK
    let file = try OpenFile(entry.name, in: folder.descriptor, O_RDWR | flags)
    let new = try OpenFile(staged, in: staging.folder.descriptor, O_RDONLY | flags)
    let old = try OpenFile(oldName, in: staging.folder.descriptor, O_RDONLY | flags)
    let status = try file.status()
    let (oldSize, newSize) = (Int(try old.status().st_size), Int(try new.status().st_size))
    guard UInt64(status.st_ino) == entry.old,
      (min(oldSize, newSize)...max(oldSize, newSize)).contains(Int(status.st_size)),
      try file.isMix(of: old, and: new)
    else { return false }
    try old.copy(oldSize, to: file)
    try file.truncate(to: oldSize)
    try file.sync()
    return true
  }
}
