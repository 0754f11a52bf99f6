import Glibc
import Synchronization
import UedLinux

/// An open file or folder, which closes its descriptor when it is destroyed.
///
/// SAFETY: system calls fill values on the stack, or buffers passed with their size. The descriptor
/// is open for the lifetime of this value and closed once, in `deinit` or `close()`.
@safe struct OpenFile: ~Copyable {
  let descriptor: Int32

  private static let confinement = Atomic<Bool>(false)
  /// Whether relative paths can't leave the current folder.
  static var isConfined: Bool { confinement.load(ordering: .relaxed) }

  /// Confines all relative paths to the current folder from now on. The kernel checks each path
  /// while it opens the file, so no folder can be exchanged between the check and the use.
  static func confine() { confinement.store(true, ordering: .relaxed) }

  /// Opens a file, with O_CLOEXEC and the flags of `open`. Relative paths start at the descriptor
  /// `folder`; `mode` has the permissions of a new file, before the umask.
  init(
    _ name: [UInt8], in folder: Int32 = AT_FDCWD, _ flags: Int32, mode: mode_t = 0
  ) throws(SystemError) {
    var descriptor: Int32
    // The umask must not take a private file's permissions from its owner.
    let isOwn = flags & O_CREAT != 0 && mode & 0o077 == 0
    let mask = isOwn ? umask(0o077) : 0
    defer { if isOwn { umask(mask) } }
    let isBeneath = folder == AT_FDCWD && name.first != .slash && Self.isConfined
    repeat {
      descriptor = unsafe SystemName.lend(name) {
        unsafe isBeneath
          ? clinux_open_beneath($0, flags | O_CLOEXEC, mode)
          : openat(folder, $0, flags | O_CLOEXEC, mode)
      }
      // Opening a FIFO waits for its other end. Only an interrupt ends the wait, not other signals.
    } while descriptor < 0 && errno == EINTR && !Interrupts.isInterrupted
    if descriptor < 0 { throw .last }
    self.descriptor = descriptor
  }

  deinit { Glibc.close(descriptor) }

  /// Closes the file; throws the error of closing, unlike `deinit`.
  consuming func close() throws(SystemError) {
    let descriptor = descriptor
    discard self
    // Linux has closed it even after EINTR.
    if Glibc.close(descriptor) != 0 && errno != EINTR { throw .last }
  }

  func status() throws(SystemError) -> stat {
    var status = stat()
    if unsafe fstat(descriptor, &status) != 0 { throw .last }
    return status
  }

  /// Duplicates an open descriptor; both share one file offset.
  init(duplicating descriptor: Int32) throws(SystemError) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    if copy < 0 { throw .last }
    self.descriptor = copy
  }

  /// The descriptor of this process that a path names, such as `/dev/stdout`; nil for all other
  /// paths.
  static func descriptor(namedBy path: [UInt8]) -> Int32? {
    guard path.starts(with: "/dev/".utf8) || path.starts(with: "/proc/".utf8) else { return nil }
    let name = String(decoding: path, as: UTF8.self)
    switch name {
    case "/dev/stdin": return STDIN_FILENO
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default:
      let folder = ["/dev/fd/", "/proc/self/fd/"].first { name.hasPrefix($0) }
      return folder.flatMap { Int32(name.dropFirst($0.count)) }
    }
  }

  /// The status of the file at a path, symbolic links followed; nil if it is missing or can't be
  /// examined.
  static func status(of path: [UInt8]) -> stat? {
    var status = stat()
    let found = unsafe SystemName.lend(path) { unsafe fstatat(AT_FDCWD, $0, &status, 0) }
    return found == 0 ? status : nil
  }

  /// The status of the file at a path, symbolic links followed; nil if it does not exist.
  ///
  /// - Throws: The reason why the status is unknown, such as a link that the system does not
  ///   follow.
  static func statusIfThere(of path: [UInt8]) throws(SystemError) -> stat? {
    var status = stat()
    let found = unsafe SystemName.lend(path) { unsafe fstatat(AT_FDCWD, $0, &status, 0) }
    if found == 0 { return status }
    if errno == ENOENT { return nil }
    throw .last
  }

  /// Whether the permissions of the file at a path deny writing to all users, or to this one.
  static func isReadOnly(_ path: [UInt8]) -> Bool {
    guard let status = status(of: path) else { return false }
    let isDenied = unsafe SystemName.lend(path) { unsafe faccessat(AT_FDCWD, $0, W_OK, AT_EACCESS) }
    return status.st_mode & 0o222 == 0 || isDenied != 0
  }

  /// Waits until the file is on the disk. A file system that can't sync a folder is not an error.
  func sync() throws(SystemError) {
    do {
      try SystemError.retrying { fsync(descriptor) }
    } catch  where error.code == EINVAL {}
  }

  /// Throws the error that closing the file would report, but leaves the file open.
  func checkClosing() throws(SystemError) {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    if copy < 0 || (Glibc.close(copy) != 0 && errno != EINTR) { throw .last }
  }

  func truncate(to byteCount: Int) throws(SystemError) {
    try SystemError.retrying { ftruncate(descriptor, byteCount) }
  }

  /// The file offset.
  var offset: Int { lseek(descriptor, 0, SEEK_CUR) }

  /// Copies the first `byteCount` bytes of this file over the first bytes of another.
  func copy(_ byteCount: Int, to other: borrowing OpenFile) throws(SystemError) {
    let target = other.descriptor
    try SystemError.retrying { lseek(target, 0, SEEK_SET) }
    var offset = 0
    while offset < byteCount {
      let rest = byteCount - offset
      let count = try SystemError.retrying { unsafe sendfile(target, descriptor, &offset, rest) }
      // Another process has truncated the file.
      if count == 0 { throw SystemError(code: ESTALE) }
    }
  }

  /// The target of the symbolic link of this name in this folder; nil for anything else.
  func linkTarget(_ name: [UInt8]) throws(SystemError) -> [UInt8]? {
    var target = [CChar](repeating: 0, count: 4096)
    let count = unsafe SystemName.lend(name) {
      unsafe readlinkat(descriptor, $0, &target, target.count)
    }
    if count >= 0 { return target[..<count].map { UInt8(bitPattern: $0) } }
    if errno == EINVAL || errno == ENOENT { return nil }
    throw .last
  }

  /// Whether a name in this folder refers to an open file itself, not through a symbolic link.
  func holds(_ file: borrowing OpenFile, as name: [UInt8]) -> Bool {
    guard let status = try? file.status() else { return false }
    return holds(status, as: name)
  }

  /// Whether a name in this folder refers to the file with this status; symbolic links are not
  /// followed.
  func holds(_ status: stat, as name: [UInt8]) -> Bool {
    var named = stat()
    let found = unsafe SystemName.lend(name) {
      unsafe fstatat(descriptor, $0, &named, AT_SYMLINK_NOFOLLOW)
    }
    return found == 0 && named.st_dev == status.st_dev && named.st_ino == status.st_ino
  }

  func has(_ name: [UInt8]) -> Bool {
    unsafe SystemName.lend(name) {
      unsafe faccessat(descriptor, $0, F_OK, AT_SYMLINK_NOFOLLOW)
    } == 0
  }

  /// Removes a name from this folder; false on failure.
  @discardableResult
  func remove(_ name: [UInt8]) -> Bool {
    unsafe SystemName.lend(name) { unsafe unlinkat(descriptor, $0, 0) } == 0
  }

  /// Renames a file of this folder, and moves it to the folder `other` if given. Without
  /// `replacing`, an existing file of the new name is an error.
  func rename(
    _ name: [UInt8], to newName: [UInt8], in other: Int32? = nil, replacing: Bool
  ) throws(SystemError) {
    let descriptor = descriptor
    let target = other ?? descriptor
    let noReplace: UInt32 = 1
    let failure = unsafe SystemName.lend(name) { name in
      unsafe SystemName.lend(newName) { newName in
        if replacing { return unsafe renameat(descriptor, name, target, newName) }
        let result = unsafe renameat2(descriptor, name, target, newName, noReplace)
        if result == 0 || errno != EINVAL { return result }
        // The file system lacks RENAME_NOREPLACE; `linkat` does not replace files either.
        if unsafe linkat(descriptor, name, target, newName, 0) != 0 { return -1 }
        return unsafe unlinkat(descriptor, name, 0)
      }
    }
    if failure != 0 { throw .last }
  }

  /// Whether any process has the file open for writing; false if unknown, as for a file of another
  /// user or on a file system without leases.
  var hasWriter: Bool {
    // If a process opens the file during the lease, the kernel signals ued. The default signal,
    // SIGIO, would kill ued; SIGURG does not.
    guard fcntl(descriptor, Int32(clinux_set_signal), SIGURG) == 0 else { return false }
    if fcntl(descriptor, Int32(clinux_set_lease), F_RDLCK) != 0 { return errno == EAGAIN }
    _ = fcntl(descriptor, Int32(clinux_set_lease), F_UNLCK)
    return false
  }

  /// The number of free bytes in the file system of the file; 2^62 if unknown.
  var freeByteCount: Int {
    var system = statfs()
    guard unsafe fstatfs(descriptor, &system) == 0, system.f_blocks > 0 else { return 1 << 62 }
    return Int(min(system.f_bavail, 1 << 40)) * Int(system.f_bsize)
  }

  /// Whether the file is in `/proc`, where links may lead to open files instead of paths.
  var isInProc: Bool {
    var system = statfs()
    return unsafe fstatfs(descriptor, &system) == 0 && system.f_type == 0x9fa0
  }

  /// The current path of an open folder; empty if unknown.
  var path: [UInt8] {
    var target = [CChar](repeating: 0, count: 4096)
    let count = unsafe SystemName.lend(Array("/proc/self/fd/\(descriptor)".utf8)) {
      unsafe readlink($0, &target, target.count)
    }
    return target[..<max(count, 0)].map { UInt8(bitPattern: $0) }
  }
}

extension stat {
  var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
  var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
}

// MARK: - Folders

/// Operations on names in an open folder, and on paths.
///
/// SAFETY: names are lent for the length of a call, and a status is a value on the stack.
extension OpenFile {
  /// The status of a name in this folder, links not followed; nil if it is missing or can't be
  /// examined.
  func status(of name: [UInt8]) -> stat? { try? statusIfThere(of: name) }

  /// The status of a name in this folder, links not followed; nil if it does not exist.
  ///
  /// - Throws: The reason why the status is unknown.
  func statusIfThere(of name: [UInt8]) throws(SystemError) -> stat? {
    var status = stat()
    let found = unsafe SystemName.lend(name) {
      unsafe fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    if found == 0 { return status }
    if errno == ENOENT { return nil }
    throw .last
  }

  /// The status of the file or symbolic link at a path; nil if it is missing or can't be examined.
  static func linkStatus(of path: [UInt8]) -> stat? {
    var status = stat()
    let found = unsafe SystemName.lend(path) {
      unsafe fstatat(AT_FDCWD, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    return found == 0 ? status : nil
  }

  static func isLink(_ path: [UInt8]) -> Bool {
    linkStatus(of: path).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
  }

  /// Whether a path names a file or a link, even a broken one.
  static func exists(_ path: [UInt8]) -> Bool {
    unsafe SystemName.lend(path) {
      unsafe faccessat(AT_FDCWD, $0, F_OK, AT_SYMLINK_NOFOLLOW)
    } == 0
  }

  /// Whether this user may add files to the folder of a path.
  static func canAddNames(beside path: [UInt8]) -> Bool {
    let folder = path.lastIndex(of: .slash).map { Array(path[...$0]) } ?? [.dot]
    return unsafe SystemName.lend(folder) { unsafe faccessat(AT_FDCWD, $0, W_OK, AT_EACCESS) } == 0
  }

  /// Makes a folder in this one. The default mode gives access to its owner only. The umask can't
  /// change such a mode.
  func makeFolder(_ name: [UInt8], mode: mode_t = 0o700) throws(SystemError) {
    let mask = mode & 0o077 == 0 ? umask(0o077) : nil
    defer { if let mask { umask(mask) } }
    if unsafe SystemName.lend(name, to: { unsafe mkdirat(descriptor, $0, mode) }) != 0 {
      throw .last
    }
  }

  /// Removes an empty folder from this one; false on failure.
  @discardableResult
  func removeFolder(_ name: [UInt8]) -> Bool {
    unsafe SystemName.lend(name) { unsafe unlinkat(descriptor, $0, AT_REMOVEDIR) } == 0
  }

  /// Exchanges a file in this folder with a file in another, atomically.
  func exchange(
    _ name: [UInt8], with otherName: [UInt8], in folder: borrowing OpenFile
  ) throws(SystemError) {
    let exchanging: UInt32 = 2
    let other = folder.descriptor
    let failure = unsafe SystemName.lend(name) { name in
      unsafe SystemName.lend(otherName) {
        unsafe renameat2(descriptor, name, other, $0, exchanging)
      }
    }
    if failure != 0 { throw .last }
  }

  /// Makes a hard link in another folder to a file in this one.
  func link(
    _ name: [UInt8], as newName: [UInt8], in folder: borrowing OpenFile
  ) throws(SystemError) {
    let other = folder.descriptor
    let failure = unsafe SystemName.lend(name) { name in
      unsafe SystemName.lend(newName) { unsafe linkat(descriptor, name, other, $0, 0) }
    }
    if failure != 0 { throw .last }
  }

  /// Whether an interrupted write of `new` over `old` may have left this file. Each sector of 512
  /// bytes must be old, new, new up to some byte and then old, or zero. `old` and `new` count as
  /// zero past their ends.
  func isMix(
    of old: borrowing OpenFile, and new: borrowing OpenFile
  ) throws(SystemError) -> Bool {
    var offset = 0
    while true {
      let bytes = try block(at: offset)
      let (old, new) = (try old.block(at: offset), try new.block(at: offset))
      for start in stride(from: 0, to: bytes.count, by: 512) {
        let sector = start..<min(start + 512, bytes.count)
        func isOld(_ range: Range<Int>) -> Bool {
          range.allSatisfy { bytes[$0] == ($0 < old.count ? old[$0] : 0) }
        }
        let change = sector.first { bytes[$0] != ($0 < new.count ? new[$0] : 0) }
        guard let change, !isOld(change..<sector.upperBound), !isOld(sector) else { continue }
        if !sector.allSatisfy({ bytes[$0] == 0 }) { return false }
      }
      if bytes.count < Self.blockSize { return true }
      offset += bytes.count
    }
  }

  private static var blockSize: Int { 1 << 16 }

  /// Reads the 64 KiB from an offset on, or fewer bytes at the end of the file.
  func block(at offset: Int) throws(SystemError) -> [UInt8] {
    var (bytes, count) = ([UInt8](repeating: 0, count: Self.blockSize), 0)
    while count < bytes.count {
      let length = bytes.count - count
      let more = try SystemError.retrying {
        unsafe bytes.withUnsafeMutableBytes {
          unsafe pread(
            descriptor, $0.baseAddress.map { unsafe $0 + count }, length, off_t(offset + count))
        }
      }
      if more == 0 { break }
      count += more
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  /// Starts to write the content of this file to the disk, without waiting.
  func startSync() {
    let starting: UInt32 = 2
    _ = sync_file_range(descriptor, 0, 0, starting)
  }

  /// The number of files that the process may have open.
  static var descriptorLimit: Int {
    var limit = rlimit()
    let isKnown = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
    return isKnown ? Int(clamping: limit.rlim_cur) : 0
  }

  /// Raises the limit of open files to the hard limit, if `count` edited files may exceed it.
  static func makeRoom(for count: Int) {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    // With a history, each edited file needs two more descriptors.
    guard unsafe getrlimit(resource, &limit) == 0, Int(clamping: limit.rlim_cur) < 4 * count + 64
    else { return }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(resource, &limit)
  }
}

extension OpenFile {
  /// Reads all bytes of a file and discards them, to check that the disk can deliver them.
  ///
  /// - Throws: The error of opening or reading it; a missing file is not an error.
  static func tryReading(_ path: [UInt8]) throws(SystemError) {
    do throws(SystemError) {
      let file = try OpenFile(path, O_RDONLY)
      var offset = 0
      while true {
        let count = try file.block(at: offset).count
        if count == 0 { return }
        offset += count
      }
    } catch  where error.code == ENOENT {
    }
  }
}

/// The names in a folder.
///
/// SAFETY: the stream is closed by the function that opened it, and each name is copied before the
/// next call of `readdir`, which may overwrite it.
@safe enum FolderListing {
  /// The names in a folder, in no order and without `.` and `..`; empty if it can't be read.
  static func names(in folder: [UInt8]) -> [[UInt8]] {
    guard let folder = try? OpenFile(folder, O_RDONLY | O_DIRECTORY) else { return [] }
    return (try? names(in: folder)) ?? []
  }

  /// The names in an open folder, in no order and without `.` and `..`.
  static func names(in folder: borrowing OpenFile) throws(SystemError) -> [[UInt8]] {
    let again = unsafe openat(folder.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard again >= 0 else { throw .last }
    guard let stream = unsafe fdopendir(again) else {
      let failure = SystemError.last
      close(again)
      throw failure
    }
    defer { unsafe closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else {
        if errno != 0 { throw .last }
        return names
      }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe Array(bytes.prefix { $0 != 0 })
      }
      if name != [.dot] && name != [.dot, .dot] { names.append(name) }
    }
  }
}

/// An open file with several owners; closed when the last owner releases it.
final class SharedFile: Sendable {
  let file: OpenFile

  init(_ file: consuming OpenFile) { self.file = file }
}

/// The reason why a system call failed, as in `errno`.
///
/// SAFETY: `strerror` returns a string that ends with NUL and is valid until the next call; it is
/// copied.
@safe struct SystemError: Error, Equatable, Sendable {
  var code: Int32

  /// The system's message for the code, in the language and the encoding of the locale.
  var text: [UInt8] {
    unsafe strerror(code).map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
      ?? []
  }

  static var last: SystemError { SystemError(code: errno) }

  /// Repeats a call while it fails with EINTR, and returns its result, which is not negative.
  @discardableResult
  static func retrying<Count: SignedInteger>(
    _ call: () -> Count
  ) throws(SystemError) -> Count {
    while true {
      let result = call()
      if result >= 0 { return result }
      if errno != EINTR { throw .last }
    }
  }
}
