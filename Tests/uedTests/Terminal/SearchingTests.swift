import Differential
import Glibc
import Testing

@testable import ued

/// Recall by a typed beginning, and incremental search.
@Suite struct SearchingTests {
  private static let up = "\u{1B}[A"
  private static let down = "\u{1B}[B"

  /// A session at its prompt, after some commands.
  private static func session(settings: String = "") -> TerminalSession {
    let session = TerminalSession(files: [".editrc": settings])
    for command in ["one", "two", "one more", "three"] {
      session.at("0: ", type: "# \(command)\r")
    }
    session.sees("0: ")
    return session
  }

  /// Ends the line, and returns it as entered.
  private static func entered(_ session: TerminalSession) throws -> String {
    session.type("\r")
    // The line is shown once more, with its prompt, before the next one.
    session.play("\n", "0: ")
    let screen = try Screen(of: session.written, columns: 80)
    let line = screen.rows[..<screen.cursor.row].last { $0.hasPrefix("0:") } ?? ""
    return String(line.dropFirst(3))
  }

  @Test(arguments: [
    ("\(up)", "# three"), ("# o\(up)", "# one more"), ("# o\(up)\(up)", "# one"),
    ("# o\(up)\(up)\(down)!", "# one more!"), ("# o\(up)\(down)n", "# on"),
    ("# o\(up)\(up)\(up)", "# one"), ("# o\u{1B}[5~\u{1B}[5~\u{1B}[6~", "# one more"),
    ("# x\(up)y", "# xy"), ("#!\u{2}\(up)", "# three"), ("#!\u{2}\(up)\(down)x", "#x!"),
    ("\(up)\u{7F}\(up)", "# three"), ("\u{10}\u{10}\u{E}", "# three"),
  ])
  func `up and down recall lines that begin with the typed text`(typed: String, line: String) throws
  {
    let session = Self.session()
    session.type(typed)
    #expect(try Self.entered(session) == line)
  }

  @Test(arguments: [
    ("\u{12}wo\u{5}!", "# two!"), ("\u{12}one", "# one more"), ("\u{12}one\u{12}", "# one"),
    ("\u{12}one\u{12}\u{13}", "# one more"), ("\u{12}onex\u{7F}", "# one more"),
    ("\u{12}two\(up)", "# one"), ("\u{12}two\(down)", "# one more"),
    ("\u{12}two\u{1B}[Hx", "x# two"), ("\u{12}two\u{1B}[Fx", "# twox"),
    ("\u{12}two\u{1B}[Cx", "# txwo"), ("\u{12}two\u{1B}fx", "# twox"), ("\u{12}two\u{B}", "#"),
    ("ab\u{12}two\u{7}c", "abc"), ("\u{12}zz\u{7}c", "c"), ("ab\u{12}\u{1B}[Dc", "acb"),
    ("\u{12}two\u{7}\u{12}one\u{7}", ""), ("\u{12}thr\u{5}\u{15}\u{12}\u{12}", "# three"),
    ("\u{12}\u{1B}[200~ne m\u{1B}[201~", "# one more"),
    ("\u{12}o\u{1B}[200~ne\r1d\r\u{1B}[201~\u{12}", "# one"),
    ("\u{12}one\u{1B}[200~\rx\u{1B}[201~\u{12}", "# one"),
    ("\u{12}one\u{1B}[200~x\u{1B}[201~\u{7F}", "# one more"), ("\u{13}wo", "# two"),
    ("\u{12}two\u{1B}[15~x\u{7F}", "# two"),
  ])
  func `a key that ends a search also acts`(typed: String, line: String) throws {
    let session = Self.session()
    session.type(typed)
    #expect(try Self.entered(session) == line)
  }

  @Test(arguments: [
    ("\u{12}two\u{1B}[Fx", "# twox"), ("\u{12}two\u{1B}A!", "# two!"), ("\u{1B}k", "# three"),
    ("\u{1B}kkj", "# three"), ("\u{1B}/one\r", "# one more"), ("\u{1B}/one\rn", "# one"),
    ("\u{1B}/# t\rnN", "# three"), ("\u{1B}?# t\r", "# two"), ("\u{1B}?# t\rn", "# three"),
    ("\u{1B}/zz\rA!", "!"), ("\u{1B}/one\u{1B}n", "# one"), ("# t\(up)\(up)", "# two"),
    ("\u{12}two\u{7}x", "x"),
  ])
  func `vi keys search, too`(typed: String, line: String) throws {
    let session = Self.session(settings: "ued:bind -v\n")
    session.type(typed)
    #expect(try Self.entered(session) == line)
  }

  @Test func `an interrupt discards search and line`() throws {
    let session = Self.session()
    session.play(
      "¦ab\u{12}two", "search 'two': ¦\u{3}", "0: \u{12}nothing",
      "no earlier line has 'nothing¦\u{3}", "0: x")
    #expect(try Self.entered(session) == "x")
  }

  @Test func `past the last match, the prompt names the direction without a match`() {
    let session = Self.session()
    session.play(
      "¦\u{12}one", "search 'one': # one more¦\u{12}\u{12}",
      "no earlier line has 'one': # one¦\u{13}", "search 'one': # one more¦\u{13}",
      "no later line has 'one': # one more¦\u{12}", "search 'one': # one¦\u{3}", "0: \u{12}zz",
      "no line has 'zz': ")
  }

  @Test func `a tab ends a search and completes`() throws {
    TerminalSession().play("0: # undo\r", "0: und\r", "0: \u{12}und\u{5}\t!", "undo!")
  }

  @Test func `without earlier lines, a search finds nothing`() {
    for older in [true, false] {
      var search = RecallSearch(lines: [])
      search.extend(by: Array("a".utf8), older: older)
      #expect(search.line == nil && !search.isFound)
      search.goOn(older: !older)
      #expect(search.line == nil && !search.isFound)
    }
  }
}
