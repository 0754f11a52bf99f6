import Testing

@testable import ued

@Suite struct HistoryModelTests {
  /// `HISTORY_STEPS` makes it longer, and `HISTORY_SHOWN` shows more commands.
  @Test(arguments: seeds(30))
  func `the history is what a list of all texts says it is`(_ seed: UInt64) {
    var walk = HistoryWalk(seed: seed)
    let steps = setting("HISTORY_STEPS", or: 300)
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
  func `marks that were set since a group come back with it`(_ back: String, _ forward: String) {
    let driver = EditorDriver("one\n", kind: .other)
    for command in ["1a\nx\ny\n.\n", "2ka\n", "3kb\n", back + "\n", forward + "\n"] {
      #expect(driver.run(command) == nil)
    }
    let marks = driver.editor.text.marks
    #expect(marks[0]?.value == 2 && marks[1]?.value == 3)
  }
}
