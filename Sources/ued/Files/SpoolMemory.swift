import Glibc
import Synchronization
import TextBuffer

/// A spool file as memory for what is inserted into texts.
///
/// SAFETY: nobody else can open the file, the parts of it that are mapped do not overlap, and their room
/// on the disk is there before they are. A mapping lives until the text releases it.
@safe final class SpoolMemory: Sendable {
  private let file: OpenFile
  /// The number of bytes that are in use.
  private let size = Mutex(0)

  private static let page = 1 << 16

  private init(_ file: consuming OpenFile) { self.file = file }

  /// Made when it is first needed; nil when that can't be.
  private static let shared: SpoolMemory? = try? SpoolMemory(Spool.make())

  /// The one of this process, for texts to keep bytes in.
  static var blocks: BlockMemory {
    unsafe BlockMemory(
      allocate: { unsafe shared?.allocate($0) },
      release: { space in unsafe munmap(space.baseAddress, space.count) })
  }

  /// Memory for so many bytes; nil when there is no room for them on the disk.
  private func allocate(_ byteCount: Int) -> UnsafeMutableRawBufferPointer? {
    let count = (byteCount + Self.page - 1) / Self.page * Self.page
    let start = size.withLock { size in
      defer { size += count }
      return size
    }
    let file = file.descriptor
    guard posix_fallocate(file, start, count) == 0 else { return nil }
    // Shared pages go to the disk when memory is needed, and no limit on data counts them.
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
