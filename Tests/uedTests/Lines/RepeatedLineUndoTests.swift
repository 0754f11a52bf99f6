import Testing

@testable import ued

/// `(a,b)undo` again and again, past groups that took each other back; and `pick` and `revert` where nothing is
/// left to do.
@Suite struct RepeatedLineUndoTests {
  @Test(arguments: [
    ("a\nb\nc\nd\n", "4d\n2,3d\n", 2),
    ("a\nb\nc\n", "2m3\n1m3\n", 2),
    ("a\nb\nc\nd\n", "4c\nD\nE\n.\n2,3d\n2s/$/Z/\n", 3),
    ("a\nb\nc\nd\n", "3a\nn\n.\n4m1\n2m4\n", 3),
  ])
  func `undo of all lines goes back to the first text`(text: String, script: String, count: Int) {
    let driver = EditorDriver(text)
    driver.run(script)
    for _ in 0..<count { #expect(driver.run("1,$undo\n") == nil) }
    #expect(driver.text == text)
    let other = EditorDriver(text)
    other.run(script)
    #expect(other.run("1,$undo \(count)\n") == nil)
    #expect(other.text == text)
  }

  /// Each row: the text, a command that joins, splits or moves lines, and the last line of its result.
  @Test(arguments: [
    ("a\nb\nc\nd\n", "2,3j", 3), ("a\nb c\nd\n", "2s/ /\\\n/", 4),
    ("f(a, b)\nd\n", "replace text <<O <<N\n(a, b\nO\n(\n  a,\n  b\nN", 4),
    ("f(\n  x)\nd\n", "replace text <<O <<N\nf(\n  x)\nO\nf(x)\nN", 2),
    ("a\nb\nc\nd\n", "1,2m$", 4), ("a\nb\nc\nd\n", "3,4m0", 4), ("a\nb\nc\nd\n", "2,3m0", 4),
  ])
  func `lines that text has flowed between, or that moved together, are undone together`(
    text: String, command: String, count: Int
  ) {
    for line in 1...count {
      let sandbox = Sandbox()
      sandbox["f"] = Array(text.utf8)
      sandbox["s"] = Array("\(command)\n".utf8)
      sandbox["t"] = Array("\(command)\n\(line)undo\n".utf8)
      sandbox.run(
        """
        cp f g; "$UED" -i -f s g; fails cmp -s f g
        "$UED" -i -f t f 2>said || grep -q 'nothing to undo in these' said
        """)
      #expect(sandbox["f"] == Array(text.utf8), "\(command), \(line)undo")
    }
  }

  @Test func `lines already in the text are not picked twice, regardless of equal lines`() {
    for target in [1, 3] {
      let driver = EditorDriver("1\na\nb\n4\n")
      driver.run("2,3t\(target)\nundo\n2,3t\(target)\n")
      let text = driver.text
      #expect(driver.run("pick 1\n") == .nothingToPick(1))
      #expect(driver.text == text)
    }
  }

  @Test func `a group with missing or restored lines is not reverted`() {
    let driver = EditorDriver("a\nb\nc\n")
    driver.run("2s/b/B/\n2d\n")
    #expect(driver.run("revert 1\n") != nil)
    let other = EditorDriver("a\nb\nc\n")
    other.run("2s/b/B/\n2s/B/b/\n")
    guard case .nothingToRevert? = other.run("revert 1\n") else {
      Issue.record("what was changed back was reverted")
      return
    }
    #expect(other.text == "a\nb\nc\n")
  }

  @Test func `reverting a move of lines moved again doubles no line`() {
    let driver = EditorDriver("1\n2\n3\n4\n5\n6\n7\n")
    driver.run("6m2\n3m$\n")
    let text = driver.text
    if driver.run("revert 1\n") != nil { #expect(driver.text == text) }
    #expect(driver.text.filter { $0 == "6" }.count == 1)
  }
}
