/// The number of bytes, newlines and UTF-16 units of a piece, in 32 bits.
///
///     bit 31   whether bytes beyond ASCII may be among them
///     20...30  then the UTF-16 units, at most two a byte; else 0, as there are as many as bytes
///     10...19  newlines
///     0...9    bytes
///
/// A byte counts for itself: a continuation byte (80 to BF) counts for no unit, the first byte of a
/// character of four bytes (F0 to F4) for two, and every other byte for one. The counts of the
/// parts of a piece thus add up to the whole, wherever it is cut.
struct PackedCounts: Equatable, Sendable {
  private let bits: UInt32

  private static let wideBit = 1 << 31 as UInt32

  /// The largest number of bytes that can be counted.
  static let maxByteCount = 1023

  private init(bits: UInt32) { self.bits = bits }

  /// The counts of ASCII.
  init(ascii byteCount: Int, newlineCount: Int) {
    bits = UInt32(truncatingIfNeeded: byteCount | newlineCount &<< 10)
  }

  /// The counts of bytes that need not be ASCII.
  init(wide byteCount: Int, newlineCount: Int, utf16Count: Int) {
    bits =
      Self.wideBit
      | UInt32(truncatingIfNeeded: byteCount | newlineCount &<< 10 | utf16Count &<< 20)
  }

  @unsafe init(_ base: UnsafeRawPointer, _ count: Int) {
    assert(count <= Self.maxByteCount)
    let (newlineCount, isASCII) = unsafe newlineCountAndIsASCII(base, count)
    if isASCII {
      self.init(ascii: count, newlineCount: newlineCount)
    } else {
      unsafe self.init(
        wide: count, newlineCount: newlineCount, utf16Count: countUTF16Units(base, count))
    }
  }

  var byteCount: Int { Int(bits & 0x3FF) }
  var newlineCount: Int { Int(bits &>> 10 & 0x3FF) }
  var utf16Count: Int { areOfASCII ? byteCount : Int(bits &>> 20 & 0x7FF) }

  /// Whether all bytes are known to be ASCII.
  var areOfASCII: Bool { bits < Self.wideBit }

  /// Whether all bytes are known to be ASCII other than newlines.
  var areOfPlainLine: Bool { bits & (Self.wideBit | 0x3FF << 10) == 0 }

  var summary: Summary {
    Summary(byteCount: byteCount, newlineCount: newlineCount, utf16Count: utf16Count)
  }

  /// The counts of two parts together, which must have at most `maxByteCount` bytes.
  static func + (lhs: Self, rhs: Self) -> Self {
    if lhs.areOfASCII && rhs.areOfASCII { return Self(bits: lhs.bits &+ rhs.bits) }
    return Self(bits: lhs.wideBits &+ rhs.wideBits | wideBit)
  }

  /// The counts of the whole `lhs` without its part `rhs`.
  static func - (lhs: Self, rhs: Self) -> Self {
    if lhs.areOfASCII { return Self(bits: lhs.bits &- rhs.bits) }
    return Self(bits: lhs.wideBits &- rhs.wideBits | wideBit)
  }

  /// The three counts, without the bit that says whether the units are one of them.
  private var wideBits: UInt32 {
    areOfASCII ? bits | (bits & 0x3FF) &<< 20 : bits & ~Self.wideBit
  }
}
