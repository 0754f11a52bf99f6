import Differential
import Glibc
import Testing

@testable import ued

/// The output of `history` at a terminal, and the messages of moves, saves and openings there.
@Suite struct HistoryListTests {
  private let folder = TemporaryFolder()

  @Test func `the open group, other branches and the target of redo are shown`() {
    let session = session()
    let masked = { (shown: String) in shown.replacing(#/[0-9]{2}:[0-9]{2}:[0-9]{2}/#, with: "TIME")
    }
    session.enter("1d", "undo", "1s/one/ONE/", "undo", "begin tidy")
    #expect(
      masked(session.enter("history")).contains(
        """
        *  -  TIME         tidy - open, without a change
        r  2  TIME   +1-1  Substitute /one/ONE/ on line 1
         w 0  TIME         Opened f
        1 other branch; 'history all' shows it

        """))
    session.enter("1d", "s/two/TWO/")
    #expect(
      masked(session.enter("history all")).contains(
        """
        *  -  TIME   +1-2  o      tidy - open: 2 changes: delete line 1, substitute…
        r  2  TIME   +1-1  │ o    Substitute /one/ONE/ on line 1
           1  TIME     -1  │ │ o  Delete line 1
         w 0  TIME         o─╯─╯  Opened f
        """))
    #expect(
      masked(session.enter("end", "history")).contains("\n*  3  TIME   +1-2  tidy - 2 changes: "))
  }

  @Test func `blame shows the group and the time of each line`() {
    let session = session()
    session.enter("1s/one/ONE/")
    let shown = session.enter("1,2blame").replacing(#/[0-9]{2}:[0-9]{2}:[0-9]{2}/#, with: "TIME")
    #expect(shown.contains("\n   1  TIME  ONE\n   0  TIME  two\n"))
  }

  private func session(_ arguments: [String] = ["f"], history: String = "on") -> TerminalSession {
    if folder["f"] == nil { folder["f"] = Array("one\ntwo\nthree\n".utf8) }
    return TerminalSession.plain(arguments, in: folder, history: history)
  }

  /// The ids in a list, in order.
  private func ids(_ shown: String) -> [Int] {
    shown.split(separator: "\n").compactMap { line in
      line.wholeMatch(of: #/[*r ][ws ] *([0-9]+)  .*/#).flatMap { Int($0.1) }
    }
  }

  @Test func `as many groups as fit are shown, the current one among them`() {
    let session = session()
    for number in 1...40 { session.enter("1s/$/\(number)/") }
    let newest = session.enter("history")
    // The screen has 24 lines; the header, the last line and the prompt need one each.
    #expect(ids(newest) == Array((20...40).reversed()))
    #expect(newest.contains("\n20 older groups; 'history 41' shows all\n"))
    #expect(ids(session.enter("history 3")) == [40, 39, 38])
    #expect(ids(session.enter("history 41")) == Array((0...40).reversed()))
    session.enter("jump 10")
    let middle = session.enter("history")
    #expect(
      ids(middle) == Array((0...20).reversed())
        && middle.contains("\n20 newer groups; 'history 41' shows all"))
    session.enter("jump 15")
    #expect(
      session.enter("history").contains("\n15 newer and 5 older groups; 'history 41' shows all\n"))
    #expect(ids(session.enter("history 2")) == [16, 15])
    session.talk(("history 0", "invalid argument"), ("history /zz/", "\nno group matches /zz/\n"))
    session.end("Q")
  }

  @Test func `a script gets all groups`() {
    let sandbox = Sandbox()
    sandbox["f"] = Array("one\n".utf8)
    let output = sandbox.run(
      "{ for n in $(seq 40); do echo 's/$/x/'; done; echo history; echo Q; } | \"$UED\" -s f")
    #expect(ids(String(decoding: output, as: UTF8.self)) == Array((0...40).reversed()))
  }

  @Test func `rows wider than the terminal are cut`() {
    let terminal = TerminalSession(["f"], files: ["f": "one\n"], columns: 40)
    terminal.play(
      "1: s/o/\(String(repeating: "漢", count: 30))/\r", "1*: history\r", "Substitute /o/漢漢",
      "…\r\n", "1*: Q\r")
    #expect(DisplayWidth.cut("abcdef", to: 6) == "abcdef")
    #expect(DisplayWidth.cut("abcdefg", to: 6) == "abcde…")
  }

  @Test func `saves and names are shown next to the changes`() {
    let session = session()
    session.talk(
      ("1d", ""), ("w", ""), ("1d", ""), ("w", ""),
      ("name mine", "named 2: mine - Delete line 1\n"),
      ("name v1", "named 2: v1 - Delete line 1\n"))
    let list = session.enter("history")
    #expect(list.contains("*w 2  ") && list.contains("\n s 1  ") && list.contains("\n   0  "))
    session.end("q")
    let second = self.session()
    second.talk(
      ("history", "  v1 - Delete line 1\n"),
      ("jump v1", "now at 2: v1 - Delete line 1, line 1 of 1"),
      ("history json", "\"name\":\"v1\",\"description\":\"Delete line 1\""))
    second.end("q")
  }

  @Test func `every move reports its effect and shows the changed lines`() {
    let session = session()
    session.talk(
      ("2s/two/2/", ""), ("1d", ""), ("$s/$/!/", ""),
      ("u", "undid: Substitute /$/!/ on line 2; now at 2, line 1 of 2\n-2\tthree!\n+2\tthree\n"),
      ("u", "redid: Substitute /$/!/ on line 2; now at 3, line 2 of 2\n-2\tthree\n+2\tthree!\n"),
      ("un", "\n1\t2\n"), ("revert 1", "reverted: Substitute /two/2/ on line 2; now at 4"),
      ("jump 0", "now at 0: Opened f, line 3 of 3\n+1\tone\n"), ("u", "line 1 of 2\n-1\tone\n"),
      ("begin", ""), ("1d", ""), ("u", "undid the last command, line 1 of 2\ntwo\n"),
      ("u", "redid the last command, line 1 of 1\nthree\n"), ("abort", ""), ("1d", ""), ("1d", ""),
      ("u", "undid: Delete line 1; now at"), ("1d", ""), ("1t1", ""), ("1t1", ""), ("1t1", ""),
      ("undo 4", "undid 4 groups, the last: "))
    session.end("Q")
  }

  @Test func `w and r say lines and bytes`() {
    let session = session()
    session.talk(
      ("w", "\nf: 3 lines, 14 bytes written\n"), ("1W g", "\ng: 1 line, 4 bytes appended\n"),
      ("r g", "\ng: 1 line, 4 bytes\n"), ("1w !cat >h", "\n!cat >h: 1 line, 4 bytes written\n"))
    session.end("Q")
    let silent = self.session(["-s", "f"])
    #expect(!silent.enter("w").contains("bytes"))
    silent.end("q")
  }

  @Test func `a file without a history gives a message when opened`() {
    folder["key.pem"] = Array("x\n".utf8)
    let session = session(["key.pem"], history: "")
    let secret = "no history is kept of files that may hold secrets"
    let temporary = "no history is kept of files in temporary folders"
    #expect(session.shown().contains(secret) || session.shown().contains(temporary))
    #expect(!session.enter("p", "s/x/y/", "w").contains("no history"))
    #expect(session.enter("e key.pem").contains("no history is kept"))
    session.end("q")
    let off = self.session(["key.pem"], history: "off")
    #expect(!off.shown().contains("no history"))
    off.end("q")
  }

  @Test func `diff disk compares with the file as it is now`() {
    let session = session()
    session.enter("1d")
    folder["f"] = Array("one\ntwo\n".utf8)
    let refused = session.enter("w")
    #expect(refused.contains("by another program since it was read; 'diff disk' shows\nhow"))
    #expect(session.enter("diff disk").contains("@@ -1,2 +1,2 @@\n-one\n two\n+three\n"))
    #expect(session.enter("w", "w").contains("bytes written"))
    #expect(!session.enter("diff disk").contains("@@"))
    unlink(folder.path + "/f")
    #expect(session.enter("diff disk").contains("--- /dev/null\n"))
    session.end("q")
    folder["f"] = Array("two\nthree\nmore\n".utf8)
    let second = self.session()
    #expect(second.shown().contains("the file was changed outside ued; 'diff"))
    second.end("q")
    let unnamed = self.session([])
    #expect(unnamed.enter("diff disk").contains("no file name"))
    unnamed.end("q")
  }
}
