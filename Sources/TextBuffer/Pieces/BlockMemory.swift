/// An allocator that replaces `malloc` for the big blocks of a text, for example with mapped files.
///
/// SAFETY: only `ByteBlock` calls the two functions, and it releases exactly the memory it got.
@safe package struct BlockMemory: Sendable {
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
