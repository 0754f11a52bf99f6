/// Where a text finds room for many bytes, when that is not to be the usual memory.
///
/// SAFETY: both functions are only called by `ByteBlock`, which hands back what it was given.
@safe public struct BlockMemory: Sendable {
  /// Fewer bytes than that are never asked for.
  public static let leastByteCount = 1 << 16

  /// Gives memory for that many bytes, or nil: then it is the usual memory.
  let allocate: @Sendable (Int) -> UnsafeMutableRawBufferPointer?
  /// Takes memory back.
  let release: @Sendable (UnsafeMutableRawBufferPointer) -> Void

  /// Memory of somebody's own.
  ///
  /// - Parameters:
  ///   - allocate: Gives memory for at least that many bytes, or nil when there is none; then the usual
  ///     memory is taken.
  ///   - release: Takes the memory back when no buffer, slice or change needs it.
  public init(
    allocate: @escaping @Sendable (Int) -> UnsafeMutableRawBufferPointer?,
    release: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Void
  ) {
    unsafe self.allocate = unsafe allocate
    unsafe self.release = unsafe release
  }
}
