import Differential
import Testing

@testable import ued

/// Colours, the pager, and sentences instead of columns.
@Suite struct DisplayTests {
  private static let lines = (1...60).map { "line \($0)\n" }.joined()

  /// Starts the program at a terminal; awaited texts include control sequences.
  private static func session(_ arguments: [String] = ["f"], environment: [String: String] = [:])
    -> TerminalSession
  {
    TerminalSession(arguments, files: ["f": lines], environment: environment, seesSequences: true)
  }

  // MARK: - Colours

  @Test func `matches, the current revision, names and unsaved changes have colours`() {
    let session = Self.session()
    session.play(
      "60: /ne 1/\r", "li\u{1B}[1;31mne 1\u{1B}[0m\r\n", ": 1,9g/[13]/n\r",
      "1\tline \u{1B}[1;31m1\u{1B}[0m\r\n3\tline \u{1B}[1;31m3\u{1B}[0m\r\n", ": 1v/e/p\r",
      ": 3p\r", "3p\r\nline 3\r\n", ": d\r", "3\u{1B}[31m*\u{1B}[0m: ¦name v1\r",
      ": history\r", "\u{1B}[32m*\u{1B}[0m  1  ", "\u{1B}[33mv1\u{1B}[0m - Delete line 3\r\n",
      ": diff\r", "\u{1B}[1m--- f\u{1B}[0m\r\n", "\u{1B}[31m-line 3\u{1B}[0m\r\n", ": Q\r", ends: 0)
  }

  @Test func `a match colours whole characters only`() {
    let session = TerminalSession(
      ["f"], files: ["f": "aé\u{1B}b\n"], environment: ["LC_ALL": "C"], seesSequences: true)
    session.play(
      "1: /a./\r", "\u{1B}[1;31maé\u{1B}[0m^[b\r\n", ": /x*/\r", "/x*/\r\naé^[b\r\n", ": ")
  }

  @Test(arguments: [
    (["f"], ["NO_COLOR": "1"], false), (["f"], ["NO_COLOR": ""], true),
    (["f"], ["TERM": "dumb"], false), (["f"], ["UED_PLAIN": "1"], false),
    (["f"], ["UED_PLAIN": "0"], true), (["-G", "-p", ": ", "f"], [:], false),
  ])
  func `colours can be turned off`(
    arguments: [String], environment: [String: String], isColored: Bool
  ) {
    let session = Self.session(arguments, environment: environment)
    for command in ["1d", "/line/", "diff", "history"] {
      session.at(": ", type: command + "\r")
    }
    session.play(": Q\rQ\r")
    _ = session.ending()
    let shown = String(decoding: session.written, as: UTF8.self)
    #expect(shown.contains(#/\u{1B}\[[0-9;]+m/#) == isColored)
  }

  // MARK: - The pager

  @Test(arguments: [
    ["UED_PAGER": "1"], ["UED_PAGER": "less", "LESS": ""], ["UED_PAGER": "1", "PAGER": "less"],
  ])
  func `output larger than the screen goes through a pager`(environment: [String: String]) {
    let session = Self.session(environment: environment)
    session.at("60: ", type: ",p\r")
    session.sees("line 23", "\u{1B}[K")
    session.type(" ")
    session.sees("line 46")
    session.type("q")
    session.at("2004h60: ", type: "1,23p\r")
    session.sees("line 23\r\n", "23: ")
    session.type("g/line/p\r")
    session.sees("line\u{1B}[0m 23", "\u{1B}[K")
    session.type("q")
    session.at("2004h60: ", type: "1,40d\r")
    session.sees("1\u{1B}[31m*\u{1B}[0m: ")
    session.type("diff\r")
    session.sees("\u{1B}[31m-line 1\u{1B}[0m", "line 20")
    session.type("q")
    session.at(": ", type: "Q\r")
    #expect(session.ending() == 0)
    #expect(session.isCooked)
  }

  @Test(arguments: [(60, 13, true), (60, 11, false), (40, 23, false), (41, 12, true)])
  func `wide characters count as two columns for the size of the output`(
    _ width: Int, _ count: Int, _ isPaged: Bool
  ) {
    let line = String(repeating: "漢", count: width) + "\n"
    let session = TerminalSession(
      ["f"], files: ["f": String(repeating: line, count: count)],
      environment: ["UED_PAGER": "sed 's/^/paged: /'"])
    session.at("\(count): ", type: ",p\rhelp zz\r")
    #expect(session.sees("no help on").contains("paged: 漢") == isPaged)
    session.at(": ", type: "Q\r")
    #expect(session.ending() == 0)
  }

  @Test func `an interrupt is for the pager, and takes nothing back`() {
    let pager =
      "trap 'echo interrupted; exit 1' INT; cat >seen; echo ready; while :; do sleep .1; done"
    let session = TerminalSession(
      ["f"], files: ["f": Self.lines, "pager": pager], environment: ["UED_PAGER": "sh ./pager"])
    session.at("60: ", type: "g/line/s//LINE/p\r")
    session.sees("ready\r\n")
    session.control("C")
    session.sees("interrupted\r\n", "60*: ")
    #expect(session.file("seen")?.hasSuffix("LINE 60\n") == true)
    session.type("1p\r")
    session.sees("LINE 1\r\n", "1*: ")
    session.control("C")
    session.at("1*: ", type: "Q\r")
    #expect(session.ending() == 0)
  }

  @Test func `a pager that is killed, quits early, or does not exist does no harm`() {
    let big = String(repeating: "a line of some length\n", count: 20_000)
    let folder = TemporaryFolder()
    folder["big"] = Array(big.utf8)
    folder["kill"] = Array("head -n 3; stty raw -echo </dev/tty; kill -9 $$".utf8)
    let session = TerminalSession(
      ["big"], environment: ["UED_PAGER": "sh ./kill"], seesSequences: true, in: folder)
    session.at("20000: ", type: ",p\r")
    session.sees("a line of some length\r\na line of some length\r\na line of some length")
    session.at("20000: ", type: "$d\r")
    session.sees("19999\u{1B}[31m*\u{1B}[0m: ")
    session.type("Q\r")
    #expect(session.ending() == 0)
    #expect(session.isCooked)
    let other = Self.session(environment: ["UED_PAGER": "no-such-pager"])
    other.at("60: ", type: ",p\r")
    other.sees("no-such-pager", "line 1\r\n", "line 60\r\n", "60: ")
    other.type(",p\r")
    #expect(!other.sees("line 60\r\n").contains("no-such-pager"))
  }

  @Test(
    arguments: [
      (["f"], [:]), (["f"], ["UED_PAGER": ""]), (["f"], ["UED_PAGER": "0"]),
      (["-r", "f"], ["UED_PAGER": "touch ran"]),
      (["f"], ["UED_PAGER": "touch ran", "TERM": "dumb"]),
      (["-G", "-p60: ", "f"], ["UED_PAGER": "touch ran"]),
    ] as [([String], [String: String])])
  func `there is no pager by default, in restricted mode, or at a dumb terminal`(
    arguments: [String], environment: [String: String]
  ) {
    let session = Self.session(arguments, environment: environment)
    session.at("60: ", type: ",p\r")
    session.sees("line 1\r\n", "line 60\r\n", "60: ")
    session.type("q\r")
    #expect(session.ending() == 0)
    #expect(session.file("ran") == nil)
  }

  // MARK: - Sentences

  @Test func `with UED_PLAIN, history, blame and diff print sentences`() {
    let session = TerminalSession(
      ["f"], files: ["f": "one\ntwo\nthree"], environment: ["UED_PLAIN": "1", "UED_HISTORY": "on"],
      seesSequences: true)
    session.at("3: ", type: "2d\r")
    session.at(": ", type: "w\r")
    session.at(": ", type: "1s/o/O/\r")
    session.at(": ", type: "name first\r")
    session.at(": ", type: "history\r")
    session.sees("history\r\nrevision 2, ", ", current: first - ")
    session.sees("Substitute /o/O/ on line 1\r\n")
    session.sees("revision 1, ", ", saved: Delete line 2\r\n")
    session.sees("revision 0, ", ": Opened f\r\n")
    session.at(": ", type: ",blame\r")
    session.sees("line 1, revision 2, ", ": One\r\n", "line 2, as first opened: three\r\n")
    session.at(": ", type: "undo 2\r")
    session.at(": ", type: "$d\r")
    session.at(": ", type: "history all\r")
    session.sees(
      "history all\r\nrevision 3, ", ", made from 0, 1 line removed, current: Delete line 3\r\n")
    session.at(": ", type: "diff 0 2\r")
    session.sees("\nf: 2 lines removed, 1 line added\r\n")
    session.sees("line 1 removed: one\r\nline 2 removed: two\r\nline 1 added: One\r\n")
    session.at(": ", type: "Q\r")
    #expect(session.ending() == 0)
    let shown = String(decoding: session.written, as: UTF8.self)
    #expect(!shown.contains(#/\u{1B}\[[0-9;]*m/#))
  }
}
