import Glibc
import Testing
import TextBuffer

@testable import ued

/// Prompts, notices and errors at a terminal.
@Suite struct DialogueTests {
  @Test func `opening tells the name, the lines and the bytes, and prompts tell where one is`() {
    let session = TerminalSession(["f"], files: ["f": "one\ntwo\nthree\n"])
    session.sees("f: 3 lines, 14 bytes\r\n")
    session.at("3: ", type: "2d\r")
    session.at("\n2*: ", type: "a\r")
    session.at("\n3> ", type: "new\r")
    session.at("\n4> ", type: ".\r")
    session.at("\n3*: ", type: "g/n/\\\r")
    session.at("\n... ", type: "p\r")
    session.sees("one\r\nnew\r\n")
    session.at("3*: ", type: "G/e$/\r")
    session.sees("one\r\n")
    session.at("1? ", type: "\r")
    session.at("\n2? ", type: "d\r")
    session.at("2*: ", type: "w\r")
    session.sees("\nf: 2 lines, 8 bytes written\r\n")
    session.at("2: ", type: "q\r")
    #expect(session.ending() == 0)
    #expect(session.file("f") == "one\nnew\n")
    #expect(session.isCooked)
  }

  @Test func `a prompt of one's own takes the place of all, and P stops prompting`() {
    let session = TerminalSession(["-p", "say> ", "f"], files: ["f": "one\n"])
    session.at("say> ", type: "P\r")
    session.sees("\n")
    session.type("a\r")
    session.type("x\r")
    session.type(".\r")
    session.type("P\r")
    session.at("say> ", type: "Q\r")
    #expect(session.ending() == 0)
    #expect(!String(decoding: session.written, as: UTF8.self).contains("> x"))
  }

  @Test(arguments: [
    ("400", "no line 400: the last line is 2"),
    ("2,1p", "the range is backwards: line 2 comes after 1"),
    ("'xp", "mark 'x is not set; 'kx' sets it"),
    ("foo", "no such command, or a space is missing before the file name"),
    ("/zz/", "no match"),
    ("r nowhere", "can't read nowhere: No such file or directory"),
    ("edit 1", "1"),
    ("jump 7", "7"),
  ])
  func `what is wrong is said in words`(command: String, words: String) {
    let session = TerminalSession(["f"], files: ["f": "one\ntwo\n"])
    session.at("2: ", type: command + "\r")
    let said = session.sees("\r\n", "\n2: ")
    #expect(said.contains(words))
    #expect(!said.contains("?\r"))
    session.type("s/two/a\\\r")
    session.sees("... ")
    session.control("C")
    session.sees("interrupted; nothing was changed\r\n", "2: ")
  }

  @Test func `unsaved changes are told before they are given up`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.at("1: ", type: "d\r")
    session.at("0*: ", type: "q\r")
    session.sees("unsaved changes; 'w' saves them, repeat the command to discard them")
    session.at("0*: ", type: "q\r")
    #expect(session.ending() == 0)
    #expect(session.file("f") == "one\n")
  }

  @Test func `modified means not what was saved`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.at("1: ", type: "s/o/0/\r")
    session.at("\n1*: ", type: "u\r")
    session.at("\n1: ", type: "s/o/0/\r")
    session.at("\n1*: ", type: "w\r")
    session.at("\n1: ", type: "u\r")
    session.at("\n1*: ", type: "redo\r")
    session.sees("redid: Substitute /o/0/ on line 1; now at")
    session.at("\n1: ", type: "q\r")
    #expect(session.ending() == 0)
  }

  @Test func `undo, redo and jump say what they did, and where one is`() {
    let session = TerminalSession(["f"], files: ["f": "1\n2\n3\n4\n5\n6\n"])
    session.at("6: ", type: "3,5d\r")
    session.at("3*: ", type: "undo\r")
    session.sees("undid: Delete lines 3-5; now at 0, line 6 of 6\r\n6\r\n")
    session.at("6: ", type: "redo\r")
    session.sees("redid: Delete lines 3-5; now at 1, line 3 of 3\r\n6\r\n")
    session.at("3*: ", type: "jump 0\r")
    session.sees("now at 0: Opened f, line 6 of 6\r\n6\r\n")
    session.at("6: ", type: "undo\r")
    session.sees("nothing to undo\r\n", "6: ")
  }

  @Test func `keys take back and bring back changes, and keep what is being typed`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.at("1: ", type: "s/o/0/\r")
    session.sees("1*: ")
    session.control("_")
    session.sees("undid: Substitute /o/0/ on line 1", "\n1: ")
    session.type("w")
    session.type("\u{1B}_")
    session.sees("redid: Substitute /o/0/ on line 1", "\n1*: ")
    session.type(" g\r")
    session.sees("\ng: 1 line, 4 bytes written\r\n", "1: ")
    #expect(session.file("g") == "0ne\n")
  }

  @Test func `l shows characters, and folds them by their width`() {
    let session = TerminalSession(["f"], files: ["f": "aé漢漢漢漢漢b\t\u{7F}\n"], columns: 20)
    session.at("1: ", type: "l\r")
    session.sees("\naé漢漢漢漢漢\\\r\nb\\t\\177$\r\n")
  }

  @Test func `pauses end groups at a terminal`() {
    #expect(Coalescing.commandsOfPerson.longestPause == .seconds(10))
    #expect(EditedText(forPerson: true).coalescing.longestPause == .seconds(10))
    #expect(EditedText(forPerson: false).coalescing.longestPause == nil)
  }
}
