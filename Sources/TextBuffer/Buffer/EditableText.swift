/// A text that can be edited by bytes and by lines: a `PieceTable`, or the `Draft` of a transaction.
///
/// Every edit returns its change, which can be inverted and applied again. It costs O(log *p* + *m*) for *p*
/// pieces in the text and *m* inserted bytes, and O(log *p*) if another text is inserted.
public protocol EditableText {
  /// Replaces the bytes in a range by borrowed ones, which are copied.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  @discardableResult
  mutating func replace(_ range: Range<ByteOffset>, with bytes: RawSpan) -> Change

  /// Replaces the bytes in a range by another text, whose bytes are shared.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  @discardableResult
  mutating func replace(_ range: Range<ByteOffset>, with text: PieceTable) -> Change

  /// The offset at which a line begins; for the line after the last one, the end of the text.
  ///
  /// - Precondition: `line` is in `1...lineCount + 1`.
  func offset(ofLine line: LineNumber) -> ByteOffset

  /// The range of the bytes of some lines, with the newline of the last one; for an empty range, the empty
  /// range where its first line would begin.
  ///
  /// - Precondition: The lines are in `1...lineCount`; an empty range begins in `1...lineCount + 1`.
  func byteRange(of lines: LineRange) -> Range<ByteOffset>
}

extension EditableText {
  /// Replaces the bytes in a range; an empty range inserts, and no bytes remove.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  @inlinable @discardableResult
  public mutating func replace(
    _ range: Range<ByteOffset>, with bytes: some Collection<UInt8>
  ) -> Change {
    let change = bytes.withContiguousStorageIfAvailable {
      unsafe replace(range, with: $0.span.bytes)
    }
    if let change { return change }
    return unsafe replace(range, with: Array(bytes).span.bytes)
  }

  /// Inserts bytes at an offset.
  ///
  /// - Precondition: `offset` is in `0...byteCount`.
  @inlinable @discardableResult
  public mutating func insert(_ bytes: some Collection<UInt8>, at offset: ByteOffset) -> Change {
    replace(offset..<offset, with: bytes)
  }

  /// Inserts another text at an offset; its bytes are shared.
  ///
  /// - Precondition: `offset` is in `0...byteCount`.
  @inlinable @discardableResult
  public mutating func insert(_ text: PieceTable, at offset: ByteOffset) -> Change {
    replace(offset..<offset, with: text)
  }

  /// Removes the bytes in a range.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  @inlinable @discardableResult
  public mutating func remove(_ range: Range<ByteOffset>) -> Change {
    replace(range, with: RawSpan())
  }

  /// Replaces some lines with their newlines; an empty range inserts before its first line.
  ///
  /// - Precondition: The lines are in `1...lineCount`.
  @inlinable @discardableResult
  public mutating func replaceLines(
    _ lines: LineRange, with bytes: some Collection<UInt8>
  ) -> Change {
    replace(byteRange(of: lines), with: bytes)
  }

  /// Replaces some lines by borrowed bytes, which are copied.
  ///
  /// - Precondition: The lines are in `1...lineCount`.
  @inlinable @discardableResult
  public mutating func replaceLines(_ lines: LineRange, with bytes: RawSpan) -> Change {
    replace(byteRange(of: lines), with: bytes)
  }

  /// Replaces some lines by another text, whose bytes are shared.
  ///
  /// - Precondition: The lines are in `1...lineCount`.
  @inlinable @discardableResult
  public mutating func replaceLines(_ lines: LineRange, with text: PieceTable) -> Change {
    replace(byteRange(of: lines), with: text)
  }

  /// Inserts bytes below a line, 0 being the gap above the first. No newlines are added, not even where the
  /// last line lacks one.
  ///
  /// - Precondition: `line` is in `0...lineCount`.
  @inlinable @discardableResult
  public mutating func insertLines(
    _ bytes: some Collection<UInt8>, after line: LineNumber
  ) -> Change {
    insert(bytes, at: offset(ofLine: line + 1))
  }

  /// Inserts another text below a line, 0 being the gap above the first; its bytes are shared.
  ///
  /// - Precondition: `line` is in `0...lineCount`.
  @inlinable @discardableResult
  public mutating func insertLines(_ text: PieceTable, after line: LineNumber) -> Change {
    insert(text, at: offset(ofLine: line + 1))
  }

  /// Removes some lines with their newlines.
  ///
  /// - Precondition: The lines are in `1...lineCount`.
  @inlinable @discardableResult
  public mutating func removeLines(_ lines: LineRange) -> Change {
    remove(byteRange(of: lines))
  }
}
