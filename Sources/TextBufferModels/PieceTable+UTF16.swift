import TextBuffer

extension PieceTable {
  /// The length of the text in UTF-16 units, as `String.utf16` and `NSString` count them.
  ///
  /// Each byte counts on its own: a continuation byte (80 to BF) as 0 units, the first byte of a
  /// four-byte character (F0 to F4) as 2. Any other byte counts as 1 unit. For invalid UTF-8 the
  /// sum can differ from the length of a repaired string, but the functions below still agree with
  /// each other.
  ///
  /// - Complexity: O(1).
  public var utf16Count: Int { unitCount }

  /// The number of UTF-16 units before an offset. An offset inside a character counts as the start
  /// of that character.
  ///
  ///     PieceTable("aé😀b").utf16Offset(at: ByteOffset(7))  // 4: the smiley is two units
  ///
  /// - Parameter offset: An offset in bytes.
  /// - Returns: A number of units, in `0...utf16Count`.
  /// - Precondition: `offset` is in `0...byteCount`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func utf16Offset(at offset: ByteOffset) -> Int {
    unitCount(before: offset)
  }

  /// The byte offset of the character at an offset in UTF-16 units. An offset between the two units
  /// of a character counts as the start of that character.
  ///
  /// At character boundaries, this is the inverse of ``utf16Offset(at:)``. If stray continuation
  /// bytes precede the character, they lie before the result.
  ///
  /// - Parameter utf16: An offset in UTF-16 units.
  /// - Returns: An offset in `0...byteCount`.
  /// - Precondition: `utf16` is in `0...utf16Count`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func byteOffset(utf16: Int) -> ByteOffset {
    offset(ofUnit: utf16)
  }

  /// Converts a range of bytes to a range of UTF-16 units, for example for an `NSRange`.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func utf16Range(of range: Range<ByteOffset>) -> Range<Int> {
    utf16Offset(at: range.lowerBound)..<utf16Offset(at: range.upperBound)
  }

  /// Converts a range of UTF-16 units to a range of bytes.
  ///
  /// - Precondition: The range is in `0...utf16Count`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func byteRange(utf16 range: Range<Int>) -> Range<ByteOffset> {
    byteOffset(utf16: range.lowerBound)..<byteOffset(utf16: range.upperBound)
  }

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
}

/// A place in a text as a line and a column.
///
/// A column counts the bytes or the UTF-16 units from the start of the line to the place. Each
/// conversion to or from an offset takes the unit.
public struct LinePosition: Hashable, Comparable, Sendable {
  /// The line, counted from 1.
  public var line: LineNumber
  /// The column, counted from 0: column 0 is before the first character of the line.
  public var column: Int

  /// What columns count.
  public enum Unit: Hashable, Sendable {
    /// Bytes, as in the points of tree-sitter.
    case utf8
    /// UTF-16 units, as in `NSString` and in the positions of the Language Server Protocol.
    case utf16
  }

  /// The place in a line, counted from 1, at a column, counted from 0.
  public init(_ line: LineNumber, column: Int) {
    self.line = line
    self.column = column
  }

  /// Whether `lhs` is nearer to the start.
  public static func < (lhs: Self, rhs: Self) -> Bool {
    (lhs.line, lhs.column) < (rhs.line, rhs.column)
  }
}
