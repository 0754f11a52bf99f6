extension PieceTable {
  /// Builds a text in one pass from parts of another text and new bytes.
  ///
  /// Edits of many places at once (a substitution on every line, a sort) are faster this way than one by
  /// one. The parts are shared, not copied.
  ///
  ///     var builder = PieceTable.Builder(from: text)
  ///     builder.keep(text.byteRange(of: LineRange(1, 2)))
  ///     builder.append("new\n".utf8)
  ///     let result = builder.finish()
  public struct Builder {
    private let source: PieceTable
    private var storage: Storage
    private var cursor: Cursor
    private var tree = TreeBuilder()
    private var tail: Tail?
    private let leastKept: Int

    /// A builder of an empty text that can be given parts of `source`.
    ///
    /// - Parameters:
    ///   - source: The text whose parts are shared.
    ///   - leastKept: Parts of fewer bytes are copied. With many such parts, the copied bytes take
    ///     less memory than their pieces would.
    public init(from source: PieceTable, copyingBelow leastKept: Int = 0) {
      self.leastKept = leastKept
      self.source = source.withoutTail
      storage = source.storage
      cursor = Cursor(source.root)
    }

    /// The number of bytes so far.
    public var byteCount: Int { tree.total.byteCount }

    /// The number of newlines so far.
    public var newlineCount: Int { tree.total.newlineCount }

    /// The number of pieces so far.
    public var pieceCount: Int { tree.pieceCount }

    /// Appends the bytes that are in this range of the source.
    ///
    /// - Precondition: The range is in `0...byteCount` of the source.
    /// - Complexity: O(1) a piece when the ranges ascend; otherwise O(log *p*) besides.
    public mutating func keep(_ range: Range<ByteOffset>) {
      precondition(source.contains(range), "range out of the text")
      if range.isEmpty { return }
      cursor.seek(range.lowerBound.value)
      let isCopied = range.upperBound - range.lowerBound < leastKept
      while let piece = cursor.nextPiece(upTo: range.upperBound.value) {
        if isCopied { piece.extent.withSpan { append($0) } } else { tree.append(piece) }
      }
    }

    /// Appends new bytes.
    @inlinable
    public mutating func append(_ bytes: some Collection<UInt8>) {
      let done: Void? = bytes.withContiguousStorageIfAvailable { unsafe append($0.span.bytes) }
      if done == nil { unsafe append(Array(bytes).span.bytes) }
    }

    /// Appends borrowed bytes, which are copied.
    public mutating func append(_ bytes: RawSpan) {
      if !bytes.isEmpty { tree.append(Storage.append(bytes, to: &tail, in: &storage)) }
    }

    /// Appends another text, whose bytes are shared.
    ///
    /// - Complexity: O(*p*), for *p* pieces in it.
    public mutating func append(_ text: PieceTable) {
      storage = storage.joined(with: text.storage)
      var pieces = Cursor(text.root)
      while let piece = pieces.nextPiece(upTo: text.byteCount) { tree.append(piece) }
    }

    /// The kept and appended parts as one text, in order.
    ///
    /// The text shares the kept bytes with the source, so its parts can replace parts of the source
    /// without a copy.
    ///
    /// - Complexity: O(*p*), for *p* pieces.
    public consuming func finish() -> PieceTable {
      PieceTable(storage: storage, tail: tail, root: tree.finish())
    }
  }
}
