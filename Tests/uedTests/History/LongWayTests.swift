import TextBuffer
import Testing

@testable import ued

/// Ways along very many groups, which a signal ends.
@Suite struct LongWayTests {
  @Test func `a text on its way to another revision stops when it is asked to`() {
    var document = Document(
      PieceTable("0\n"), context: EditorContext(line: LineNumber(1), marks: Marks()))
    for number in 1...1000 {
      document.edit(date: 0) {
        $0.replaceLines(LineRange(LineNumber(1)), with: PieceTable("\(number)\n"))
      }
    }
    var text = document.committedBuffer
    #expect(document.history.current == 1000)
    #expect(!document.move(&text, from: 1000, to: 3) { true })
    #expect(text != document.text(of: 3))
    text = document.committedBuffer
    #expect(document.move(&text, from: 1000, to: 3) { false })
    #expect(text == PieceTable("3\n"))
    #expect(document.move(&text, from: 3, to: 900))
    #expect(text == PieceTable("900\n"))
  }

  @Test func `a long way that is not given up ends where a short one does`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("0\n".utf8)
    let lines = (1...1500).map { "1s/.*/\($0)/\nk\($0 % 2 == 0 ? "a" : "b")\n" }.joined()
    let output = sandbox.edit(
      ["-s", "--history", "f"],
      Array((lines + "jump 2\np\nundo 1\np\nredo 1\njump 1400\np\nQ\n").utf8),
      status: 0)
    #expect(String(decoding: output, as: UTF8.self) == "2\n1\n1400\n")
  }
}
