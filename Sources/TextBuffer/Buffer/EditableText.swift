/// A text that can be edited by bytes and by lines: a `PieceTable`, or the draft of a transaction.
///
/// A draft cannot be copied, so a function that takes any of them says `inout some EditableText & ~Copyable`.
/// Every edit returns its change, which can be inverted and applied again. It costs O(log *p* + *m*) for *p*
/// pieces in the text and *m* inserted bytes, and O(log *p*) if another text is inserted. Ranges and offsets
/// must be in `0...byteCount`, lines in `1...lineCount`; line 0 is the gap above the first.
public protocol EditableText: ~Copyable {
  /// Replaces the bytes in a range by borrowed ones, which are copied.
  @discardableResult
  mutating func replace(_ range: Range<ByteOffset>, with bytes: RawSpan) -> Change

  /// Replaces the bytes in a range by another text, whose bytes are shared.
  @discardableResult
  mutating func replace(_ range: Range<ByteOffset>, with text: PieceTable) -> Change

  /// The offset at which a line begins; see ``PieceTable/offset(ofLine:)``.
  func offset(ofLine line: LineNumber) -> ByteOffset

  /// The range of the bytes of some lines; see ``PieceTable/byteRange(of:)``.
  func byteRange(of lines: LineRange) -> Range<ByteOffset>
}

extension EditableText where Self: ~Copyable {
  /// Replaces the bytes in a range; an empty range inserts, empty bytes remove.
  @inlinable @discardableResult
  public mutating func replace(
    _ range: Range<ByteOffset>, with bytes: some Collection<UInt8>
  ) -> Change {
    let change = bytes.withContiguousStorageIfAvailable {
      unsafe replace(range, with: $0.span.bytes)
    }
    if let change { return change }
    return unsafe replace(range, with: ContiguousArray(bytes).span.bytes)
  }

  /// Inserts bytes at an offset.
  @inlinable @discardableResult
  public mutating func insert(_ bytes: some Collection<UInt8>, at offset: ByteOffset) -> Change {
    replace(offset..<offset, with: bytes)
  }

  /// Inserts another text at an offset; its bytes are shared.
  @inlinable @discardableResult
  package mutating func insert(_ text: PieceTable, at offset: ByteOffset) -> Change {
    replace(offset..<offset, with: text)
  }

  /// Removes the bytes in a range.
  @inlinable @discardableResult
  public mutating func remove(_ range: Range<ByteOffset>) -> Change {
    replace(range, with: RawSpan())
  }

  /// Replaces some lines with their newlines; an empty range inserts before its first line.
  @inlinable @discardableResult
  public mutating func replaceLines(
    _ lines: LineRange, with bytes: some Collection<UInt8>
  ) -> Change {
    replace(byteRange(of: lines), with: bytes)
  }

  /// Replaces some lines by borrowed bytes, which are copied.
  @inlinable @discardableResult
  package mutating func replaceLines(_ lines: LineRange, with bytes: RawSpan) -> Change {
    replace(byteRange(of: lines), with: bytes)
  }

  /// Replaces some lines by another text, whose bytes are shared.
  @inlinable @discardableResult
  public mutating func replaceLines(_ lines: LineRange, with text: PieceTable) -> Change {
    replace(byteRange(of: lines), with: text)
  }

  /// Inserts bytes below a line. No newlines are added, not even where the last line lacks one.
  @inlinable @discardableResult
  public mutating func insertLines(
    _ bytes: some Collection<UInt8>, after line: LineNumber
  ) -> Change {
    insert(bytes, at: offset(ofLine: line + 1))
  }

  /// Inserts another text below a line; its bytes are shared.
  @inlinable @discardableResult
  public mutating func insertLines(_ text: PieceTable, after line: LineNumber) -> Change {
    insert(text, at: offset(ofLine: line + 1))
  }

  /// Removes some lines with their newlines.
  @inlinable @discardableResult
  public mutating func removeLines(_ lines: LineRange) -> Change {
    remove(byteRange(of: lines))
  }

  /// Replaces the bytes in a range with the UTF-8 of a string.
  @inlinable @discardableResult
  public mutating func replace(
    _ range: Range<ByteOffset>, with string: some StringProtocol
  ) -> Change {
    replace(range, with: string.utf8)
  }

  /// Inserts the UTF-8 of a string at an offset.
  @inlinable @discardableResult
  public mutating func insert(_ string: some StringProtocol, at offset: ByteOffset) -> Change {
    replace(offset..<offset, with: string.utf8)
  }
}
