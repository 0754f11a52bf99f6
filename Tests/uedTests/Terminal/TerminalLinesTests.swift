import Glibc
import Testing

@testable import ued

/// Lines typed at a real pseudo-terminal, each test in a separate process.
@Suite struct TerminalLinesTests {
  @Test func `a prompt is shown, and the line equals the typed keys`() async {
    await #expect(processExitsWith: .success) {
      atOwnTerminal { pty, lines in
        let line = pty.typing(("command> ", "été 日本\r")) {
          lines.typed(for: .command(prompt: Array("command> ".utf8)))
        }
        #expect(line == "été 日本")
        #expect(pty.typing(("2004h", "text\tmore\r")) { lines.typed(for: .text) } == "text\tmore")
        #expect(pty.typing(("2004h", "\r")) { lines.typed(for: .continuation) } == "")
        let settingsFault = lines.settingsFault
        #expect(settingsFault == nil)
        #expect(pty.isCooked)
      }
    }
  }

  @Test func `Ctrl-C drops the line, Ctrl-D on an empty one ends the input`() async {
    await #expect(processExitsWith: .success) {
      atOwnTerminal { pty, lines in
        let prompt = LineRequest.command(prompt: Array("* ".utf8))
        let given = pty.typing(("* ", "abc"), ("abc", "\u{3}")) { lines.typed(for: prompt) }
        #expect(given == "interrupted")
        #expect(pty.isCooked)
        #expect(!Interrupts.isInterrupted)
        #expect(pty.typing(("* ", "1p\r")) { lines.typed(for: prompt) } == "1p")
        #expect(pty.typing(("* ", "\u{4}")) { lines.typed(for: prompt) } == "end")
        #expect(pty.isCooked)
        #expect(pty.typing(("* ", "x\r")) { lines.typed(for: prompt) } == "x")
        kill(getpid(), SIGHUP)
        #expect(lines.typed(for: prompt) == "interrupted")
        #expect(Interrupts.hangUp)
        #expect(pty.isCooked)
      }
    }
  }

  @Test func `commands and text are recalled apart`() async {
    await #expect(processExitsWith: .success) {
      atOwnTerminal { pty, lines in
        let command = LineRequest.command(prompt: Array("* ".utf8))
        let up = "\u{1B}[A"
        #expect(pty.typing(("* ", "first\r")) { lines.typed(for: command) } == "first")
        #expect(pty.typing(("* ", "second\r")) { lines.typed(for: command) } == "second")
        #expect(pty.typing(("2004h", "hello\r")) { lines.typed(for: .text) } == "hello")
        #expect(pty.typing(("* ", up + up + "!\r")) { lines.typed(for: command) } == "first!")
        #expect(pty.typing(("2004h", up + "\r")) { lines.typed(for: .text) } == "hello")
      }
    }
  }

  @Test func `pasted lines arrive one by one, with their tabs`() async {
    await #expect(processExitsWith: .success) {
      atOwnTerminal { pty, lines in
        let pasted = pty.typing(("2004h", "\u{1B}[200~a\tb\u{5}é\rc\rd\u{1B}[201~!\r")) {
          [lines.typed(for: .text), lines.typed(for: .text), lines.typed(for: .text)]
        }
        #expect(pasted == ["a\tb\u{5}é", "c", "d!"])
        #expect(
          pty.typing(("2004h", "x\u{1B}[1~y\u{1B}[4~z\r")) { lines.typed(for: .text) } == "yxz")
      }
    }
  }

  @Test func `a new width keeps the line`() async {
    await #expect(processExitsWith: .success) {
      atOwnTerminal { pty, lines in
        let prompt = LineRequest.command(prompt: Array("* ".utf8))
        pty.resize(columns: 40)
        #expect(pty.typing(("* ", "d"), ("d", "e\r")) { lines.typed(for: prompt) } == "de")
      }
    }
  }

  @Test func `a plain, unknown or missing terminal has no line editing`() async {
    await #expect(processExitsWith: .success) {
      onFirstThread {
        let pty = OwnTerminal(environment: ["TERM": "dumb"])
        #expect(!TerminalLines.isPossible(input: pty.terminal, output: pty.terminal))
        setenv("TERM", "no-such-terminal", 1)
        #expect(!TerminalLines.isPossible(input: pty.terminal, output: pty.terminal))
        unsetenv("TERM")
        #expect(!TerminalLines.isPossible(input: pty.terminal, output: pty.terminal))
        setenv("TERM", "xterm", 1)
        let null = open("/dev/null", O_RDWR)
        #expect(!TerminalLines.isPossible(input: pty.terminal, output: null))
        #expect(!TerminalLines.isPossible(input: null, output: pty.terminal))
        var lines = DescriptorLines(descriptor: pty.terminal)
        #expect(lines.kind == .terminal)
        pty.type("plain\n\u{4}")
        var line: [UInt8] = []
        #expect(lines.next(into: &line, for: .text) == .line)
        #expect(line == Array("plain".utf8))
        #expect(lines.next(into: &line, for: .text) == .end)
        kill(getpid(), SIGINT)
        #expect(lines.next(into: &line, for: .text) == .interrupted)
      }
    }
  }

  @Test func `settings that libedit refuses are noticed`() async {
    await #expect(processExitsWith: .success) {
      let file = Channel.file.reader(of: "ued:bind ^T ed-move-to-beg\nued:nonsense\n")
      dup2(file, 9)
      atOwnTerminal(environment: ["EDITRC": "/dev/fd/9"]) { _, lines in
        let settingsFault = lines.settingsFault
        #expect(settingsFault?.line == 2)
      }
    }
  }
}
