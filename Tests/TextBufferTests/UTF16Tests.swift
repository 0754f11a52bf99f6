import Testing
import TextBuffer
import TextBufferModels
import TextBufferTesting

@Suite struct `UTF-16 units` {
  @Test func `round down inside a character`() {
    let text = PieceTable("aé😀b")
    #expect((0...8).map { text.utf16Offset(at: ByteOffset($0)) } == [0, 1, 1, 2, 2, 2, 2, 4, 5])
    #expect((0...5).map { text.byteOffset(utf16: $0).value } == [0, 1, 3, 3, 7, 8])
    #expect(text.utf16Range(of: offsets(1..<7)) == 1..<4)
    #expect(text.byteRange(utf16: 1..<4) == offsets(1..<7))
  }

  @Test func `columns stop before the newline, even on the empty last line`() {
    let text = PieceTable("😀é\r\nab\n")
    func offset(_ line: Int, _ column: Int, _ unit: LinePosition.Unit) -> Int {
      text.offset(of: LinePosition(LineNumber(line), column: column), in: unit).value
    }
    #expect((0...5).map { offset(1, $0, .utf16) } == [0, 0, 4, 6, 7, 7])
    #expect((6...9).map { offset(1, $0, .utf8) } == [6, 7, 7, 7])
    #expect(offset(2, 9, .utf16) == 10)
    #expect(offset(3, 0, .utf8) == 11 && offset(3, 4, .utf16) == 11)
    #expect(text.position(at: ByteOffset(11), in: .utf16) == LinePosition(LineNumber(3), column: 0))
    #expect(text.lineCount == 2 && text.caretLineCount == 3)
    #expect(text.contentRange(ofCaretLine: LineNumber(3)) == offsets(11..<11))
    #expect(PieceTable().caretLineCount == 1)
    #expect(PieceTable().contentRange(ofCaretLine: LineNumber(1)) == offsets(0..<0))
  }

  @Test func `that do not exist trap`() async {
    await #expect(processExitsWith: .failure) { _ = PieceTable("é").byteOffset(utf16: 2) }
    await #expect(processExitsWith: .failure) {
      _ = PieceTable("é").utf16Offset(at: ByteOffset(3))
    }
    await #expect(processExitsWith: .failure) {
      _ = PieceTable("a\n").offset(of: LinePosition(LineNumber(3), column: 0), in: .utf8)
    }
  }
}
