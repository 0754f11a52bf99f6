/// A boundary between bytes, counted from 0: offset 0 is before the first byte.
public struct ByteOffset: Hashable, Strideable, Sendable {
  /// The number of bytes before the boundary.
  public var value: Int

  /// The boundary after `value` bytes.
  public init(_ value: Int) { self.value = value }

  /// Whether `lhs` is nearer to the start.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }

  /// The boundary `count` bytes further on.
  public static func + (offset: Self, count: Int) -> Self { Self(offset.value + count) }

  /// The boundary `count` bytes further back.
  public static func - (offset: Self, count: Int) -> Self { Self(offset.value - count) }

  /// The number of bytes from `rhs` to `lhs`.
  public static func - (lhs: Self, rhs: Self) -> Int { lhs.value - rhs.value }

  /// The number of bytes from here to `other`.
  public func distance(to other: Self) -> Int { other - self }

  /// The same as `+`.
  public func advanced(by count: Int) -> Self { self + count }
}
