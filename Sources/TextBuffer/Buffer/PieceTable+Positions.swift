extension PieceTable {
  /// The number of lines that a caret can stand in, including the empty line after a last newline,
  /// and the one line of an empty text. One more than the number of newlines.
  ///
  ///     PieceTable("a\n").lineCount       // 1, as grep and ed count
  ///     PieceTable("a\n").caretLineCount  // 2, as an editor shows it
  ///
  /// - Complexity: O(1).
  public var caretLineCount: Int { newlineCount + 1 }

  /// The line and the column of an offset. Inside a character, UTF-16 columns count to the start of
  /// the character.
  ///
  ///     PieceTable("é = 1\n").position(at: ByteOffset(2), in: .utf16)  // line 1, column 1
  ///
  /// - Parameters:
  ///   - offset: An offset in `0...byteCount`.
  ///   - unit: The unit of the column.
  /// - Returns: A line in `1...caretLineCount`, and a column counted from 0.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func position(at offset: ByteOffset, in unit: LinePosition.Unit) -> LinePosition {
    let line = lineNumber(at: offset)
    let start = self.offset(ofLine: line)
    switch unit {
    case .utf8: return LinePosition(line, column: offset - start)
    case .utf16:
      return LinePosition(line, column: utf16Offset(at: offset) - utf16Offset(at: start))
    }
  }

  /// The offset of a line and a column. A column beyond the end of the line yields the offset
  /// before its newline. A column between the two UTF-16 units of a character yields the offset of
  /// the character.
  ///
  /// A carriage return before a newline is a byte of the line.
  ///
  /// - Parameters:
  ///   - position: A line in `1...caretLineCount`, and a column from 0 on.
  ///   - unit: The unit of the column.
  /// - Returns: An offset in `0...byteCount`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func offset(of position: LinePosition, in unit: LinePosition.Unit) -> ByteOffset {
    precondition(
      position.line > .zero && position.line.value <= caretLineCount, "line out of range")
    precondition(position.column >= 0, "column out of range")
    let range = contentRange(ofCaretLine: position.line)
    switch unit {
    case .utf8:
      let length = range.upperBound - range.lowerBound
      return range.lowerBound + min(position.column, length)
    case .utf16:
      let (start, end) = (utf16Offset(at: range.lowerBound), utf16Offset(at: range.upperBound))
      if position.column >= end - start { return range.upperBound }
      return byteOffset(utf16: start + position.column)
    }
  }

  /// The range of the bytes of a line without its newline.
  ///
  /// - Precondition: `line` is in `1...caretLineCount`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func contentRange(ofCaretLine line: LineNumber) -> Range<ByteOffset> {
    let start = offset(ofLine: line)
    let isLast = line.value > newlineCount
    return start..<(isLast ? ByteOffset(byteCount) : offset(ofLine: line + 1) - 1)
  }
}
