import TextBuffer

/// A generator whose numbers depend on nothing but the seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: Int) { state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A range inside `0...count`, short more often than not.
  mutating func range(in count: Int) -> Range<Int> {
    let lower = Int.random(in: 0...count, using: &self)
    let longest = count - lower
    let limit = Bool.random(using: &self) ? min(longest, 6) : longest
    return lower..<lower + Int.random(in: 0...limit, using: &self)
  }

  /// Up to `longest` bytes of any value, newlines among them more often than chance would have it.
  mutating func bytes(upTo longest: Int) -> [UInt8] {
    (0..<Int.random(in: 0...longest, using: &self)).map { _ in
      Int.random(in: 0..<5, using: &self) == 0 ? 0x0A : UInt8.random(in: 0...255, using: &self)
    }
  }
}

/// The byte offsets `range` as offsets of a buffer.
func offsets(_ range: Range<Int>) -> Range<ByteOffset> {
  ByteOffset(range.lowerBound)..<ByteOffset(range.upperBound)
}

/// The lines of `bytes`, by the simplest means.
func lines(of bytes: [UInt8]) -> [[UInt8]] {
  var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
  if lines.last == [] { lines.removeLast() }
  return lines
}

/// The lines that a buffer visits.
func visitedLines(of buffer: PieceTable) -> [[UInt8]] {
  var lines: [[UInt8]] = []
  buffer.forEachLine(in: LineRange(1, buffer.lineCount)) { number, span in
    precondition(number.value == lines.count + 1)
    lines.append(span.withUnsafeBytes { Array($0) })
    return true
  }
  return lines
}

extension SeededGenerator {
  /// Up to `longest` characters of one to four bytes, newlines and carriage returns among them.
  mutating func text(upTo longest: Int) -> String {
    let kinds: [Character] = [
      "a", "b", " ", "\n", "\r\n", "é", "ß", "€", "中", "😀", "𝄞", "e\u{301}",
    ]
    return String(
      (0..<Int.random(in: 0...longest, using: &self)).map { _ in
        kinds[Int.random(in: kinds.indices, using: &self)]
      })
  }
}
