import Glibc

/// Memory that holds bytes of texts: allocated once, never moved, freed when nobody refers to it.
///
/// Invariants: `base` is valid for `capacity` bytes for the whole life of the block. A byte is
/// written only before any tree refers to it, and by the one owner of the region that it lies in
/// (`Tail`, or the code that loads a text); from then on it is only read. So blocks can be read
/// from any thread.
@safe final class ByteBlock: @unchecked Sendable {
  /// The first byte.
  let base: UnsafeMutableRawPointer
  /// The number of bytes.
  let capacity: Int
  private let release: (@Sendable () -> Void)?
  /// Where it comes from; nil for the usual memory.
  private let memory: BlockMemory?

  /// From this size on, memory is aligned and advised to be in huge pages: filling it is then
  /// about three times as fast.
  private static let hugeSize = 4 << 20
  private static let hugePage = 2 << 20

  /// Memory for `capacity` bytes, whose content is undefined.
  init(capacity: Int) {
    var memory: UnsafeMutableRawPointer?
    if capacity >= Self.hugeSize {
      guard unsafe posix_memalign(&memory, Self.hugePage, capacity) == 0 else {
        fatalError("out of memory")
      }
      // Advice only: without huge pages everything works, just slower.
      unsafe _ = madvise(memory, capacity, MADV_HUGEPAGE)
    } else {
      unsafe memory = malloc(max(capacity, 1))
    }
    guard let memory = unsafe memory else { fatalError("out of memory") }
    unsafe self.base = unsafe memory
    self.capacity = capacity
    release = nil
    self.memory = nil
  }

  /// Memory that somebody else gives; nil when there is none.
  ///
  /// SAFETY: who gives it says that it is for this block alone.
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

  /// Bytes owned by somebody else, who is told by `release` when they are no longer needed.
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
      unsafe free(base)
    }
  }
}
