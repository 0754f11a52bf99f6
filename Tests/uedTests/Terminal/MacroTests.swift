import Glibc
import Testing

/// Keys that a person's settings bind to text.
@Suite struct MacroTests {
  @Test func `a key types the text that it is bound to, and so do the keys in that text`() {
    let settings = "bind -s x \"one y\"\nbind -s y two\n"
    TerminalSession(["f"], files: ["f": "", ".editrc": settings]).play(
      "0: a\r", "1> <x>\r", "2> .\r", "1*: w\r", "10 bytes written\r\n", leaves: "<one two>\n")
  }

  @Test(arguments: [
    "bind -s x x\n", "bind -s x xx\n", "bind -s x axb\n", "bind -s x y\nbind -s y xx\n",
    "ued:bind -e\nbind -s x x\n", "bind -v\nbind -s x x\nbind -a -s x x\n",
    "bind -s x x\nbind \\236 ed-insert\n",
  ])
  func `macros that call each other without end are stopped, and reported`(_ settings: String) {
    TerminalSession(["f"], files: ["f": "one\n", ".editrc": settings]).play(
      "1: x", "line dropped: a macro of your settings calls itself without end", "1: p\r",
      "one\r\n", "1: x", "without end", "1: q\r", ends: 0)
  }

  @Test(arguments: [
    "bind ^J ued-undo\n", "bind -v\nbind ^J ued-undo\nbind -a ^J ued-undo\n",
    "bind ^J ued-undo\nbind \\231 ued-undo\n",
  ])
  func `a key that enters a command does not loop, even if it is ^J`(_ settings: String) {
    let session = TerminalSession(["f"], files: ["f": "one\n", ".editrc": settings])
    for key in ["\r", "\u{1F}", "\n"] {
      session.play("1: \(key)", "nothing to undo")
    }
    session.play("1: \u{4}", ends: 0)
  }

  @Test(arguments: ["bind @ em-copy-prev-word\n", "bind -v\nbind @ em-copy-prev-word\n"])
  func `the last word can be inserted again, however long it is`(_ settings: String) {
    let session = TerminalSession(["f"], files: ["f": "one\n", ".editrc": settings])
    let key = "@"
    let (word, count) = ("wörd", 2000)
    session.play(
      "1: a\r", "2> \(String(repeating: word, count: count))\(key)\(key)\r", "3> two words\(key)\r",
      "4> .\r", "3*: w\r", "written")
    // The second copy is of both, which are one word.
    #expect(
      session.file("f") == "one\n" + String(repeating: word, count: 4 * count)
        + "\ntwo wordswords\n")
  }

  @Test func `vi-redo can't be bound to a key that inserts`() {
    let settings = "bind -v\nbind z vi-redo\n"
    TerminalSession(["f"], files: ["f": "one\n", ".editrc": settings]).play(
      "1: szz/o/zz/\r", "1¦Q\r", ends: 0)
  }

  @Test(arguments: ["bind -s x ", "bind ", "bind -s "])
  func `a setting longer than libedit can take is not understood`(_ start: String) {
    let settings = start + String(repeating: "y", count: 60_000) + " z\n"
    TerminalSession(["f"], files: ["f": "one\n", ".editrc": settings]).play(
      "/.editrc:1: not understood, ignored", "1: q\r", ends: 0)
  }
}
