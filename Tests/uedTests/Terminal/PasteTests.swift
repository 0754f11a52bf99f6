import Differential
import Glibc
import Testing

@testable import ued

/// Bracketed pastes: text within a text command, otherwise commands up to an error.
@Suite struct PasteTests {
  /// The bytes that a terminal sends for a paste.
  private func paste(_ text: String) -> String {
    "\u{1B}[200~" + text + "\u{1B}[201~"
  }

  /// Usual settings of terminals.
  static let settings: [(variables: [String: String], keys: String)] = [
    ([:], ""), (["NO_COLOR": "1"], ""), ([:], "bind -v\n"), (["NO_COLOR": "1"], "bind -v\n"),
  ]

  private func session(_ settings: (variables: [String: String], keys: String), _ text: String)
    -> TerminalSession
  {
    TerminalSession(
      ["f"], files: ["f": text, ".editrc": settings.keys], environment: settings.variables)
  }

  @Test(arguments: settings, ["\r", "\r\n", "\n"])
  func `promise 20: pasted commands run up to the first error, and the others are named`(
    settings: (variables: [String: String], keys: String), lineEnd: String
  ) {
    let session = session(settings, "one\ntwo\n")
    let lines = ["s/two/2/", "/some prose/", "1,2d", "w", "q"]
    // Without a line end after it, the last line would stay in the line editor.
    for end in [lineEnd, ""] {
      session.at(
        "2\(end.isEmpty ? "*" : ""): ",
        type: paste(
          (end.isEmpty ? Array(lines.dropFirst()) : lines).joined(separator: lineEnd) + end))
      session.sees("no match\r\n3 pasted lines were not run: 1,2d; w; q\r\n")
    }
    session.play("2*: ,p\r", "one\r\n2\r\n", "2*: Q\r", ends: 0, leaves: "one\ntwo\n")
  }

  @Test(arguments: settings, ["\r", "\r\n"])
  func `pasted commands may have text, which a period ends`(
    settings: (variables: [String: String], keys: String), lineEnd: String
  ) {
    let session = session(settings, "one\n")
    let lines = ["1s/one/1/", "a", "two", "", "three", ".", "$a <<END", ".", "END", "w"]
    session.play(
      "1: \(paste(lines.joined(separator: lineEnd) + lineEnd))", "15 bytes written\r\n", "5: q\r",
      ends: 0, leaves: "1\ntwo\n\nthree\n.\n")
  }

  @Test(arguments: settings)
  func `a paste into text is text, in pieces of any size`(
    settings: (variables: [String: String], keys: String)
  ) {
    let session = session(settings, "one\n")
    session.play("1: a\r", "2> ")
    for byte in paste("two\r\n.\r\n1,$d\r\nlast") {
      session.type(String(byte))
      session.settle()
    }
    session.play("5> !\r", "6> .\r", "5*: wq\r", ends: 0, leaves: "one\ntwo\n.\n1,$d\nlast!\n")
  }

  @Test(arguments: settings, 1...5)
  func `the mark that begins a paste may come in two pieces`(
    settings: (variables: [String: String], keys: String), count: Int
  ) {
    let session = session(settings, "one\n")
    session.sees("1: ")
    let sent = paste("1d\rjunk\rw\r")
    session.type(String(sent.prefix(count)))
    session.settle()
    session.play(
      "¦\(String(sent.dropFirst(count)))", "1 pasted line was not run: w\r\n", leaves: "one\n")
  }

  @Test func `a paste joins the text typed before and after it`() {
    let session = session(([:], ""), "one\n")
    session.play(
      "1: i\r", "1> ()\u{2}\(paste("a\rb\rc"))\r", "4> .\r", "3*: ,p\r", "(a\r\nb\r\nc)\r\none\r\n",
      "4*: (4)\u{2}\u{2}\u{2}\(paste("1p\r2p"))", "1p\r\n(a\r\n1*: ", "2p(4)")
  }

  @Test func `an interrupt aborts a paste without an end`() {
    let session = session(([:], ""), "one\n")
    session.play("1: \u{1B}[200~1d\rw\r\u{3}", "1: p\r")
    session.at("\r\none\r\n1: ", type: paste("1d\rw\r\u{3}1s/one/none/\rw\r"))
    session.play("1: q\r", ends: 0, leaves: "one\n")
  }

  @Test func `an interrupt ends a paste as an error does`() {
    let session = session(([:], ""), "one\n")
    session.at("1: ", type: paste("!mkfifo pipe\rr pipe\r1d\rw\r"))
    session.play("reading: 1 s¦\u{3}", "interrupted; ", "2 pasted lines were not run: 1d; w\r\n")
    session.at("1: ", type: paste("q\r1d\r"))
    session.play("1 pasted line was not run: 1d\r\n", ends: 0)
  }

  @Test func `pasted text is on the disk before it is shown`() {
    let folder = TemporaryFolder()
    folder["f"] = Array("one\n".utf8)
    let session = TerminalSession(["f"], environment: ["UED_HISTORY": "on"], in: folder)
    session.at("1: ", type: "a\r")
    let lines = (1...2000).map { "line \($0)" }
    session.at("2> ", type: paste(lines.joined(separator: "\r") + "\r"))
    session.sees("3> ")
    session.kill()
    let next = TerminalSession.plain(["f"], in: folder)
    next.enter("redo", "w")
    next.end("q")
    #expect(next.file("f") == (["one"] + lines).map { $0 + "\n" }.joined())
  }
}
