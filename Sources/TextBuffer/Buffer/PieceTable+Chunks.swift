extension PieceTable {
  /// Calls `body` with bytes that lie side by side in memory around an offset, and with where they begin:
  /// what incremental parsers read. At the end of the text there are none.
  ///
  ///     var offset = ByteOffset(0)
  ///     while offset.value < text.byteCount {
  ///       offset = text.withChunk(at: offset) { bytes, start in
  ///         parse(bytes)
  ///         return start + bytes.byteCount
  ///       }
  ///     }
  ///
  /// - Parameters:
  ///   - offset: An offset in `0...byteCount`. The byte behind it is in the chunk.
  ///   - body: Called with the bytes, which are borrowed, and the offset of the first of them.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  @inlinable
  package func withChunk<R, E>(
    at offset: ByteOffset, _ body: (RawSpan, ByteOffset) throws(E) -> R
  ) throws(E) -> R {
    let (bytes, start) = unsafe unsafeChunk(at: offset)
    // SAFETY: this text, which outlives the call, keeps the bytes.
    return try unsafe body(bytes.bytes, start)
  }

  /// The bytes that lie side by side in memory around an offset, and where they begin, for parsers in C, which
  /// keep a pointer until they ask for the next one. At the end of the text there are none.
  ///
  ///     // The read function of a `TSInput` of tree-sitter:
  ///     let (bytes, start) = unsafe text.unsafeChunk(at: ByteOffset(Int(byteIndex)))
  ///     let skipped = Int(byteIndex) - start.value
  ///     bytesRead.pointee = UInt32(bytes.count - skipped)
  ///     return bytes.baseAddress.map { $0 + skipped }?.assumingMemoryBound(to: CChar.self)
  ///
  /// - Parameter offset: An offset in `0...byteCount`. The byte behind it is in the chunk.
  /// - Returns: The bytes, and the offset of the first of them. The pointer is valid as long as this text or
  ///   a copy, slice or change of it is held that has the bytes.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  @unsafe
  public func unsafeChunk(at offset: ByteOffset) -> (
    bytes: UnsafeRawBufferPointer, start: ByteOffset
  ) {
    precondition(offset.value >= 0 && offset.value <= byteCount, "offset out of range")
    if offset.value == byteCount {
      return unsafe (UnsafeRawBufferPointer(start: nil, count: 0), offset)
    }
    let (extent, start) = root.chunk(at: offset.value)
    return unsafe (
      UnsafeRawBufferPointer(start: extent.base, count: extent.count), ByteOffset(start)
    )
  }
}
