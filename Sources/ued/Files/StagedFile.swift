import UedLinux
import Glibc

/// A staged file: new content under a temporary name, which a commit replaces by the final one.
///
/// Temporary names have the user's number and a counter; the lowest free one is taken. The process that
/// stages a file holds an advisory lock on it, which the kernel releases when the process ends. A file
/// without a lock is therefore stale, left by a process that was killed, and the next one to meet its
/// name removes it; the folder is never searched.
///
/// SAFETY: `flock` gets descriptors that are open during the call.
@safe struct StagedFile: ~Copyable {
  /// The file, open for reading and writing.
  let file: OpenFile
  /// The folder it is in.
  let folder: SharedFile
  /// Its status when it was created.
  let status: stat
  /// Its name in the folder.
  private(set) var name: [UInt8]
  /// Whether it survives this value.
  private var isCommitted = false

  private static let nameLimit = 100

  /// Creates an empty file.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - mode: The permissions, before the umask.
  ///   - removesStale: Whether to look for stale files, too, unless they have the first name.
  /// - Throws: Why no file can be created.
  init(in folder: SharedFile, mode: mode_t, removesStale: Bool = true) throws(SystemError) {
    for number in 0..<Self.nameLimit {
      let name = Self.name(number)
      repeat {
        do throws(SystemError) {
          let flags = O_RDWR | O_CREAT | O_EXCL
          let file = try OpenFile(name, in: folder.file.descriptor, flags, mode: mode)
          // Until it is locked, another process may take it for a stale one and remove it.
          if flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK { break }
          guard let status = try? file.status() else {
            folder.file.remove(name)
            throw .last
          }
          guard folder.file.holds(status, as: name) else { continue }
          if removesStale { Self.removeStale(in: folder.file, from: number + 1) }
          self.file = file
          self.status = status
          self.name = name
          self.folder = folder
          return
        } catch  where error.code == EEXIST {
          // Taken: by a process that is staging, or by a stale file.
        }
      } while Self.removeStale(name, in: folder.file) != .isInUse
    }
    throw SystemError(code: EEXIST)
  }

  deinit {
    if !isCommitted { folder.file.remove(name) }
  }

  /// Renames the file to its final name, under which it survives this value.
  mutating func commit(as newName: [UInt8], replacing: Bool) throws(SystemError) {
    try folder.file.rename(name, to: newName, replacing: replacing)
    name = newName
    isCommitted = true
  }

  /// Syncs the file, renames it to its final name, and syncs the folder.
  mutating func commitSynced(
    as newName: [UInt8], replacing: Bool = true
  ) throws(SystemError) {
    try file.sync()
    try commit(as: newName, replacing: replacing)
    try folder.file.sync()
  }

  /// Removes the file even though it has been committed.
  consuming func remove() { isCommitted = false }

  private static func name(_ number: Int) -> [UInt8] {
    Array(".ued-\(SystemUser.number)-\(number)".utf8)
  }

  private enum Removal { case isAbsent, isInUse, isDone }

  /// Removes stale files, up to the first name that is free.
  static func removeStale(in folder: borrowing OpenFile, from first: Int = 0) {
    for number in first..<max(first, nameLimit) {
      if removeStale(name(number), in: folder) == .isAbsent { return }
    }
  }

  /// Removes a file unless a process has it locked, or it is not one of this user's staged files.
  private static func removeStale(
    _ name: [UInt8], in folder: borrowing OpenFile
  ) -> Removal {
    do throws(SystemError) {
      let file = try open(name, in: folder)
      let status = try file.status()
      let isOurs = status.st_uid == SystemUser.number || SystemUser.number == 0
      guard isOurs, status.isRegular, status.st_nlink == 1,
        flock(file.descriptor, LOCK_EX | LOCK_NB) == 0, folder.holds(file, as: name)
      else { return .isInUse }
      return folder.remove(name) ? .isDone : .isInUse
    } catch {
      return error.code == ENOENT ? .isAbsent : .isInUse
    }
  }

  /// Opens a staged file; the permissions that were copied to it may allow writing only.
  private static func open(
    _ name: [UInt8], in folder: borrowing OpenFile
  ) throws(SystemError) -> OpenFile {
    let flags = O_NOFOLLOW | O_NONBLOCK
    do {
      return try OpenFile(name, in: folder.descriptor, O_RDONLY | flags)
    } catch  where error.code == EACCES {
      return try OpenFile(name, in: folder.descriptor, O_WRONLY | flags)
    }
  }
}
