import Differential
import TextBuffer
import Testing

@testable import ued

@Suite struct MatchingLinesTests {
  private func numbers(
    _ pattern: Pattern, _ text: PieceTable, _ lines: LineRange, isBinary: Bool = false
  ) -> [Int] {
    var matching = MatchingLines(of: pattern, isBinary: isBinary)
    var numbers: [Int] = []
    matching.forEach(in: lines, of: text) { number, offset, line in
      numbers.append(number.value)
      #expect(offset == text.offset(ofLine: number))
      #expect(line.byteCount == text.line(number).count)
      return true
    }
    return numbers
  }

  @Test(arguments: seeds(40))
  func `lines are found wherever their parts lie`(_ seed: UInt64) throws {
    var generator = PatternGenerator(random: SplitMix64(seed: seed), isExtended: false)
    var text = PieceTable()
    for _ in 0..<60 {
      var piece = generator.line()
      if generator.random.chance(60) { piece.append(.newline) }
      let offset = ByteOffset(generator.random.below(text.byteCount + 1))
      text.replace(offset..<offset, with: piece)
    }
    guard text.lineCount > 0 else { return }
    for source in ["b", "ab", "a*b", "^$", "[^a]$", "x*"] {
      let pattern = try Pattern(
        Array(source.utf8), extended: false, ignoreCase: false, automatonThreshold: 1)
      let first = 1 + generator.random.below(text.lineCount)
      let lines = LineRange(first, first + generator.random.below(text.lineCount - first + 1))
      let expected = (first...lines.last.value).filter {
        pattern.matches(text.line(LineNumber($0)).span.bytes)
      }
      #expect(numbers(pattern, text, lines) == expected, "\(source)")
    }
  }

  @Test func `a NUL is a character of a binary text`() throws {
    let text = PieceTable(String(repeating: "\0\n\n", count: 50))
    let pattern = try Pattern([.dot], extended: false, ignoreCase: false, automatonThreshold: 1)
    let found = numbers(pattern, text, LineRange(1, 100), isBinary: true)
    #expect(found == Array(stride(from: 1, to: 100, by: 2)))
  }
}
