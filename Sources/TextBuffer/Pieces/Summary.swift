/// The number of bytes, newlines and UTF-16 units in a part of a text.
///
/// Each byte counts for itself, whatever its neighbors (see `PackedCounts`). The summaries of two
/// parts thus add up to the summary of both, even if a character is cut in two. Sums of lengths in
/// memory can't overflow. Leaving out the check, here and in nodes and pieces, saves 6 % of typing,
/// 7 % of undo and 4 % of finding lines.
@usableFromInline struct Summary: Equatable, Sendable {
  @usableFromInline var byteCount = 0
  @usableFromInline var newlineCount = 0
  var utf16Count = 0

  static func + (lhs: Summary, rhs: Summary) -> Summary {
    Summary(
      byteCount: lhs.byteCount &+ rhs.byteCount, newlineCount: lhs.newlineCount &+ rhs.newlineCount,
      utf16Count: lhs.utf16Count &+ rhs.utf16Count)
  }

  static func - (lhs: Summary, rhs: Summary) -> Summary {
    Summary(
      byteCount: lhs.byteCount &- rhs.byteCount, newlineCount: lhs.newlineCount &- rhs.newlineCount,
      utf16Count: lhs.utf16Count &- rhs.utf16Count)
  }

  static func -= (lhs: inout Summary, rhs: Summary) { lhs = lhs - rhs }

  static func += (lhs: inout Summary, rhs: Summary) { lhs = lhs + rhs }
}
