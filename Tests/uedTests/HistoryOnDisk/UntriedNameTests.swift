import Differential
import Testing

/// Names that a text got from a command that failed, saves in open groups, and other states that are easily lost.
@Suite struct UntriedNameTests {
  private let sandbox = Sandbox()

  @Test(arguments: ["r /tmp/typo", "w /proc/zz", "W nodir/y", "w /nonexist/y"])
  func `a text is offered after a crash though a command with a name failed`(_ command: String) {
    let first = TerminalSession.plain([], in: sandbox)
    first.enter("a", "precious", ".", command)
    first.kill()
    let second = TerminalSession.plain([], in: sandbox)
    #expect(second.enter("redo").contains("precious"))
  }

  @Test func `the name of a failed command gives way to the next one`() {
    let session = TerminalSession.plain([], in: sandbox)
    session.enter("a", "real", ".")
    #expect(session.enter("w nodir/z").contains("can't write nodir/z"))
    #expect(session.enter("w f").contains("f: 1 line, 5 bytes written"))
    #expect(session.enter("w").contains("f: 1 line, 5 bytes written"))
    session.kill()
    #expect(TerminalSession.plain(["f"], in: sandbox).enter("history").contains("*w 1"))
  }

  @Test func `a save in a group without changes saves the revision`() {
    sandbox["f"] = Array("a\nb\nc\n".utf8)
    let first = TerminalSession.plain(["f"], in: sandbox)
    first.enter("2d", "begin", "w")
    #expect(first.enter("abort", "history").contains("*w 1"))
    first.enter("begin", "w")
    first.kill()
    let second = TerminalSession.plain(["f"], in: sandbox)
    #expect(!second.shown().contains("changed outside"))
    #expect(second.enter("history all").contains("*w 1"))
  }

  @Test func `after a save of an open group, diff shows the differences from the file`() {
    sandbox["f"] = Array("a\nb\nc\n".utf8)
    let session = TerminalSession.plain(["f"], in: sandbox)
    session.enter("begin", "1d", "w", "abort")
    #expect(session.enter("diff").contains("+a"))
  }

  @Test func `undo and redo in later runs do not change the last newline`() {
    sandbox["f"] = Array("a\nb".utf8)
    sandbox.run("\"$UED\" --history -i -e '$a' -e '' -e . f && \"$UED\" --history -i -e undo f")
    #expect(sandbox["f"] == Array("a\nb".utf8))
    sandbox.run("\"$UED\" --history -i -e redo f")
    #expect(sandbox["f"] == Array("a\nb\n\n".utf8))
  }

  @Test func `lines read by a failed command make the text of a program modified`() {
    sandbox["f"] = Array("a\n".utf8)
    sandbox["script"] = Array("r !echo b; exit 2\nq\nQ\n".utf8)
    #expect(
      sandbox.shell("\"$UED\" --json f <script", status: 1).contains(
        "\"error\":\"unsaved-changes\""))
  }
}
