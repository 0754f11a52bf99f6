import Differential
import Glibc
import Testing

@testable import ued

/// What a person might lose at a terminal, and does not.
@Suite struct KeptTextTests {
  private static let three = "one\ntwo\nthree\n"

  @Test func `a part that is written over the text's own file is no save of the text`() {
    let sandbox = TemporaryFolder()
    sandbox["f"] = Array(Self.three.utf8)
    let session = TerminalSession.plain(["f"], in: sandbox)
    #expect(session.enter("1w").hasSuffix("3*: "))
    #expect(session.enter("q").contains("unsaved changes"))
    session.kill()
    #expect(sandbox["f"] == Array("one\n".utf8))
    let next = TerminalSession.plain(["f"], in: sandbox)
    next.enter("jump 0")
    #expect(next.enter(",p").contains("one\ntwo\nthree\n"))
    #expect(next.enter("2wq").contains("unsaved changes"))
    next.end()
  }

  @Test func `a text without a name that is not redone waits for the next start`() {
    let sandbox = TemporaryFolder()
    let first = TerminalSession.plain([], in: sandbox)
    first.enter("a", "first", ".")
    first.kill()
    let second = TerminalSession.plain([], in: sandbox)
    second.enter("a", "second", ".")
    second.kill()
    let third = TerminalSession.plain([], in: sandbox)
    third.enter("redo")
    #expect(third.enter(",p").contains("first"))
    third.end("Q")
    let fourth = TerminalSession.plain([], in: sandbox)
    fourth.enter("redo")
    #expect(fourth.enter(",p").contains("second"))
    fourth.enter("w s")
    fourth.end("q")
    let fifth = TerminalSession.plain([], in: sandbox)
    #expect(!fifth.shown().contains("not saved"))
    fifth.end("q")
  }

  @Test func `another file is overwritten only when that is repeated`() {
    let session = TerminalSession(["f"], files: ["f": "one\n", "g": "two\n", "empty": ""])
    session.at("1: ", type: "w g\r")
    session.sees("the file exists, and was not read; repeat the command to overwrite it")
    #expect(session.file("g") == "two\n")
    session.at("1: ", type: "w g\r")
    session.sees("written")
    session.at("1: ", type: "w g\r")
    session.sees("written")
    session.at("1: ", type: "w empty\r")
    session.sees("written")
    session.at("1: ", type: "r g\r")
    session.at("2*: ", type: "w f\r")
    session.sees("written")
    session.at("2: ", type: "q\r")
    #expect(session.ending() == 0)
    #expect(session.file("g") == "one\n")
  }

  @Test func `the text stays where another file can't be read, and a new one may be edited`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.at("1: ", type: "!mkdir d\r")
    session.at("1: ", type: "e d\r")
    session.sees("directory")
    session.at("1: ", type: "e !false\r")
    session.at("1: ", type: "f\r")
    session.sees("\nf\r\n")
    session.at("1: ", type: "e new\r")
    session.sees("new: new file")
    session.at("0: ", type: "f\r")
    session.sees("\nnew\r\n")
    session.at("0: ", type: "q\r")
    #expect(session.ending() == 0)
  }

  @Test func `what can't be edited of a paste is entered as it is`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.at("1: ", type: "a\r")
    session.sees("2> ")
    session.type(Array("\u{1B}[200~x\nmore".utf8) + [0xFF] + Array("\u{1B}[201~".utf8))
    session.sees("4> ")
    session.type(".\r")
    session.at("3*: ", type: "w\r")
    session.sees("written")
    #expect(session.folder["f"] == Array("one\nx\nmore".utf8) + [0xFF, 0x0A])
  }

  @Test func `a pasted command waits for Enter, whatever bytes it has`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.sees("1: ")
    session.type(Array("\u{1B}[200~1p\n1s/o/".utf8) + [0xE9, 0] + Array("/\u{1B}[201~".utf8))
    session.sees("\none\r\n")
    session.sees("1s/o/\u{FFFD}")
    session.type([0x03])
    session.at("1: ", type: "w\r")
    session.sees("written")
    #expect(session.file("f") == "one\n")
  }

  @Test func `what was not read is written over only if w is repeated at once`() {
    let session = TerminalSession(["f"], files: ["f": "one\n", "g": "other\n"])
    session.at("1: ", type: "w g\r")
    session.sees("repeat the command to overwrite")
    session.at("1: ", type: "s/o/0/\r")
    session.at("1*: ", type: "w g\r")
    session.sees("repeat the command to overwrite")
    #expect(session.file("g") == "other\n")
    session.at("1*: ", type: "w g\r")
    session.sees("written")
    #expect(session.file("g") == "0ne\n")
  }

  @Test func `Alt-_ is a key as soon as nothing follows at once`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.at("1: ", type: "a\r")
    session.at("2> ", type: "\u{1B}_")
    session.sees("\u{7}")
    session.type("two\r")
    session.at("3> ", type: ".\r")
    session.at("2*: ", type: "w\r")
    session.sees("written")
    #expect(session.file("f") == "one\ntwo\n")
  }

  @Test func `an answer for all of a global substitution is one for all of its lines`() {
    let session = TerminalSession(["f"], files: ["f": "o\no\no\no\n"])
    session.at("4: ", type: "g/o/s/o/0/c\r")
    session.at("replace? (y n a q) ", type: "n\r")
    session.at("replace? (y n a q) ", type: "a\r")
    session.at("4*: ", type: "u\r")
    session.at("4: ", type: "g/o/s/o/0/c\r")
    session.at("replace? (y n a q) ", type: "y\r")
    session.at("replace? (y n a q) ", type: "q\r")
    session.at("2*: ", type: "w\r")
    session.sees("written")
    #expect(session.file("f") == "0\no\no\no\n")
  }

  @Test func `a match in a long line is shown in the part around it`() throws {
    let line = String(repeating: "y", count: 90) + " foo " + String(repeating: "z", count: 90)
    let session = TerminalSession(["f"], files: ["f": line + "\n"], columns: 40)
    session.at("1: ", type: "s/foo/F/c\r")
    session.at("replace? (y n a q) ", type: "q\r")
    let rows = try Screen(of: session.written, columns: 40).rows
    let marked = try #require(rows.firstIndex { $0.hasSuffix("^^^") })
    let column = rows[marked].count - 3
    #expect(rows[marked - 1].dropFirst(column).hasPrefix("foo"))
    #expect(rows[marked - 1].hasSuffix("…"))
  }

  @Test func `a history that is removed while one types is stored again`() {
    let sandbox = TemporaryFolder()
    sandbox["f"] = Array("1\n".utf8)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("a", "x")
    let folder = sandbox.path + "/.local/state/ued"
    Disk.remove(contentsOf: folder)
    session.enter("y", "z")
    session.kill()
    let next = TerminalSession.plain(["f"], in: sandbox)
    next.enter("redo")
    #expect(next.enter(",p").contains("1\nx\ny\nz\n") || next.enter(",p").contains("y\nz\n"))
    next.end()
  }

  @Test func `commands on private files are not stored for later sessions`() {
    let session = TerminalSession(
      ["f"], files: ["f": "one\n", "secret.pem": "x\n"], environment: ["UED_HISTORY": ""])
    session.at("1: ", type: "# public one\r")
    session.at("1: ", type: "e secret.pem\r")
    session.at("1: ", type: "# private one\r")
    session.at("1: ", type: "e f\r")
    session.at("1: ", type: "# public two\r")
    session.at("1: ", type: "q\r")
    #expect(session.ending() == 0)
    let stored = session.folder[".local/state/ued/recall.db"] ?? []
    #expect(!String(decoding: stored, as: UTF8.self).contains("private one"))
  }

  @Test func `a string that never ends swallows one line at most`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.at("1: ", type: "a\r")
    session.at("2> ", type: "\u{1B}]swallowed")
    session.type("\r")
    session.sees("3> ")
    session.type("two\r")
    session.at("4> ", type: ".\r")
    session.at("3*: ", type: "w\r")
    session.sees("written")
    #expect(session.file("f") == "one\n\ntwo\n")
  }

  @Test func `settings with control characters don't act on the terminal`() {
    let session = TerminalSession(
      ["f"],
      files: ["f": "one\n", ".editrc": "bind \"\u{1B}[6n\"\nbind \"^[x\" \"foo\u{1B}]0;P\u{7}\"\n"])
    session.at("1: ", type: "q\r")
    #expect(session.ending() == 0)
    let shown = String(decoding: session.written, as: UTF8.self)
    #expect(!shown.contains("\u{1B}]") && !shown.contains("[6n"))
  }
}
