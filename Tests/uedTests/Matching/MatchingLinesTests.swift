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
  func `lines are found across any pieces`(_ seed: UInt64) throws {
    var generator = PatternGenerator(random: SeededGenerator(seed: seed), isExtended: false)
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

  @Test func `bytes of lines next to each other are one part`() {
    var matches = MatchedLines(as: .bytes)
    for line in [1, 2, 3, 7, 9, 10] {
      let added = matches.add(
        LineNumber(line)..<LineNumber(line + 1), ByteOffset(10 * line - 10)..<ByteOffset(10 * line))
      #expect(added)
    }
    let parts = [0..<30, 60..<70, 80..<100].map {
      ByteOffset($0.lowerBound)..<ByteOffset($0.upperBound)
    }
    #expect(matches.parts == parts)
    #expect(matches.count == 6 && matches.last == LineNumber(10) && matches.numbers.isEmpty)
  }

  @Test func `numbers of lines are kept without their bytes`() {
    var matches = MatchedLines(as: .numbers)
    let none = ByteOffset(0)..<ByteOffset(0)
    for lines in [2..<5, 5..<5, 8..<9] {
      let added = matches.add(LineNumber(lines.lowerBound)..<LineNumber(lines.upperBound), none)
      #expect(added)
    }
    #expect(matches.numbers.map(\.value) == [2, 3, 4, 8])
    #expect(matches.count == 4 && matches.last == LineNumber(8) && matches.parts.isEmpty)
  }
}
