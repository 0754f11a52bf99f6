import Differential
import Glibc
import Testing

@testable import ued

/// Lines that a program sends as text are never run as commands.
@Suite struct StrayTextTests {
  private let sandbox = Sandbox()

  init() { sandbox["f"] = Array("one\ntwo\n".utf8) }

  @Test(arguments: [
    "append <<E", "replace foo <<A <<E", "replacep <<A <<E", "replace <<A <<B <<E", "replace <<E",
    "1apply <<E", "apply nix <<E", "expect 1 <<E", "a <<E # c", "a <<'E", "ax <<E", "9a <<E",
    "g/one/append <<E", "g/one/p\\\nappend <<E", "APPEND << 'E'", "9,1,x <<E", "%q <<E",
  ])
  func `a command that fails takes the lines of its here-document`(_ command: String) {
    let ends = ["A", "B"].filter { command.contains("<<\($0)") }
    let text = (ends + ["E"]).map { "1d\nw\n!touch made\n\($0)\n" }.joined()
    let answers = sandbox.answers(["f"], "\(command)\n\(text)=\n", status: 1)
    #expect(answers.commands.count == 2, "\(answers.commands)")
    #expect(answers.commands.last?["output"] == .array([.string("2")]))
    #expect(sandbox["f"] == Array("one\ntwo\n".utf8) && sandbox["made"] == nil)
  }

  @Test(arguments: ["a p", "app", "insert", "2i hello", "Append", "chnage 2", "ax", "$apend"])
  func `a possible text command takes lines up to a period`(_ command: String) {
    let answers = sandbox.answers(["f"], "\(command)\n1d\nw\n.\n=\n", status: 1)
    #expect(answers.commands.count == 2, "\(answers.commands)")
    #expect(answers.commands.first?["notices"]?.elements.count == 1)
    #expect(answers.commands.last?["output"] == .array([.string("2")]))
  }

  @Test(arguments: [
    "s/x <<E/y/", "/x <<E/d", "g/one/s/x <<E/y/zz", "s/x <<E/y/zz", "!exit 1 <<E", "w !exit 1 <<E",
    "'", "expect 3 /<<E/", "abort!", "copy 3", "undo x", "historyy", "9p", "cat", "nix",
  ])
  func `other failing commands take no lines`(_ command: String) {
    let answers = sandbox.answers(["f"], "\(command)\n=\n", status: 1)
    #expect(answers.commands.count == 2, "\(answers.commands)")
    #expect(answers.commands.first?["notices"] == nil)
  }

  @Test func `an error is answered before its lines come`() {
    let session = HeldProgram.session(["f"], in: sandbox)
    let answer = session.ask("append <<E")
    #expect(answer["error"]?.text == "invalid-command")
    #expect(
      answer["notices"]?.elements.first?.text
        == "what follows, up to the line 'E', is taken for text and not run")
    session.send("1d\nE\n")
    #expect(session.ask("=")["output"] == .array([.string("2")]))
  }

  @Test func `after an interrupt the rest of a text is text still`() {
    let session = HeldProgram.session(["f"], in: sandbox)
    // The answer to `1p` shows that ued reads the next bytes.
    for text in ["1a\nfo", "1a <<E\n", "replace <<A <<E\n", "s/one/x\\\n", "g/one/a\\\n"] {
      session.send("1p\n\(text)")
      #expect(session.answer()["output"] == .array([.string("one")]))
      session.awaitIdle()
      session.signalAll(SIGINT)
      session.awaitIdle()
      let isBlock = text.contains("<<")
      session.send(
        isBlock ? "o\n.\n1,$d\nA\n1,$d\nE\n" : text.contains("\\") ? "1,$d/\n" : "o\n1,$d\nw\n.\n")
      #expect(session.answer()["error"]?.text == "interrupted", "\(text)")
    }
    #expect(session.ask(",p")["output"] == .array([.string("one"), .string("two")]))
  }

  @Test(arguments: [
    (",s/o/0/gc", ["y", "y"]), (",s/o/0/gc", ["a"]), ("G/o/", ["s/o/0/", "d"]),
    ("V/x/", ["d", "&"]),
  ])
  func `after an interrupt the replies to a command are replies still`(
    _ command: String, _ replies: [String]
  ) {
    let session = HeldProgram.session(["f"], in: sandbox)
    session.send("1p\n\(command)\n")
    _ = session.answer()
    session.awaitIdle()
    session.signalAll(SIGINT)
    session.awaitIdle()
    session.send(replies.map { $0 + "\n" }.joined())
    #expect(session.answer()["error"]?.text == "interrupted")
    #expect(session.ask(",p")["output"] == .array([.string("one"), .string("two")]))
  }

  @Test func `a last command needs no newline, and the text of 'a' no period`() {
    #expect(sandbox.answers(["f"], "1d\n=", status: 2).outputs == ["", "1"])
    #expect(
      sandbox.answers(["f"], "2a\nthree\nfour", status: 2).commands.first?["lines"] == .number(4))
    #expect(sandbox.answers(["f"], "1a <<E\nthree", status: 1).codes == ["unexpected-end"])
    #expect(sandbox.answers(["f"], "1d\nw").files.first?["written"] == .bool(true))
  }

  @Test(.limitsMemory)
  func `promise 23: a long line that is no command takes memory in proportion to it`() {
    let said = sandbox.run(
      """
      head -c 4000000 /dev/zero | tr '\\0' x >line; echo >>line
      (ulimit -v 150000; exits 1 "$UED" --json f <line) | cut -c4000000-
      """)
    #expect(String(decoding: said, as: UTF8.self).contains(#""error":"invalid-suffix""#))
  }

  @Test(arguments: [["pipe"], ["-i", "-e", "p", "pipe"], ["--apply=patch"]])
  func `a pipe can't be edited, and ued does not wait for it`(_ arguments: [String]) {
    mkfifo(sandbox.path + "/pipe", 0o600)
    sandbox["patch"] = Array("--- a/pipe\n+++ b/pipe\n@@ -1 +1 @@\n-one\n+two\n".utf8)
    let output = sandbox.launch(Program.underTest.path, ["--json"] + arguments, [])
      .output
    #expect(Answers(output).end["error"]?.text == "file-not-regular")
  }

  @Test(arguments: [SIGINT, SIGTERM], ["!", "r !", "w !", "1,2!"])
  func `a signal ends a shell command and its children`(_ signal: Int32, _ command: String) {
    let session = HeldProgram.session(["f"], in: sandbox)
    mkfifo(sandbox.path + "/pipe", 0o600)
    session.send("\(command)cat pipe; sleep infinity\n")
    // Waits until the command reads.
    let pipe = session.openPipe(sandbox.path + "/pipe")
    defer { close(pipe) }
    session.signalAll(signal)
    #expect(session.answer()["error"]?.text == "interrupted")
    if signal == SIGINT { return #expect(session.ask("1p")["lines"] == .number(2)) }
    #expect(session.answer()["error"]?.text == "interrupted")
    #expect(session.ending() == .exited(1))
  }
}
