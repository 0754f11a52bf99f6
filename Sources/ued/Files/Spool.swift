import Glibc
import Synchronization
import TextBuffer
import UedLinux

/// Unnamed files for texts that are too large for memory. The user's file is never mapped, since
/// another program could truncate it under the text. Its bytes are copied, by reference if the file
/// system supports that.
///
/// SAFETY: a mapping is read-only and as long as its file, which no other process can open or
/// truncate. The text that adopts the mapping owns it, and its `release` unmaps it once; it is not
/// used here afterwards.
@safe enum Spool {
  /// Reads the rest of a descriptor into a new spool file.
  ///
  /// - Throws: The reason why it can't be read or stored; EINTR after an interrupt.
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

  /// Creates an empty unnamed file, in TMPDIR if it is on a disk, otherwise in `/var/tmp`.
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
      // A file system without unnamed files.
      let name = Array(".ued-spool-\(getpid())".utf8)
      let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
      let file = try OpenFile(name, in: folder.descriptor, flags, mode: 0o600)
      _ = folder.remove(name)
      return file
    }
  }

  /// Whether a folder is on tmpfs.
  private static func isInMemory(_ folder: borrowing OpenFile) -> Bool {
    var system = statfs()
    return unsafe fstatfs(folder.descriptor, &system) == 0 && system.f_type == 0x0102_1994
  }

  /// Copies a descriptor to its end, in the kernel if possible; returns the number of bytes.
  private static func fill(_ spool: Int32, from descriptor: Int32) throws(SystemError) -> Int {
    var total = 0
    var block: [UInt8] = []
    while true {
      if Interrupts.isInterrupted { throw SystemError(code: EINTR) }
      var count =
        block.isEmpty ? copy_file_range(descriptor, nil, spool, nil, 64 << 20, 0) : -1
      if count < 0 && block.isEmpty && errno != EINTR && errno != ENOSPC && errno != EIO {
        // Not a regular file, or one on another file system.
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

/// Memory for the bytes that are inserted into large texts, backed by a spool file.
///
/// SAFETY: no other process can open the file, mapped parts do not overlap, and their disk blocks are
/// allocated before they are mapped, so that no write to them can fail. A mapping lives until the text
/// releases it, once.
@safe final class SpoolMemory: Sendable {
  private let file: OpenFile
  /// The number of bytes handed out.
  private let size = Mutex(0)

  private static let page = 1 << 16

  private init(_ file: consuming OpenFile) { self.file = file }

  /// The process's spool, created on first use; nil when that fails.
  private static let shared: SpoolMemory? = try? SpoolMemory(Spool.make())

  /// An allocator for texts.
  static var blocks: BlockAllocator {
    unsafe BlockAllocator(
      allocate: { unsafe shared?.allocate($0) },
      release: { space in unsafe munmap(space.baseAddress, space.count) })
  }

  /// Allocates memory; nil when the disk has no room for it.
  private func allocate(_ byteCount: Int) -> UnsafeMutableRawBufferPointer? {
    let count = (byteCount + Self.page - 1) / Self.page * Self.page
    let start = size.withLock { size in
      defer { size += count }
      return size
    }
    let file = file.descriptor
    guard posix_fallocate(file, start, count) == 0 else { return nil }
    // The kernel can write shared pages back when memory is short, and RLIMIT_DATA does not count them.
    let base = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, start)
    guard let base = unsafe base, unsafe base != MAP_FAILED else { return nil }
    return unsafe UnsafeMutableRawBufferPointer(start: base, count: count)
  }
}
