import Differential
import Glibc
import Testing

@testable import ued

/// Hints for new users, and for commands that are nearly right.
@Suite struct HintTests {
  @Test(arguments: [
    ("histroy", "histroy: no such command; did you mean 'history'?"),
    ("undo1", "undo1: no such command; did you mean 'undo 1'?"), ("undoo", "did you mean 'undo'?"),
    ("quit", "quit: no such command; did you mean 'q'?"), ("exit", "did you mean 'q'?"),
    ("quti", "did you mean 'q'?"), ("q!", "q!: no such command; try 'Q'"),
    (":q!", "q!: no such command; try 'Q'"), ("wq!", "try 'wq'"), ("help!", "did you mean 'help'?"),
    ("checkpoint v1", "did you mean 'name'?"), ("log", "did you mean 'history'?"),
    ("compare f", "did you mean 'diff'?"), ("export", "did you mean 'history patch'?"),
    ("rename x", "did you mean 'f'?"),
    ("rm 2", "did you mean 'd'?"), ("cp 1 2", "did you mean 't'?"), ("2dd", "did you mean 'd'?"),
    ("%s/o/0/w", "'w' is no flag of s; the flags are g, I, F, c, p, l, n and a number"),
    ("x", "nothing to put; 'y' and 'd' fill the cut buffer, 'wq' saves and quits"),
    ("set nu", "set nu: no such command; did you mean 'help settings'?"),
    (":set nu", "did you mean 'help settings'?"), ("save", "did you mean 'w'?"),
    ("wirte", "did you mean 'w'?"), ("wz", "did you mean 'wq'?"), ("ZZ", "did you mean 'wq'?"),
    ("gg", "did you mean '1'?"), ("G", "did you mean '$'?"), ("o", "did you mean 'a'?"),
    ("N", "did you mean '?RE?'?"), ("sxoxyx", "the letter 'x' would be the delimiter; repeat"),
    ("vanilla", "the letter 'a' would be the delimiter; repeat"),
    ("inser", "inser: no such command; did you mean 'i'?"),
    ("frobnicate", "no such command, or a space is missing"),
    ("s/t/\\tx/", "'\\t' in the replacement is the letter 't'; type the tab itself"),
    ("yank", "did you mean 'y'?"), ("paste", "did you mean 'x'?"), ("put", "did you mean 'x'?"),
    ("dG", "did you mean '.,$d'?"), ("1y/ab/xy/", "',!tr abc xyz' maps characters"),
    ("2q", "q takes no line; '3,$d' deletes all that follow"),
    ("1i text", "the text of 'i' begins on the next line; a line of a single dot ends it"),
    ("a\\", "the text of 'a' begins on the next line"),
    ("1d; 2d", "';' ends no command; write the next one on a line of its own"),
    ("s/F/T/; s/t/F/", "';' ends no command"),
    (",s/o/0/gw out", "'w' is no flag of s; 'g/RE/.W FILE' appends the lines that match to FILE"),
    ("/one/!d", "the shell has no command 'd' (status 127); after an address, '!' filters lines"),
    ("str_replace a b", "str_replace a b: no such command; did you mean 'replace'?"),
    ("1:zzzp", "a line's hash has three hexadecimal digits, as in '12:3fa'"),
    ("1:3fp", "a line's hash has three hexadecimal digits, as in '12:3fa'"),
    ("1redo", "this command takes no address"), ("s/[/x/", "unmatched [ in the pattern"),
  ])
  func `a nearly correct command gets a hint`(line: String, hint: String) {
    let folder = TemporaryFolder()
    folder["f"] = Array("one\ntwo\n".utf8)
    let session = TerminalSession.plain(["f"], in: folder)
    #expect(session.enter(line).contains(hint))
    session.end("Q")
  }

  @Test func `a list typed for G gets the hint, and not G itself`() {
    let folder = TemporaryFolder()
    folder["f"] = Array("one\ntwo\n".utf8)
    let session = TerminalSession.plain(["f"], in: folder)
    session.type("G/o/\n")
    session.sees("?")
    #expect(session.enter("dd").contains("dd: no such command; did you mean 'd'?"))
    session.end("Q")
  }

  @Test(arguments: [":wq", ":q!", "ZZ"])
  func `a command of vi in a text gives a hint that it is text, once`(_ line: String) {
    let folder = TemporaryFolder()
    folder["f"] = Array("one\n".utf8)
    let session = TerminalSession.plain(["f"], in: folder)
    session.talk(
      ("a", ""), ("wq", ""), (line, "'\(line)' is text here; a line of a single dot ends the text"))
    #expect(!session.enter(":w").contains("is text"))
    session.talk((".", ""), ("a", ""))
    #expect(!session.enter(":q").contains("is text"))
    session.enter(".")
    session.end("wq")
    #expect(session.file("f") == "one\nwq\n\(line)\n:w\n:q\n")
  }

  @Test func `an empty difference, and a redo that needs jump, give a message`() {
    let folder = TemporaryFolder()
    folder["f"] = Array("one\ntwo\n".utf8)
    let session = TerminalSession.plain(["f"], in: folder)
    session.talk(
      ("diff", "no unsaved changes"), ("1s/o/0/", ""), ("diff", "+0ne"), ("w", "8 bytes written"),
      ("diff", "no unsaved changes"), ("diff disk", "the file on the disk is as the text here"),
      ("diff 0", "'diff 0 1' shows what has changed since"), ("diff 0 saved", "-one"),
      ("diff saved 1", "no difference"), ("redo", "nothing to redo\n"), ("jump 0", "now at 0"),
      ("2s/t/T/", ""), ("undo", "undid"), ("redo", "redid"), ("redo", "nothing to redo\n"),
      ("jump 1", "now at 1"), ("redo", "nothing to redo here; 'jump 2' goes back"))
    session.end("Q")
  }

  @Test func `re-creating a deleted file gives a message, and so does ed.hup on return`() {
    let folder = TemporaryFolder()
    folder["f"] = Array("one\ntwo\n".utf8)
    let session = TerminalSession.plain(["f"], in: folder)
    #expect(!session.shown().contains("ed.hup"))
    unlink(folder.path + "/f")
    session.talk(
      ("w", "f: 2 lines, 8 bytes written; the file had been removed, and was made again"))
    #expect(!session.enter("w").contains("removed"))
    session.end("q")
    folder["ed.hup"] = Array("three\n".utf8)
    let next = TerminalSession.plain(["f"], in: folder)
    #expect(
      next.shown().contains(
        "ed.hup: the unsaved text of a session that lost its terminal; 'r ed.hup'"))
    next.end("q")
  }

  @Test func `only a later save reports that a new file was removed`() {
    let session = TerminalSession.plain(["new"], in: TemporaryFolder())
    session.enter("a")
    session.enter("x")
    session.enter(".")
    let said = session.enter("w")
    #expect(said.contains("new: 1 line, 2 bytes written") && !said.contains("removed"))
    unlink(session.folder.path + "/new")
    session.talk(("w", "written; the file had been removed, and was made again"))
    session.end("q")
  }

  @Test func `a letter as delimiter works when the command is repeated`() {
    let folder = TemporaryFolder()
    folder["f"] = Array("one\ntwo\n".utf8)
    let session = TerminalSession.plain(["f"], in: folder)
    session.talk(
      ("2sxoxyx", "repeat the command to run it"), ("2sxoxyx", ""), ("p", "twy"),
      ("1gNoNp", "repeat"),
      ("1p", "one"), ("1gNoNp", "repeat"), ("1gNoNp", "one"), ("s/o/0/", ""), ("sg", ""))
    session.end("wq")
    #expect(session.file("f") == "0ne\ntwy\n")
  }

  @Test func `the first change of a text from a read-only file is warned of`() {
    let folder = TemporaryFolder()
    folder["f"] = Array("one\ntwo\n".utf8)
    chmod(folder.path + "/f", 0o444)
    let session = TerminalSession.plain(["f"], in: folder)
    #expect(!session.enter("1p").contains("read-only"))
    #expect(session.enter("1d").contains("f: read-only; 'w NAME' writes another file"))
    #expect(!session.enter("1s/t/T/").contains("read-only"))
    session.end("Q")
  }

  @Test func `a colon before a command is tolerated at a terminal`() {
    let folder = TemporaryFolder()
    folder["f"] = Array("one\ntwo\n".utf8)
    let session = TerminalSession.plain(["f"], in: folder)
    #expect(session.enter(":1").contains("one\n"))
    session.enter(":s/one/1/")
    session.end(":wq")
    #expect(session.file("f") == "1\ntwo\n")
  }

  @Test func `an unknown command is reported before unsaved changes`() {
    let folder = TemporaryFolder()
    folder["f"] = Array("one\ntwo\n".utf8)
    let session = TerminalSession.plain(["f"], in: folder)
    session.enter("1d")
    for line in ["edti", "exit", "e!", "quit", "ef g"] {
      #expect(!session.enter(line).contains("unsaved"), "\(line)")
    }
    #expect(session.enter("e g").contains("unsaved changes; 'w' saves them"))
    session.end("Q")
  }

  @Test func `new users get hints for the next step until a text has been closed`() {
    let folder = TemporaryFolder()
    let first = TerminalSession.plain([], in: folder)
    #expect(first.shown().contains("'a' adds text, 'p' prints, 'w' saves, 'q' quits"))
    #expect(first.enter("a").contains("end with a line of a single dot\n"))
    first.kill()
    let second = TerminalSession.plain([], in: folder)
    #expect(second.shown().contains("'a' adds text"))
    #expect(second.enter("a <<END", "x", "END", "c").contains("single dot"))
    second.enter("y", ".")
    #expect(!second.enter("i", ".").contains("single dot"))
    second.end("Q")
    let third = TerminalSession.plain([], in: folder)
    #expect(!third.enter("a", ".").contains("dot") && !third.shown().contains("adds text"))
    third.end("Q")
  }

  @Test func `scripts and -s get no hints`() {
    let sandbox = Sandbox()
    #expect(sandbox.run("printf 'a\\nx\\n.\\np\\nQ\\n' | \"$UED\"") == Array("x\n".utf8))
    let session = TerminalSession.plain(["-s"], in: TemporaryFolder())
    #expect(!session.shown().contains("adds text"))
    session.end("Q")
  }
}
