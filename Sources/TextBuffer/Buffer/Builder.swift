extension PieceTable {
  /// Builds a text in one pass from parts of another text and new bytes.
  ///
  /// To edit many places at once (a substitution on every line, a sort), a builder is faster than
  /// separate edits. Parts of the other text are shared, not copied.
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

    /// A builder without bytes; `keep` appends parts of `source`.
    ///
    /// - Parameters:
    ///   - source: The text whose parts are shared.
    ///   - leastKept: Parts of fewer bytes than this are copied, not shared. Copies of many short
    ///     parts take less memory than a piece for each.
    public init(from source: PieceTable, copyingBelow leastKept: Int = 0) {
      self.leastKept = leastKept
      self.source = source.withoutTail
      storage = source.storage
      cursor = Cursor(source.root)
    }

    /// The number of bytes so far.
    package var byteCount: Int { tree.total.byteCount }

    /// The number of newlines so far.
    package var newlineCount: Int { tree.total.newlineCount }

    /// The number of pieces so far.
    package var pieceCount: Int { tree.pieceCount }

    /// Appends a range of the source.
    ///
    /// - Precondition: The range is in `0...byteCount` of the source.
    /// - Complexity: O(1) per piece if ranges ascend. A range before the previous one adds O(log
    ///   *p*), for *p* pieces in the source.
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
      if done == nil { unsafe append(ContiguousArray(bytes).span.bytes) }
    }

    /// Appends a copy of borrowed bytes.
    public mutating func append(_ bytes: RawSpan) {
      if !bytes.isEmpty { tree.append(Storage.append(bytes, to: &tail, in: &storage)) }
    }

    /// Appends another text, and shares its bytes.
    ///
    /// - Complexity: O(*p*), for *p* pieces in `text`.
    public mutating func append(_ text: PieceTable) {
      storage = storage.joined(with: text.storage)
      var pieces = Cursor(text.root)
      while let piece = pieces.nextPiece(upTo: text.byteCount) { tree.append(piece) }
    }

    /// Returns the kept and appended parts as one text.
    ///
    /// The result shares the kept bytes with the source, so parts of the result can replace parts
    /// of the source without a copy.
    ///
    /// - Complexity: O(*p*), for *p* pieces.
    public consuming func finish() -> PieceTable {
      PieceTable(storage: storage, tail: tail, root: tree.finish())
    }
  }
}
