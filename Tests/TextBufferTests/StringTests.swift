import Testing
import TextBufferTesting
import TextBuffer

@Suite struct `Strings and collections` {
  @Test func `make texts, and texts make strings`() {
    let whole = "aé😀\nb"
    let literal: PieceTable = "aé😀\nb"
    #expect(
      literal == PieceTable(whole) && PieceTable(whole.dropFirst()).bytes == Array("é😀\nb".utf8))
    #expect(String(literal) == whole)
    #expect(String(literal, in: offsets(1..<7)) == "é😀")
    #expect(String(literal, in: offsets(2..<4)) == "\u{FFFD}\u{FFFD}")
    #expect(String(PieceTable([0x61, 0xFF])) == "a\u{FFFD}")
    #expect(String(PieceTable()) == "")
  }

  @Test func `replace ranges and lines`() {
    var text: PieceTable = "one\ntwo\nthree\n"
    text.replace(offsets(0..<3), with: "1")
    text.insert("é"[...], at: ByteOffset(0))
    #expect(text == "é1\ntwo\nthree\n")
    text.replaceLines(LineRange(LineNumber(2)..<LineNumber(4)), with: "2\n3\n")
    text.insertLines("0\n", after: .zero)
    #expect(text == "0\né1\n2\n3\n")
    text.removeLines(LineRange(LineNumber(2)..<LineNumber(3)))
    text.replaceLines(LineRange(1, 1), with: "zero\n")
    text.replaceLines(LineRange(LineNumber(2)..<LineNumber(2)), with: "1\n" as PieceTable)
    #expect(text == "zero\n1\n2\n3\n")
    #expect(text.byteRange(of: LineRange(LineNumber(2)..<LineNumber(4))) == offsets(5..<9))
    #expect(text.byteRange(of: LineRange(LineNumber(2)..<LineNumber(2))) == offsets(5..<5))
    var numbers: [Int] = []
    text.forEachLine(in: LineRange(LineNumber(2)..<LineNumber(4))) { number, _ in
      numbers.append(number.value)
      return true
    }
    #expect(numbers == [2, 3])
  }

  @Test func `are described in few words`() {
    #expect("\(PieceTable("a\n"))" == #"PieceTable("a\n")"#)
    let long = PieceTable(String(repeating: "é", count: 100))
    #expect("\(long)" == "PieceTable(\"\(String(repeating: "é", count: 30))\"…, 200 bytes)")
  }

  @Test func `hash equally when they are long and in other pieces`() {
    let bytes = (0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 31 / 7) }
    var other = PieceTable(bytes[5_000...])
    other.insert(bytes[..<5_000], at: ByteOffset(0))
    #expect(other == PieceTable(bytes) && other.hashValue == PieceTable(bytes).hashValue)
    other.replace(offsets(9_000..<9_001), with: [bytes[9_000] ^ 1])
    #expect(other.hashValue != PieceTable(bytes).hashValue)
  }

  @Test func `stride by offset and by line`() {
    #expect(ByteOffset(3).distance(to: ByteOffset(5)) == 2)
    #expect(LineNumber(3).advanced(by: 2) == LineNumber(5))
    #expect((ByteOffset(1)..<ByteOffset(4)).map(\.value) == [1, 2, 3])
    #expect((LineNumber(1)..<LineNumber(4)).count == 3)
  }
}
