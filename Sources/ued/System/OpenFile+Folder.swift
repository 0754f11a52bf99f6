import UedLinux
import Glibc

/// Calls for the names in an open folder.
///
/// SAFETY: names are lent for the length of a call, and a status is a value on the stack.
extension OpenFile {
  /// The status of a name in this folder, links not followed; nil when there is none.
  func status(of name: [UInt8]) -> stat? { try? statusIfThere(of: name) }

  /// The status of a name in this folder, links not followed; nil when there is none.
  ///
  /// - Throws: Why that can't be found out.
  func statusIfThere(of name: [UInt8]) throws(SystemError) -> stat? {
    var status = stat()
    let found = unsafe SystemName.lend(name) {
      unsafe fstatat(descriptor, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    if found == 0 { return status }
    if errno == ENOENT { return nil }
    throw .last
  }

  /// The status of the file or symbolic link at a path; nil when there is none.
  static func linkStatus(of path: [UInt8]) -> stat? {
    var status = stat()
    let found = unsafe SystemName.lend(path) {
      unsafe fstatat(AT_FDCWD, $0, &status, AT_SYMLINK_NOFOLLOW)
    }
    return found == 0 ? status : nil
  }

  /// Whether a path is that of a symbolic link.
  static func isLink(_ path: [UInt8]) -> Bool {
    linkStatus(of: path).map { $0.st_mode & S_IFMT == S_IFLNK } ?? false
  }

  /// Whether a path is that of a file, or of a link.
  static func exists(_ path: [UInt8]) -> Bool {
    unsafe SystemName.lend(path) {
      unsafe faccessat(AT_FDCWD, $0, F_OK, AT_SYMLINK_NOFOLLOW)
    } == 0
  }

  /// Whether the folder of a path takes new names.
  static func canAddNames(beside path: [UInt8]) -> Bool {
    let folder = path.lastIndex(of: .slash).map { Array(path[...$0]) } ?? [.dot]
    return unsafe SystemName.lend(folder) { unsafe faccessat(AT_FDCWD, $0, W_OK, AT_EACCESS) } == 0
  }

  /// Makes a folder in this one, by default with access for its owner only, whatever the umask.
  func makeFolder(_ name: [UInt8], mode: mode_t = 0o700) throws(SystemError) {
    let mask = mode & 0o077 == 0 ? umask(0o077) : nil
    defer { if let mask { umask(mask) } }
    if unsafe SystemName.lend(name, to: { unsafe mkdirat(descriptor, $0, mode) }) != 0 {
      throw .last
    }
  }

  /// Removes an empty folder from this one; false when that fails.
  @discardableResult
  func removeFolder(_ name: [UInt8]) -> Bool {
    unsafe SystemName.lend(name) { unsafe unlinkat(descriptor, $0, AT_REMOVEDIR) } == 0
  }

  /// Exchanges a file in this folder with one in another, in one step.
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

  /// Gives a file in this folder a second name in another.
  func link(
    _ name: [UInt8], as newName: [UInt8], in folder: borrowing OpenFile
  ) throws(SystemError) {
    let other = folder.descriptor
    let failure = unsafe SystemName.lend(name) { name in
      unsafe SystemName.lend(newName) { unsafe linkat(descriptor, name, other, $0, 0) }
    }
    if failure != 0 { throw .last }
  }

  /// Whether this file is what writing `new` over `old` may leave: each sector is that of one of them, or new up to some
  /// byte and then old, or zero. Behind its end each of them counts as zero.
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

  /// The bytes from an offset on, as many as a block has, or fewer at the end.
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

  /// Allows the process to have many files open, as far as its hard limit goes.
  static func makeRoom(for count: Int) {
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    // With a history, each file has two more.
    guard unsafe getrlimit(resource, &limit) == 0, Int(clamping: limit.rlim_cur) < 4 * count + 64
    else { return }
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(resource, &limit)
  }
}

/// Reading without keeping what is read.
extension OpenFile {
  /// Reads all bytes of a file, to see whether the disk gives them.
  ///
  /// - Throws: The error of opening or reading it; none if there is no such file.
  /// - Returns: Whether one of them is not zero.
  @discardableResult static func tryReading(_ path: [UInt8]) throws(SystemError) -> Bool {
    var isAnySet = false
    do throws(SystemError) {
      let file = try OpenFile(path, O_RDONLY)
      var space = InlineArray<4096, UInt8>(repeating: 0)
      var span = space.mutableSpan
      let (count, code) = unsafe span.withUnsafeMutableBytes { bytes in
        var (count, offset) = (0, 0)
        repeat {
          unsafe count = pread(file.descriptor, bytes.baseAddress, bytes.count, off_t(offset))
          offset += max(count, 0)
          unsafe isAnySet = isAnySet || bytes.prefix(max(count, 0)).contains { $0 != 0 }
        } while count > 0
        return (count, errno)
      }
      if count < 0 { throw SystemError(code: code) }
    } catch  where error.code == ENOENT {
    } catch {
      throw error
    }
    return isAnySet
  }
}
