import Differential
import Glibc
import Testing

@testable import ued

/// `tree` at a terminal: its pages, the effect of keys on text and history, and the terminal
/// afterwards.
@Suite struct TreeViewTests {
  private let folder = TemporaryFolder()
  private static let opening = "\u{1B}[?1049h"
  private static let closing = "\u{1B}[?1049l"

  /// A session on a file with a history of two branches: 1 deleted the first line, and 2 the second.
  private func session(
    _ commands: [String] = ["1d", "u", "2d"], environment: [String: String] = [:]
  ) -> TerminalSession {
    if folder["f"] == nil { folder["f"] = Array("one\ntwo\nthree\n".utf8) }
    let session = TerminalSession(
      ["f"], environment: ["UED_HISTORY": "on", "NO_COLOR": "1"].merging(environment) { $1 },
      in: folder)
    for command in commands { session.play(": \(command)\r") }
    return session
  }

  /// Opens the view, and waits until it is shown.
  private func open(_ session: TerminalSession, at location: SourceLocation = #_sourceLocation) {
    session.play(": tree\r", "? keys¦", at: location)
  }

  /// Types keys, and waits until the page meets a condition.
  private func press(
    _ session: TerminalSession, _ keys: String, columns: Int = 80, rows: Int = 24,
    at location: SourceLocation = #_sourceLocation, shows isShown: @escaping ([String]) -> Bool
  ) {
    session.type(keys, at: location)
    session.wait(for: "the page after \(keys)", at: location) { _ in
      (try? page(session, columns: columns, rows: rows)).map(isShown) ?? false
    }
  }

  /// The selected revision, once all keys have been answered. To know when, opens a question and
  /// cancels it.
  private func selected(
    _ session: TerminalSession, columns: Int = 80, rows: Int = 24,
    at location: SourceLocation = #_sourceLocation
  ) throws -> Int {
    press(session, "n¶", columns: columns, rows: rows, at: location) {
      $0[rows - 1].hasSuffix("¶")
    }
    let page = try page(session, columns: columns, rows: rows)
    press(session, "\u{15}\r", columns: columns, rows: rows, at: location) {
      $0[rows - 1].hasPrefix("Enter")
    }
    return try selected(page)
  }

  /// The text on the full screen.
  private func page(_ session: TerminalSession, columns: Int = 80, rows: Int = 24) throws
    -> [String]
  {
    let written = session.written
    let opening = Array(Self.opening.utf8)
    let start = written.indices.last { written[$0...].starts(with: opening) } ?? 0
    return try Screen(of: Array(written[start...]), columns: columns, rows: rows).rows
  }

  /// The terminal's output without the full screens.
  private func lines(_ written: [UInt8]) throws -> [String] {
    let text = String(decoding: written, as: UTF8.self)
    let parts = text.split(separator: Self.opening, omittingEmptySubsequences: false)
    let rest = parts.dropFirst().map { part in
      part.split(separator: Self.closing, omittingEmptySubsequences: false).dropFirst().joined()
    }
    return try Screen(of: Array((parts[0] + rest.joined()).utf8), columns: 80).rows
  }

  /// The number of the selected revision.
  private func selected(_ page: [String]) throws -> Int {
    let row = try #require(page.first { $0.hasPrefix(">") })
    return try #require(row.firstMatch(of: #/[0-9]+/#).flatMap { Int($0.0) })
  }

  // MARK: - Going to a revision

  @Test func `Enter goes to a revision of another branch, and the screen is as before`() throws {
    let session = session()
    session.sees("2*: ")
    let before = try lines(session.written)
    session.play("¦tree\r", "? keys¦")
    press(session, "j") { $0.contains("-1  one") && $0[1].hasPrefix(">") }
    press(session, "k") { page in
      page[0].hasPrefix(">*  2  ") && page[0].hasSuffix("  -1  o    Delete line 2")
        && page[1].hasPrefix("    1  ") && page[1].hasSuffix("  -1  │ o  Delete line 1")
        && page[2].hasPrefix("  w 0  ") && page[2].hasSuffix("      o─╯  Opened f")
        && page.contains("-2  two")
        && page[23] == "Enter go    p pick    r revert    d diff    / filter    ? keys    q leave"
    }
    press(session, "\u{1B}[C") { $0[1].hasPrefix(">") && $0.contains("-1  one") }
    press(session, "d") { page in
      page.contains("-- from 1 to the present text") && page.contains("+1  one")
        && page.contains("-1  two")
    }
    session.play("¦\r", "now at 1: Delete line 1, line 1 of 2\r\n¦")
    session.sees("-1\tone\r\n", "+1\ttwo\r\n", "1*: ")
    let after = try lines(session.written)
    let count = before.lastIndex { !$0.isEmpty } ?? 0
    #expect(Array(after.prefix(count)) == Array(before.prefix(count)) && count > 5)
    #expect(after[count] == "2*: tree" && after[count + 1].hasPrefix("now at 1: "))
    session.play("¦w\r", ": q\r", ends: 0, leaves: "two\nthree\n")
  }

  /// Random groups on random branches, made by a script.
  private func makeHistory(_ random: inout SeededGenerator) {
    let sandbox = Sandbox()
    sandbox["f"] = Array((1...60).map { "line \($0)\n" }.joined().utf8)
    var script = ""
    for id in 1...30 {
      switch random.below(4) {
      case 0: script += "1d\n"
      case 1: script += "$a\nadded \(id)\nand \(id)\n.\n"
      case 2: script += "$s/$/ \(id)/\n"
      default: script += "1m$\n"
      }
      if random.chance(30) { script += "jump \(random.below(id + 1))\n" }
      if random.chance(10) { script += "w\n" }
    }
    folder["f"] = sandbox["f"]
    folder["script"] = Array((script + "w\n").utf8)
    let shell = Sandbox()
    shell.run(
      "cd '\(folder.path)'; HOME='\(folder.path)' \"$UED\" --history=on -s f <script >out || test $? = 1"
    )
  }

  @Test(arguments: seeds(24))
  func `a random walk ends at the text of the selected revision`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    makeHistory(&random)
    let session = session([])
    let (columns, rows) = (random.pick([20, 40, 80, 200]), random.pick([5, 12, 24, 60]))
    session.resize(rows: UInt16(rows), columns: UInt16(columns))
    session.play(": tree\r", columns < 40 ? "?  q¦" : "? keys¦")
    let keys = [
      "j", "k", "h", "l", "\u{1B}[A", "\u{1B}[B", "\u{1B}OC", "\u{1B}OD", "\u{1B}[5~", "\u{1B}[6~",
      "\u{1B}[H", "\u{1B}[F", "d", "s", "?j", "/1\r", "/\r", "jjj", "kk", "llh",
    ]
    for _ in 0..<3 + random.below(25) { session.type(random.pick(keys)) }
    let id = try selected(session, columns: columns, rows: rows)
    // In a narrow terminal the message is broken before the number.
    session.play("¦\r", "now at¦", ": w g\r", ": Q\r", ends: 0)
    let shell = Sandbox()
    let expected = shell.run(
      "cd '\(folder.path)'; printf 'peek \(id)\\nQ\\n' | HOME='\(folder.path)' \"$UED\" --history=on -s f"
    )
    #expect(folder["g"] == expected)
  }

  @Test func `a jump is refused while a group is open`() throws {
    let session = session(["1d", "begin", "1d"])
    open(session)
    press(session, "j\r") { $0[22] == "a group is open; use 'end' or 'abort' first" }
    session.play("¦q", ": end\r", "\n1*: w\r", ": q\r", ends: 0, leaves: "three\n")
  }

  // MARK: - Leaving

  @Test(arguments: ["q", "\u{1B}", "\u{3}", "jq", "dq", "?jq", "\u{1B}[99;5u"])
  func `leaving the view changes nothing`(keys: String) throws {
    let session = session()
    open(session)
    session.type(keys)
    session.sees("2*: ")
    let said = String(decoding: session.written, as: UTF8.self)
      .split(separator: Self.closing, omittingEmptySubsequences: false)
    #expect(said.count == 2 && !said[1].contains("now at"))
    session.play("¦w\r", ": q\r", ends: 0, leaves: "one\nthree\n")
  }

  @Test func `an interrupt cancels a question, and the next one leaves`() {
    let session = session()
    open(session)
    press(session, "/x") { $0[23] == "/x" }
    press(session, "\u{3}") { $0[23].hasPrefix("Enter") }
    session.play("¦\u{3}", "2*: w\r", ": q\r", ends: 0, leaves: "one\nthree\n")
  }

  /// A shell in the folder of the file, for starting ued.
  private func shell() -> TerminalSession {
    folder["f"] = Array("one\ntwo\nthree\n".utf8)
    return TerminalSession(
      ["--norc", "--noediting"],
      environment: ["PS1": "$ ", "UED_HISTORY": "on", "NO_COLOR": "1"], program: "/bin/bash",
      in: folder)
  }

  @Test func `Ctrl-Z restores the terminal, and fg shows the page again`() throws {
    let session = shell()
    session.play("$ ¦stty -echoe noflsh ixany; stty -a; echo done\n", "echo done\r\n")
    let before = session.sees("done\r\n")
    session.play("$ ¦$UED f\n", "3: 1d\r", ": u\r", ": 2d\r", ": tree\r", "? keys¦")
    #expect(!session.isCooked)
    session.play("¦j", "-1  one¦\u{1A}", "$ ¦stty -a; echo done\n", "echo done\r\n")
    #expect(session.sees("done\r\n") == before)
    session.play("$ ¦fg\n", "? keys¦")
    session.wait(for: "the selected row") { _ in (try? self.page(session))?[1].first == ">" }
    session.play("¦\r", "now at 1: ¦", ": w\r", ": q\r", "$ ¦stty -a; echo done\n", "echo done\r\n")
    #expect(session.sees("done\r\n") == before)
    #expect(session.file("f") == "two\nthree\n")
  }

  @Test func `a signal that kills ued restores the terminal`() {
    let session = shell()
    session.play("$ ¦stty -a; echo done\n", "echo done\r\n")
    let before = session.sees("done\r\n")
    session.play("$ ¦$UED f\n", "3: !echo $PPID. end\r", "end\r\n")
    let editor = pid_t(session.sees(". end\r\n")) ?? 0
    session.play(": 1d\r", ": tree\r", "? keys¦")
    #expect(!session.isCooked)
    #expect(editor > 1 && kill(editor, SIGUSR1) == 0)
    session.play("$ ¦stty -a; echo done\n", "echo done\r\n")
    #expect(session.sees("done\r\n") == before)
    let written = String(decoding: session.written, as: UTF8.self)
    #expect(written.split(separator: Self.closing, omittingEmptySubsequences: false).count == 2)
    #expect(written.split(separator: Self.opening, omittingEmptySubsequences: false).count == 2)
  }

  @Test(arguments: [(SIGHUP, Int32(0)), (SIGTERM, -SIGTERM)])
  func `a signal that ends the session restores the terminal and keeps the text`(
    signal: Int32, status: Int32
  ) {
    let session = session()
    open(session)
    press(session, "j") { $0[1].hasPrefix(">") }
    session.send(signal)
    #expect(session.ending() == status)
    #expect(session.isCooked)
    let written = String(decoding: session.written, as: UTF8.self)
    #expect(written.split(separator: Self.closing, omittingEmptySubsequences: false).count == 2)
    #expect(session.file("ed.hup") == "one\nthree\n")
    let next = self.session([])
    next.play(": jump 2\r", "now at 2: Delete line 2", ": Q\r", ends: 0)
  }

  @Test func `a closed terminal ends the view, and the text is kept`() {
    let session = session()
    open(session)
    session.hangUp()
    #expect(session.ending() == 0)
    #expect(session.file("ed.hup") == "one\nthree\n")
  }

  @Test func `the page fits a terminal of another size`() throws {
    let session = session()
    open(session)
    for (columns, rows) in [(40, 12), (20, 5), (120, 30), (80, 24)] {
      session.resize(rows: UInt16(rows), columns: UInt16(columns))
      session.wait(for: "\(columns) columns") { _ in
        guard let page = try? self.page(session, columns: columns, rows: rows) else { return false }
        let hasPane = page[0].contains(" │ 2: Delete line 2") == (columns == 120)
        return page[rows - 1].hasPrefix("Enter") && page[0].hasPrefix(">*  2  ") && hasPane
      }
    }
    session.play("¦j\r", "now at 1: ¦", ": w\r", ": q\r", ends: 0, leaves: "two\nthree\n")
  }

  // MARK: - Changes

  @Test func `a pick and a revert are printed after leaving the view`() {
    let session = session()
    open(session)
    press(session, "jp") { page in
      page[22] == "picked: Delete line 1; now at 3, line 1 of 1"
        && page[0].hasPrefix(">*  3  ") && page[0].hasSuffix("Pick \"Delete line 1\"")
        && page.contains("-1  one")
    }
    press(session, "jr") { $0[22] == "reverted: Delete line 2; now at 4, line 1 of 2" }
    session.play(
      "¦q", "picked: Delete line 1; now at 3, line 1 of 1\r\n¦",
      "reverted: Delete line 2; now at 4, line 1 of 2\r\n-1\tone\r\n+1\ttwo\r\n¦", ": w\r",
      ": q\r", ends: 0, leaves: "two\nthree\n")
  }

  /// Both are in the history before the page shows them.
  @Test func `a pick and a revert survive kill -9`() {
    let session = session()
    open(session)
    press(session, "jp") { $0[22].hasPrefix("picked: ") }
    press(session, "jr") { $0[22].hasPrefix("reverted: ") }
    session.kill()
    #expect(folder.text("f") == "one\ntwo\nthree\n")
    let next = self.session([])
    next.play(
      ": jump 3\r", "now at 3: Pick \"Delete line 1\"", ": ,p\r", "three\r\n¦", ": jump 4\r",
      "now at 4: Revert \"Delete line 2\"", ": w\r", ": q\r", ends: 0, leaves: "two\nthree\n")
  }

  @Test func `conflicting groups are listed, and one key goes to each`() {
    let session = session(["2s/two/2/", "2s/2/zwei/", "1d", "1s/zwei/deux/"])
    open(session)
    press(session, "\u{1B}[Fkr") { page in
      page.contains("-- in the way of reverting 1:")
        && page.contains { $0.hasPrefix("1  ") && $0.hasSuffix(" changed line 1") }
        && page[23].hasPrefix("1")
    }
    press(session, "1") { page in
      page.contains { $0.hasPrefix(">   4") || $0.hasPrefix(">*  4") || $0.hasPrefix(">   2") }
        && !page.contains { $0.contains("in the way") }
    }
    session.play("¦q", "1*: w\r", ": q\r", ends: 0, leaves: "deux\nthree\n")
  }

  @Test func `a name is typed in the last line, and kept`() {
    let session = session()
    open(session)
    press(session, "jnnée\u{7F}w") { $0[23] == "name of 1: néw" }
    press(session, "\r") { page in
      page[1].hasSuffix("│ o  néw - Delete line 1") && page[22] == "named 1: néw - Delete line 1"
    }
    session.kill()
    let next = self.session([])
    next.play(": jump néw\r", "now at 1: néw - Delete line 1", ": Q\r", ends: 0)
  }

  @Test func `a filter shows the rows with a match in their name or text`() {
    let session = session(["1d", "u", "2d", "name v1", "1s/one/1/", "w", "2t2"])
    open(session)
    press(session, "/one\r") { page in
      page[0].contains(" 3  ") && page[1].contains("    1  ") && page[2].isEmpty
        && page[22] == "2 groups with 'one'; '/' and Enter show all"
    }
    press(session, "/v[1]\r") { $0[22] == "1 group with 'v[1]'; '/' and Enter show all" }
    press(session, "/a/b\r") { page in
      page[22] == "no group has 'a/b'" && page[0].contains("v1 - Delete line 2")
    }
    press(session, "/[\r") { $0[22] == "unmatched [ in the pattern" }
    press(session, "/\r") { $0[4].contains("Opened f") }
    press(session, "s") { $0[0].hasPrefix("> w 3  ") && $0[1].isEmpty }
    session.play("¦\r", "now at 3: ¦", ": q\r", ends: 0, leaves: "1\nthree\n")
  }

  @Test func `a paste presses no keys, but is text in the answer to a question`() throws {
    let session = session()
    open(session)
    session.type("\u{1B}[200~rp\rq\u{1B}[201~")
    #expect(try selected(session) == 2)
    press(session, "n\u{1B}[200~a b\rq\u{1B}[201~") { $0[23] == "name of 2: a b" }
    session.play("¦\rq", "named 2: a b - Delete line 2", "2*: Q\r", ends: 0)
  }

  // MARK: - Display and messages

  @Test func `nothing in a text or a name acts on the terminal`() throws {
    folder["f"] = Array("\u{1B}[?1049l\u{1B}]0;x\u{7}\n\u{9B}2J\n".utf8)
    let sandbox = Sandbox()
    sandbox["script"] = Array("1d\nname \u{1B}[2J\nw\n".utf8)
    sandbox.run(
      "script=$PWD/script; cd '\(folder.path)'; "
        + "HOME='\(folder.path)' \"$UED\" --history=on -s f <\"$script\"")
    let session = session([])
    open(session)
    press(session, "") { page in
      page[0].contains("^[[2J - Delete line 1") && page.contains("-1  ^[[?1049l^[]0;x^G")
    }
    session.play("¦q", ": Q\r", ends: 0)
    let written = String(decoding: session.written, as: UTF8.self)
    #expect(written.split(separator: Self.closing, omittingEmptySubsequences: false).count == 2)
    #expect(!written.contains("\u{1B}]0") && !written.contains("\u{7}"))
  }

  @Test func `colours are the same as in history, and off by NO_COLOR`() {
    for (value, isColored) in [("", true), ("1", false)] {
      let session = session(["1d"], environment: ["NO_COLOR": value])
      open(session)
      session.play("¦q", ": Q\r", ends: 0)
      let written = String(decoding: session.written, as: UTF8.self)
      #expect(
        written.contains("\u{1B}[7m>") == isColored && written.contains("\u{1B}[31m-1") == isColored
      )
    }
  }

  @Test(arguments: [
    (["-s"], "xterm", ""), (["-G"], "xterm", ""), ([], "dumb", ""), ([], "xterm", "1"),
  ])
  func `without a full screen an error names history all instead`(
    options: [String], terminal: String, isPlain: String
  ) {
    let words =
      "'tree' needs a full screen and no UED_PLAIN; 'history all' lists the same"
    folder["f"] = Array("one\n".utf8)
    if options == ["-s"] {
      let sandbox = Sandbox()
      sandbox["f"] = folder["f"]
      #expect(
        sandbox.edit(["-s", "f"], Array("history\ntree\nH\np\n".utf8), status: 1).split(
          separator: 10
        ).suffix(3).map { String(decoding: $0, as: UTF8.self) } == ["?", words, "one"])
      #expect(sandbox.transcript("\"$UED\" -e tree f").contains("-e 1:1: \(words)\n1\n"))
      return
    }
    let session = TerminalSession(
      options + ["f"], environment: ["TERM": terminal, "UED_PLAIN": isPlain], in: folder)
    if options == ["-G"] {
      session.play("4\r\n¦tree\r", "?\r\n¦h\r", "\(words)\r\n¦q\r", ends: 1)
    } else {
      session.play("1: tree\r", "\(words)\r\n1: q\r", ends: 0)
    }
    #expect(!String(decoding: session.written, as: UTF8.self).contains(Self.opening))
  }

  @Test func `history mentions tree once there are two branches`() {
    let words = "'tree' shows and walks it\r\n"
    let session = session(["1d", "history"])
    #expect(!session.sees("1*: ").contains("'tree'"))
    session.play(
      "¦u\r", ": $d\r", ": history\r", "1 other branch; ", "\r\n\(words)¦", ": history all\r")
    #expect(!session.sees("2*: ").contains("'tree'"))
    session.play("¦Q\r", ends: 0)
  }
}
