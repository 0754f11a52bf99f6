import Testing
import TextBuffer

@testable import ued

@Suite struct HistoryModelTests {
  /// `HISTORY_STEPS` makes it longer, and `HISTORY_SHOWN` shows more commands.
  @Test(arguments: seeds(30))
  func `the history equals a list of all texts`(_ seed: UInt64) {
    var walk = HistoryWalk(seed: seed)
    let steps = setting("HISTORY_STEPS", or: 200)
    for step in 1...steps {
      walk.step()
      walk.compare()
      if step % 100 == 0 || step == steps { walk.compareRevisions(upTo: step == steps ? .max : 50) }
      if walk.failures.isEmpty { continue }
      let commands = walk.scripts.suffix(setting("HISTORY_SHOWN", or: 40))
      Issue.record(
        "step \(step): \(walk.failures.joined(separator: "; "))\n\(commands.joined(separator: "\n"))"
      )
      return
    }
  }

  @Test(arguments: ["u", "undo"], ["u", "redo", "jump 1", "later 1h"])
  func `marks set after a group come back with it`(_ back: String, _ forward: String) {
    let driver = EditorDriver("one\n", kind: .other)
    for command in ["1a\nx\ny\n.\n", "2ka\n", "3kb\n", back + "\n", forward + "\n"] {
      #expect(driver.run(command) == nil)
    }
    let marks = driver.editor.text.marks
    #expect(marks[0]?.value == 2 && marks[1]?.value == 3)
  }
}

/// Moves over very many groups, and interrupts.
@Suite struct LongWayTests {
  @Test func `a move of a text to another revision can be interrupted`() {
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

  @Test func `a completed long move ends at the same text as a short one`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("0\n".utf8)
    let lines = (1...1500).map { "1s/.*/\($0)/\nk\($0 % 2 == 0 ? "a" : "b")\n" }.joined()
    let output = sandbox.edit(
      ["-s", "--history", "f"],
      Array((lines + "jump 2\np\nundo 1\np\nredo 1\njump 1400\np\nQ\n").utf8), status: 0)
    #expect(String(decoding: output, as: UTF8.self) == "2\n1\n1400\n")
  }
}
