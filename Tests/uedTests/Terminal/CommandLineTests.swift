import Glibc
import Testing

@testable import ued

/// Options and environment variables, at a terminal.
@Suite struct CommandLineTests {
  private static let three = "one\ntwo\nthree\n"

  @Test(arguments: [
    ("+2", "two\r\n", "2: "), ("+/t/", "two\r\n", "2: "), ("+?t", "three\r\n", "3: "),
    ("+", "three\r\n", "3: "), ("+9", "no line 9: the last line is 3", "3: "),
    ("+/zz", "no match", "3: "), ("+/[/", "unmatched [ in the pattern", "3: "),
    ("+0", "no line 0: the first line is 1", "3: "),
  ])
  func `an address before the file sets the first current line`(
    address: String, shown: String, prompt: String
  ) {
    TerminalSession([address, "f"], files: ["f": Self.three]).play(
      "f: 3 lines, 14 bytes\r\n", "\(shown)¦", "\(prompt)¦q\r", ends: 0)
  }

  @Test(arguments: [
    ("+2", "2", ""), ("+9", "3", "+9: Invalid address"), ("+/zz", "1", "+/zz: No match"),
    ("+?zz", "3", "+?zz: No match"),
  ])
  func `an address also sets a script's first line, and a bad one is not fatal, as in ed 1.22`(
    _ address: String, _ line: String, _ said: String
  ) {
    let sandbox = Sandbox()
    sandbox["f"] = Array(Self.three.utf8)
    sandbox["script"] = Array(".=\n".utf8)
    sandbox.run(
      """
      cat script | "$UED" -s '\(address)' f >out 2>errors; "$UED" -s '\(address)' f <script >>out
      test "$(cat out)" = "$(printf '\(line)\n\(line)')"; test "$(cat errors)" = '\(said)'
      """)
  }

  @Test func `next opens the other files of the command line in turn`() {
    let session = TerminalSession(["a", "b", "c"], files: ["a": "1\n", "b": "2\n3\n"])
    session.play(
      "a: 1 line, 2 bytes\r\n", "'next' opens b; 1 more after it\r\n", "1: d\r", "0*: next\r",
      "unsaved changes; 'w' saves them", "0*: w\r", "0: next\r", "b: 2 lines, 4 bytes\r\n",
      "'next' opens c\r\n", "2: s/3/4/\r", "2*: next\r", "unsaved changes; 'w' saves them",
      "2*: next\r", "c: new file\r\n", "0: f\r", "c\r\n", "0: next\r",
      "no more files on the command line; 'e FILE' edits one", "0: q\r", ends: 0)
    #expect(session.file("a") == "" && session.file("b") == "2\n3\n")
  }

  @Test func `each file has its own history`() {
    let session = TerminalSession(
      ["a", "b"], files: ["a": "1\n", "b": "2\n"], environment: ["UED_HISTORY": "on"])
    session.play("1: s/1/one/\r", "1*: next\r", "1*: next\r", "1: s/2/two/\r", "1*: history\r")
    let shown = session.sees("Opened b")
    #expect(shown.contains("/2/two/") && !shown.contains("one"))
    session.play("1*: e a\r", "1*: e a\r", "1: redo\r", "redid: Substitute /1/one/")
  }

  @Test func `a name in the home folder may begin with a tilde`() {
    let session = TerminalSession(["f"], files: ["f": "one\n", "g": "1\n2\n"])
    session.play("1: w ~/copy\r", "1: e ~/g\r", "2: q\r", ends: 0)
    #expect(session.file("copy") == "one\n")
  }

  @Test func `LINES is the height of the first page`() {
    let text = (1...30).map { "\($0)\n" }.joined()
    TerminalSession(["f"], files: ["f": text], environment: ["LINES": "5"]).play(
      "30: 1z\r", "1\r\n2\r\n3\r\n", "3: ")
  }

  @Test func `a command's effect is reported, or the only line that it has changed`() {
    TerminalSession(["f"], files: ["f": "1\n2\n3\n4\n5\n6\n"]).play(
      "6: 1s/1/one/\r", "\none\r\n1*: d\r", "\nline 1 deleted: one\r\n1*: 2s/3/x/p\r",
      "\nx\r\n2*: ,s/$/!/\r", "\n5 lines changed\r\n5*: 4,$d\r", "\n2 lines deleted\r\n3*: 1m2\r",
      "\n2!\r\n2*: 1,2m3\r", "\n2 lines moved\r\n3*: 1t.\r", "\n4!\r\n4*: 1,2t0\r",
      "\n2 lines copied\r\n2*: 1,2j\r", "\n4!x!\r\n1*: x\r", "\n2 lines added\r\n3*: ,p\r")
  }

  @Test func `c, g, filters and explicit groups report their changes`() {
    TerminalSession(["f"], files: ["f": "1\n2\n3\n4\n5\n6\n"]).play(
      "6: 1,2c\r", "1> new\r", "2> .\r", "\n2 lines replaced by 1\r\n1*: 1c <<E\r", "1> again\r",
      "2> E\r", "\nagain\r\n1*: g/[345]/s/$/!/\r", "\n3 lines changed\r\n4*: g/!/d\r",
      "\n3 lines deleted\r\n2*: ,!sort\r", "\nFilter lines 1-2 through sort\r\n2*: !exit 3\r",
      "\nthe command ended with status 3\r\n2*: begin\r",
      "\na group begins: 'end' ends it, 'abort' takes it back\r\n2*(group): begin tidy\r",
      "2*(tidy): 1d\r", "\nline 1 deleted: 6\r\n1*(tidy): end\r",
      "\nthe inner group is ended\r\n1*(group): abort\r",
      "\nthe group is taken back\r\n2*: begin v1\r",
      "2*(v1): 1d\r", "1*(v1): end\r", "\nnow at 6: v1 - Delete line 1\r\n1*: begin\r",
      "1*(group): end\r", "\nthe group has changed nothing\r\n1*: Q\r", ends: 0)
    TerminalSession(["-s", "f"], files: ["f": "1\n2\n"]).play("2: 1d\r", "1d\r\n1*: ")
  }

  @Test func `an unknown command gives a hint to the right one`() {
    TerminalSession(["f"], files: ["f": "1\n2\n"]).play(
      "2: hello world\r", "'h' takes no text; to add text, type 'a' first\r\n", "2: s/2/x/\r",
      "2*: g/1/p\r",
      "1*: u\r",
      "the last command has changed nothing; 'undo' would take back: Substitute /2/x/\r\non line 2\r\n",
      "1*: 0a <<E\r", "1> new\r", "2> E\r", "1*: history 1\r", "Append 1 line at the top: new\r\n",
      "2 older groups; 'history 3' shows all\r\n", "1*: Q\r", ends: 0)
  }

  @Test func `another program's change is reported before the next prompt, once`() {
    let session = TerminalSession(["f"], files: ["f": "1\n2\n"])
    session.play("2: p\r", "\n2\r\n2: !echo 3 >>f\r")
    session.play(
      "\nf: changed by another program; 'diff disk' shows how, 'merge disk' joins both\r\n2: merge disk\r",
      "\r\n+3\t3\r\n", "3*: p\r", "\r\n3\r\n3*: w\r")
    session.play("bytes written\r\n3: !touch f\r", "\n3: !rm f\r")
    session.play(
      "\nf: removed by another program; 'w' makes it again\r\n3: p\r", "p\r\n3\r\n3: w\r")
    session.play("made again\r\n3: q\r", ends: 0)
  }

  @Test func `s asks at each match, and one undo takes all of it back`() {
    let session = TerminalSession(["f"], files: ["f": "a\tö one one\n漢 one\none\n"])
    session.at("3: ", type: ",s/one/1/gc\r")
    session.sees("1\ta\tö one one\r\n" + String(repeating: " ", count: 18) + "^^^\r\n")
    session.play(
      "replace? (y n a q) y\r", "replace? (y n a q) \r", "y replaces this match, n skips it")
    // The match before it is replaced already.
    session.sees("1\ta\tö 1 one\r\n" + String(repeating: " ", count: 20) + "^^^\r\n")
    session.at("replace? (y n a q) ", type: "n\r")
    session.sees("2\t漢 one\r\n" + String(repeating: " ", count: 11) + "^^^\r\n")
    session.play(
      "replace? (y n a q) a\r", "3*: w\r", "3: undo\r", "undid: Substitute /one/1/",
      "3*: ,s/one/1/c\r", "replace? (y n a q) y\r", "replace? (y n a q) q\r", "2*: u\r",
      "3*: ,s/one/1/c\r", "replace? (y n a q) y\r", "replace? (y n a q) \u{3}",
      "interrupted; nothing was changed\r\n", "3*: ")
    #expect(session.file("f") == "a\tö 1 one\n漢 1\n1\n")
  }

  @Test func `declined matches and unchanged lines are not counted`() {
    TerminalSession(["f"], files: ["f": "a a\na\nb\n"]).play(
      "3: g/a/s/a/x/c\r", "replace? (y n a q) y", "replace? (y n a q) n",
      "1 line changed\r\n2*: 1,3!cat\r",
      "\r\nnothing changed\r\n3*: P\r", "no prompts from now on; 'P' brings them back\r\n¦P\r",
      "\r\n3*: Q\r", ends: 0)
  }

  @Test func `one key answers; replace prompts for old and new`() {
    TerminalSession(["f"], files: ["f": "a a a\nb\n"]).play(
      "2: 1s/a/x/gc\r", "replace? (y n a q) y", "1\tx a a\r\n", "replace? (y n a q) n",
      "1\tx a a\r\n", "replace? (y n a q) y", "x a x\r\n1*: 2\r", "b\r\n2*: replace <<O <<N\r",
      "old 1> ¦b\r", "old 2> ¦O\r", "new 1> ¦c\r", "new 2> ¦N\r", "2*: wq\r", ends: 0,
      leaves: "x a x\nc\n")
  }
}
