import Differential
import Glibc
import Testing

@testable import ued

/// Lines that are on the disk as they are entered, before their command has made a group of them.
@Suite struct EnteredLinesTests {
  private let sandbox = Sandbox()

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func lines(_ lines: [String]) -> [UInt8] { text(lines.map { $0 + "\n" }.joined()) }

  /// The names of all histories.
  private var histories: [String] {
    Disk.names(in: "\(sandbox.path)/.local/state/ued").filter { $0.hasSuffix(".history") }
  }

  /// The text that the next session finds, after `redo` if there is a group to redo.
  ///
  /// - Returns: Its lines, and the messages at the start of the session.
  private func recovered(_ arguments: [String]) -> (lines: [UInt8], told: String) {
    let session = TerminalSession.plain(arguments, in: sandbox)
    let told = session.shown()
    if let count = told.firstMatch(of: #/'redo ?(\d*)'\s+brings/#) {
      session.enter("redo \(count.1)")
    }
    session.enter("w !cat >shown")
    session.end("Q")
    return (sandbox["shown"] ?? [], told)
  }

  @Test(arguments: seeds(8))
  func `promise 5: a kill while text is entered loses at most the line being typed`(
    _ seed: UInt64
  ) {
    var random = SeededGenerator(seed: seed)
    let arguments = random.below(3) == 0 ? [] : ["f"]
    let old = arguments.isEmpty ? [] : (1...6).map { "old \($0)" }
    sandbox["f"] = lines(old)
    let killed = KilledSession(arguments, old, in: sandbox, &random)
    let found = recovered(arguments).lines
    #expect(
      found == lines(killed.lines) || found == lines(killed.linesAtMost),
      "\(String(decoding: found, as: UTF8.self))")
    // After Q, ued still offers the text, unless it has no name.
    if !arguments.isEmpty { #expect(recovered(arguments).lines == found) }
    #expect(histories.count <= arguments.count)
  }

  /// The commands, the keys after them without Enter, and the text that the next session finds.
  @Test(arguments: [
    (["1: a\r"], "1\nhalf\n2\n"), (["1: a\r", "2> whole\r"], "1\nwhole\nhalf\n2\n"),
    (["1: a\r", "2> one\r", "3> ¦\u{1B}[A"], "1\nonehalf\n2\n"),
    (["1: 2c\r"], "1\nhalf\n"), (["1: 2edit\r"], "1\n2half\n"),
    (
      ["1: a\r", "2> one\r", "3> two\r", "4> ¦\u{1B}[A", "two¦!\u{1B}[A", "one¦?\r", "two!¦\r"],
      "1\none?\ntwo!\nhalf\n2\n"
    ),
    (["1: begin\r", "1(group): 1d\r", "1*(group): 0a <<E\r"], "half\n2\n"),
  ])
  func `the line that is being typed is stored when the keys rest`(
    _ commands: [String], _ found: String
  ) {
    sandbox["f"] = text("1\n2\n")
    for signal in [SIGKILL, SIGHUP] {
      let session = session()
      session.play("2: 1\r")
      for command in commands { session.play(command) }
      session.play("> ¦half", "half")
      if signal == SIGKILL { awaitStored("half") }
      session.send(signal)
      _ = session.ending()
      let (lines, told) = recovered(["f"])
      #expect(String(decoding: lines, as: UTF8.self) == found, "\(signal) \(told)")
      sandbox.run("rm -rf .local ed.hup")
    }
  }

  @Test func `abandoned lines are gone, entered ones come once`() {
    sandbox["f"] = text("1\n2\n")
    let first = session()
    first.play("2: a\r", "3> ¦half", "half")
    awaitStored("half")
    first.play("¦\u{3}", "2: q\r", ends: 0)
    #expect(!TerminalSession.plain(["f"], in: sandbox).shown().contains("not saved"))
    let second = session()
    second.play("2: a\r", "3> ¦half", "half")
    awaitStored("half")
    second.play("¦ a line\r", "4> ¦")
    second.kill()
    #expect(recovered(["f"]).lines == text("1\n2\nhalf a line\n"))
  }

  /// A session whose lines can be edited, with a history.
  private func session() -> TerminalSession {
    TerminalSession(["f"], environment: ["UED_HISTORY": "on"], in: sandbox)
  }

  private func awaitStored(_ words: String) {
    sandbox.run("until grep -qs '\(words)' .local/state/ued/*.history*; do sleep .02; done")
  }

  @Test func `the lines of a change are the whole replacement, and are named`() {
    sandbox["f"] = text("1\n2\n3\n4\n")
    let first = TerminalSession.plain(["f"], in: sandbox)
    first.enter("1s/^/one /", "2,3c", "x", "y", "z")
    first.kill()
    let (found, told) = recovered(["f"])
    #expect(found == text("one 1\nx\ny\nz\n4\n"))
    #expect(
      told.contains(
        "2 groups from a previous session were not saved, the last one: 'Replace lines\n2-3: x', cut off; "
          + "'redo 2' brings them back"))
  }

  @Test func `redo of cut-off lines keeps marks and sets the current line`() {
    sandbox["f"] = text("1\n2\n3\n")
    let first = TerminalSession.plain(["f"], in: sandbox)
    first.enter("1s/^/one /", "1a", "x", "y")
    first.kill()
    let second = TerminalSession.plain(["f"], in: sandbox)
    second.enter("3ka", "redo 2")
    #expect(second.enter("p").contains("\ny\n"))
    #expect(second.enter("'ap").contains("\n3\n"))
    #expect(second.enter("undo", "p").contains("one 1\n"))
  }

  @Test func `lines entered in an open group come back with it`() {
    sandbox["f"] = text("1\n2\n")
    let first = TerminalSession.plain(["f"], in: sandbox)
    first.enter("begin", "1s/^/one /", "$a", "x", "y")
    first.kill()
    #expect(recovered(["f"]).lines == text("one 1\n2\nx\ny\n"))
  }

  @Test func `a completely entered text is stored only as one group`() throws {
    sandbox["f"] = text("1\n")
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("a", "x", "y", ".", "a <<END", "x", "END", "1d")
    session.kill()
    let next = TerminalSession.plain(["f"], in: sandbox)
    #expect(next.shown().contains("3 groups from a previous session were not saved; 'redo 3'"))
    next.end()
    setenv("XDG_STATE_HOME", "\(sandbox.path)/.local/state", 1)
    defer { unsetenv("XDG_STATE_HOME") }
    let place = try #require(HistoryPlace(of: text("\(sandbox.path)/f")))
    let store = try HistoryStore.opened(at: place)
    let found = try #require(try store.load())
    #expect(found.unfinished.first?.entered == nil)
    #expect(
      try store.revisions(1..<found.count, of: found.count).map {
        String(decoding: $0.title, as: UTF8.self)
      } == [
        "Append 2 lines after line 1: x", "Append 1 line after line 3: x", "Delete line 1",
      ])
  }

  /// The event that cuts a command off while it reads its lines.
  enum Cut: CaseIterable { case interrupt, end, hangUp, terminate, closing, kill }

  private static let hereDocuments = [
    ("2a <<E", ["x", "."], "1\n2\nx\n.\n3\n"), ("3i <<'the E'", ["x", "E"], "1\n2\nx\nE\n3\n"),
    ("1,2c <<E", ["x", "y"], "x\ny\n3\n"), ("1c <<E", ["x", "y"], "x\ny\n2\n3\n"),
    ("replace <<O <<N", ["1", "2", "O", "x"], "1\n2\n1\n2\nx\n3\n"),
    ("expect <<E", ["1"], "1\n2\n1\n3\n"), ("apply <<E", ["@@", "-1"], "1\n2\n@@\n-1\n3\n"),
    (#"g/2/a <<E\"#, [#"x\"#, #".\"#], "1\n2\nx\n.\n3\n"),
    (#"g/2/s/2/b/\"#, [#"i\"#, #"x\"#, #".\"#, #"p\"#, #"$a <<E\"#, #"y\"#], "1\n2\nx\ny\n3\n"),
  ]

  @Test(arguments: Cut.allCases, hereDocuments)
  func `promise 5: the lines of a here-document that is cut off come back with redo`(
    _ cut: Cut, _ document: (command: String, lines: [String], text: String)
  ) {
    sandbox["f"] = text("1\n2\n3\n")
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("2")
    for line in [document.command] + document.lines { session.enter(line) }
    switch cut {
    case .interrupt, .end:
      session.type(cut == .end ? "\u{4}" : "\u{3}")
      let words = cut == .end ? "end of input" : "interrupted"
      session.sees("\(words); 'redo' brings back the ", "\n2: ")
      #expect(session.enter(",p", "=").contains("\n1\n2\n3\n"))
      session.end("q")
    case .hangUp, .terminate, .closing:
      if cut == .closing { session.hangUp() } else { session.send(cut == .hangUp ? 1 : 15) }
      #expect(session.ending() == (cut == .terminate ? -15 : 0))
      #expect(sandbox["ed.hup"] == text(document.text))
    case .kill: session.kill()
    }
    let next = TerminalSession.plain(["f"], in: sandbox)
    #expect(next.shown().contains("'redo' brings it back") == (cut != .interrupt && cut != .end))
    next.enter("redo", "w")
    next.end("q")
    #expect(sandbox["f"] == text(document.text))
  }

  @Test(arguments: ["on", "off"])
  func `redo restores cut-off lines at once, or u in a group`(_ history: String) {
    sandbox["f"] = text("1\n2\n")
    let session = TerminalSession(
      ["f"], environment: ["UED_HISTORY": history], in: sandbox)
    session.play(
      "2: g/2/a <<E\\\r", "... x\r", "no line 'E'; 'redo' brings back the line entered",
      "2: redo\r", "3*: u\r", "2: 1a <<E\r", "2> \u{1B}[200~x\ny\n\u{1B}[201~", "4> \u{3}",
      "'redo' brings back the 2 lines entered", "2: redo\r", "redid: Append 2 lines after line 1",
      "3*: u\r", "2: begin\r", "2(group): 1d\r", "1*(group): $a <<E\r", "2> z\r", "3> \u{4}",
      "end of input; 'u' brings back the line entered", "1*(group): ,p\r", "\n2\r\n",
      "1*(group): u\r", "2*(group): end\r", "2*: G/./\r", "? a\\\r", "... x\r", "? a\\\r",
      "... y\\\r", "... \u{3}",
      "brings back the line entered", "3*: redo\r", "4*: wq\r", ends: 0, leaves: "2\nx\nz\ny\n")
  }

  @Test func `a discarded text is not offered`() {
    sandbox["f"] = text("1\n2\n")
    let session = TerminalSession(
      ["f"], environment: ["UED_HISTORY": "on"], in: sandbox)
    session.play(
      "2: a <<END\r", "3> x\r", "4> \u{3}", "interrupted", "2: 1edit\r", "1> x\r", "1*: ")
    session.kill()
    let found = recovered(["f"])
    #expect(!found.told.contains("cut off") && found.lines == text("1x\n2\n"))
  }

  @Test func `without history nothing that is entered is on the disk`() {
    sandbox["f"] = text("1\n")
    for (history, arguments) in [("off", ["f"]), ("off", []), ("", ["f"]), ("", [])] {
      let session = TerminalSession.plain(arguments, in: sandbox, history: history)
      session.enter("a", "x")
      session.kill()
      #expect(histories == [])
    }
  }

  @Test func `promise 14: text can be entered where it can't be stored, and w warns again`() {
    sandbox["f"] = text("1\n")
    sandbox["file"] = text("")
    let session = TerminalSession(
      ["f"],
      environment: [
        "TERM": "dumb", "UED_HISTORY": "on", "XDG_STATE_HOME": "\(sandbox.path)/file",
      ], in: sandbox)
    session.at("1: ", type: "a\n")
    for line in 2...4 { session.at("\n\(line)> ", type: "x\n") }
    session.play("5> .\n", "4*: wq\n", ends: 0)
    #expect(sandbox["f"] == text("1\nx\nx\nx\n"))
    #expect(session.shown().split(separator: "history is not kept").count == 3)
  }

  @Test(arguments: [3, 6, 9])
  func `promise 14: lines that found no room are stored with the next ones`(from write: Int) {
    sandbox["f"] = text("1\n")
    sandbox.run("printf '1s/$/ /\\nw\\n' | \"$UED\" --history -s f")
    let database = "\(sandbox.path)/.local/state/ued/\(histories.first ?? "")"
    let session = TerminalSession(
      [
        "-qqq", "-o", "trace", "-P", database, "-P", database + "-wal",
        "-e", "inject=pwrite64:error=ENOSPC:when=\(write)..\(write + 2)",
        Program.underTest.path, "f",
      ], environment: ["TERM": "dumb", "UED_HISTORY": "on"], program: "/usr/bin/strace",
      in: sandbox)
    session.at("1: ", type: "a\n")
    for line in 2...8 { session.at("\(line)> ", type: "x\(line)\n") }
    session.sees("9> ")
    #expect(session.shown().split(separator: "history is not kept: the disk is full").count == 2)
    session.killTraced()
    #expect(recovered(["f"]).lines == lines(["1 "] + (2...8).map { "x\($0)" }))
  }

  // MARK: - Texts without a name

  @Test func `each start in a folder offers one text without a name`() {
    let first = TerminalSession.plain([], in: sandbox, columns: 200)
    let second = TerminalSession.plain([], in: sandbox, columns: 200)
    first.enter("a", "first")
    second.enter("a", "second", ".", "a", "more")
    #expect(histories.count == 2)
    sandbox.run("test \"$(stat -c %a .local/state/ued/*.history | sort -u)\" = 600")
    first.kill()
    second.kill()
    // Another folder has nothing of it.
    sandbox.run("mkdir sub; cd sub; printf '#\\n' | \"$UED\" --history >out; test ! -s out")
    // After a refusal, a later session offers it again.
    for _ in 0..<2 {
      let third = TerminalSession.plain([], in: sandbox, columns: 200)
      #expect(
        third.shown().contains(
          "1 group of a text without a name was not saved: 'Append 1 line at the top: first', cut off; "
        )
      )
      third.enter("a", "third", ".")
      third.end()
    }
    let third = TerminalSession.plain([], in: sandbox, columns: 200)
    third.enter("redo")
    let fourth = TerminalSession.plain([], in: sandbox, columns: 200)
    #expect(
      fourth.shown().contains(
        "2 groups of a text without a name were not saved, the last one: "
          + "'Append 1 line after line 1: more', cut off; 'redo 2' brings them back"))
    fourth.enter("redo 2", "w g")
    fourth.end("q")
    #expect(sandbox["g"] == text("second\nmore\n"))
    #expect(third.enter("p").contains("first\n"))
    third.end()
    // The second session's history now belongs to the file; the other one was discarded.
    #expect(histories.count == 1)
    let named = TerminalSession.plain(["g"], in: sandbox)
    #expect(named.enter("undo", "undo", "undo").contains("now at 0"))
    #expect(!TerminalSession.plain([], in: sandbox, columns: 200).shown().contains("redo"))
  }

  @Test(arguments: ["f g", "w g"])
  func `a text takes its history along when it gets a name`(command: String) {
    let session = TerminalSession.plain([], in: sandbox, columns: 200)
    session.enter("a", "x", ".", "s/x/y/", command, "a", "z")
    #expect(histories.count == 1)
    session.kill()
    let next = TerminalSession.plain(["g"], in: sandbox)
    next.enter(command == "w g" ? "redo" : "redo 3")
    #expect(next.enter(",p").contains("y\nz\n"))
    #expect(next.enter("undo", "undo", "undo", "undo").contains("Append 1 line at the top"))
  }

  @Test func `a text that gets the name of a file with a history keeps its own history`() {
    sandbox["f"] = text("1\n")
    sandbox.run("printf '1s/$/ /\\nw\\n' | \"$UED\" --history -s f")
    let session = TerminalSession.plain([], in: sandbox, columns: 200)
    let told = session.enter("a", "x", ".", "f f", "a", "y")
    #expect(told.contains("the history of this one is kept until you quit"))
    session.kill()
    let next = TerminalSession.plain([], in: sandbox, columns: 200)
    next.enter("redo 2")
    #expect(next.enter(",p").contains("x\ny\n"))
    next.end()
    #expect(histories.count == 1)
  }

  @Test(arguments: [SIGHUP, SIGTERM])
  func `a text without a name outlives a hangup`(signal: Int32) {
    let session = TerminalSession.plain([], in: sandbox, columns: 200)
    session.enter("a", "x")
    session.send(signal)
    _ = session.ending()
    #expect(recovered([]).lines == text("x\n"))
    #expect(histories == [])
  }

  @Test func `an unnamed text discarded by e is offered later`() {
    sandbox["f"] = text("1\n")
    let session = TerminalSession.plain([], in: sandbox, columns: 200)
    session.enter("a", "x", ".", "e f", "e f")
    session.end("q")
    #expect(recovered([]).lines == text("x\n"))
  }
}
