extension PieceTable {
  /// The bytes in a range, copied.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  /// - Complexity: O(log *p* + *m*), for *p* pieces in the text and *m* bytes.
  public func bytes(in range: Range<ByteOffset>) -> [UInt8] {
    precondition(contains(range), "range out of the text")
    var result: [UInt8] = []
    result.reserveCapacity(range.upperBound - range.lowerBound)
    var cursor = Cursor(root, at: range.lowerBound.value)
    while let extent = cursor.nextExtent(upTo: range.upperBound.value) {
      extent.append(to: &result)
    }
    return result
  }

  /// Visits the bytes of a range in order, in spans that are as long as the memory allows.
  ///
  /// - Parameters:
  ///   - range: Which bytes.
  ///   - body: Called with one or more bytes; false ends the visit.
  /// - Precondition: The range is in `0...byteCount`.
  /// - Throws: What `body` throws.
  /// - Complexity: O(log *p*) for the first of *p* pieces, then O(1) a piece.
  @inlinable
  public func forEachChunk<E>(
    in range: Range<ByteOffset>, _ body: (RawSpan) throws(E) -> Bool
  ) throws(E) {
    var failure: E?
    visitChunks(range) { span in
      do throws(E) {
        return try body(span)
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }

  @usableFromInline func visitChunks(_ range: Range<ByteOffset>, _ body: (RawSpan) -> Bool) {
    precondition(contains(range), "range out of the text")
    var cursor = Cursor(root, at: range.lowerBound.value)
    while let extent = cursor.nextMaximalExtent(upTo: range.upperBound.value), extent.withSpan(body)
    {}
  }

  /// The bytes in a range as a text of their own. Nothing is copied.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func slice(_ range: Range<ByteOffset>) -> PieceTable {
    precondition(contains(range), "range out of the text")
    return PieceTable(
      storage: storage, root: root.slice(range.lowerBound.value, range.upperBound.value))
  }

  /// Whether all of `range` is in the text.
  func contains(_ range: Range<ByteOffset>) -> Bool {
    range.lowerBound.value >= 0 && range.upperBound.value <= byteCount
  }
}

// MARK: - Chunks

extension PieceTable {
  /// Calls `body` with the contiguous bytes around an offset, and with the offset of the first one.
  /// Incremental parsers read like this. At the end of the text the bytes are empty.
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
  ///   - offset: An offset in `0...byteCount`. The byte after it is in the chunk.
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

  /// The contiguous bytes around an offset, and the offset of the first one. For parsers in C,
  /// which keep a pointer until they ask for the next one. At the end of the text the bytes are
  /// empty.
  ///
  ///     // The read function of a `TSInput` of tree-sitter:
  ///     let (bytes, start) = unsafe text.unsafeChunk(at: ByteOffset(Int(byteIndex)))
  ///     let skipped = Int(byteIndex) - start.value
  ///     bytesRead.pointee = UInt32(bytes.count - skipped)
  ///     return bytes.baseAddress.map { $0 + skipped }?.assumingMemoryBound(to: CChar.self)
  ///
  /// - Parameter offset: An offset in `0...byteCount`. The byte after it is in the chunk.
  /// - Returns: The bytes, and the offset of the first of them. The pointer is valid while this
  ///   text, or a copy, slice or change of it, still has the bytes.
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
