extension EditableText where Self: ~Copyable {
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

  /// Replaces lines and their newlines with the UTF-8 of a string; adds no newline.
  @inlinable @discardableResult
  public mutating func replaceLines(
    _ lines: LineRange, with string: some StringProtocol
  ) -> Change {
    replaceLines(lines, with: string.utf8)
  }

  /// Inserts the UTF-8 of a string below a line; adds no newlines.
  @inlinable @discardableResult
  public mutating func insertLines(
    _ string: some StringProtocol, after line: LineNumber
  ) -> Change {
    insertLines(string.utf8, after: line)
  }
}

extension EditableText where Self: ~Copyable {
  /// The byte range of lines; see ``PieceTable/byteRange(of:)``.
  @inlinable public func byteRange(of lines: Range<LineNumber>) -> Range<ByteOffset> {
    byteRange(of: LineRange(lines))
  }

  /// Replaces lines and their newlines; an empty range inserts before its first line.
  @inlinable @discardableResult
  public mutating func replaceLines(
    _ lines: Range<LineNumber>, with bytes: some Collection<UInt8>
  ) -> Change {
    replaceLines(LineRange(lines), with: bytes)
  }

  /// Replaces lines and their newlines with the UTF-8 of a string; adds no newline.
  @inlinable @discardableResult
  public mutating func replaceLines(
    _ lines: Range<LineNumber>, with string: some StringProtocol
  ) -> Change {
    replaceLines(LineRange(lines), with: string.utf8)
  }

  /// Replaces lines and their newlines with another text, whose bytes are shared.
  @inlinable @discardableResult
  public mutating func replaceLines(_ lines: Range<LineNumber>, with text: PieceTable) -> Change {
    replaceLines(LineRange(lines), with: text)
  }

  /// Removes lines and their newlines.
  @inlinable @discardableResult
  public mutating func removeLines(_ lines: Range<LineNumber>) -> Change {
    removeLines(LineRange(lines))
  }
}
