import Glibc
import Testing
import TextBuffer

@testable import ued

/// The program at a real terminal: what it says, and what can be typed.
@Suite struct SittingTests {
  @Test func `opening tells the name, the lines and the bytes, and prompts tell where one is`() {
    let sitting = Sitting(["f"], files: ["f": "one\ntwo\nthree\n"])
    sitting.sees("f: 3 lines, 14 bytes\r\n")
    sitting.at("3: ", type: "2d\r")
    sitting.at("\n2*: ", type: "a\r")
    sitting.at("\n3> ", type: "new\r")
    sitting.at("\n4> ", type: ".\r")
    sitting.at("\n3*: ", type: "g/n/\\\r")
    sitting.at("\n... ", type: "p\r")
    sitting.sees("one\r\nnew\r\n")
    sitting.at("3*: ", type: "G/e$/\r")
    sitting.sees("one\r\n")
    sitting.at("1? ", type: "\r")
    sitting.at("\n2? ", type: "d\r")
    sitting.at("2*: ", type: "w\r")
    sitting.sees("\n8\r\n")
    sitting.at("2: ", type: "q\r")
    #expect(sitting.ending() == 0)
    #expect(sitting.file("f") == "one\nnew\n")
    #expect(sitting.isCooked)
  }

  @Test func `a prompt of one's own takes the place of all, and P stops prompting`() {
    let sitting = Sitting(["-p", "say> ", "f"], files: ["f": "one\n"])
    sitting.at("say> ", type: "P\r")
    sitting.sees("\n")
    sitting.type("a\r")
    sitting.type("x\r")
    sitting.type(".\r")
    sitting.type("P\r")
    sitting.at("say> ", type: "Q\r")
    #expect(sitting.ending() == 0)
    #expect(!String(decoding: sitting.written, as: UTF8.self).contains("> x"))
  }

  @Test(arguments: [
    ("400", "line 400? the last line is 2"),
    ("2,1p", "lines 2 to 1? the first must not come after the last"),
    ("'xp", "'x? no line has that mark; 'kx' sets it"),
    ("foo", "there is no such command, or a blank is missing before a file name"),
    ("/zz/", "no match"),
    ("r nowhere", "nowhere can't be read: No such file or directory"),
    ("edit 1", "1"),
    ("jump 7", "7"),
  ])
  func `what is wrong is said in words`(command: String, words: String) {
    let sitting = Sitting(["f"], files: ["f": "one\ntwo\n"])
    sitting.at("2: ", type: command + "\r")
    let said = sitting.sees("\r\n", "\n2: ")
    #expect(said.contains(words))
    #expect(!said.contains("?\r"))
    sitting.type("s/two/a\\\r")
    sitting.sees("... ")
    sitting.control("C")
    sitting.sees("interrupted; the text is as it was before the command\r\n", "2: ")
  }

  @Test func `unsaved changes are told before they are given up`() {
    let sitting = Sitting(["f"], files: ["f": "one\n"])
    sitting.at("1: ", type: "d\r")
    sitting.at("0*: ", type: "q\r")
    sitting.sees("there are unsaved changes; 'w' saves them, the same command again gives them up")
    sitting.at("0*: ", type: "q\r")
    #expect(sitting.ending() == 0)
    #expect(sitting.file("f") == "one\n")
  }

  @Test func `modified means not what was saved`() {
    let sitting = Sitting(["f"], files: ["f": "one\n"])
    sitting.at("1: ", type: "s/o/0/\r")
    sitting.at("\n1*: ", type: "u\r")
    sitting.at("\n1: ", type: "s/o/0/\r")
    sitting.at("\n1*: ", type: "w\r")
    sitting.at("\n1: ", type: "u\r")
    sitting.at("\n1*: ", type: "redo\r")
    sitting.sees("redid: Substitute /o/0/ on 1 line; now at")
    sitting.at("\n1: ", type: "q\r")
    #expect(sitting.ending() == 0)
  }

  @Test func `undo, redo and jump say what they did, and where one is`() {
    let sitting = Sitting(["f"], files: ["f": "1\n2\n3\n4\n5\n6\n"])
    sitting.at("6: ", type: "3,5d\r")
    sitting.at("3*: ", type: "undo\r")
    sitting.sees("undid: Delete lines 3-5; now at 0, line 6 of 6\r\n")
    sitting.at("6: ", type: "redo\r")
    sitting.sees("redid: Delete lines 3-5; now at 1, line 3 of 3\r\n")
    sitting.at("3*: ", type: "jump 0\r")
    sitting.sees("now at 0: Opened f, line 6 of 6\r\n")
    sitting.at("6: ", type: "undo\r")
    sitting.sees("nothing to undo\r\n", "6: ")
  }

  @Test func `keys take back and bring back changes, and keep what is being typed`() {
    let sitting = Sitting(["f"], files: ["f": "one\n"])
    sitting.at("1: ", type: "s/o/0/\r")
    sitting.sees("1*: ")
    sitting.control("_")
    sitting.sees("undid: Substitute /o/0/ on 1 line", "\n1: ")
    sitting.type("w")
    sitting.type("\u{1B}_")
    sitting.sees("redid: Substitute /o/0/ on 1 line", "\n1*: ")
    sitting.type(" g\r")
    sitting.sees("\n4\r\n", "1: ")
    #expect(sitting.file("g") == "0ne\n")
  }

  @Test func `l shows characters, and folds them by their width`() {
    let sitting = Sitting(["f"], files: ["f": "aé漢漢漢漢漢b\t\u{7F}\n"], columns: 20)
    sitting.at("1: ", type: "l\r")
    sitting.sees("\naé漢漢漢漢漢\\\r\nb\\t\\177$\r\n")
  }

  @Test func `pauses end groups at a terminal`() {
    #expect(Coalescing.commandsOfPerson.longestPause == 10)
    #expect(EditedText(forPerson: true).coalescing.longestPause == 10)
    #expect(EditedText(forPerson: false).coalescing.longestPause == .infinity)
  }
}
