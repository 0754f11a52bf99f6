#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A block of memory for bytes of texts: allocated once, never moved, freed with its last reference.
///
/// Invariants: `base` is valid for `capacity` bytes for the whole life of the block. A byte is
/// written only before any tree refers to it, by the one owner of its region (`Tail`, or the code
/// that loads a text). From then on it is only read, so any thread can safely read a block.
@safe final class ByteBlock: @unchecked Sendable {
  /// The first byte.
  let base: UnsafeMutableRawPointer
  let capacity: Int
  private let release: (@Sendable () -> Void)?
  /// The allocator of the block; nil for the standard library's, and for adopted bytes.
  private let memory: BlockMemory?

  /// The size from which memory is aligned for huge pages, which are filled about three times as
  /// fast.
  private static let hugeSize = 4 << 20
  private static let hugePage = 2 << 20

  /// Memory for `capacity` bytes, whose content is undefined.
  init(capacity: Int) {
    let isHuge = capacity >= Self.hugeSize
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: max(capacity, 1), alignment: isHuge ? Self.hugePage : 1)
    #if os(Linux)
      // The call is advice: without huge pages everything works, only slower.
      if isHuge { unsafe _ = madvise(memory, capacity, MADV_HUGEPAGE) }
    #endif
    unsafe self.base = unsafe memory
    self.capacity = capacity
    release = nil
    self.memory = nil
  }

  /// Memory of an allocator; nil if it has none.
  ///
  /// SAFETY: the allocator guarantees that the memory is this block's alone.
  init?(capacity: Int, in memory: BlockMemory) {
    let space = unsafe memory.allocate(capacity)
    guard let base = unsafe space?.baseAddress, let count = unsafe space?.count,
      count >= capacity
    else { return nil }
    unsafe self.base = unsafe base
    self.capacity = count
    release = nil
    self.memory = memory
  }

  /// Bytes owned by the caller; `release` is called when they are no longer needed.
  init(adopting bytes: UnsafeRawBufferPointer, release: @escaping @Sendable () -> Void) {
    // SAFETY: an adopted block is only read: no `Tail` is ever made for it.
    unsafe base =
      bytes.baseAddress.map { unsafe UnsafeMutableRawPointer(mutating: $0) }
      ?? UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
    capacity = bytes.count
    self.release = release
    memory = nil
  }

  deinit {
    if let release {
      release()
    } else if let memory {
      unsafe memory.release(UnsafeMutableRawBufferPointer(start: base, count: capacity))
    } else {
      unsafe base.deallocate()
    }
  }
}
