/// An allocator for the big blocks of a text, in place of `malloc`: a file that is mapped, for example.
///
/// SAFETY: both functions are called by `ByteBlock` only, which releases exactly what it was given.
@safe package struct BlockMemory: Sendable {
  /// The size of the smallest block that is asked for.
  package static let leastByteCount = 1 << 16

  /// Gives memory for a number of bytes; nil for the usual memory.
  let allocate: @Sendable (Int) -> UnsafeMutableRawBufferPointer?
  /// Takes memory back.
  let release: @Sendable (UnsafeMutableRawBufferPointer) -> Void

  /// An allocator.
  ///
  /// - Parameters:
  ///   - allocate: Gives memory for at least that many bytes, or nil; then the usual memory is used.
  ///   - release: Takes the memory back when no text, slice or change refers to it. It may be called from
  ///     any thread.
  package init(
    allocate: @escaping @Sendable (Int) -> UnsafeMutableRawBufferPointer?,
    release: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) {
    unsafe self.allocate = unsafe allocate
    unsafe self.release = unsafe release
  }
}
