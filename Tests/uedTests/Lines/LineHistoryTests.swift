import Differential
import Testing
import TextBuffer

@testable import ued

/// `blame`, and `history`, `undo` and `revert` with addresses.
@Suite struct LineHistoryTests {
  @Test func `lines that a revert put back by comparing texts keep their history`() throws {
    let driver = EditorDriver("1\n2\n3\n")
    driver.run("3c\n3a\n3b\n.\n1,4c\nx\n.\n,g/x/s/$/y/\n")
    driver.run("u\n0a\nabove\n.\n1d\nrevert 2\n")
    #expect(driver.text == "1\n2\n3a\n3b\n")
    let groups = try driver.editor.text.groups(touching: LineRange(LineNumber(4)))
    #expect(groups.last == 1)
    #expect(driver.run("4undo\n") == nil)
    #expect(driver.text == "1\n2\n3\n")
  }

  @Test func `a restored line has nothing to undo`() {
    let driver = EditorDriver("1\n2\n3\n")
    driver.run("3d\n1s/$/a/\nu\n1,2revert 0\n")
    #expect(driver.text == "1\n2\n3\n")
    #expect(driver.run("2undo\n") == .nothingToUndoHere)
  }

  /// Each row: commands that insert the old text of a changed line beside that line, whose number
  /// was 3, and its number then.
  @Test(arguments: [
    ("3s/3/x/\n2a\n3\n.\n", 4), ("3s/3/x/\n3a\n3\n.\n", 3), ("3y\n3c\nx\n.\n2x\n", 4),
  ])
  func `a line beside its old text is still the changed one`(_ script: String, _ line: Int) {
    let driver = EditorDriver("1\n2\n3\n4\n")
    driver.run(script)
    driver.run("3@s/$/!/\n")
    #expect(driver.text.split(separator: "\n").firstIndex(of: "x!") == line - 1)
  }

  @Test func `lines inserted between two replaced lines do not block their undo`() {
    let driver = EditorDriver("1\n2\n3\n")
    driver.run("1,3s/$/a/\n1a\nnew\n.\n")
    #expect(driver.run("3,4undo\n") == nil)
    #expect(driver.text == "1a\nnew\n2\n3\n")
    driver.run("u\n1s/$/b/\nu\n,undo\n,undo\n")
    #expect(driver.text == "1\n2\n3\n")
  }

  @Test func `changes that cancel out inside of moved lines do not conflict`() {
    let driver = EditorDriver("1\n2\n3\n")
    driver.run("0a\na\nb\n.\n4s/$/x/\n3,4m0\n3a\nnew\n.\n3,4undo\n")
    #expect(driver.text == "1\n2x\na\nb\n3\n")
    #expect(driver.run("3,4undo\n") == nil)
    #expect(driver.text == "1\n2x\n3\n")
  }

  @Test func `undo skips a move without present effect, and follows lines through it`() {
    let driver = EditorDriver("1\n2\n3\n4\n5\n")
    driver.run("2,3s/$/a/\n2,3m4\n2m5\n")
    #expect(driver.text == "1\n2a\n3a\n5\n4\n")
    #expect(driver.run("2,3undo\n") == nil)
    #expect(driver.text == "1\n2\n3\n5\n4\n")
  }

  @Test func `removed lines that came back need no undo, regardless of later moves`() {
    let driver = EditorDriver("1\n2\n3\n")
    driver.run("3d\n1a\nnew\n.\n3revert 0\n1m4\n")
    #expect(driver.text == "new\n2\n3\n1\n")
    #expect(driver.run("2undo\n") == .nothingToUndoHere)
  }

  @Test func `removed lines that came back among others need no undo`() {
    let driver = EditorDriver("1\n2\n3\n4\n5\n6\n")
    driver.run("4,5d\n4d\n2,3revert 0\n")
    #expect(driver.text == "1\n2\n3\n4\n5\n6\n")
    #expect(driver.run("1,3undo\n") == .nothingToUndoHere)
  }

  @Test func `a moved line does not count as undone`() {
    let driver = EditorDriver("1\n2\n3\n")
    driver.run("1c\na\nb\n.\n1s/$/x/\n3m0\n")
    #expect(driver.text == "2\nax\nb\n3\n")
    guard case .groupsInTheWay(let groups)? = driver.run("3undo\n"), groups.map(\.group.id) == [2]
    else {
      Issue.record("the change of the line beside it was passed over")
      return
    }
  }

  @Test func `a revert without effect does not change the group before it`() {
    let driver = EditorDriver("1\n2\n3\n4\n")
    driver.run("1m3\n1,4undo\n4s/$/a/\nrevert 1\n")
    #expect(driver.text == "1\n2\n3\n4a\n")
    #expect(driver.run("4undo\n") == nil)
    #expect(driver.text == "1\n2\n3\n4\n")
  }
}
