import Differential
import Glibc
import Testing

@testable import ued

/// Signals and ends of the input at a terminal.
@Suite struct EndingTests {
  @Test func `an interrupt discards the line, at every kind of prompt`() {
    TerminalSession(["f"], files: ["f": "one\ntwo\n"]).play(
      "2: d\u{3}", "\n2: a\r", "3> x\u{3}", "interrupted; nothing was changed\r\n", "2: c\r",
      "2> \u{3}", "interrupted; nothing was changed\r\n", "2: a\r", "3> three\r", "4> x\u{3}",
      "\n3*: d\r", "\n2*: G/t/\r", "2? \u{3}", "2*: 1,2edit\r", "1> !\r", "2> ?\u{3}", "2*: w\r",
      "\n2: q\r", ends: 0, leaves: "one!\ntwo\n")
  }

  @Test func `a discarded line stays on the screen, with ^C at its end`() throws {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.play(
      "1: a\r", "2> kept\r", "3> lost\u{2}\u{2}", "lost¦\u{3}", "^C\r\n2*: 1edit\r", "1> one¦!",
      "!¦\u{3}", "^C\r\n1*: \u{12}edit", "search 'edit': 1edit")
    // A terminal may send the key as a sequence.
    session.play("¦\u{1B}[99;5u", "^C\r\n1*: ")
    let rows = try Screen(of: session.written, columns: 80).rows
    for line in ["2> kept", "3> lost^C", "1> one!^C", "search 'edit': 1edit^C"] {
      #expect(rows.contains(line))
    }
  }

  @Test func `an abandoned here-document changes nothing`() {
    TerminalSession(["f"], files: ["f": "one\ntwo\n"]).play(
      "2: 1c <<END\r", "1> x\r", "2> y\u{3}",
      "interrupted; 'redo' brings back the line entered\r\n", "2: h\r", "back the line entered",
      "2: a <<END\r", "3> \u{4}", "end of input; nothing was changed\r\n",
      "2: 9a <<END\r", "no line 9: the last line is 2\r\n", "2: a <<END\r", "3> .\r", "4> END\r",
      "3*: wq\r", ends: 0, leaves: "one\ntwo\n.\n")
  }

  @Test func `the end of the input ends a question`() {
    TerminalSession(["f"], files: ["f": "one\ntwo\n"]).play(
      "2: a\r", "3> three\r", "4> \u{4}", "\n3*: G/t/\r", "2? \u{4}", ": g/one/\\\r", "... \u{4}",
      ": 1edit\r", "1> \u{15}\u{4}", "1*: \u{4}", "unsaved changes", "1*: \u{4}", ends: 2,
      leaves: "one\ntwo\n")
  }

  @Test(arguments: [("\u{3}", "interrupted"), ("\u{4}", "end of input")])
  func `a command that ends at a question reports whether its changes are kept`(
    key: String, words: String
  ) {
    let session = TerminalSession(["f"], files: ["f": "one\ntwo\n"])
    for (command, prompt, answer) in [("G/o/", "1? ", "d"), (",s/o/0/c", "(y n a q) ", "y")] {
      session.play(
        ": \(command)\r", "\(prompt)¦\(key)", "\(words); nothing was changed\r\n¦",
        ": \(command)\r", "\(prompt)¦\(answer)\r", "\(prompt)¦\(key)")
      if answer == "y" && key == "\u{3}" {
        session.sees("interrupted; nothing was changed\r\n")
      } else {
        session.play(
          "\(words); earlier changes are kept\r\n¦", "*: h\r",
          "\(words); earlier changes are kept\r\n¦", "*: u\r")
      }
    }
    session.play(": q\r", ends: 0)
  }

  @Test(arguments: ["dumb", "nonsense", "xterm"])
  func `at the end of the input, output goes on in a new line, on every terminal`(name: String) {
    TerminalSession(["f"], files: ["f": "one\n"], environment: ["TERM": name]).play(
      "1: s/o/0/c\r", "(y n a q) \u{4}", "\r\nend of input; nothing was changed\r\n1: a\r",
      "2> \u{4}", "\r\n1: 1d\r", "0*: \u{4}", "\r\nunsaved changes", "0*: \u{4}", "\r\n", ends: 2)
  }

  @Test func `the end of the input ends a session in which all is saved`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.play("1: \u{4}", ends: 0)
  }

  @Test(arguments: [("r pipe", "reading"), ("w pipe", "writing")])
  func `long work shows its progress, and can be interrupted`(
    command: String, words: String
  ) {
    TerminalSession(["f"], files: ["f": "one\ntwo\n"]).play(
      "2: !mkfifo pipe\r", "!\r\n2: \(command)\r", "\(words): 1 s¦\u{3}", "interrupted; ", "2: q\r",
      ends: 0)
  }

  @Test func `reading something without end can be interrupted`() {
    TerminalSession(["f"], files: ["f": "one\n"]).play(
      "1: r /dev/urandom\r", "reading: 1 s¦\u{3}", "interrupted; nothing was changed\r\n", "1: q\r",
      ends: 0)
  }

  @Test(arguments: ["g/x\\|a/s/#/&&/", ",s/#/&&/", "g/#/d", "v/#/d", "/#/d", "?#?d"])
  func `an interrupted command does not change the text`(command: String) {
    let line = String(repeating: "a", count: 40) + "\n"
    let session = TerminalSession(["f"], files: ["f": "x\n" + String(repeating: line, count: 3000)])
    // Every line takes some milliseconds, since there are many ways not to match.
    let slow = "\\(a*\\)\\(a*\\)\\1b\\{0,1\\}xx"
    let words = command.split(separator: "#", omittingEmptySubsequences: false)
    session.play(
      "3001: \(words.joined(separator: slow))\r", "working: 1 s¦\u{3}",
      "interrupted; nothing was changed\r\n", "3001: q\r", ends: 0)
  }

  @Test(arguments: [SIGHUP, SIGTERM])
  func `hanging up saves the text, and leaves the terminal in order`(signal: Int32) {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.play("1: a\r", "2> two\r", "3> .\r", "2*: half a line", "half a line")
    session.send(signal)
    let ending = session.ending()
    #expect(ending == (signal == SIGTERM ? -SIGTERM : 0))
    #expect(session.file("ed.hup") == "one\ntwo\n")
    #expect(session.isCooked)
  }

  @Test(arguments: ["mkfifo ed.hup", "ln -s f ed.hup", "ln -s none ed.hup", "mkdir ed.hup"])
  func `promise 6: a planted ed.hup is neither waited for nor overwritten`(_ trap: String) {
    let sandbox = Sandbox()
    sandbox["f"] = Array("one\n".utf8)
    sandbox.run(
      """
      mkdir home; \(trap); export HOME="$PWD/home"
      printf 'a\\nsecret\\n.\\n!kill -TERM $PPID\\np\\n' | exits 143 "$UED" -s f 2>said
      test "$(head -n 1 said)" = "ed.hup: $(test -d ed.hup && echo Is a directory || echo File exists)"
      test "$(cat home/ed.hup)" = "$(printf 'one\\nsecret')"
      test "$(stat -c %a home/ed.hup)" = 600; test "$(cat f)" = one; test ! -e none
      """)
  }

  @Test(arguments: ["r pipe", "w pipe", "g/x\\|a/s/\\(a*\\)\\(a*\\)\\1b\\{0,1\\}xx/&&/"])
  func `hanging up ends a running command, and saves the text before it`(command: String) {
    let text = String(repeating: String(repeating: "a", count: 40) + "\n", count: 3000)
    let session = TerminalSession(["f"], files: ["f": "y\n" + text])
    session.play("3001: !mkfifo pipe\r", "!\r\n3001: 1d\r", "\n1*: \(command)\r", ": 1 s¦")
    session.send(SIGHUP)
    session.send(SIGHUP)
    #expect(session.ending() == 0)
    #expect(session.file("ed.hup") == text)
  }

  @Test(arguments: [SIGABRT, SIGALRM, SIGPWR, SIGSEGV, SIGTRAP, SIGUSR1, SIGXCPU, 34, 64])
  func `whatever kills the program leaves the terminal in order`(signal: Int32) {
    let session = TerminalSession()
    session.play("0: ab", "ab")
    #expect(!session.isCooked)
    session.send(signal)
    #expect(session.ending() == -signal)
    #expect(session.isCooked)
  }

  @Test func `a stop gives the terminal to the shell, and the line comes back`() {
    let session = TerminalSession(
      ["--norc", "--noprofile", "-i"], files: ["f": "one\n"], environment: ["PS1": "shell$ "],
      program: "/bin/bash")
    session.play("shell$ $UED f\r", "1: s/o", "s/o¦\u{1A}", "Stopped", "shell$ stty -a\r")
    let settings = session.sees("shell$ ").split { $0 == " " || $0.isNewline }
    #expect(settings.contains("icanon") && settings.contains("echo"))
    session.play(
      "¦fg\r", "f\r\n", "1: s/o¦/0/p\r", "\r\n0ne\r\n", "1*: Q\r", "shell$ exit 3\r", ends: 3)
  }

  @Test(arguments: [
    ("s/w/W/c", ["2       two", "         ^", "replace? (y n a q)"]), ("G/t/", ["two", "2? z"]),
  ])
  func `a question stays with its prompt when the screen is cleared, and after a stop`(
    command: String, shown: [String]
  ) throws {
    let session = TerminalSession(
      ["--norc", "--noprofile", "-i"], files: ["f": "one\ntwo\n"],
      environment: ["PS1": "shell$ "], program: "/bin/bash")
    session.play("shell$ $UED f\r", "2: \(command)\r")
    session.at(shown.count == 2 ? "2? " : "(y n a q) ", type: "\t")
    session.at("\u{7}", type: command.hasPrefix("s") ? "\u{C}" : "\u{C}z")
    session.sees(shown[shown.count - 1])
    var rows = try Screen(of: session.written, columns: 80).rows
    #expect(Array(rows.prefix { !$0.isEmpty }) == shown)
    session.play("¦\u{1A}", "shell$ fg\r")
    session.sees("f\r\n", shown[shown.count - 1])
    rows = try Screen(of: session.written, columns: 80).rows
    #expect(Array(rows.prefix { !$0.isEmpty }.suffix(shown.count)) == shown)
    session.play("¦\u{3}", "2: q\r", "shell$ exit 3\r", ends: 3)
  }

  @Test func `a stop does nothing if no shell could continue the program`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"])
    session.play("1: w g", "w g¦\u{1A}\r", "g: 1 line, 4 bytes written\r\n¦q\r", ends: 0)
    #expect(session.file("g") == "one\n")
  }

  @Test(arguments: [(12, 80), (10, 79), (4, 19), (2, 2), (1, 80)])
  func `a line higher than the shrunk screen is kept`(rows: UInt16, columns: UInt16) {
    let long = String(repeating: "x", count: 1900)
    let session = TerminalSession(["f"], files: ["f": long + "\n"])
    session.play("1: 1edit\r", "xxx")
    session.resize(rows: rows, columns: columns)
    for keys in ["\u{5}B", "\u{1}A", "\u{5}C"] {
      session.type(keys)
      session.settle()
    }
    session.type("\r")
    session.resize(columns: 80)
    session.play("1*: w\r", "written", leaves: "A\(long)BC\n")
  }

  @Test func `a new width shows the line anew`() {
    let session = TerminalSession(["f"], files: ["f": "one\n"], columns: 30)
    let long = String(repeating: "0123456789", count: 6)
    session.play("1: s/one/\(long)/", "789/")
    session.resize(columns: 70)
    session.sees("1: s/one/\(long)/")
    session.resize(columns: 20)
    session.play("1: s/one/¦\r", "1*: w\r", "61", leaves: long + "\n")
  }

  @Test(arguments: ["dumb", "xterm"])
  func `a closed terminal keeps the text, also without a signal`(_ terminal: String) {
    let sandbox = Sandbox()
    sandbox["f"] = Array("1\n".utf8)
    sandbox["close.py"] = Array(
      """
      import os, pty, subprocess
      ours, theirs = pty.openpty()
      # No controlling terminal, so the kernel sends no SIGHUP when it closes.
      ued = subprocess.Popen([os.environ['UED'], 'f'], stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True)
      os.close(theirs)
      seen = b''
      for line, answer in (b'a\\r', b'2'), (b'x\\r', b'3'):
        os.write(ours, line)
        while answer not in seen: seen += os.read(ours, 99)
      os.close(ours)
      print(ued.wait())

      """.utf8)
    let told = sandbox.run("TERM=\(terminal) python3 close.py; cat ed.hup; rm ed.hup")
    #expect(told == Array("0\n1\nx\n".utf8))
  }
}
