import Differential
import Glibc
import Testing

/// A program that keeps ued open, and waits for each answer.
@Suite struct HeldSessionTests {
  private let sandbox = Sandbox()

  init() { sandbox["f"] = Array("one\ntwo\n".utf8) }

  @Test func `an error is an answer, and the next command is read`() {
    let session = HeldProgram.session(["f"], in: sandbox)
    #expect(session.ask("9p")["error"]?.text == "no-such-line")
    #expect(session.ask("2p")["output"] == .array([.string("two")]))
    #expect(session.ask("a\n?\nthree\n.")["lines"] == .number(4))
    #expect(session.ask("$c <<END\n.\nlast\nEND")["lines"] == .number(5))
    #expect(session.ask("3s/?/four/p")["output"] == .array([.string("four")]))
    #expect(session.ask("w")["modified"] == .bool(false))
    let end = session.lastAnswer()
    #expect(end["status"] == .number(1))
    #expect(end["files"]?.elements.first?["lines_added"] == .number(3))
    #expect(sandbox["f"] == Array("one\ntwo\nfour\n.\nlast\n".utf8))
    #expect(session.ending() == .exited(1))
  }

  @Test func `an answer comes before the lines of the next command arrive`() {
    let session = HeldProgram.session(["f"], in: sandbox)
    session.send("2p\na\n")
    #expect(session.answer()["output"] == .array([.string("two")]))
    session.send("three\n")
    session.send(".\n")
    #expect(session.answer()["lines"] == .number(3))
    session.send("1p\ng/o/n\\\n")
    #expect(session.answer()["output"] == .array([.string("one")]))
    session.send("#\n")
    #expect(session.answer()["output"]?.elements.count == 2)
  }

  @Test func `a shell command can't read commands or print into a later answer`() {
    let session = HeldProgram.session(["f"], in: sandbox)
    #expect(
      session.ask("!cat; echo a; printf b")["output"] == .array([.string("a"), .string("b")]))
    let late = "(trap '' PIPE; cat go; echo late; echo >over) 2>said"
    #expect(
      session.ask("!mkfifo go over; \(late) & echo now")["output"] == .array([.string("now")]))
    #expect(session.ask("!: >go; cat over >seen")["output"] == .array([]))
    #expect(sandbox["seen"] == [10])
    #expect(session.ask("g/o/w !cat\\\np")["output"]?.elements.count == 6)
    #expect(session.ask("w /dev/stdout")["error"]?.text == "file-not-writable")
    #expect(session.ask("r !cat; echo x; exit 3")["error"]?.text == "shell-failed")
    #expect(session.ask("Q")["ok"] == .bool(true))
    #expect(session.answer()["end"] == .bool(true))
  }

  @Test func `the text stays if another file can't be read`() {
    sandbox["f"] = Array("one\ntwo".utf8)
    let session = HeldProgram.session(["f"], in: sandbox)
    #expect(session.ask("1ka")["ok"] == .bool(true))
    for command in ["e none", "E none", "e .", "E !false"] {
      #expect(session.ask(command)["ok"] == .bool(false), "\(command)")
      #expect(session.ask(",p")["output"] == .array([.string("one"), .string("two")]))
    }
    #expect(session.ask("f")["output"] == .array([.string("f")]))
    #expect(session.ask("'a,'ad")["modified"] == .bool(true))
    #expect(session.ask("e none")["error"]?.text == "unsaved-changes")
    #expect(session.ask("e none")["error"]?.text == "file-not-found")
    #expect(session.ask("w")["modified"] == .bool(false))
    #expect(sandbox["f"] == Array("two".utf8))
    #expect(session.ask("u")["lines"] == .number(2))
  }

  @Test func `the lines of a failing command are not run as commands`() {
    let session = HeldProgram.session(["f"], in: sandbox)
    #expect(session.ask("9a\n1,$d\n.")["error"]?.text == "no-such-line")
    #expect(session.ask("/zz/c <<E\n1,$d\nE")["error"]?.text == "no-match")
    #expect(session.ask("1apply <<E\n1,$d\nE")["error"]?.text == "invalid-address")
    #expect(session.ask("9g/x/a\\\n1,$d\\\n.")["error"]?.text == "no-such-line")
    #expect(session.ask("9s/x/a\\\n1,$d/")["error"]?.text == "no-such-line")
    #expect(session.ask(",p")["output"] == .array([.string("one"), .string("two")]))
  }

  @Test func `another program's content is not overwritten, and nothing counts as saved`() {
    let session = HeldProgram.session(["f"], in: sandbox)
    #expect(session.ask("1d")["modified"] == .bool(true))
    sandbox["f"] = Array("other\n".utf8)
    let refused = session.ask("w")
    #expect(refused["error"]?.text == "file-changed")
    #expect(refused["modified"] == .bool(true))
    #expect(session.ask("q")["error"]?.text == "unsaved-changes")
    #expect(session.ask("merge disk")["ok"] == .bool(false))
    let end = session.lastAnswer()
    #expect(end["error"]?.text == "unsaved-changes")
    let file = end["files"]?.elements.first
    #expect(file?["written"] == .bool(false))
    let hash = sandbox.run("sha256sum <f").prefix(64)
    #expect(file?["after"]?.text == "sha256:" + String(decoding: hash, as: UTF8.self))
    #expect(sandbox["f"] == Array("other\n".utf8))
    #expect(session.ending() == .exited(3))
  }

  @Test func `another program may have written the same text, and then saves go on`() {
    let session = HeldProgram.session(["f"], in: sandbox)
    #expect(session.ask("1d")["ok"] == .bool(true))
    sandbox.run("echo two >f.new; mv f.new f")
    #expect(session.ask("w")["ok"] == .bool(true))
    #expect(session.ask("a\nthree\n.")["ok"] == .bool(true))
    #expect(session.ask("w")["ok"] == .bool(true))
    _ = session.lastAnswer()
    #expect(sandbox["f"] == Array("two\nthree\n".utf8))
  }

  @Test func `a group is stored before its answer comes`() {
    sandbox.run("echo 1 >h")
    let session = HeldProgram.session(["--history", "h"], in: sandbox)
    #expect(session.ask("s/1/2/")["revision"] == .number(1))
    session.signalAll(SIGKILL)
    _ = session.ending()
    let later = HeldProgram.session(["--history", "h"], in: sandbox)
    #expect(later.ask("redo")["ok"] == .bool(true))
    #expect(later.ask("p")["output"] == .array([.string("2")]))
  }

  @Test func `an interrupt stops a command, and means nothing between commands`() {
    let session = HeldProgram.session(["f"], in: sandbox)
    #expect(session.ask("p")["ok"] == .bool(true))
    session.signalAll(SIGINT)
    #expect(session.ask("p")["ok"] == .bool(true))
    mkfifo(sandbox.path + "/pipe", 0o600)
    session.send("r !cat pipe\n")
    // Waits until the command reads.
    let pipe = session.openPipe(sandbox.path + "/pipe")
    defer { close(pipe) }
    session.signalAll(SIGINT)
    #expect(session.answer()["error"]?.text == "interrupted")
    #expect(session.ask("h")["output"] == .array([.string("interrupted")]))
    let late = sandbox.shell(
      "printf '1d\\nw\\n1p\\n' | strace -qqqo trace -e inject=renameat:signal=INT \"$UED\" --json f"
    )
    #expect(late.contains(#""output":["two"]"#))
  }

  @Test(
    arguments: [SIGHUP, SIGTERM],
    [("", "two\n"), ("a\nxx\n", "two\nxx\n"), ("a <<E\nxx\n", "two\n"), ("!cat pipe\n", "two\n")])
  func `a signal that ends the session keeps the text, also in an open group`(
    _ signal: Int32, _ last: (command: String, text: String)
  ) {
    mkfifo(sandbox.path + "/pipe", 0o600)
    let session = HeldProgram.session(["f"], in: sandbox)
    #expect(session.ask("begin")["ok"] == .bool(true))
    #expect(session.ask("1d")["ok"] == .bool(true))
    session.send(last.command)
    session.awaitIdle()
    session.signal(signal)
    if last.command.isEmpty { #expect(session.answer()["error"] == .string("unsaved-changes")) }
    #expect(session.ending() == .exited(2))
    #expect(sandbox["ed.hup"] == Array(last.text.utf8))
    #expect(sandbox["f"] == Array("one\ntwo\n".utf8))
  }

  @Test func `a command costs a few system calls`() throws {
    let session = HeldProgram.session(
      ["f"], in: sandbox, under: ["/usr/bin/strace", "-qqqo", "trace"])
    func callCount() -> Int { sandbox["trace"]?.count { $0 == 10 } ?? 0 }
    #expect(session.ask("2p")["ok"] == .bool(true))
    let before = callCount()
    for _ in 0..<100 where session.ask("2p")["ok"] != .bool(true) {
      return #expect(Bool(false), "no answer")
    }
    #expect(callCount() - before <= 1000)
  }

  @Test(arguments: ["", ", of many"])
  func `promise 5: what was answered is in the history when the program is killed`(_ kind: String) {
    // Answers are written before a shell command, or earlier if there are many.
    let count = kind.isEmpty ? 3 : 1200
    sandbox["f"] = Array("1\n".utf8)
    sandbox["s"] = Array(
      ((1...count).map { "s/$/\($0)/\n" }.joined() + "!kill -9 $PPID\n").utf8)
    sandbox.run(
      """
      exits 137 "$UED" --history --json f <s >out; test "$(grep -c '"ok":true' out)" = \(count)
      "$UED" -s --history -e 'history all' f >all 2>said; test "$(wc -l <all)" = \(count + 2)
      """)
  }
}
