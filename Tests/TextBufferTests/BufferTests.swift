import Testing
import TextBuffer
import TextBufferTesting

@Suite struct `A buffer` {
  @Test func `that is empty has no lines`() {
    let buffer = PieceTable()
    #expect(buffer.isEmpty && buffer.byteCount == 0 && buffer.lineCount == 0)
    #expect(!buffer.endsWithNewline)
    #expect(buffer.bytes == [])
    #expect(buffer.offset(ofLine: LineNumber(1)) == ByteOffset(0))
    #expect(buffer.lineNumber(at: ByteOffset(0)) == LineNumber(1))
    #expect(buffer.byteRange(of: LineRange(1, 0)) == ByteOffset(0)..<ByteOffset(0))
    #expect(visitedLines(of: buffer) == [])
  }

  @Test(arguments: [
    ("a", 1, 0, false), ("a\n", 1, 1, true), ("\n", 1, 1, true), ("\n\n", 2, 2, true),
    ("a\nb", 2, 1, false), ("\na", 2, 1, false),
  ]) func `counts a last line without newline unless it is empty`(
    text: String, lineCount: Int, newlineCount: Int, endsWithNewline: Bool
  ) {
    let buffer = PieceTable(text)
    #expect(buffer.lineCount == lineCount)
    #expect(buffer.newlineCount == newlineCount)
    #expect(buffer.endsWithNewline == endsWithNewline)
    #expect(visitedLines(of: buffer) == lines(of: Array(text.utf8)))
  }

  @Test func `gives every byte back as it came`() {
    let bytes = (0..<1024).map { UInt8(truncatingIfNeeded: $0 &* 7) } + [0, 0xFF, 0x0D, 0x0A, 0xC3]
    #expect(PieceTable(bytes).bytes == bytes)
    #expect(PieceTable(AnyCollection(bytes)).bytes == bytes)
  }

  @Test func `is edited by line`() {
    var buffer = PieceTable("one\ntwo\nthree\n")
    buffer.insertLines(Array("zero\n".utf8), after: .zero)
    buffer.insertLines(PieceTable("four\n"), after: LineNumber(4))
    buffer.replaceLines(LineRange(2, 3), with: Array("1-2\n".utf8))
    buffer.removeLines(LineRange(3, 3))
    #expect(buffer == PieceTable("zero\n1-2\nfour\n"))
    buffer.replaceLines(LineRange(4, 3), with: PieceTable("end"))
    #expect(buffer == PieceTable("zero\n1-2\nfour\nend"))
  }

  @Test func `is not changed by edits of its copies`() {
    let original = PieceTable("one\ntwo\nthree\nfour\nfive\n")
    var (left, right) = (original, original)
    left.insert("left ".utf8, at: ByteOffset(4))
    right.insert("right ".utf8, at: ByteOffset(4))
    left.insert("more ".utf8, at: ByteOffset(9))
    #expect(original == PieceTable("one\ntwo\nthree\nfour\nfive\n"))
    #expect(left == PieceTable("one\nleft more two\nthree\nfour\nfive\n"))
    #expect(right == PieceTable("one\nright two\nthree\nfour\nfive\n"))
  }

  @Test func `stops a visit when the visitor asks for it`() {
    var seen = 0
    PieceTable("1\n2\n3\n4\n").forEachLine(in: LineRange(2, 4)) { number, _ in
      seen += 1
      return number.value < 3
    }
    #expect(seen == 2)
    var chunks = 0
    var buffer = PieceTable("some text")
    buffer.insert("other ".utf8, at: ByteOffset(5))
    buffer.forEachChunk(in: offsets(0..<buffer.byteCount)) { _ in
      chunks += 1
      return false
    }
    #expect(chunks == 1)
  }

  @Test(arguments: 1...20) func `visits some lines in their order`(_ seed: Int) {
    var generator = SeededGenerator(seed)
    var text = PieceTable(Array((1...200).map { "line \($0)\n" }.joined().utf8))
    for _ in 0..<30 {
      let at = LineNumber(Int.random(in: 1...200, using: &generator))
      text.replaceLines(LineRange(at), with: Array("other \(at.value)\n".utf8))
    }
    let share = Int.random(in: 1...40, using: &generator)
    let lines = (1...200).filter { _ in Int.random(in: 0..<share, using: &generator) == 0 }
    var seen: [Int] = []
    text.forEachLine(lines.map { LineNumber($0) }) { number, bytes in
      seen.append(number.value)
      let expected = text.bytes(in: text.byteRange(of: LineRange(number))).dropLast()
      #expect(bytes.withUnsafeBytes { $0.elementsEqual(expected) })
      return number.value < 180
    }
    let end = lines.firstIndex { $0 >= 180 } ?? lines.count - 1
    #expect(seen == Array(lines.prefix(end + 1)))
  }

  @Test func `rethrows the errors of a visitor`() {
    struct Stop: Error, Equatable {}
    #expect(throws: Stop()) {
      try PieceTable("1\n2\n").forEachLine(in: LineRange(1, 2)) { (_, _) throws(Stop) in
        throw Stop()
      }
    }
    #expect(throws: Stop()) {
      try PieceTable("1\n").withLine(LineNumber(1)) { (_) throws(Stop) in throw Stop() }
    }
  }

  @Test func `hands out adjacent bytes of memory in one run`() {
    let text = Array("a text in one block is one run, however many pieces it has".utf8)
    var buffer = PieceTable(text)
    #expect(chunkLengths(buffer, 0..<text.count) == [text.count])
    #expect(chunkLengths(buffer, 3..<9) == [6])
    #expect(chunkLengths(buffer, 3..<3) == [])
    buffer.insert("inserted ".utf8, at: ByteOffset(10))
    #expect(chunkLengths(buffer, 0..<buffer.byteCount) == [10, 9, text.count - 10])
    buffer.remove(offsets(10..<19))
    #expect(chunkLengths(buffer, 0..<text.count) == [text.count])
  }

  private func chunkLengths(_ buffer: PieceTable, _ range: Range<Int>) -> [Int] {
    var lengths: [Int] = []
    buffer.forEachChunk(in: offsets(range)) { span in
      lengths.append(span.byteCount)
      return true
    }
    return lengths
  }

  @Test func `equals another one with the same bytes in other pieces`() {
    let text = "the same text, put together in different ways\n"
    var typed = PieceTable()
    for byte in text.utf8.reversed() { typed.insert([byte], at: ByteOffset(0)) }
    #expect(typed == PieceTable(text))
    #expect(PieceTable(text) == typed)
    #expect(typed.slice(offsets(3..<20)) == PieceTable(text).slice(offsets(3..<20)))
    typed.replace(offsets(5..<6), with: "X".utf8)
    #expect(typed != PieceTable(text))
    #expect(PieceTable("ab") != PieceTable("abc"))
    #expect(PieceTable() == PieceTable(""))
  }

  @Test(arguments: 0...30, [0, 1, 2, 3, 5, 9, 16, 30]) func `joins trees of any two heights`(
    left: Int, right: Int
  ) {
    // Every second byte is inserted later, so that pieces do not merge.
    func text(_ count: Int, _ letter: UInt8) -> PieceTable {
      var buffer = PieceTable([UInt8](repeating: letter, count: count))
      for index in 0..<count { buffer.insert([0x0A], at: ByteOffset(index * 2)) }
      return buffer
    }
    var joined = text(left * left, 0x61)
    let added = text(right * right, 0x62)
    let expected = joined.bytes + added.bytes
    joined.insert(added, at: ByteOffset(joined.byteCount))
    joined.checkInvariants()
    #expect(joined.bytes == expected)
  }

  @Test func `keeps the identity of lines that are not changed`() {
    var buffer = PieceTable("one\ntwo\nthree\nfour\nfive\n")
    let three = buffer.lineIdentity(LineNumber(3))
    let all = { LineRange(1, $0.lineCount) } as (PieceTable) -> LineRange
    let removal = buffer.removeLines(LineRange(1, 1))
    #expect(buffer.firstLine(withIdentity: three, in: all(buffer)) == LineNumber(2))
    let line = buffer.slice(buffer.byteRange(of: LineRange(2, 2)))
    buffer.removeLines(LineRange(2, 2))
    #expect(buffer.firstLine(withIdentity: three, in: all(buffer)) == nil)
    buffer.insertLines(line, after: LineNumber(3))
    #expect(buffer.firstLine(withIdentity: three, in: all(buffer)) == LineNumber(4))
    buffer.apply(removal.inverse)
    #expect(buffer.firstLine(withIdentity: three, in: all(buffer)) == LineNumber(5))
    #expect(buffer.firstLine(withIdentity: three, in: LineRange(1, 4)) == nil)
    buffer.insert("x".utf8, at: buffer.offset(ofLine: LineNumber(5)))
    #expect(buffer.firstLine(withIdentity: three, in: all(buffer)) == nil)
  }

  @Test func `traps when asked for a missing part`() async {
    await #expect(processExitsWith: .failure) { _ = PieceTable("a\n").line(LineNumber(2)) }
    await #expect(processExitsWith: .failure) { _ = PieceTable("a\n").line(LineNumber(0)) }
    await #expect(processExitsWith: .failure) { _ = PieceTable("a").byteRange(of: LineRange(0, 0)) }
    await #expect(processExitsWith: .failure) { _ = PieceTable("a").slice(offsets(0..<2)) }
    await #expect(processExitsWith: .failure) {
      var buffer = PieceTable("a")
      buffer.remove(offsets(1..<3))
    }
    await #expect(processExitsWith: .failure) {
      var buffer = PieceTable("a")
      let change = buffer.remove(offsets(0..<1))
      buffer.apply(change)
    }
  }
}

@Test func `a line range counts both ends`() {
  #expect(LineRange(2, 5).count == 4)
  #expect(LineRange(2, 1).count == 0)
}
