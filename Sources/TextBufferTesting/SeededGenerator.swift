/// A generator whose numbers depend only on its seed, so that a failing test can be repeated.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator for a seed, which can be any number.
  public init(_ seed: Int) {
    // Without mixing, the next seed would yield the same numbers, shifted by one.
    state = Self.mix(UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15)
  }

  /// A generator that starts with the seed itself as its state, for cases recorded by their seeds.
  package init(seed: UInt64) { state = seed }

  /// The next number.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  private static func mix(_ number: UInt64) -> UInt64 {
    var mixed = number
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A random range in `0...count`, usually short.
  public mutating func range(in count: Int) -> Range<Int> {
    let lower = Int.random(in: 0...count, using: &self)
    let longest = count - lower
    let limit = Bool.random(using: &self) ? min(longest, 6) : longest
    return lower..<lower + Int.random(in: 0...limit, using: &self)
  }

  /// Up to `longest` random bytes, about a fifth of them newlines.
  public mutating func bytes(upTo longest: Int) -> [UInt8] {
    (0..<Int.random(in: 0...longest, using: &self)).map { _ in
      Int.random(in: 0..<5, using: &self) == 0 ? 0x0A : UInt8.random(in: 0...255, using: &self)
    }
  }

  /// Up to `longest` random parts of Unicode text: scalars of one to four bytes in UTF-8, newlines,
  /// CRLF, combining marks and joined emoji.
  public mutating func text(upTo longest: Int) -> String {
    let parts = Self.parts
    return (0..<Int.random(in: 0...longest, using: &self)).map { _ in
      parts[Int.random(in: parts.indices, using: &self)]
    }.joined()
  }

  private static let parts = [
    "a", "b", " ", "\n", "\n", "\r\n", "\t", "ä", "ß", "e\u{301}", "\u{200D}", "日", "€", "\u{FEFF}",
    "\u{1F600}", "\u{1F468}\u{200D}\u{1F469}", "\u{10FFFF}", "\u{0}",
  ]
}
