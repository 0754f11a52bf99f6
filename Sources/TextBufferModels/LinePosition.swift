import TextBuffer

/// A place in a text as a line and a column.
///
/// What a column counts is said where a position is made or used: the bytes or the UTF-16 units between the
/// beginning of the line and the place.
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
