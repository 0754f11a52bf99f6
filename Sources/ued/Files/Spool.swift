import CLinux
import Glibc
import TextBuffer

/// Text that is too large for memory, in a file of our own that has no name.
///
/// The file of the user is never mapped: somebody could cut it off, and its bytes would be gone from
/// under the text. What it holds is copied, and shared with the copy where the file system can do that.
///
/// SAFETY: a mapping is only read, is as long as the file, and nobody else can open that; it is given
/// up by the `release` of the text that adopts it, and not used here after that.
@safe enum Spool {
  /// What is still to be read from a descriptor, as a text.
  ///
  /// - Returns: The text, and whether there is a NUL in it.
  /// - Throws: Why it can't be had; EINTR after an interrupt.
  static func text(of descriptor: Int32) throws(SystemError) -> (PieceTable, hasNUL: Bool) {
    let spool = try make()
    let byteCount = try fill(spool.descriptor, from: descriptor)
    guard byteCount > 0 else { return (PieceTable(), false) }
    let mapping = unsafe mmap(nil, byteCount, PROT_READ, MAP_SHARED, spool.descriptor, 0)
    guard unsafe mapping != MAP_FAILED, let start = unsafe mapping else { throw .last }
    let address = UInt(bitPattern: start)
    let text = unsafe PieceTable(adopting: UnsafeRawBufferPointer(start: start, count: byteCount)) {
      unsafe _ = munmap(UnsafeMutableRawPointer(bitPattern: address), byteCount)
    }
    return unsafe (text, memchr(start, 0, byteCount) != nil)
  }

  /// An empty file without a name, in a folder that is on a disk.
  static func make() throws(SystemError) -> OpenFile {
    var folders = [Array("/var/tmp".utf8)]
    if let named = ProcessArguments.environment("TMPDIR"), named.first == .slash {
      folders.insert(named, at: 0)
    }
    var failure = SystemError(code: ENOENT)
    for path in folders {
      do {
        let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        if isInMemory(folder) && path != folders.last { continue }
        return try file(in: folder)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  private static func file(in folder: borrowing OpenFile) throws(SystemError) -> OpenFile {
    do throws(SystemError) {
      let flags = O_RDWR | Int32(clinux_unnamed)
      return try OpenFile(Array(".".utf8), in: folder.descriptor, flags, mode: 0o600)
    } catch  where error.code == EOPNOTSUPP || error.code == EISDIR || error.code == EINVAL {
      // A file system that knows no files without names.
      let name = Array(".ued-spool-\(getpid())".utf8)
      let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
      let file = try OpenFile(name, in: folder.descriptor, flags, mode: 0o600)
      _ = folder.remove(name)
      return file
    }
  }

  /// Whether what is put in a folder is in memory and not on a disk.
  private static func isInMemory(_ folder: borrowing OpenFile) -> Bool {
    var system = statfs()
    return unsafe fstatfs(folder.descriptor, &system) == 0 && system.f_type == 0x0102_1994
  }

  /// Copies all that comes, by the system itself where that is possible.
  ///
  /// - Returns: How many bytes that was.
  private static func fill(_ spool: Int32, from descriptor: Int32) throws(SystemError) -> Int {
    var total = 0
    var block: [UInt8] = []
    while true {
      if Interrupts.isInterrupted { throw SystemError(code: EINTR) }
      var count =
        block.isEmpty ? copy_file_range(descriptor, nil, spool, nil, 64 << 20, 0) : -1
      if count < 0 && block.isEmpty && errno != EINTR && errno != ENOSPC && errno != EIO {
        // It is no regular file, or one of another kind of system.
        block = Array(repeating: 0, count: 1 << 18)
      }
      if !block.isEmpty {
        count = unsafe read(descriptor, &block, block.count)
        let bytes = unsafe block.span.bytes.extracting(first: max(count, 0))
        try DescriptorWriter.write(bytes, to: spool)
      }
      if count == 0 { return total }
      if count < 0 && errno != EINTR { throw .last }
      total += max(count, 0)
    }
  }
}
