import CLinux
import Glibc

/// A file that is being made, under a name that tells whose it is.
///
/// The names of a user in a folder are numbered, and the lowest free one is taken. Who makes a file
/// holds a lock on it, which ends with the process: a file without one was left by a run that was
/// killed, and is removed by the next that comes across it. So nobody has to search the folder.
///
/// SAFETY: locks are asked for with descriptors that are open during the call.
@safe struct TemporaryFile: ~Copyable {
  /// The file, open for reading and writing.
  let file: OpenFile
  /// The folder that it is in.
  let folder: OpenFile
  /// Its name there.
  private(set) var name: [UInt8]
  /// Whether it stays when this value goes.
  private var isKept = false

  private static let mostFiles = 100

  /// Makes an empty file.
  init(in folder: consuming OpenFile, mode: mode_t) throws(SystemError) {
    for number in 0..<Self.mostFiles {
      let name = Self.name(number)
      repeat {
        do throws(SystemError) {
          let flags = O_RDWR | O_CREAT | O_EXCL
          let file = try OpenFile(name, in: folder.descriptor, flags, mode: mode)
          // Before it is locked, somebody may have taken it for one that was left.
          if flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK { break }
          guard folder.holds(file, as: name) else { continue }
          Self.removeLeft(in: folder, from: number + 1)
          self.file = file
          self.name = name
          self.folder = folder
          return
        } catch  where error.code == EEXIST {
          // Whose it is decides.
        }
      } while Self.removeLeft(name, in: folder) != .isInUse
    }
    throw SystemError(code: EEXIST)
  }

  deinit {
    if !isKept { folder.remove(name) }
  }

  /// Gives the file a name under which it stays.
  mutating func keep(as newName: [UInt8], replacing: Bool) throws(SystemError) {
    try folder.rename(name, to: newName, replacing: replacing)
    name = newName
    isKept = true
  }

  /// Removes the file although it was to stay.
  consuming func remove() { isKept = false }

  private static func name(_ number: Int) -> [UInt8] {
    Array(".ued-\(geteuid())-\(number)".utf8)
  }

  private enum Finding { case isNotThere, isInUse, isRemoved }

  /// Removes what runs that were killed have left.
  private static func removeLeft(in folder: borrowing OpenFile, from first: Int) {
    for number in first..<max(first, mostFiles) {
      if removeLeft(name(number), in: folder) == .isNotThere { return }
    }
  }

  /// Removes a file unless somebody is making it.
  private static func removeLeft(
    _ name: [UInt8], in folder: borrowing OpenFile
  ) -> Finding {
    do throws(SystemError) {
      let file = try open(name, in: folder)
      let status = try file.status()
      let isOurs = status.st_uid == geteuid() || geteuid() == 0
      guard isOurs, status.isRegular, status.st_nlink == 1,
        flock(file.descriptor, LOCK_EX | LOCK_NB) == 0, folder.holds(file, as: name)
      else { return .isInUse }
      return folder.remove(name) ? .isRemoved : .isInUse
    } catch {
      return error.code == ENOENT ? .isNotThere : .isInUse
    }
  }

  /// Opens a file that is ours, although it may be one that only can be written.
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
