import Differential
import Glibc
import Testing

@testable import ued

/// Signals and ends of the input at a terminal.
@Suite struct EndingTests {
  @Test func `an interrupt gives up the line, at every kind of prompt`() {
    let session = TerminalSession(["f"], files: ["f": "one\ntwo\n"])
    session.at("2: ", type: "d")
    session.control("C")
    session.at("\n2: ", type: "a\r")
    session.at("3> ", type: "x")
    session.control("C")
    session.sees("interrupted; nothing was changed\r\n")
    session.at("2: ", type: "c\r")
    session.sees("2> ")
    session.control("C")
    session.sees("interrupted; nothing was changed\r\n")
    session.at("2: ", type: "a\r")
    session.at("3> ", type: "three\r")
    session.at("4> ", type: "x")
    session.control("C")
    session.at("\n3*: ", type: "d\r")
    session.at("\n2*: ", type: "G/t/\r")
    session.sees("2? ")
    session.control("C")
    session.at("2*: ", type: "1,2edit\r")
    session.at("1> ", type: "!\r")
    session.at("2> ", type: "?")
    session.control("C")
    session.at("2*: ", type: "w\r")
    session.at("\n2: ", type: "q\r")
    #expect(session.ending() == 0)
    #expect(session.file("f") == "one!\ntwo\n")
  }

  @Test func `a line that is given up has a mark at its end`() throws {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.at("1: ", type: "a\r")
    session.at("2> ", type: "kept\r")
    session.at("3> ", type: "lost\u{2}\u{2}")
    session.sees("lost")
    session.control("C")
    session.at("^C\r\n2*: ", type: "1edit\r")
    session.at("1> one", type: "!")
    session.sees("!")
    session.control("C")
    session.at("^C\r\n1*: ", type: "\u{12}edit")
    session.sees("search 'edit': 1edit")
    // A terminal may send the key as a sequence.
    session.type("\u{1B}[99;5u")
    session.sees("^C\r\n1*: ")
    let rows = try Screen(of: session.written, columns: 80).rows
    for line in ["2> kept", "3> lost^C", "1> one!^C", "search 'edit': 1edit^C"] {
      #expect(rows.contains(line))
    }
  }

  @Test func `a here-document that is given up does nothing`() {
    let session = TerminalSession(["f"], files: ["f": "one\ntwo\n"])
    session.at("2: ", type: "1c <<END\r")
    session.at("1> ", type: "x\r")
    session.at("2> ", type: "y")
    session.control("C")
    session.sees("interrupted; nothing was changed\r\n")
    session.at("2: ", type: "a <<END\r")
    session.at("3> ", type: "x\r")
    session.at("4> ", type: "\u{4}")
    session.sees("end of input; nothing was changed\r\n")
    session.at("2: ", type: "9a <<END\r")
    session.sees("no line 9: the last line is 2\r\n")
    session.at("2: ", type: "a <<END\r")
    session.at("3> ", type: ".\r")
    session.at("4> ", type: "END\r")
    session.at("3*: ", type: "wq\r")
    #expect(session.ending() == 0)
    #expect(session.file("f") == "one\ntwo\n.\n")
  }

  @Test func `the end of the input ends what is asked for`() {
    let session = TerminalSession(["f"], files: ["f": "one\ntwo\n"])
    session.at("2: ", type: "a\r")
    session.at("3> ", type: "three\r")
    session.at("4> ", type: "\u{4}")
    session.at("\n3*: ", type: "G/t/\r")
    session.at("2? ", type: "\u{4}")
    session.at(": ", type: "g/one/\\\r")
    session.at("... ", type: "\u{4}")
    session.at(": ", type: "1edit\r")
    session.at("1> ", type: "\u{15}\u{4}")
    session.at("1*: ", type: "\u{4}")
    session.sees("unsaved changes")
    session.at("1*: ", type: "\u{4}")
    #expect(session.ending() == 2)
    #expect(session.file("f") == "one\ntwo\n")
    #expect(session.isCooked)
  }

  @Test(arguments: [("\u{3}", "interrupted"), ("\u{4}", "end of input")])
  func `what ends a command that asks tells what became of its changes`(
    key: String, words: String
  ) {
    let session = TerminalSession(["f"], files: ["f": "one\ntwo\n"])
    for (command, prompt, answer) in [("G/o/", "1? ", "d"), (",s/o/0/c", "(y n a q) ", "y")] {
      session.at(": ", type: command + "\r")
      session.at(prompt, type: key)
      session.sees("\(words); nothing was changed\r\n")
      session.at(": ", type: command + "\r")
      session.at(prompt, type: answer + "\r")
      session.at(prompt, type: key)
      if answer == "y" && key == "\u{3}" {
        session.sees("interrupted; nothing was changed\r\n")
      } else {
        session.sees("\(words); earlier changes are kept\r\n")
        session.at("*: ", type: "h\r")
        session.sees("\(words); earlier changes are kept\r\n")
        session.at("*: ", type: "u\r")
      }
    }
    session.at(": ", type: "q\r")
    #expect(session.ending() == 0)
  }

  @Test(arguments: ["dumb", "nonsense", "xterm"])
  func `the end of the input ends its line, on every terminal`(name: String) {
    let session = TerminalSession(["f"], files: ["f": "one\n"], environment: ["TERM": name])
    session.at("1: ", type: "s/o/0/c\r")
    session.at("(y n a q) ", type: "\u{4}")
    session.at("\r\nend of input; nothing was changed\r\n1: ", type: "a\r")
    session.at("2> ", type: "\u{4}")
    session.at("\r\n1: ", type: "1d\r")
    session.at("0*: ", type: "\u{4}")
    session.at("\r\nunsaved changes", type: "")
    session.at("0*: ", type: "\u{4}")
    session.sees("\r\n")
    #expect(session.ending() == 2)
  }

  @Test func `the end of the input ends a session in which all is saved`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.at("1: ", type: "\u{4}")
    #expect(session.ending() == 0)
    #expect(session.isCooked)
  }

  @Test(arguments: [("r pipe", "reading"), ("w pipe", "writing")])
  func `long work shows that it goes on, and can be interrupted`(
    command: String, words: String
  ) {
    let session = TerminalSession(["f"], files: ["f": "one\ntwo\n"])
    session.at("2: ", type: "!mkfifo pipe\r")
    session.at("!\r\n2: ", type: command + "\r")
    session.sees("\(words): 1 s")
    session.control("C")
    session.sees("interrupted; ", "2: ")
    session.type("q\r")
    #expect(session.ending() == 0)
  }

  @Test func `reading something without end can be interrupted`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.at("1: ", type: "r /dev/urandom\r")
    session.sees("reading: 1 s")
    session.control("C")
    session.sees("interrupted; nothing was changed\r\n")
    session.at("1: ", type: "q\r")
    #expect(session.ending() == 0)
  }

  @Test(arguments: ["g/x\\|a/s/#/&&/", ",s/#/&&/", "g/#/d", "v/#/d", "/#/d", "?#?d"])
  func `a command that is interrupted leaves the text as it was`(command: String) {
    let line = String(repeating: "a", count: 40) + "\n"
    let session = TerminalSession(["f"], files: ["f": "x\n" + String(repeating: line, count: 3000)])
    // Every line takes some milliseconds, since there are many ways not to match.
    let slow = "\\(a*\\)\\(a*\\)\\1b\\{0,1\\}xx"
    let words = command.split(separator: "#", omittingEmptySubsequences: false)
    session.at("3001: ", type: words.joined(separator: slow) + "\r")
    session.sees("working: 1 s")
    session.control("C")
    session.sees("interrupted; nothing was changed\r\n")
    session.at("3001: ", type: "q\r")
    #expect(session.ending() == 0)
  }

  @Test(arguments: [SIGHUP, SIGTERM])
  func `hanging up saves the text, and leaves the terminal in order`(signal: Int32) {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.at("1: ", type: "a\r")
    session.at("2> ", type: "two\r")
    session.at("3> ", type: ".\r")
    session.at("2*: ", type: "half a line")
    session.sees("half a line")
    session.send(signal)
    let ending = session.ending()
    #expect(ending == (signal == SIGTERM ? -SIGTERM : 0))
    #expect(session.file("ed.hup") == "one\ntwo\n")
    #expect(session.isCooked)
  }

  @Test(arguments: ["mkfifo ed.hup", "ln -s f ed.hup", "ln -s none ed.hup", "mkdir ed.hup"])
  func
    `promise 6: what others have put where the text is kept is not waited for, and not written over`(
      _ trap: String
    )
  {
    let sandbox = Sandbox()
    sandbox["f"] = Array("one\n".utf8)
    sandbox.run(
      """
      mkdir home; \(trap); export HOME="$PWD/home"
      printf 'a\\nsecret\\n.\\n!kill -TERM $PPID; sleep 1\\np\\n' | timeout 8 "$UED" -s f
      test "$(cat home/ed.hup)" = "$(printf 'one\\nsecret')" || exit 9
      test "$(stat -c %a home/ed.hup)" = 600 || exit 8
      test "$(cat f)" = one || exit 7; test ! -e none || exit 6
      """)
  }

  @Test(arguments: ["r pipe", "w pipe", "g/x\\|a/s/\\(a*\\)\\(a*\\)\\1b\\{0,1\\}xx/&&/"])
  func `hanging up ends a command that goes on, and saves the text before it`(command: String) {
    let text = String(repeating: String(repeating: "a", count: 40) + "\n", count: 3000)
    let session = TerminalSession(["f"], files: ["f": "y\n" + text])
    session.at("3001: ", type: "!mkfifo pipe\r")
    session.at("!\r\n3001: ", type: "1d\r")
    session.at("\n1*: ", type: command + "\r")
    session.sees(": 1 s")
    session.send(SIGHUP)
    session.send(SIGHUP)
    #expect(session.ending() == 0)
    #expect(session.file("ed.hup") == text)
  }

  @Test(arguments: [SIGABRT, SIGALRM, SIGPWR, SIGSEGV, SIGTRAP, SIGUSR1, SIGXCPU, 34, 64])
  func `whatever kills the program leaves the terminal in order`(signal: Int32) {
    let session = TerminalSession()
    session.at("0: ", type: "ab")
    session.sees("ab")
    #expect(!session.isCooked)
    session.send(signal)
    #expect(session.ending() == -signal)
    #expect(session.isCooked)
  }

  @Test func `a stop gives the terminal to the shell, and the line comes back`() {
    let session = TerminalSession(
      ["--norc", "--noprofile", "-i"], files: ["f": "one\n"], environment: ["PS1": "shell$ "],
      program: "/bin/bash")
    session.at("shell$ ", type: "$UED f\r")
    session.at("1: ", type: "s/o")
    session.sees("s/o")
    session.control("Z")
    session.sees("Stopped")
    session.at("shell$ ", type: "stty -a\r")
    let settings = session.sees("shell$ ").split { $0 == " " || $0.isNewline }
    #expect(settings.contains("icanon") && settings.contains("echo"))
    session.type("fg\r")
    session.sees("f\r\n", "1: s/o")
    session.type("/0/p\r")
    session.sees("\r\n0ne\r\n")
    session.at("1*: ", type: "Q\r")
    session.at("shell$ ", type: "exit 3\r")
    #expect(session.ending() == 3)
  }

  @Test(arguments: [
    ("s/w/W/c", ["2       two", "         ^", "replace? (y n a q) y"]), ("G/t/", ["two", "2? y"]),
  ])
  func `a question stays with its prompt when the screen is cleared, and after a stop`(
    command: String, shown: [String]
  ) throws {
    let session = TerminalSession(
      ["--norc", "--noprofile", "-i"], files: ["f": "one\ntwo\n"],
      environment: ["PS1": "shell$ "], program: "/bin/bash")
    session.at("shell$ ", type: "$UED f\r")
    session.at("2: ", type: command + "\r")
    session.at(shown.count == 2 ? "2? " : "(y n a q) ", type: "\t")
    session.at("\u{7}", type: "\u{C}y")
    session.sees(shown[shown.count - 1])
    var rows = try Screen(of: session.written, columns: 80).rows
    #expect(Array(rows.prefix { !$0.isEmpty }) == shown)
    session.control("Z")
    session.at("shell$ ", type: "fg\r")
    session.sees("f\r\n", shown[shown.count - 1])
    rows = try Screen(of: session.written, columns: 80).rows
    #expect(Array(rows.prefix { !$0.isEmpty }.suffix(shown.count)) == shown)
    session.control("C")
    session.at("2: ", type: "q\r")
    session.at("shell$ ", type: "exit 3\r")
    #expect(session.ending() == 3)
  }

  @Test func `a stop does nothing where nobody could let the program go on`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.at("1: ", type: "w g")
    session.sees("w g")
    session.control("Z")
    session.type("\r")
    session.at("g: 1 line, 4 bytes written\r\n", type: "q\r")
    #expect(session.ending() == 0)
    #expect(session.file("g") == "one\n")
  }

  @Test(arguments: [(12, 80), (10, 79), (4, 19), (2, 2), (1, 80)])
  func `a line is kept that is higher than a screen made lower`(rows: UInt16, columns: UInt16) {
    let long = String(repeating: "x", count: 1900)
    let session = TerminalSession(["f"], files: ["f": long + "\n"])
    session.at("1: ", type: "1edit\r")
    session.sees("xxx")
    session.resize(rows: rows, columns: columns)
    for keys in ["\u{5}B", "\u{1}A", "\u{5}C"] {
      session.type(keys)
      usleep(100_000)
    }
    session.type("\r")
    session.resize(columns: 80)
    session.at("1*: ", type: "w\r")
    session.sees("written")
    #expect(session.file("f") == "A\(long)BC\n")
  }

  @Test func `a new width shows the line anew`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"], columns: 30)
    let long = String(repeating: "0123456789", count: 6)
    session.at("1: ", type: "s/one/\(long)/")
    session.sees("789/")
    session.resize(columns: 70)
    session.sees("1: s/one/\(long)/")
    session.resize(columns: 20)
    session.sees("1: s/one/")
    session.type("\r")
    session.at("1*: ", type: "w\r")
    session.sees("61")
    #expect(session.file("f") == long + "\n")
  }
}
