/// A line, counted from 1; line 0 is the gap above the first.
public struct LineNumber: Hashable, Strideable, Sendable {
  /// The number of lines up to and including this one.
  public var value: Int

  /// The line with number `value`.
  public init(_ value: Int) { self.value = value }

  /// The gap above the first line.
  public static let zero = LineNumber(0)

  /// Whether `lhs` stands above `rhs`.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }

  /// The line `count` lines further down.
  public static func + (line: Self, count: Int) -> Self { Self(line.value + count) }

  /// The line `count` lines further up.
  public static func - (line: Self, count: Int) -> Self { Self(line.value - count) }

  /// The number of lines from `rhs` down to `lhs`.
  public static func - (lhs: Self, rhs: Self) -> Int { lhs.value - rhs.value }

  /// The number of lines from here to `other`.
  public func distance(to other: Self) -> Int { other - self }

  /// The same as `+`.
  public func advanced(by count: Int) -> Self { self + count }
}
