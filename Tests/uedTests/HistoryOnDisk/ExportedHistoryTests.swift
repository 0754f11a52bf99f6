import Differential
import Testing
import TextBuffer
import TextLines

@testable import ued

/// `peek`, `jump -` and exported histories in every kind of run.
@Suite struct ExportedHistoryTests {
  private let sandbox = Sandbox()

  /// Makes a history with a branch, names, and bytes that are not UTF-8.
  private func makeHistory() {
    sandbox["f"] = Array("one\ntwo\n".utf8)
    sandbox["bytes"] = [0, 0xFF, 0x1B, 0x0A, 0xC3]
    sandbox.run(
      #"""
      printf '1s/$/ 1/\nname v1\n$r bytes\nundo\n1d\nw\n' | "$UED" --history -s f
      """#)
  }

  @Test(arguments: ["history git", "history patch"])
  func `a later process exports the same history, in every kind of run`(_ command: String) {
    makeHistory()
    let first = sandbox.run("\"$UED\" --history -s -e '\(command)' f")
    #expect(first.count > 100)
    for run in [
      "printf '\(command)\\nQ\\n' | \"$UED\" --history -s f",
      "echo '\(command)' >script; \"$UED\" --history -s -f script f",
      "\"$UED\" --history -s -e 'begin' -e 1d -e '\(command)' -e abort f",
      "\"$UED\" --history -s --atomic -e '\(command)' f 2>/dev/null",
    ] {
      #expect(sandbox.run(run) == first, "\(run)")
    }
    #expect(sandbox.run("\"$UED\" --history -s -e '\(command)' -e zz f", status: 1) == first)
    let answers = sandbox.answers(["--history", "f"], Array("\(command)\n".utf8))
    let lines = answers.commands.first?["output"]?.elements ?? []
    #expect(lines.flatMap { $0.bytes + [0x0A] } == first)
  }

  @Test func `without a history on disk, exports begin at the text as opened`() {
    makeHistory()
    #expect(sandbox.shell("\"$UED\" -s -e 'history patch' f") == "")
    #expect(sandbox.shell("\"$UED\" -s -e 'history git' f | grep -c '^commit '") == "1\n")
    sandbox["g"] = Array("three\n".utf8)
    #expect(
      sandbox.shell(
        "\"$UED\" -s -e 1d -e 'history patch' -e 'peek 0' -e Q f g | grep -v '^revision'")
          == """
          --- a/f
          +++ b/f
          @@ -1 +0,0 @@
          -two
          two
          --- a/g
          +++ b/g
          @@ -1 +0,0 @@
          -three
          three

          """)
  }

  @Test func `the committer comes from the environment, and the mode from the file`() {
    makeHistory()
    sandbox.run("chmod +x f")
    let stream = sandbox.shell(
      "GIT_COMMITTER_NAME='A <B>' GIT_COMMITTER_EMAIL=a@b \"$UED\" -s -e 'history git' f")
    #expect(stream.contains("\ncommitter A B <a@b> ") && stream.contains("\nM 100755 inline f\n"))
    let neutral = sandbox.shell(
      "unset GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL; \"$UED\" -s -e 'history git' f")
    #expect(neutral.contains("\ncommitter ued <ued@localhost> "))
  }

  @Test func `a stream that is cut off makes no repository`() {
    makeHistory()
    let said = sandbox.shell(
      """
      git init -q r; "$UED" --history -s -e 'history git' f | head -c 600 |
        git -C r fast-import --quiet >/dev/null 2>&1 || echo refused
      """)
    #expect(said == "refused\n")
  }

  @Test func `at a terminal peek and exports show control characters, and change nothing`() {
    makeHistory()
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("1s/$/ x/", "1ka")
    #expect(session.enter("peek 2").contains("one 1\ntwo\n^@<ff>^[\n<c3>\n"))
    #expect(session.enter("peek v1 1").contains("\none 1\n"))
    #expect(session.enter("peek v1 3").contains("no line 3: the last line of revision 1 is 2"))
    #expect(session.enter("history git").contains("\n^@<ff>^[\n<c3>"))
    let patches = session.enter("history patch")
    #expect(patches.contains("\n-one 1\n") && !patches.contains("\u{1B}"))
    #expect(session.enter("'ap").contains("\ntwo x\n"))
    session.enter("jump -")
    #expect(session.enter("undo").contains("undid"))
    #expect(session.enter("jump -", ".p").contains("two x\n"))
    session.enter("w")
    session.end("q")
  }

  @Test(arguments: seeds())
  func `a search finds the groups whose changed lines match`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let words = ["one", "two", "", "x y", "a\0b", "two one", "^"]
    func text() -> PieceTable {
      let lines = (0..<random.below(5)).map { _ in random.pick(words) + "\n" }.joined()
      return PieceTable(Array((random.chance(80) ? lines : String(lines.dropLast())).utf8))
    }
    for _ in 0..<2000 {
      var document = Document(text())
      let new = text()
      let old = document.buffer
      document.edit { $0.replace(ByteOffset(0)..<ByteOffset(old.byteCount), with: new) }
      guard let change = document.changes(of: document.history.current).first else { continue }
      let pattern = random.pick(["one", "^two$", "^$", ".", "b", "x*", "\\(o\\).*\\1"])
      let isBinary = random.chance(30)
      let compiled = try? Pattern(Array(pattern.utf8), extended: false, ignoreCase: false)
      guard let compiled else {
        Issue.record("no pattern")
        return
      }
      var subject = Subject(isBinary: isBinary)
      let expected = LineDifference(from: change.removed, to: change.inserted).hunks.contains {
        hunk in
        var isFound = false
        for (text, lines) in [(change.removed, hunk.old), (change.inserted, hunk.new)]
        where lines.count > 0 {
          text.forEachLine(in: lines) { _, line in
            isFound = isFound || subject.matches(compiled, line)
            return true
          }
        }
        return isFound
      }
      #expect(
        change.hasLine(matching: compiled, isBinary) == expected,
        "\(pattern) in \(old.bytes) and \(new.bytes)")
    }
  }
}
