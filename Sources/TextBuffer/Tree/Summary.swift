/// What a part of a text adds up to.
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
