import UedLinux
import Glibc

/// The folder, next to the files of a run, that stages their new content for this user only.
///
/// A run has the folder locked from the first staged file to the end, so an unlocked one was left
/// by a killed run. An empty file marks the folder: its name has the inode number of the folder. A
/// folder of the user with the same name but another origin has no marker, and is left alone. The
/// other files in it have numbers as names; see ``TransactionFiles``. No other name is ever removed
/// from it.
///
/// If something else has the name, the next of nine names is used. On a file system without locks,
/// only the run that created the folder uses it, and it is never mended.
final class StagingFolder {
  let parent: SharedFile
  let folder: OpenFile
  let name: [UInt8]
  /// Whether the folder and all files of the run in it are removed when the run releases it.
  var isTemporary = false
  /// Whether it is a copy of a staging folder: its marker names another folder.
  private(set) var isCopy = false
  private let marker: [UInt8]

  private static let nameLimit = 9

  /// Its name. Later numbers are for folders whose earlier names are taken.
  static func name(_ number: Int = 1) -> [UInt8] {
    Array(".ued-\(SystemUser.number)-run\(number == 1 ? "" : "-\(number)")".utf8)
  }

  /// The name of the marker in the folder with an inode number.
  static func marker(inode: ino_t) -> [UInt8] { Array("ued-\(inode)".utf8) }

  /// Opens the folder with a name; nil if it does not exist.
  ///
  /// - Throws: EPERM unless it is a folder of this user without access for others.
  private init?(named name: [UInt8], in parent: SharedFile) throws(SystemError) {
    let opened: OpenFile
    do throws(SystemError) {
      let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
      opened = try OpenFile(name, in: parent.file.descriptor, flags)
    } catch {
      if error.code == ENOENT { return nil }
      let isForeign = [ENOTDIR, ELOOP, EACCES].contains(error.code) && parent.file.has(name)
      throw isForeign ? SystemError(code: EPERM) : error
    }
    let status = try opened.status()
    guard status.st_uid == SystemUser.number, status.st_mode & 0o777 == 0o700 else {
      throw SystemError(code: EPERM)
    }
    self.parent = parent
    self.name = name
    folder = opened
    marker = Self.marker(inode: status.st_ino)
  }

  deinit {
    if isTemporary { clear() }
  }

  /// Opens and locks the staging folder of an earlier run, under any of the names; nil without one.
  /// Waits at most `seconds` for a process that has it locked.
  ///
  /// - Throws: ETIMEDOUT; EINTR after an interrupt.
  static func lock(
    in parent: SharedFile, waitingAtMost seconds: Double
  ) throws(SystemError) -> StagingFolder? {
    for number in 1...nameLimit {
      do throws(SystemError) {
        if let found = try lock(named: name(number), in: parent, waitingAtMost: seconds) {
          return found
        }
      } catch  where error.code == EPERM {}
    }
    return nil
  }

  /// Creates and locks a staging folder without files of a run, and removes the stale staged files
  /// next to it. Waits at most `seconds` for each process that has it locked. Returns nil if a
  /// killed run has left one, which must be mended first.
  ///
  /// - Throws: As `lock`, and the reason why it can't be created; EPERM if other users have taken
  ///   all names.
  static func make(
    in parent: SharedFile, waitingAtMost seconds: Double
  ) throws(SystemError) -> StagingFolder? {
    while true {
      let found = try lock(in: parent, waitingAtMost: seconds)
      let new = found == nil ? try makeNew(in: parent, waitingAtMost: seconds) : nil
      guard let made = found ?? new else { continue }
      let names = try made.names()
      if made.isCopy || names.contains(where: TransactionFiles.isName) { return nil }
      made.isTemporary = true
      StagedFile.removeStale(in: parent.file)
      let flags = O_WRONLY | O_CREAT | O_NOFOLLOW
      _ = try OpenFile(made.marker, in: made.folder.descriptor, flags, mode: 0o600)
      return made
    }
  }

  /// Creates and locks a staging folder with the first free name; nil if another run has taken it.
  private static func makeNew(
    in parent: SharedFile, waitingAtMost seconds: Double
  ) throws(SystemError) -> StagingFolder? {
    for name in (1...nameLimit).lazy.map(name) {
      do throws(SystemError) {
        try parent.file.makeFolder(name)
      } catch  where error.code == EEXIST { continue }
      do throws(SystemError) {
        return try lock(named: name, in: parent, waitingAtMost: seconds, isNew: true)
      } catch {
        // After a timeout or an interrupt, another run has it already.
        if error.code != ETIMEDOUT && error.code != EINTR { parent.file.removeFolder(name) }
        throw error
      }
    }
    throw SystemError(code: EPERM)
  }

  /// Opens and locks the folder with a name; nil if it does not exist.
  ///
  /// - Throws: EPERM also for a folder that is not a staging folder of this user, or whose lock
  ///   can't be checked.
  private static func lock(
    named name: [UInt8], in parent: SharedFile, waitingAtMost seconds: Double, isNew: Bool = false
  ) throws(SystemError) -> StagingFolder? {
    while let found = try StagingFolder(named: name, in: parent) {
      do throws(SystemError) {
        try Waiting.lock(found.folder, atMost: seconds)
      } catch  where error.code != ETIMEDOUT && error.code != EINTR {
        if !isNew { throw SystemError(code: EPERM) }
      }
      guard parent.file.holds(found.folder, as: name) else { continue }
      let names = try found.names()
      let markers = names.filter(isMarker)
      if markers.count > 1 || markers.isEmpty && !names.isEmpty { throw SystemError(code: EPERM) }
      found.isCopy = markers != [found.marker] && !names.isEmpty
      return found
    }
    return nil
  }

  /// Whether a name is the marker of any folder.
  private static func isMarker(_ name: [UInt8]) -> Bool {
    let parts = name.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].elementsEqual("ued".utf8) && !parts[1].isEmpty
      && parts[1].allSatisfy(\.isDigit)
  }

  private func names() throws(SystemError) -> [[UInt8]] { try FolderListing.names(in: folder) }

  /// Whether the folder of a path has a staging folder; false also if unknown.
  static func isThere(beside path: [UInt8]) -> Bool {
    let folder = FilePlace.split(path).folder
    return (1...nameLimit).contains { OpenFile.exists(folder + name($0)) }
  }

  /// The journal of the run; nil if it is missing or incomplete, but an unreadable one throws.
  func journal() throws(SystemError) -> TransactionJournal? {
    let file: OpenFile
    do throws(SystemError) {
      let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK
      file = try OpenFile(TransactionJournal.name, in: folder.descriptor, flags)
    } catch {
      if error.code == ENOENT { return nil }
      throw error
    }
    let status = try file.status()
    guard status.isRegular, status.st_uid == SystemUser.number,
      status.st_size <= TransactionJournal.sizeLimit
    else { throw SystemError(code: EPERM) }
    let loaded = DiskFiles().load(
      from: file.descriptor, sizeHint: Int(status.st_size), path: TransactionJournal.name,
      strippingCR: false)
    if let failure = loaded.failure { throw SystemError(code: failure.code) }
    return TransactionJournal(loaded.text.bytes)
  }

  /// Removes the journal, which ends the run.
  func removeJournal() { folder.remove(TransactionJournal.name) }

  /// Removes all files of a run in it, the journal first and the marker last, and returns whether
  /// none is left. Removes the folder, too, unless it has other files.
  @discardableResult
  func clear() -> Bool {
    removeJournal()
    guard let names = try? names() else { return false }
    var (isCleared, hasOthers) = (true, false)
    for name in names where name != marker {
      if !TransactionFiles.isName(name) {
        hasOthers = true
      } else if !folder.remove(name) {
        isCleared = false
      }
    }
    if isCleared && !hasOthers {
      folder.remove(marker)
      if parent.file.holds(folder, as: name) { parent.file.removeFolder(name) }
    }
    return isCleared
  }

  /// Moves the folder aside with all its files, because the files of its run can't be found from
  /// here, and returns its new path.
  func setAside() throws(SystemError) -> [UInt8] {
    let newName = PreservedFile.name(inode: try folder.status().st_ino)
    try parent.file.rename(name, to: newName, replacing: false)
    return PreservedFile.join(parent.file.path, newName)
  }
}
