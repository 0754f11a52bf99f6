import Differential
import Glibc
import Testing

@testable import ued

/// The settings of the terminal: those of the editor while a line is read, and those of before afterwards.
@Suite struct TerminalModeTests {
  @Test func `flow control is off while a line is read, and all is restored afterwards`() {
    let session = TerminalSession(environment: ["PS1": "$ "], program: "/bin/sh")
    session.at("$ ", type: "stty -echoe tostop noflsh ixany; stty -a; echo done\n")
    session.sees("echo done\r\n")
    let before = session.sees("done\r\n")
    #expect(before.contains(" ixon "))
    session.at("$ ", type: "$UED; stty -a; echo done\n")
    session.at("0: ", type: "!stty -a; echo done\r")
    session.sees("echo done\r\n")
    #expect(session.sees("done\r\n") == before)
    session.sees("0: ")
    #expect(!session.hasFlowControl)
    session.type("ab\u{13}\u{11}")
    session.control("C")
    session.at("0: ", type: "q\r")
    session.sees("q\r\n")
    #expect(session.sees("done\r\n") == before)
  }

  @Test(
    arguments: ["xterm", "dumb"], ["!#", "1!# </dev/tty; cat", "r !# </dev/tty", "w !# </dev/tty"])
  func `a shell command leaves no settings behind`(terminal: String, command: String) {
    let session = TerminalSession(
      ["f"], files: ["f": "one\n"], environment: ["TERM": terminal, "PS1": "$ "])
    session.at("1: ", type: "!stty -a; echo done\r")
    session.sees("echo done\r\n")
    let before = session.sees("done\r\n")
    let words = command.replacing("#", with: "stty raw -echo")
    session.at("1: ", type: words + "\r")
    session.sees(words, "1")
    session.at(": ", type: "!stty -a; echo done\r")
    session.sees("echo done\r\n")
    #expect(session.sees("done\r\n") == before)
  }

  @Test func `all is restored after a stop and a kill`() {
    let session = TerminalSession(
      ["--norc", "--noediting"], environment: ["PS1": "$ "], program: "/bin/bash")
    session.at("$ ", type: "stty -echoe noflsh ixany; stty -a; echo done\n")
    session.sees("echo done\r\n")
    let before = session.sees("done\r\n")
    session.at("$ ", type: "$UED\n")
    session.at("0: ", type: "abc")
    session.sees("abc")
    session.control("Z")
    session.at("$ ", type: "stty -a; echo done\n")
    session.sees("echo done\r\n")
    #expect(session.sees("done\r\n") == before)
    session.at("$ ", type: "fg\n")
    session.at("0: abc", type: "d")
    session.sees("d")
    #expect(!session.hasFlowControl)
    session.control("C")
    session.at("0: ", type: "!echo $PPID. end\r")
    session.sees("end\r\n")
    let editor = pid_t(session.sees(". end\r\n")) ?? 0
    session.at("0: ", type: "ab")
    session.sees("ab")
    #expect(!session.isCooked)
    #expect(editor > 1 && kill(editor, SIGUSR1) == 0)
    session.at("$ ", type: "stty -a; echo done\n")
    session.sees("echo done\r\n")
    #expect(session.sees("done\r\n") == before)
  }
}
