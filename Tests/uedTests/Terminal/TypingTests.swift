import Differential
import Glibc
import Testing

@testable import ued

/// What the keys do while a line is typed to the program at a terminal.
@Suite struct TypingTests {
  private static let up = "\u{1B}[A"

  @Test(arguments: ["C.UTF-8", "C", "POSIX", ""])
  func `what is typed arrives, whatever the locale`(locale: String) {
    let sitting = Sitting(["f"], files: ["f": ""], environment: ["LC_ALL": locale])
    sitting.at("0: ", type: "a\r")
    sitting.at("1> ", type: "é 漢字 😀 e\u{301}\r")
    sitting.at("2> ", type: "x\u{1B}[Dß\u{7F}ö\r")
    sitting.at("3> ", type: "\ttab\u{16}\u{5}\r")
    sitting.at("4> ", type: ".\r")
    sitting.at("3*: ", type: "1s/漢/→/p\r")
    sitting.sees("é →字 😀 e\u{301}\r\n")
    sitting.at("1*: ", type: "w\r")
    sitting.at("1: ", type: "q\r")
    #expect(sitting.ending() == 0)
    #expect(sitting.file("f") == "é →字 😀 e\u{301}\nöx\n\ttab\u{5}\n")
  }

  @Test(
    arguments: [
      ("\u{1B}[H", "\u{1B}[F"), ("\u{1B}OH", "\u{1B}OF"), ("\u{1B}[1~", "\u{1B}[4~"),
      ("\u{1B}[7~", "\u{1B}[8~"), ("\u{1}", "\u{5}"),
    ])
  func `the keys of common terminals move about`(home: String, end: String) {
    let sitting = Sitting(["f"], files: ["f": ""])
    sitting.at("0: ", type: "i\r")
    sitting.at("1> ", type: "two three\(home)one \(end) five\u{1B}[1;5Dfour \u{1B}[1;5C!\r")
    sitting.at("2> ", type: "abc\(home)\u{1B}[3~\u{1B}[C\u{1B}[3~\r")
    sitting.at("3> ", type: ".\r")
    sitting.at("2*: ", type: "w\r")
    sitting.sees("27\r\n")
    #expect(sitting.file("f") == "one two three four five!\nb\n")
  }

  @Test func `the keys of vi can be chosen`() {
    let sitting = Sitting(["f"], files: ["f": "one\n", ".editrc": "ued:bind -v\n"])
    sitting.at("1: ", type: "s/o/x/\u{1B}")
    sitting.type("i0\r")
    sitting.at("1*: ", type: ",p\r")
    sitting.sees("x0ne\r\n")
  }

  @Test func `settings that are not understood are told`() {
    let sitting = Sitting(files: [".editrc": "ued:nonsense\n"])
    sitting.sees("the settings for line editing are used only up to a line that is not understood")
    sitting.at("0: ", type: "q\r")
    #expect(sitting.ending() == 0)
  }

  @Test func `a tab completes commands, and is a tab in text`() {
    let sitting = Sitting(["f"], files: ["f": "one\n", "some-file": "s\n", "some-other": ""])
    sitting.at("1: ", type: "und\t\r")
    sitting.at("nothing to undo\r\n1: ", type: "che\t mine\r")
    sitting.at("\n1: ", type: "r so\tf\t\r")
    sitting.sees("2\r\n")
    sitting.at("2*: ", type: "jump m\t\r")
    sitting.sees("now at 0: mine")
    sitting.at("1: ", type: "diff \t")
    sitting.sees("1  Read some-file", "0  mine", "1: diff ")
    sitting.type("un\t")
    sitting.control("C")
    sitting.at("1: ", type: "e \t")
    sitting.sees("some-file", "some-other", "1: e ")
    sitting.control("C")
    sitting.at("1: ", type: "1ed\t\r")
    sitting.at("1> ", type: "\t!\r")
    sitting.at("1*: ", type: "p\r")
    sitting.sees("one\t!\r\n")
  }

  @Test func `lines come up to be edited in place, and all of them are one group`() {
    let sitting = Sitting(["f"], files: ["f": "one\n\ttwo\u{1}\nthree\nfour\n"])
    sitting.at("4: ", type: "2edit\r")
    sitting.at("2> ", type: "!\u{1}>\r")
    sitting.at("2*: ", type: "3,4edit\r")
    sitting.at("3> ", type: "\r")
    sitting.at("4> ", type: "\u{17}\r")
    sitting.at("4*: ", type: "1,$edit\r")
    sitting.at("1> ", type: "1\r")
    sitting.at("2> ", type: "2\r")
    sitting.at("3> ", type: "3")
    sitting.control("C")
    sitting.at("*: ", type: "w\r")
    sitting.at(": ", type: "undo\r")
    sitting.sees("undid: Edit lines 1-2; now at 2")
    sitting.at("*: ", type: "q\r")
    sitting.at("*: ", type: "q\r")
    #expect(sitting.ending() == 0)
    #expect(sitting.file("f") == "one1\n>\ttwo\u{1}!2\nthree\n\n")
  }

  @Test func `a long line with tabs and control characters is edited without a loss`() {
    let line = String(
      decoding: (0..<100_000).map { [UInt8](" \t\u{1}\u{7}\u{1B}xé".utf8)[$0 % 8] }, as: UTF8.self)
    let sitting = Sitting(["f"], files: ["f": line + "\n"])
    sitting.at("1: ", type: "edit\r")
    sitting.at("1> ", type: "end\r")
    sitting.at("1*: ", type: "w\r")
    sitting.sees("100004\r\n")
    #expect(sitting.file("f") == line + "end\n")
  }

  @Test func `a line that is no text can't be edited, and stays`() {
    let sitting = Sitting(["-s"])
    sitting.at("0: ", type: "r !printf 'a\\377\\n'\r")
    sitting.at("1*: ", type: "edit\r")
    sitting.sees("1", "\n1*: ")
  }

  @Test func `a paste into text is taken as it is, and is one insert`() {
    let sitting = Sitting(["f"], files: ["f": "one\n"])
    sitting.at("1: ", type: "a\r")
    sitting.at("2> ", type: "\u{1B}[200~a\tb\r.\rc\u{5}d\u{1B}[201~!\r")
    sitting.at("5> ", type: ".\r")
    sitting.at("4*: ", type: "w\r")
    sitting.at("4: ", type: "undo\r")
    sitting.sees("undid: Append 3 lines after line 1", "1*: ")
    #expect(sitting.file("f") == "one\na\tb\n.\nc\u{5}d!\n")
  }

  @Test(arguments: [true, false])
  func `ten thousand lines can be pasted`(isBracketed: Bool) {
    let sitting = Sitting(["f"], files: ["f": ""])
    let lines = (1...10_000).map { "line \($0)" }
    sitting.at("0: ", type: "a\r")
    sitting.sees("1> ")
    let pasted = lines.joined(separator: "\r")
    sitting.type(isBracketed ? "\u{1B}[200~\(pasted)\u{1B}[201~\r" : pasted + "\r")
    sitting.at("10001> ", type: ".\r")
    sitting.at("10000*: ", type: "w\r")
    sitting.at("10000: ", type: "undo\r")
    sitting.sees("undid: Append 10000 lines after line 0")
    #expect(sitting.file("f") == lines.map { $0 + "\n" }.joined())
  }

  @Test(arguments: [["TERM": "dumb"], ["TERM": "nonsense"]])
  func `a plain terminal gets plain lines, and a dumb one no escape sequences`(
    variables: [String: String]
  ) {
    let sitting = Sitting(["f"], files: ["f": "one\n"], environment: variables)
    sitting.at("1: ", type: "9\r")
    sitting.at("line 9? the last line is 1\r\n1: ", type: "edit\r")
    sitting.at("1: ", type: "s/o/0/\r")
    sitting.at("1*: ", type: "diff\r")
    sitting.at("+0ne\r\n1*: ", type: "undo\r")
    sitting.at("undid: Substitute /o/0/ on 1 line; now at 0, line 1 of 1\r\n1: ", type: "q\r")
    #expect(sitting.ending() == 0)
    #expect(!sitting.written.contains(0x1B) || variables["TERM"] != "dumb")
  }

  @Test func `without colours only the line editor writes escape sequences`() {
    let sitting = Sitting(["f"], files: ["f": "one\n"], environment: ["NO_COLOR": "1"])
    sitting.at("1: ", type: "s/o/0/\r")
    sitting.at("1*: ", type: "diff\r")
    sitting.at("+0ne\r\n1*: ", type: "undo\r")
    sitting.at("now at 0, line 1 of 1\r\n1: ", type: "q\r")
    #expect(sitting.ending() == 0)
    #expect(!sitting.written.contains(0x1B))
  }

  @Test(arguments: [(["-G", "f"], ""), (["f"], "1")])
  func `a traditional session is that of ed`(arguments: [String], posixlyCorrect: String) {
    let sitting = Sitting(
      arguments, files: ["f": "one\n"], environment: ["POSIXLY_CORRECT": posixlyCorrect])
    sitting.at("4\r\n", type: "9\r")
    sitting.at("?\r\n", type: "s/o/0/p\r")
    sitting.at("0ne\r\n", type: "q\r")
    sitting.at("?\r\n", type: "q\r")
    #expect(sitting.ending() == 1)
    #expect(Disk.read(sitting.folder + "/.local/state/ued/recall.db") == nil)
  }
}
