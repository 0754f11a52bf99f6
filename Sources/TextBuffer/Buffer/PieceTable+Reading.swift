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
