import Differential
import Glibc
import Testing

@testable import ued

/// The settings of the terminal: the editor's while a line is read, and the earlier ones
/// afterwards.
@Suite struct TerminalModeTests {
  @Test func `flow control is off while a line is read, and all is restored afterwards`() {
    let session = TerminalSession(environment: ["PS1": "$ "], program: "/bin/sh")
    session.play("$ ¦stty -echoe tostop noflsh ixany; stty -a; echo done\n", "echo done\r\n")
    let before = session.sees("done\r\n")
    #expect(before.contains(" ixon "))
    session.play("$ ¦$UED; stty -a; echo done\n", "0: !stty -a; echo done\r", "echo done\r\n")
    #expect(session.sees("done\r\n") == before)
    session.sees("0: ")
    #expect(!session.hasFlowControl)
    session.play("¦ab\u{13}\u{11}\u{3}", "0: q\r", "q\r\n")
    #expect(session.sees("done\r\n") == before)
  }

  @Test(
    arguments: ["xterm", "dumb"], ["!#", "1!# </dev/tty; cat", "r !# </dev/tty", "w !# </dev/tty"])
  func `a shell command leaves no settings behind`(terminal: String, command: String) {
    let session = TerminalSession(
      ["f"], files: ["f": "one\n"], environment: ["TERM": terminal, "PS1": "$ "])
    session.play("1: !stty -a; echo done\r", "echo done\r\n")
    let before = session.sees("done\r\n")
    let words = command.replacing("#", with: "stty raw -echo")
    session.play("1: \(words)\r", "\(words)¦", "1", ": !stty -a; echo done\r", "echo done\r\n")
    #expect(session.sees("done\r\n") == before)
  }

  @Test func `all is restored after a stop and a kill`() {
    let session = TerminalSession(
      ["--norc", "--noediting"], environment: ["PS1": "$ "], program: "/bin/bash")
    session.play("$ ¦stty -echoe noflsh ixany; stty -a; echo done\n", "echo done\r\n")
    let before = session.sees("done\r\n")
    session.play("$ ¦$UED\n", "0: abc", "abc¦\u{1A}", "$ ¦stty -a; echo done\n", "echo done\r\n")
    #expect(session.sees("done\r\n") == before)
    session.play("$ ¦fg\n", "0: abc¦d", "d")
    #expect(!session.hasFlowControl)
    session.play("¦\u{3}", "0: !echo $PPID. end\r", "end\r\n")
    let editor = pid_t(session.sees(". end\r\n")) ?? 0
    session.play("0: ab", "ab")
    #expect(!session.isCooked)
    #expect(editor > 1 && kill(editor, SIGUSR1) == 0)
    session.play("$ ¦stty -a; echo done\n", "echo done\r\n")
    #expect(session.sees("done\r\n") == before)
  }
}
