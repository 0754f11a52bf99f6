import UedLinux
import Glibc

/// The folder beside the files of a run in which their new content is staged, for this user only.
///
/// A run has it locked from the first staged file to the end, so one that nobody has locked was left by a
/// run that was killed. The name of an empty file in it, the only marker, has the inode number of the folder:
/// a folder of the user's that got the name in another way has none, and is left alone. The other files in it
/// are named by numbers; see ``TransactionFiles`` for the rest. No other name is ever removed from it.
///
/// Where the name is taken by what is not a staging folder of this user's, the next of a few is used. On a
/// file system without locks, it is used by the run that has made it, and never mended.
final class StagingFolder {
  /// The folder it is in.
  let parent: SharedFile
  /// The folder itself.
  let folder: OpenFile
  /// Its name.
  let name: [UInt8]
  /// Whether it is removed with all of the run that is in it when the run lets go of it.
  var isTemporary = false
  /// Whether it is a copy of one: the marker in it is that of another folder.
  private(set) var isCopy = false
  private let marker: [UInt8]

  private static let nameLimit = 9

  /// Its name; the later ones are for a folder in which others have taken the first one.
  static func name(_ number: Int = 1) -> [UInt8] {
    Array(".ued-\(SystemUser.number)-run\(number == 1 ? "" : "-\(number)")".utf8)
  }

  /// The name of the marker in the folder with an inode number.
  static func marker(inode: ino_t) -> [UInt8] { Array("ued-\(inode)".utf8) }

  /// Opens the one of a name in a folder; nil when there is none.
  ///
  /// - Throws: EPERM unless it is a folder of this user's with access for nobody else.
  private init?(named name: [UInt8], in parent: SharedFile) throws(SystemError) {
    let opened: OpenFile
    do throws(SystemError) {
      let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
      opened = try OpenFile(name, in: parent.file.descriptor, flags)
    } catch {
      if error.code == ENOENT { return nil }
      let isNone = [ENOTDIR, ELOOP, EACCES].contains(error.code) && parent.file.has(name)
      throw isNone ? SystemError(code: EPERM) : error
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

  /// Opens and locks what an earlier run has left in a folder, under any of the names.
  ///
  /// - Parameters:
  ///   - parent: The folder.
  ///   - seconds: How long to wait for a process that has it locked.
  /// - Returns: It; nil when there is none.
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

  /// Makes and locks one with nothing of a run in it, and removes the stale staged files beside it.
  ///
  /// - Parameters:
  ///   - parent: The folder to make it in.
  ///   - seconds: How long to wait for each of the processes that have it locked.
  /// - Returns: It; nil when a run that was killed has left one, which has to be mended first.
  /// - Throws: As `lock`, and why it can't be made; EPERM when all names are taken by others.
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

  /// Makes one with the first name that is free.
  ///
  /// - Returns: It, locked; nil when another run has taken it.
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
        // Otherwise another run has it already.
        if error.code != ETIMEDOUT && error.code != EINTR { parent.file.removeFolder(name) }
        throw error
      }
    }
    throw SystemError(code: EPERM)
  }

  /// Opens and locks the one of a name; nil when there is none.
  ///
  /// - Throws: EPERM also for a folder that is not a staging folder of this user's, or of which nobody can
  ///   tell whether it is in use.
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

  /// Whether a name is that of a marker, of whatever folder.
  private static func isMarker(_ name: [UInt8]) -> Bool {
    let parts = name.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.count == 2 && parts[0].elementsEqual("ued".utf8) && !parts[1].isEmpty
      && parts[1].allSatisfy(\.isDigit)
  }

  /// The names in it.
  private func names() throws(SystemError) -> [[UInt8]] { try FolderListing.names(in: folder) }

  /// Whether the path of the folder it is in has one at all; false too when that can't be found out.
  static func isThere(beside path: [UInt8]) -> Bool {
    let folder = FilePlace.split(path).folder
    return (1...nameLimit).contains { OpenFile.exists(folder + name($0)) }
  }

  /// The journal of the run; nil when there is none, or it was not written to its end.
  ///
  /// - Throws: Why it can't be read.
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

  /// Removes the journal: from then on the run is over.
  func removeJournal() { folder.remove(TransactionJournal.name) }

  /// Removes all of a run that is in it, the journal first and the marker last, and the folder unless
  /// others have put something into it.
  ///
  /// - Returns: Whether nothing of a run is left in it.
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

  /// Moves it aside with all that is in it: what it is about can't be found from here.
  ///
  /// - Returns: Its path then.
  func setAside() throws(SystemError) -> [UInt8] {
    let newName = PreservedFile.name(inode: try folder.status().st_ino)
    try parent.file.rename(name, to: newName, replacing: false)
    return PreservedFile.join(parent.file.path, newName)
  }
}
