import TextBuffer

/// The lines of a text that are most like a block that is not there, and the first difference.
struct NearestLines: Equatable, Sendable {
  var lines: LineRange
  var mismatch: LineMismatch

  /// Looks for the lines that are most like a block; nil if none are.
  ///
  /// Lines that are the same but for blanks, quotes and dashes say where the block may begin. If they are
  /// less than half of it, the line decides that has most in common with the longest one of the block.
  ///
  /// - Complexity: O(*n*), for *n* bytes in the lines; an interrupt ends the search.
  init?(to block: LineBlock, in range: LineRange, of text: PieceTable) {
    guard range.count > 0 else { return nil }
    let votes = Votes(for: block, in: range, of: text)
    var start = votes.winner
    if start == nil || !votes.isClear {
      start = Self.likeLongest(of: block, in: range, of: text) ?? start
    }
    guard let start else { return nil }
    let first = min(max(start, range.first), range.last)
    lines = LineRange(first, min(first + (block.lines.count - 1), range.last))
    let mismatch =
      block.firstMismatch(in: lines, of: text) ?? block.firstMismatch(in: range, of: text)
    guard let mismatch else { return nil }
    self.mismatch = mismatch
  }

  /// Where the block begins if its longest line is the one of the text that has most in common with it.
  private static func likeLongest(
    of block: LineBlock, in range: LineRange, of text: PieceTable
  ) -> LineNumber? {
    guard let index = block.lines.indices.max(by: { block.lines[$0].count < block.lines[$1].count })
    else { return nil }
    // A set of hashes of three bytes each; a few that agree by chance do no harm.
    var known = [Bool](repeating: false, count: 1 << 16)
    let wanted = block.lines[index]
    forEachTriple(of: wanted) { known[$0] = true }
    var best = (line: LineNumber.zero, score: 0.5)
    var bytes: [UInt8] = []
    text.forEachLine(in: range) { number, line in
      bytes.removeAll(keepingCapacity: true)
      bytes.append(line, in: 0..<line.byteCount)
      var common = 0
      forEachTriple(of: bytes) { if known[$0] { common += 1 } }
      let score = Double(common) / Double(max(line.byteCount, wanted.count, 3) - 2)
      if score > best.score { best = (number, score) }
      return !Interrupts.isInterrupted
    }
    return best.line == .zero ? nil : best.line - index
  }

  private static func forEachTriple(of line: [UInt8], _ body: (Int) -> Void) {
    var triple: UInt32 = 0
    for (index, byte) in line.enumerated() {
      triple = triple << 8 & 0xFF_FFFF | UInt32(byte)
      if index >= 2 { body(Int((triple &* 0x9E37_79B1) >> 16)) }
    }
  }
}

/// Where a block may begin, and how many lines say so.
private struct Votes {
  private var counts: [Int: Int] = [:]
  /// Where the first line of the block is.
  private var beginnings: Set<Int> = []
  private let lineCount: Int
  private let votingCount: Int

  /// The number of lines of the block that a line of the text votes for at most.
  private static let most = 8

  init(for block: LineBlock, in range: LineRange, of text: PieceTable) {
    lineCount = block.lines.count
    var places: [Int: [Int]] = [:]
    let blank = Self.hash([])
    for (index, line) in block.lines.enumerated() {
      let hash = Self.hash(line)
      if hash != blank && places[hash, default: []].count < Self.most {
        places[hash, default: []].append(index)
      }
    }
    votingCount = places.values.reduce(0) { $0 + $1.count }
    var (counts, beginnings) = (counts, beginnings)
    var bytes: [UInt8] = []
    text.forEachLine(in: range) { number, line in
      bytes.removeAll(keepingCapacity: true)
      bytes.append(line, in: 0..<line.byteCount)
      for index in places[Self.hash(bytes)] ?? [] {
        counts[number.value - index, default: 0] += 1
        if index == 0 { beginnings.insert(number.value) }
      }
      return !Interrupts.isInterrupted
    }
    (self.counts, self.beginnings) = (counts, beginnings)
  }

  /// The votes for a place and for those around it, which a line too many or too few leads to.
  private func score(of place: Int) -> Int {
    let around = [-2, -1, 0, 0, 1, 2].reduce(0) { $0 + (counts[place + $1] ?? 0) }
    return around + (beginnings.contains(place) ? lineCount : 0)
  }

  /// Where most lines say that the block begins; the first one of several.
  var winner: LineNumber? {
    counts.keys.map { (place: $0, score: score(of: $0)) }
      .max { ($0.score, $1.place) < ($1.score, $0.place) }
      .map { LineNumber($0.place) }
  }

  /// Whether half of the lines that can vote are for the winner.
  var isClear: Bool { winner.map { 2 * (counts[$0.value] ?? 0) >= votingCount } ?? false }

  /// A hash of what a line looks like without its blanks.
  private static func hash(_ line: [UInt8]) -> Int {
    if line.contains(where: { $0 >= 0x80 }) {
      let line = PlainLine(line, .asSeen)
      return line.text.utf8.contains { $0 >= 0x80 } ? line.hash : hash(Array(line.text.utf8))
    }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in line where !byte.isSpace { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash)
  }
}
