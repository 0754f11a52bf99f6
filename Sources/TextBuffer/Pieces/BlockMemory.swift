/// An allocator for the big blocks of a text, instead of `malloc`: for a mapped file, for example.
///
/// SAFETY: both functions are called by `ByteBlock` only, which releases exactly what it was given.
@safe package struct BlockMemory: Sendable {
  /// The size of the smallest requested block.
  package static let leastByteCount = 1 << 16

  /// Allocates a number of bytes; nil for the usual memory.
  let allocate: @Sendable (Int) -> UnsafeMutableRawBufferPointer?
  let release: @Sendable (UnsafeMutableRawBufferPointer) -> Void

  /// An allocator: `allocate` returns at least the given number of bytes, or nil to use the usual
  /// memory. Any thread may call `release`, when no text, slice or change refers to the memory.
  package init(
    allocate: @escaping @Sendable (Int) -> UnsafeMutableRawBufferPointer?,
    release: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) {
    unsafe self.allocate = unsafe allocate
    unsafe self.release = unsafe release
  }
}
