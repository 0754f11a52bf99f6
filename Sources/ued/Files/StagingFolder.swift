import CLinux
import Glibc

/// The folder beside the files of a run in which their new content is staged, for this user only.
///
/// A run has it locked from the first staged file to the end, so one that nobody has locked was left by a
/// run that was killed. Files in it are named by numbers; see ``Run`` for the rest.
///
/// SAFETY: `flock` gets descriptors that are open during the call.
@safe final class StagingFolder {
  /// The folder it is in.
  let parent: SharedFile
  /// The folder itself.
  let folder: OpenFile
  /// Whether it is removed with all that is in it when the run lets go of it.
  var isTemporary = false

  /// Its name.
  static var name: [UInt8] { Array(".ued-\(SystemUser.number)-run".utf8) }

  /// Opens the one in a folder; nil when there is none.
  ///
  /// - Throws: EPERM unless it is a folder of this user's with access for nobody else.
  private init?(openIn parent: SharedFile) throws(SystemError) {
    let opened: OpenFile
    do throws(SystemError) {
      let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
      opened = try OpenFile(Self.name, in: parent.file.descriptor, flags)
    } catch {
      if error.code == ENOENT { return nil }
      throw error.code == ENOTDIR || error.code == ELOOP ? SystemError(code: EPERM) : error
    }
    let status = try opened.status()
    guard status.st_uid == SystemUser.number, status.st_mode & 0o777 == 0o700 else {
      throw SystemError(code: EPERM)
    }
    self.parent = parent
    folder = opened
  }

  deinit {
    if isTemporary { clear() }
  }

  /// Opens and locks what an earlier run has left in a folder.
  ///
  /// - Parameters:
  ///   - parent: The folder.
  ///   - seconds: How long to wait for a process that has it locked.
  /// - Returns: It; nil when there is none.
  /// - Throws: ETIMEDOUT; EINTR after an interrupt; EPERM unless it is this user's.
  static func lock(
    in parent: SharedFile, waitingAtMost seconds: Double
  ) throws(SystemError) -> StagingFolder? {
    while let found = try StagingFolder(openIn: parent) {
      let descriptor = found.folder.descriptor
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        if errno != EWOULDBLOCK { throw .last }
        var waiting = Waiting(atMost: seconds)
        try waiting.forSuccess { flock(descriptor, LOCK_EX) }
      }
      if parent.file.holds(found.folder, as: name) { return found }
    }
    return nil
  }

  /// Makes and locks an empty one.
  ///
  /// - Parameters:
  ///   - parent: The folder to make it in.
  ///   - seconds: How long to wait for each of the processes that have it locked.
  /// - Returns: It; nil when a run that was killed has left one, which has to be mended first.
  /// - Throws: As `lock`, and why it can't be made.
  static func make(
    in parent: SharedFile, waitingAtMost seconds: Double
  ) throws(SystemError) -> StagingFolder? {
    while true {
      do {
        try parent.file.makeFolder(name)
      } catch  where error.code == EEXIST {}
      if let made = try lock(in: parent, waitingAtMost: seconds) {
        if !FolderListing.names(in: made.folder).isEmpty { return nil }
        made.isTemporary = true
        return made
      }
      // The run that had it has removed it.
    }
  }

  /// Whether the path of the folder it is in has one at all; false too when that can't be found out.
  static func isThere(beside path: [UInt8]) -> Bool {
    let parent = path.lastIndex(of: .slash).map { Array(path[...$0]) } ?? []
    var status = stat()
    return unsafe SystemName.lend(parent + name) {
      unsafe fstatat(AT_FDCWD, $0, &status, AT_SYMLINK_NOFOLLOW)
    } == 0
  }

  /// The journal of the run; nil when there is none, or it was not written to its end.
  ///
  /// - Throws: Why it can't be read.
  func journal() throws(SystemError) -> RunJournal? {
    let file: OpenFile
    do throws(SystemError) {
      let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
      file = try OpenFile(RunJournal.name, in: folder.descriptor, flags)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
    let status = try file.status()
    guard status.isRegular, status.st_uid == SystemUser.number,
      status.st_size <= RunJournal.sizeLimit
    else { throw SystemError(code: EPERM) }
    let loaded = DiskFiles().load(
      from: file.descriptor, sizeHint: Int(status.st_size), path: RunJournal.name,
      strippingCR: false)
    if let failure = loaded.failure { throw SystemError(code: failure.code) }
    return RunJournal(loaded.text.bytes)
  }

  /// Removes the journal: from then on the run is over.
  func removeJournal() { folder.remove(RunJournal.name) }

  /// Removes all that is in it, the journal first, and the folder.
  func clear() {
    removeJournal()
    for name in FolderListing.names(in: folder) { folder.remove(name) }
    if parent.file.holds(folder, as: Self.name) { parent.file.removeFolder(Self.name) }
  }

  /// Moves it aside with all that is in it: it belongs to a run in another folder, of which this is a copy.
  ///
  /// - Returns: Its path then.
  func setAside() throws(SystemError) -> [UInt8] {
    let name = PreservedFile.name(inode: try folder.status().st_ino)
    try parent.file.rename(Self.name, to: name, replacing: false)
    return PreservedFile.join(parent.file.path, name)
  }
}
