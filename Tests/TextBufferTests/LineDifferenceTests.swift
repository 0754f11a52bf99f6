import Testing

@testable import TextBuffer
import TextBufferTesting
@testable import TextLines

@Suite struct `The difference of two texts` {
  /// Lines of few kinds, so that it is not clear which belong together.
  private static func text(_ generator: inout SeededGenerator, kinds: Int) -> [UInt8] {
    let words = ["\n", "a\n", "b\n", "}\n", "\0\n", "long enough to be in pieces\n", "c\r\n", "d"]
    var bytes: [UInt8] = []
    for _ in 0..<Int.random(in: 0...30, using: &generator) {
      bytes += Array(words[Int.random(in: 0..<kinds, using: &generator)].utf8)
    }
    return Bool.random(using: &generator) ? bytes : bytes.dropLast()
  }

  /// The result of applying the hunks to `old`; checks that the lines between them are the same.
  private func applied(_ hunks: [LineHunk], _ old: PieceTable, _ new: PieceTable) -> [UInt8] {
    var bytes: [UInt8] = []
    var (oldLine, newLine) = (1, 1)
    for (index, hunk) in hunks.enumerated() {
      let count = hunk.old.first.value - oldLine
      #expect(count >= (index == 0 ? 0 : 1) && count == hunk.new.first.value - newLine)
      #expect(hunk.old.count + hunk.new.count > 0)
      bytes += old.bytes(in: old.byteRange(of: LineRange(oldLine, hunk.old.first.value - 1)))
      bytes += new.bytes(in: new.byteRange(of: hunk.new))
      (oldLine, newLine) = (hunk.old.last.value + 1, hunk.new.last.value + 1)
    }
    #expect(old.lineCount - oldLine == new.lineCount - newLine)
    return bytes + old.bytes(in: old.byteRange(of: LineRange(oldLine, old.lineCount)))
  }

  /// The fewest lines that any difference has, by the simplest means.
  private func shortest(_ old: [UInt8], _ new: [UInt8]) -> Int {
    let (old, new) = (linesWithNewline(old), linesWithNewline(new))
    var row = Array(0...new.count)
    for x in 0..<old.count {
      var next = [x + 1]
      for y in 0..<new.count {
        next.append(old[x] == new[y] ? row[y] : min(row[y + 1], next[y]) + 1)
      }
      row = next
    }
    return row[new.count]
  }

  private func linesWithNewline(_ bytes: [UInt8]) -> [[UInt8]] {
    var lines = lines(of: bytes).map { $0 + [0x0A] }
    if let last = lines.last, bytes.last != 0x0A { lines[lines.count - 1] = last.dropLast() }
    return lines
  }

  @Test(arguments: 0..<60) func `makes the new text of the old one with the fewest lines`(seed: Int)
  {
    var generator = SeededGenerator(seed)
    for _ in 0..<20 {
      let kinds = Int.random(in: 1...8, using: &generator)
      let (oldBytes, newBytes) = (
        Self.text(&generator, kinds: kinds), Self.text(&generator, kinds: kinds)
      )
      let (old, new) = (PieceTable(oldBytes), PieceTable(newBytes))
      let difference = LineDifference(from: old, to: new)
      #expect(applied(difference.hunks, old, new) == newBytes)
      #expect(
        difference.addedLineCount + difference.removedLineCount == shortest(oldBytes, newBytes))
    }
  }

  @Test(arguments: 0..<40) func `is right when the search is cut short`(seed: Int) {
    var generator = SeededGenerator(500 + seed)
    for cost in [1, 2, 3, 5] {
      let (oldBytes, newBytes) = (
        Self.text(&generator, kinds: 3) + Self.text(&generator, kinds: 3),
        Self.text(&generator, kinds: 3) + Self.text(&generator, kinds: 3)
      )
      let (old, new) = (PieceTable(oldBytes), PieceTable(newBytes))
      let effort = LineDifference.Effort(stepCount: 0, leastCost: cost)
      let difference = LineDifference(from: old, to: new, effort: effort)
      #expect(applied(difference.hunks, old, new) == newBytes)
    }
  }

  @Test(arguments: 0..<60) func `is right between versions that share memory, or do not`(seed: Int)
  {
    var generator = SeededGenerator(1000 + seed)
    let lines = (1...200).map { "\($0 % 50) \(seed)\n" }.joined()
    let old = PieceTable(lines)
    var new = old
    for _ in 0..<8 {
      let range = generator.range(in: new.byteCount)
      let short = range.lowerBound..<min(range.upperBound, range.lowerBound + 200)
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: new.remove(offsets(short))
      case 1: new.insert(new.slice(offsets(short)), at: ByteOffset(0))
      case 2: new.insert(new.slice(offsets(short)), at: ByteOffset(new.byteCount))
      default: new.replace(offsets(short), with: generator.bytes(upTo: 10))
      }
    }
    let stranger = PieceTable(new.bytes)
    for (old, new) in [(old, new), (new, old), (old, stranger), (stranger, old)] {
      let effort = LineDifference.Effort(maxUncutLineCount: 0, sharedByteCount: 40)
      let difference = LineDifference(from: old, to: new, effort: effort)
      #expect(applied(difference.hunks, old, new) == new.bytes)
    }
  }

  @Test(arguments: 0..<60) func `of a change leads to the text after it`(seed: Int) {
    var generator = SeededGenerator(2000 + seed)
    for _ in 0..<20 {
      let old = PieceTable(Self.text(&generator, kinds: 8))
      var new = old
      let change = new.replace(
        offsets(generator.range(in: old.byteCount)), with: Self.text(&generator, kinds: 8))
      let difference = LineDifference(of: change, in: old)
      #expect(applied(difference.hunks, old, new) == new.bytes)
      let whole = LineDifference(from: old, to: new)
      #expect(
        difference.addedLineCount - difference.removedLineCount == whole.addedLineCount
          - whole.removedLineCount)
      #expect(difference.addedLineCount >= whole.addedLineCount)
    }
  }

  @Test func `of a text and itself is nothing`() {
    for text in ["", "a", "a\n", "a\nb"] {
      let difference = LineDifference(from: PieceTable(text), to: PieceTable(text))
      #expect(difference.hunks == [])
    }
  }

  @Test func `sees a newline that is missing at the end`() {
    let difference = LineDifference(from: PieceTable("a\nb"), to: PieceTable("a\nb\n"))
    #expect(difference.hunks == [LineHunk(old: LineRange(2, 2), new: LineRange(2, 2))])
  }

  @Test func `names the gap where lines were added or removed`() {
    let (short, long) = (PieceTable("a\nd\n"), PieceTable("a\nb\nc\nd\n"))
    #expect(
      LineDifference(from: short, to: long).hunks == [
        LineHunk(old: LineRange(2, 1), new: LineRange(2, 3))
      ])
    #expect(
      LineDifference(from: long, to: short).hunks == [
        LineHunk(old: LineRange(2, 3), new: LineRange(2, 1))
      ])
  }

  @Test func `says that the lower of two blocks was added`() {
    let block = "{\n  a\n}\n"
    let difference = LineDifference(
      from: PieceTable("x\n\(block)z\n"), to: PieceTable("y\n\(block)\(block)w\nz\n"))
    #expect(
      difference.hunks == [
        LineHunk(old: LineRange(1, 1), new: LineRange(1, 1)),
        LineHunk(old: LineRange(5, 4), new: LineRange(5, 8)),
      ])
  }
}

@Suite struct `The difference of big texts` {
  /// Lines of random numbers below `kinds`.
  private func lines(_ count: Int, _ salt: Int, _ kinds: Int) -> [UInt8] {
    var generator = SeededGenerator(salt * 1_000_003)
    var bytes: [UInt8] = []
    for _ in 0..<count {
      bytes += Array("line \(Int.random(in: 0..<kinds, using: &generator))\n".utf8)
    }
    return bytes
  }

  @Test func `of one history is found without comparing shared parts`() {
    let old = PieceTable(lines(60_000, 1, 1 << 40))
    var new = old
    new.replaceLines(LineRange(2, 3), with: Array("new\n".utf8))
    new.replaceLines(LineRange(30_000, 30_000), with: Array("new\n".utf8))
    new.removeLines(LineRange(59_990, 59_990))
    let difference = LineDifference(from: old, to: new)
    #expect(
      difference.hunks == [
        LineHunk(old: LineRange(2, 3), new: LineRange(2, 2)),
        LineHunk(old: LineRange(30_001, 30_001), new: LineRange(30_000, 30_000)),
        LineHunk(old: LineRange(59_991, 59_991), new: LineRange(59_990, 59_989)),
      ])
    #expect(difference.stepCount < 100)
  }

  @Test func `of two histories finds an added block of any length`() {
    let old = PieceTable(lines(20_000, 6, 40))
    var new = PieceTable(old.bytes)
    new.insertLines(lines(3000, 7, 40), after: LineNumber(10_000))
    new.insertLines(lines(2000, 8, 40), after: LineNumber(5000))
    let effort = LineDifference.Effort(maxUncutLineCount: 1000, stepCount: 0, leastCost: 8)
    let difference = LineDifference(from: old, to: new, effort: effort)
    #expect(difference.addedLineCount == 5000 && difference.removedLineCount == 0)
    #expect(difference.stepCount < 1000)
  }

  @Test func `that have no line in common takes no search`() {
    let difference = LineDifference(
      from: PieceTable(lines(20_000, 2, 1 << 40)), to: PieceTable(lines(20_000, 3, 1 << 40)))
    #expect(difference.hunks.count == 1 && difference.removedLineCount == 20_000)
    #expect(difference.stepCount < 100)
  }

  @Test func `that are unlike has a bounded cost`() {
    let (old, new) = (PieceTable(lines(20_000, 4, 300)), PieceTable(lines(20_000, 5, 300)))
    let effort = LineDifference.Effort(stepCount: 1 << 20, leastCost: 16)
    let difference = LineDifference(from: old, to: new, effort: effort)
    #expect(difference.stepCount < 4 << 20)
    #expect(difference.addedLineCount < 20_000)
  }

  @Test func `parts that texts share in memory are found at their places`() {
    let old = PieceTable(String(repeating: "line\n", count: 1000))
    var new = old
    new.insert(Array("x\n".utf8), at: ByteOffset(2500))
    new.remove(ByteOffset(4002)..<ByteOffset(4012))
    let chain = SharedParts.chain(
      old, 0..<old.byteCount, new, 0..<new.byteCount, leastCount: 900)
    #expect(
      chain == [
        Match(oldStart: 0, newStart: 0, count: 2500),
        Match(oldStart: 2500, newStart: 2502, count: 1500),
        Match(oldStart: 4010, newStart: 4002, count: 990),
      ]
    )
  }
}
