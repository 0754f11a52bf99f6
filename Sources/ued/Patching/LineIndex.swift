import TextBuffer

/// The hashes of the lines of a text, from which that of any block of lines follows in one step.
struct LineIndex {
  /// The hash of the lines before each line, and of all.
  private let sums: [UInt64]

  private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Indexes a text of whole lines.
  init(_ text: PieceTable) {
    var sums: [UInt64] = [0]
    let lines = LineRange(LineNumber(1), LineNumber(text.newlineCount))
    if lines.count > 0 {
      sums.reserveCapacity(lines.count + 1)
      text.forEachLine(in: lines) { _, line in
        var hash = Self.seed
        for offset in 0..<line.byteCount { hash = Self.step(hash, line[offset]) }
        sums.append(sums[sums.count - 1] &* Self.base &+ hash)
        return true
      }
    }
    self.sums = sums
  }

  private static let seed: UInt64 = 0xcbf2_9ce4_8422_2325

  private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  /// The hash of a line.
  static func hash(_ line: ArraySlice<UInt8>) -> UInt64 { line.reduce(seed, step) }

  /// The hash of a line of the text, counted from 0.
  func line(_ index: Int) -> UInt64 { sums[index + 1] &- sums[index] &* Self.base }

  /// The hash of some lines, and the factor by which ``block(from:count:_:)`` compares it.
  static func block(_ lines: [UInt8]) -> (hash: UInt64, power: UInt64) {
    var (sum, power, hash): (UInt64, UInt64, UInt64) = (0, 1, seed)
    for byte in lines {
      if byte == .newline {
        (sum, power, hash) = (sum &* base &+ hash, power &* base, seed)
      } else {
        hash = step(hash, byte)
      }
    }
    return (sum, power)
  }

  /// The hash of lines of the text, the first of them counted from 0.
  func block(from first: Int, count: Int, _ power: UInt64) -> UInt64 {
    sums[first + count] &- sums[first] &* power
  }
}
