/// An allocator for the big blocks of a text, instead of `malloc`: for a mapped file, for example.
///
/// SAFETY: both functions are called by `ByteBlock` only, which releases exactly what it was given.
@safe package struct BlockMemory: Sendable {
  /// The size of the smallest requested block.
  package static let leastByteCount = 1 << 16

  /// Allocates a number of bytes; nil for the usual memory.
  let allocate: @Sendable (Int) -> UnsafeMutableRawBufferPointer?
  /// Releases memory.
  let release: @Sendable (UnsafeMutableRawBufferPointer) -> Void

  /// An allocator.
  ///
  /// - Parameters:
  ///   - allocate: Allocates at least the given number of bytes; nil to use the usual memory.
  ///   - release: Releases the memory when no text, slice or change refers to it. Any thread may
  ///     call it.
  package init(
    allocate: @escaping @Sendable (Int) -> UnsafeMutableRawBufferPointer?,
    release: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) {
    unsafe self.allocate = unsafe allocate
    unsafe self.release = unsafe release
  }
}
