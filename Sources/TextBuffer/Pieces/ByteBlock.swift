#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A block of memory for text bytes: allocated once, never moved, freed with its last reference.
///
/// Invariants: `base` is valid for `capacity` bytes for the whole life of the block. A byte is
/// written only before any tree refers to it, by the one owner of its region (`Tail`, or the code
/// that loads a text). From then on it is only read, so any thread can safely read a block.
@safe final class ByteBlock: @unchecked Sendable {
  /// The address of the first byte.
  let base: UnsafeMutableRawPointer
  let capacity: Int
  private let release: (@Sendable () -> Void)?
  /// The allocator of the memory; nil for the default allocator, and for adopted bytes.
  private let memory: BlockAllocator?

  /// The least size, in bytes, for alignment to huge pages. Filling huge pages is about three times
  /// as fast.
  private static let hugeSize = 4 << 20
  private static let hugePage = 2 << 20

  /// A block of `capacity` uninitialized bytes.
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

  /// A block of at least `capacity` bytes from an allocator; nil if the allocator provides no
  /// memory.
  ///
  /// SAFETY: the allocator guarantees that the memory belongs to this block alone.
  init?(capacity: Int, in memory: BlockAllocator) {
    let space = unsafe memory.allocate(capacity)
    guard let base = unsafe space?.baseAddress, let count = unsafe space?.count,
      count >= capacity
    else { return nil }
    unsafe self.base = unsafe base
    self.capacity = count
    release = nil
    self.memory = memory
  }

  /// A read-only block of the caller's bytes. Calls `release` when the block is freed.
  init(adopting bytes: UnsafeRawBufferPointer, release: @escaping @Sendable () -> Void) {
    // SAFETY: an adopted block is only read, because no `Tail` is ever made for it.
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

/// An allocator that replaces `malloc` for the big blocks of a text, for example with mapped files.
///
/// SAFETY: only `ByteBlock` calls the two functions, and it releases exactly the memory it got.
@safe package struct BlockAllocator: Sendable {
  /// The size of the smallest block requested from an allocator, in bytes.
  package static let leastByteCount = 1 << 16

  let allocate: @Sendable (Int) -> UnsafeMutableRawBufferPointer?
  let release: @Sendable (UnsafeMutableRawBufferPointer) -> Void

  /// An allocator that calls the given functions.
  ///
  /// - Parameters:
  ///   - allocate: Returns at least the given number of bytes, or nil to fall back to `malloc`.
  ///   - release: Frees memory that no text, slice or change refers to any more. Any thread may
  ///     call it.
  package init(
    allocate: @escaping @Sendable (Int) -> UnsafeMutableRawBufferPointer?,
    release: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) {
    unsafe self.allocate = unsafe allocate
    unsafe self.release = unsafe release
  }
}
