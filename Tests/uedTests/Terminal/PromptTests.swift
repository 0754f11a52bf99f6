import Glibc
import Testing
import TextBuffer

@testable import ued

/// Prompts, notices and errors at a terminal.
@Suite struct PromptTests {
  @Test func `opening shows name, lines and bytes; the prompt has the current line`() {
    TerminalSession(["f"], files: ["f": "one\ntwo\nthree\n"]).play(
      "f: 3 lines, 14 bytes\r\n", "3: 2d\r", "\n2*: a\r", "\n3> new\r", "\n4> .\r",
      "\n3*: g/n/\\\r", "\n... p\r", "one\r\nnew\r\n", "3*: G/e$/\r", "one\r\n", "1? \r",
      "\n2? d\r", "2*: w\r", "\nf: 2 lines, 8 bytes written\r\n", "2: q\r", ends: 0,
      leaves: "one\nnew\n")
  }

  @Test func `-p replaces every prompt, and P turns prompts off and on`() {
    let session = TerminalSession(["-p", "say> ", "f"], files: ["f": "one\n"])
    session.play("say> ¦P\r", "\n¦a\rx\r.\rP\r", "say> ¦Q\r", ends: 0)
    #expect(!String(decoding: session.written, as: UTF8.self).contains("> x"))
  }

  @Test(arguments: [
    ("400", "no line 400: the last line is 2"),
    ("2,1p", "the range is backwards: line 2 comes after 1"),
    ("'xp", "mark 'x is not set; 'kx' sets it"),
    ("foo", "no such command, or a space is missing before the file name"), ("/zz/", "no match"),
    ("r nowhere", "can't read nowhere: No such file or directory"), ("edit 1", "1"),
    ("jump 7", "7"), ("-5", "no line -3: the first line is 1"), ("0p", "no line 0: the first line"),
    ("!exit 3", "the command ended with status 3"), ("!kill -9 $$", "ended with status 137"),
    ("w !cat >g; exit 4", "!cat >g; exit 4: the command ended with status 4"),
    ("e !echo x; exit 5", "!echo x; exit 5: the command ended with status 5"),
  ])
  func `errors are explained in words`(command: String, words: String) {
    let session = TerminalSession(["f"], files: ["f": "one\ntwo\n"])
    session.at("2: ", type: command + "\r")
    let said = session.sees("\r\n", "\n2: ")
    #expect(said.contains(words))
    #expect(!said.contains("?\r"))
    session.play("¦s/two/a\\\r", "... \u{3}", "interrupted; nothing was changed\r\n", "2: ")
  }

  @Test func `r ! reports the status of its shell command, but does not fail`() {
    TerminalSession(["f"], files: ["f": "one\n"]).play(
      "1: r !echo x; exit 3\r",
      "!echo x; exit 3: 1 line, 2 bytes\r\nthe command ended with status 3\r\n2*: wq\r", ends: 0,
      leaves: "one\nx\n")
  }

  @Test func `unsaved changes give a warning before they are discarded`() {
    TerminalSession(["f"], files: ["f": "one\n"]).play(
      "1: d\r", "0*: q\r", "unsaved changes; 'w' saves them, repeat the command to discard them",
      "0*: q\r", ends: 0, leaves: "one\n")
  }

  @Test func `modified means different from the saved text`() {
    TerminalSession(["f"], files: ["f": "one\n"]).play(
      "1: s/o/0/\r", "\n1*: u\r", "\n1: s/o/0/\r", "\n1*: w\r", "\n1: u\r", "\n1*: redo\r",
      "redid: Substitute /o/0/ on line 1; now at", "\n1: q\r", ends: 0)
  }

  @Test func `undo, redo and jump report their changes and the current place`() {
    TerminalSession(["f"], files: ["f": "1\n2\n3\n4\n5\n6\n"]).play(
      "6: 3,5d\r", "3*: undo\r",
      "undid: Delete lines 3-5; now at 0, line 6 of 6\r\n+3\t3\r\n+4\t4\r\n+5\t5\r\n",
      "6: redo\r", "redid: Delete lines 3-5; now at 1, line 3 of 3\r\n-3\t3\r\n-4\t4\r\n-5\t5\r\n",
      "3*: jump 0\r", "now at 0: Opened f, line 6 of 6\r\n+3\t3\r\n", "6: undo\r",
      "nothing to undo\r\n", "6: ,s/$/!/\r", "6*: undo\r",
      "line 6 of 6\r\n-1\t1!\r\n-2\t2!\r\n-3\t3!\r\n… 9 more; 'diff -' shows all\r\n",
      "6: diff -\r", "-6!\r\n+1\r\n", "+6\r\n6: redo\r", "6*: revert 2\r",
      "; 'diff 3' shows all\r\n", "6*: Q\r", ends: 0)
  }

  @Test func `Up goes to the lines above, both in a text and in 'edit'`() {
    let (up, down) = ("\u{1B}[A", "\u{1B}[B")
    TerminalSession(["f"], files: ["f": "1\n2\n"]).play(
      "2: a\r", "3> one\r", "4> two\r", "5> ¦\(up)", "two¦!\(up)", "one¦?\(down)", "two!¦\(down)",
      "5> ¦\(up)", "two!¦\u{3}", "5> three\r", "6> .\r", "5*: ,p\r",
      "1\r\n2\r\none?\r\ntwo!\r\nthree\r\n5*: 2,3edit\r", "2> 2¦b\(up)", "1> 1¦a\r",
      "2> 2b¦\(down)",
      "3> one?¦\(down)", "\u{7}¦c\r", "3*: undo\r", "undid: Edit lines 1-3", "5*: redo\r", "*: w\r",
      ": q\r", ends: 0, leaves: "1a\n2b\none?c\ntwo!\nthree\n")
  }

  @Test func `Alt-/ completes words of the text, the nearest first`() {
    let key = "\u{1B}/"
    TerminalSession(["f"], files: ["f": "alpha beta\nalpine\nalso\n"]).play(
      "3: 2a\r", "3> alabaster\r", "4> ¦al\(key)\r", "5> ¦al\(key)\(key)\r",
      "6> ¦al\(key)\(key)\(key) x\r",
      "7> ¦zz\(key)", "\u{7}¦\u{15}al\(key)\(key)\(key)\(key)\r", "8> .\r", "7*: ¦s/als\(key)/A/\r",
      "\nA\r",
      "7*: w\r", "7: q\r", ends: 0,
      leaves: "alpha beta\nalpine\nalabaster\nalabaster\nalpine\nalpha x\nA\nalso\n")
  }

  @Test func `a key undoes typing first, then changes of the text`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.play(
      "1: s/o/0/\r", "1*: ¦p\u{1B}b\u{4}= and\u{1F}\u{1F}\u{1F}\u{1F}\u{1F}",
      "undid: Substitute /o/0/ on line 1", "\n1: Q\r", ends: 0)
  }

  @Test func `keys undo and redo changes, and keep unfinished typing`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.play(
      "1: s/o/0/\r", "1*: \u{1F}", "undid: Substitute /o/0/ on line 1", "\n1: w\u{1B}_",
      "redid: Substitute /o/0/ on line 1", "\n1*:  g\r", "\ng: 1 line, 4 bytes written\r\n", "1*: ")
    #expect(session.file("g") == "0ne\n")
  }

  @Test func `l shows characters, and folds them by their width`() {
    TerminalSession(["f"], files: ["f": "aé漢漢漢漢漢b\t\u{7F}\n"], columns: 20).play(
      "1: l\r", "\naé漢漢漢漢漢\\\r\nb\\t\\177$\r\n")
  }
}
