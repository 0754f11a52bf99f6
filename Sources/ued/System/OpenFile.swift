import CLinux
import Glibc

/// An open file or folder, closed with its owner.
///
/// SAFETY: the system fills values on the stack; the descriptor is open as long as this lives, and is
/// closed once.
@safe struct OpenFile: ~Copyable {
  /// The system's number for it.
  let descriptor: Int32

  /// Opens a file. Children do not inherit it.
  ///
  /// - Parameters:
  ///   - name: Its path, from `folder` when it is a relative one.
  ///   - folder: The descriptor of a folder; the current one if there is none.
  ///   - flags: As `open` takes them.
  ///   - mode: The permissions of a new file, from which the umask takes some away.
  /// - Throws: Why it can't be opened.
  init(
    _ name: [UInt8], in folder: Int32 = AT_FDCWD, _ flags: Int32, mode: mode_t = 0
  ) throws(SystemError) {
    var descriptor: Int32
    repeat {
      descriptor = unsafe SystemName.lend(name) {
        unsafe openat(folder, $0, flags | O_CLOEXEC, mode)
      }
      // A pipe waits for its other end; a signal that is no interrupt does not end that.
    } while descriptor < 0 && errno == EINTR && !Interrupts.isInterrupted
    if descriptor < 0 { throw .last }
    self.descriptor = descriptor
  }

  deinit { Glibc.close(descriptor) }

  /// Closes the file, when it matters how that goes.
  consuming func close() throws(SystemError) {
    let descriptor = descriptor
    discard self
    // After EINTR, Linux has closed it all the same.
    if Glibc.close(descriptor) != 0 && errno != EINTR { throw .last }
  }

  /// What the system knows of the file.
  func status() throws(SystemError) -> stat {
    var status = stat()
    if unsafe fstat(descriptor, &status) != 0 { throw .last }
    return status
  }

  /// What the system knows of the file with this path; nil when there is none.
  static func status(of path: [UInt8]) -> stat? {
    var status = stat()
    let found = unsafe SystemName.lend(path) { unsafe fstatat(AT_FDCWD, $0, &status, 0) }
    return found == 0 ? status : nil
  }

  /// Waits until all of the file is on the disk. Some file systems cannot say that of a folder.
  func sync() throws(SystemError) {
    do {
      try SystemError.retrying { fsync(descriptor) }
    } catch  where error.code == EINVAL {}
  }

  /// Learns what closing the file would tell, without closing it.
  func checkClosing() throws(SystemError) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    if copy < 0 || (Glibc.close(copy) != 0 && errno != EINTR) { throw .last }
  }

  /// Cuts the file off.
  func truncate(to byteCount: Int) throws(SystemError) {
    try SystemError.retrying { ftruncate(descriptor, byteCount) }
  }

  /// Where the next byte goes.
  var offset: Int { lseek(descriptor, 0, SEEK_CUR) }

  /// Copies the first bytes of this file over the first bytes of another.
  func copy(_ byteCount: Int, to other: borrowing OpenFile) throws(SystemError) {
    let target = other.descriptor
    try SystemError.retrying { lseek(target, 0, SEEK_SET) }
    var offset = 0
    while offset < byteCount {
      let rest = byteCount - offset
      let count = try SystemError.retrying { unsafe sendfile(target, descriptor, &offset, rest) }
      // Somebody has made it shorter.
      if count == 0 { throw SystemError(code: EIO) }
    }
  }

  /// What a name in this folder stands for; nil when it is not a symbolic link.
  func linkTarget(_ name: [UInt8]) throws(SystemError) -> [UInt8]? {
    var target = [CChar](repeating: 0, count: 4096)
    let count = unsafe SystemName.lend(name) {
      unsafe readlinkat(descriptor, $0, &target, target.count)
    }
    if count >= 0 { return target[..<count].map { UInt8(bitPattern: $0) } }
    if errno == EINVAL || errno == ENOENT { return nil }
    throw .last
  }

  /// Whether a name in this folder, as it stands there, is that of an open file.
  func holds(_ file: borrowing OpenFile, as name: [UInt8]) -> Bool {
    var named = stat()
    let found = unsafe SystemName.lend(name) {
      unsafe fstatat(descriptor, $0, &named, AT_SYMLINK_NOFOLLOW)
    }
    guard found == 0, let status = try? file.status() else { return false }
    return named.st_dev == status.st_dev && named.st_ino == status.st_ino
  }

  /// Whether there is something of this name in this folder.
  func has(_ name: [UInt8]) -> Bool {
    unsafe SystemName.lend(name) {
      unsafe faccessat(descriptor, $0, F_OK, AT_SYMLINK_NOFOLLOW)
    } == 0
  }

  /// Takes a name out of this folder.
  @discardableResult
  func remove(_ name: [UInt8]) -> Bool {
    unsafe SystemName.lend(name) { unsafe unlinkat(descriptor, $0, 0) } == 0
  }

  /// Gives a file in this folder another name.
  ///
  /// - Parameters:
  ///   - name: Its present name.
  ///   - newName: Its name from now on.
  ///   - replacing: Whether that may be the name of another file, which is gone then.
  /// - Throws: Why not.
  func rename(
    _ name: [UInt8], to newName: [UInt8], replacing: Bool
  ) throws(SystemError) {
    let descriptor = descriptor
    let noReplace: UInt32 = 1
    let failure = unsafe SystemName.lend(name) { name in
      unsafe SystemName.lend(newName) { newName in
        if replacing { return unsafe renameat(descriptor, name, descriptor, newName) }
        let result = unsafe renameat2(descriptor, name, descriptor, newName, noReplace)
        if result == 0 || errno != EINVAL { return result }
        // Not every file system knows how to be so careful in one step.
        if unsafe linkat(descriptor, name, descriptor, newName, 0) != 0 { return -1 }
        return unsafe unlinkat(descriptor, name, 0)
      }
    }
    if failure != 0 { throw .last }
  }

  /// Whether the file is one of `/proc`, where links lead to open files and not to names.
  var isInProc: Bool {
    var system = statfs()
    return unsafe fstatfs(descriptor, &system) == 0 && system.f_type == 0x9fa0
  }

  /// The path of an open folder, to be shown; empty when it can't be told.
  var path: [UInt8] {
    var target = [CChar](repeating: 0, count: 4096)
    let count = unsafe SystemName.lend(Array("/proc/self/fd/\(descriptor)".utf8)) {
      unsafe readlink($0, &target, target.count)
    }
    return target[..<max(count, 0)].map { UInt8(bitPattern: $0) }
  }
}

extension stat {
  /// Whether this is a file that keeps bytes.
  var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
  /// Whether this is a folder.
  var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}
