import Glibc
import Synchronization
import TextBuffer

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
  static var blocks: BlockMemory {
    unsafe BlockMemory(
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

extension Memory {
  /// The length from which a new text shares parts of an old one instead of copying them: 0 as long as
  /// the old text fits in memory. If it does not, few pieces matter more than few copies, because pieces
  /// stay in memory but copied bytes go to the spool file.
  static func leastShared(of byteCount: Int) -> Int { byteCount > comfortable ? 4096 : 0 }
}
