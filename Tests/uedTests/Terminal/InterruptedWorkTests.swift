import Differential
import Glibc
import Testing

/// A user's work survives if a command, the terminal or the program ends in the middle of
/// something.
@Suite struct InterruptedWorkTests {
  private let sandbox = Sandbox()

  /// A session that asks about a match, after two that were accepted.
  private func confirming(_ command: String, in text: String) -> TerminalSession {
    sandbox["f"] = Array(text.utf8)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.type(command + "\n")
    for _ in 0..<2 { session.at("(y n a q) ", type: "y\n") }
    return session
  }

  @Test func `the end of the input keeps the matches of a line that were accepted`() {
    let session = confirming("s/foo/bar/gc", in: "foo foo foo\n")
    session.play("(y n a q) \u{4}", "end of input; earlier changes are kept")
    session.enter("", "w")
    session.end("q")
    #expect(sandbox.text("f") == "bar bar foo\n")
  }

  @Test(arguments: [SIGHUP, SIGTERM])
  func `a signal that ends the program keeps the matches that were accepted`(_ signal: Int32) {
    let session = confirming(",s/foo/bar/gc", in: "foo\nfoo foo\nfoo\n")
    session.at("(y n a q) ", type: "")
    session.send(signal)
    _ = session.ending()
    #expect(sandbox.text("ed.hup") == "bar\nbar foo\nfoo\n")
    let next = TerminalSession.plain(["f"], in: sandbox)
    #expect(next.shown().contains("1 group from a previous session was not saved"))
    next.enter("redo", "w")
    next.end("q")
    #expect(sandbox.text("f") == "bar\nbar foo\nfoo\n")
  }

  @Test(arguments: ["2w", "W", "1,2W"])
  func `unsaved work is offered after a part of the text was written to the file`(_ command: String)
  {
    sandbox["f"] = Array("1\n2\n3\n".utf8)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("1s/1/one/", "$a", "four", ".", command, command)
    session.kill()
    let next = TerminalSession.plain(["f"], in: sandbox)
    #expect(next.shown().contains("'jump 2' goes to the\nunsaved changes from before"))
    next.enter("jump 2", "w", "w")
    next.end("q")
    #expect(sandbox.text("f") == "one\n2\n3\nfour\n")
  }

  @Test(arguments: ["w /dev/null", "w g", "w !cat >g"])
  func `unsaved work is offered after the text was written elsewhere`(_ command: String) {
    sandbox["f"] = Array("1\n2\n".utf8)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("1d", command, "q")
    session.end("q")
    let next = TerminalSession.plain(["f"], in: sandbox)
    next.enter("redo", "w")
    next.end("q")
    #expect(sandbox.text("f") == "2\n")
  }

  @Test(arguments: ["e B", "E B", "next"])
  func `another file is not opened inside a group`(_ command: String) {
    sandbox["A"] = Array("a1\na2\n".utf8)
    sandbox["B"] = Array("b1\n".utf8)
    let session = TerminalSession.plain(["A", "B"], in: sandbox)
    session.enter("begin")
    #expect(session.enter(command).contains("a group is open; use 'end' or 'abort' first"))
    session.enter("1d", "end", "w")
    #expect(session.enter(command).contains("B: 1 line"))
    session.enter("1s/b/B/", "w", "undo", "w")
    session.end("q")
    #expect(sandbox.text("A") == "a2\n")
    #expect(sandbox.text("B") == "b1\n")
  }

  @Test func `the description of a group of G omits command lists`() {
    sandbox["f"] = Array("1\n2\n".utf8)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.play("¦G/./\n", "? s/$/x/\n", "? \n", "\n2*: ")
    #expect(session.enter("history").contains("Global /./ (2 lines)"))
    session.end("Q")
  }

  @Test func `text after a pasted command keeps invalid UTF-8`() {
    sandbox["f"] = Array("one\n".utf8)
    sandbox["paste"] = Array("\u{1B}[200~$a\n".utf8) + [0xFF, 0xFE, 0x0A, 0x6C, 0xFF]
    let session = TerminalSession(["f"], in: sandbox)
    session.at("1: ", type: "")
    session.type((sandbox["paste"] ?? []) + Array("\u{1B}[201~".utf8))
    session.play("4> .\r", "3*: wq\r", ends: 0)
    #expect(sandbox["f"] == Array("one\n".utf8) + [0xFF, 0xFE, 0x0A, 0x6C, 0xFF, 0x0A])
  }
}
