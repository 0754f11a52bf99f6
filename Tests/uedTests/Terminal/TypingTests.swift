import Differential
import Glibc
import Testing

@testable import ued

/// Keys of the line editor, at a terminal.
@Suite struct TypingTests {
  private static let up = "\u{1B}[A"

  @Test(arguments: ["C.UTF-8", "C", "POSIX", ""])
  func `typed keys arrive in every locale`(locale: String) {
    TerminalSession(["f"], files: ["f": ""], environment: ["LC_ALL": locale]).play(
      "0: a\r", "1> é 漢字 😀 e\u{301}\r", "2> x\u{1B}[Dß\u{7F}ö\r", "3> \ttab\u{16}\u{5}\r", "4> .\r",
      "3*: 1s/漢/→/p\r", "é →字 😀 e\u{301}\r\n", "1*: w\r", "1: q\r", ends: 0,
      leaves: "é →字 😀 e\u{301}\nöx\n\ttab\u{5}\n")
  }

  @Test(arguments: [
    ("\u{1B}[H", "\u{1B}[F"), ("\u{1B}OH", "\u{1B}OF"), ("\u{1B}[1~", "\u{1B}[4~"),
    ("\u{1B}[7~", "\u{1B}[8~"), ("\u{1}", "\u{5}"),
  ])
  func `the keys of common terminals move about`(home: String, end: String) {
    TerminalSession(["f"], files: ["f": ""]).play(
      "0: i\r", "1> two three\(home)one \(end) five\u{1B}[1;5Dfour \u{1B}[1;5C!\r",
      "2> abc\(home)\u{1B}[3~\u{1B}[C\u{1B}[3~\r", "3> .\r", "2*: w\r", "27 bytes written\r\n",
      leaves: "one two three four five!\nb\n")
  }

  @Test func `a newline that is typed as a character ends a line`() {
    TerminalSession(["f"], files: ["f": "1\n2\n3\n"]).play(
      "3: 1n\u{16}\n3d\r", "2*: a\r", "3> x\u{16}\ny\r", "5> .\r", "4*: w\r", "4: q\r", ends: 0,
      leaves: "1\n2\nx\ny\n")
    // It ends a line after an earlier paste, too.
    TerminalSession(["f"], files: ["f": "1\n"]).play(
      "1: a\r", "2> \u{1B}[200~2\r.\r3\u{1B}[201~\r", "5> .\r", "4*: a\r", "5> x\u{16}\n.\r",
      "5*: w\r", "5: q\r", ends: 0, leaves: "1\n2\n.\n3\nx\n")
  }

  @Test func `the keys of vi can be chosen`() {
    TerminalSession(["f"], files: ["f": "one\n", ".editrc": "ued:bind -v\n"]).play(
      "1: s/o/x/\u{1B}i0\r", "1*: ,p\r", "x0ne\r\n")
  }

  @Test func `U of vi restores a line as it was first shown`() {
    let files = ["f": "one\ntwo\nthree\n", ".editrc": "ued:bind -v\n"]
    let session = TerminalSession(["f"], files: files)
    session.play("3: 2edit\r", "2> \u{1B}xxUA!\r", "2*: p\r", "two!\r\n")
    // A recalled line, and a line that was empty at first.
    session.play(
      "2*: \u{1B}kxUA1\r", "unexpected text after the command", "2*: x\u{1B}Ui1p\r", "1p\r\none\r\n"
    )
  }

  @Test func `unknown settings are reported`() {
    let settings = "# keys\n\nsh:other\nued:nonsense\nued:bind -v\n"
    let session = TerminalSession(["f"], files: ["f": "one\n", ".editrc": settings])
    session.sees("/.editrc:4: not understood, ignored")
    // Later settings apply.
    session.play("1: s/o/x/\u{1B}i0\r", "1*: Q\r", ends: 0)
  }

  @Test func `a tab completes commands, and is a tab in text`() {
    let session = TerminalSession(
      ["f"], files: ["f": "one\n", "some-file": "s\n", "some-other": ""])
    session.play(
      "1: und\t\r", "nothing to undo\r\n1: na\t mine\r", "\n1: r so\tf\t\r",
      "some-file: 1 line, 2 bytes\r\n", "2*: jump m\t", "ine¦\r", "now at 0: mine - Opened f",
      "1: diff \t",
      "1  Read some-file", "0  mine - Opened f", "1: diff ¦un\t\u{3}",
      "1: history \t", "all  git  json  patch\r\n", "1: history ¦\u{3}", "1: e \t", "some-file",
      "some-other", "1: e ¦\u{3}", "1: 1ed\t\r", "1> \t!\r", "1*: p\r", "one\t!\r\n")
  }

  @Test func `a second tab does not list the same once more`() throws {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.play("1: h\t\t", "\u{7}¦¶", "¶")
    let rows = try Screen(of: session.written, columns: 80).rows.prefix { !$0.isEmpty }
    #expect(rows.suffix(3) == ["1: h", "help  history", "1: h¶"])
    #expect(rows.count { $0 == "help  history" } == 1)
    session.play("¦\u{7F}\t", "help  history", "1: h¦\u{3}", "1: h\t", "help  history", "1: h¦")
  }

  @Test func `in an address a tab completes marks, and no commands`() {
    let session = TerminalSession(["f"], files: ["f": "one\ntwo\n"])
    session.play(
      "2: '\t", "\u{7}¦\u{3}", "2: 1kc\r", "2: '\tp\r", "'cp\r\none\r\n1: 2kd\r", "1: 1,'\t",
      "c  d\r\n1: 1,'¦\u{3}")
    for (typed, shown) in [("/o", "/o"), ("1,?o'", "1,?o'"), ("/o\\/", "/o\\/"), ("/", "/")] {
      session.at("1: ", type: typed + "\t!")
      #expect(!session.sees(shown + "!").contains("help"))
      session.control("C")
    }
    session.play("1: /o/und\t", "/o/undo")
  }

  @Test func `lines come up for editing in place, and all edits are one group`() {
    TerminalSession(["f"], files: ["f": "one\n\ttwo\u{1}\nthree\nfour\n"]).play(
      "4: 2edit\r", "2> !\u{1}>\r", "2*: 3,4edit\r", "3> \r", "4> \u{17}\r", "4*: 1,$edit\r",
      "1> 1\r", "2> 2\r", "3> 3\u{3}", "*: w\r", ": undo\r", "undid: Edit lines 1-2; now at 2",
      "*: q\r", "*: q\r", ends: 0, leaves: "one1\n>\ttwo\u{1}!2\nthree\n\n")
  }

  @Test func `a long line with tabs and control characters is edited without a loss`() {
    let line = String(
      decoding: (0..<100_000).map { [UInt8](" \t\u{1}\u{7}\u{1B}xé".utf8)[$0 % 8] }, as: UTF8.self)
    let session = TerminalSession(["f"], files: ["f": line + "\n"])
    session.at("1: ", type: "edit\r")
    // The screen shows the end of the line.
    session.play("^G^[xé¦end\r", "1*: w\r", "100004 bytes written\r\n", leaves: line + "end\n")
  }

  @Test func `a line of binary data can't be edited, and stays`() {
    TerminalSession(["-s"]).play("0: r !printf 'a\\377\\n'\r", "1*: edit\r", "1", "\n1*: ")
  }

  @Test func `a paste into text is taken as it is, and is one insert`() {
    TerminalSession(["f"], files: ["f": "one\n"]).play(
      "1: a\r", "2> \u{1B}[200~a\tb\r.\rc\u{5}d\u{1B}[201~!\r", "5> .\r", "4*: w\r", "4: undo\r",
      "undid: Append 3 lines after line 1", "1*: ", leaves: "one\na\tb\n.\nc\u{5}d!\n")
  }

  @Test(arguments: [true, false])
  func `thousands of lines can be pasted`(isBracketed: Bool) {
    let session = TerminalSession(["f"], files: ["f": ""])
    let lines = (1...3000).map { "line \($0)" }
    session.play("0: a\r", "1> ")
    let pasted = lines.joined(separator: "\r")
    session.type(isBracketed ? "\u{1B}[200~\(pasted)\u{1B}[201~\r" : pasted + "\r")
    session.play(
      "3001> .\r", "3000*: w\r", "3000: undo\r", "undid: Append 3000 lines at the top",
      leaves: lines.map { $0 + "\n" }.joined())
  }

  @Test(arguments: [["TERM": "dumb"], ["TERM": "nonsense"]])
  func `a plain terminal gets plain lines, and a dumb one no escape sequences`(
    variables: [String: String]
  ) {
    let session = TerminalSession(["f"], files: ["f": "one\n"], environment: variables)
    session.play(
      "1: 9\r", "no line 9: the last line is 1\r\n1: edit\r", "1: s/o/0/\r", "1*: diff\r",
      "+0ne\r\n1*: undo\r",
      "undid: Substitute /o/0/ on line 1; now at 0, line 1 of 1\r\n-1\t0ne\r\n+1\tone\r\n1: q\r",
      ends: 0)
    #expect(!session.written.contains(0x1B) || variables["TERM"] != "dumb")
  }

  @Test func `without colours the only escape sequences are those for pastes`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"], environment: ["NO_COLOR": "1"])
    session.play(
      "1: s/o/0/\r", "1*: diff\r", "+0ne\r\n1*: undo\r",
      "now at 0, line 1 of 1\r\n-1\t0ne\r\n+1\tone\r\n1: q\r",
      ends: 0)
    let shown = String(decoding: session.written, as: UTF8.self)
    #expect(!shown.replacing(#/\u{1B}\[\?2004[hl]/#, with: "").contains("\u{1B}"))
  }

  @Test(arguments: [
    ("\u{7F}\u{7F}", "ab👩\u{200D}🚀"), ("\u{1B}[D\u{4}", "ab👩\u{200D}🚀🇩🇪"),
    ("\u{1B}[D\u{1B}[D\u{1B}[DX", "abX👩\u{200D}🚀🇩🇪e\u{301}"),
    ("\u{1B}[D\u{1B}[D\u{7F}", "ab🇩🇪e\u{301}"),
    ("\u{1}\u{6}\u{6}\u{1B}[CX", "ab👩\u{200D}🚀X🇩🇪e\u{301}"),
    ("\u{1}\u{6}\u{6}\u{1B}[3~\u{1B}[3~", "abe\u{301}"),
    // A yank does not bring back text deleted by Backspace, but all of the text deleted by Delete.
    (" foo\u{17}\u{7F}\u{7F}\u{7F}\u{19}", "ab👩\u{200D}🚀foo"),
    ("\u{1}\u{6}\u{6}\u{1B}[3~\u{5}\u{19}", "ab🇩🇪e\u{301}👩\u{200D}🚀"),
    ("\u{14}", "ab👩\u{200D}🚀e\u{301}🇩🇪"), ("\u{1B}[D\u{1B}[D\u{14}", "ab🇩🇪👩\u{200D}🚀e\u{301}"),
  ])
  func `keys move and delete by grapheme cluster`(_ keys: String, _ text: String) {
    TerminalSession(["f"], files: ["f": "ab👩\u{200D}🚀🇩🇪e\u{301}\n"]).play(
      "1: edit\r", "1> ¦\(keys)\r", "1*: w\r", "1: q\r", ends: 0, leaves: text + "\n")
  }

  @Test(arguments: [".\r", "\u{4}", "\u{3}"])
  func `a text is a separate group, regardless of its end`(_ end: String) {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.at("1: ", type: "a\r")
    session.at("2> ", type: "two\r")
    session.at("3> ", type: end)
    session.at("2*: ", type: "a\r")
    session.at("3> ", type: "three\r")
    session.at("4> ", type: ".\r")
    session.at("3*: ", type: "undo\r")
    session.sees("undid: Append 1 line after line 2: three; now at 1")
    // Lines that replace deleted ones still belong to the deletion.
    session.at("2*: ", type: "1d\r")
    session.at("1*: ", type: "i\r")
    session.at("1> ", type: "1\r")
    session.at("2> ", type: ".\r")
    session.at("1*: ", type: "undo\r")
    session.sees("undid: Replace line 1: 1; now at 1")
  }

  @Test(arguments: ["\u{1B}[", "\u{1B}O", "\u{1B}[1;"])
  func `promise 23: dropping a sequence takes time in proportion to it`(_ start: String) {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.at("1: ", type: start + String(repeating: "1", count: 300_000) + "A1p\r")
    session.sees("one\r\n1: ")
  }

  @Test func `promise 23: a terminal that claims very many rows is as fast as others`() {
    let written = [24, 16_000].map { (rows: UInt16) in
      let session = TerminalSession(["f"], files: ["f": "one\n"])
      session.sees("1: ")
      session.resize(rows: rows, columns: 80)
      session.settle()
      let start = session.written.count
      session.type("1p\r")
      for _ in 0..<5 { session.at("one\r\n1: ", type: "1p\r") }
      session.sees("one\r\n1: ")
      return session.written.count - start
    }
    // If all rows were drawn, each would add a byte.
    #expect(written[1] < 2 * written[0])
  }

  @Test func `the end of the input shows nothing in a traditional session, as in ed`() {
    let written = ["/usr/bin/ed", Program.underTest.path].map { program in
      let session = TerminalSession(["-G", "-p*", "f"], files: ["f": "1\n2\n"], program: program)
      session.at("*", type: "1d\r")
      for prompt in ["*", "?\r\n*"] { session.at(prompt, type: "\u{4}") }
      #expect(session.ending() == 2)
      return session.shown()
    }
    #expect(written[0] == written[1])
  }

  @Test(arguments: [(["-G", "f"], ""), (["f"], "1")])
  func `a traditional session is that of ed`(arguments: [String], posixlyCorrect: String) {
    let session = TerminalSession(
      arguments, files: ["f": "one\n"], environment: ["POSIXLY_CORRECT": posixlyCorrect])
    session.at("4\r\n", type: "9\r")
    session.at("?\r\n", type: "s/o/0/p\r")
    session.at("0ne\r\n", type: "q\r")
    session.at("?\r\n", type: "q\r")
    #expect(session.ending() == 1)
    #expect(session.file(".local/state/ued/recall.db") == nil)
  }
}
