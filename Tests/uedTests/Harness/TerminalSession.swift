import Differential
import Glibc
import Testing

/// A program in a new session, with a pseudo-terminal as its controlling terminal.
final class TerminalSession: PseudoTerminal, @unchecked Sendable {
  /// The folder that the program runs in, which is the home as well.
  let folder: TemporaryFolder
  private var child: pid_t = 0

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program, including a file.
  ///   - files: Files of the folder.
  ///   - environment: Further variables, or other values; empty ones are left out.
  ///   - columns: The width of the terminal.
  ///   - seesSequences: Whether awaited texts include control sequences.
  ///   - program: A program other than the one under test.
  ///   - folder: An existing folder, instead of a new one.
  init(
    _ arguments: [String] = [], files: [String: String] = [:], environment: [String: String] = [:],
    columns: UInt16 = 80, seesSequences: Bool = false, program: String = Program.underTest.path,
    in folder: TemporaryFolder = TemporaryFolder()
  ) {
    self.folder = folder
    super.init(columns: columns, seesSequences: seesSequences)
    for (name, text) in files { folder[name] = Array(text.utf8) }
    let settings = [
      "PATH": "/usr/bin:/bin", "HOME": folder.path, "TERM": "xterm", "LC_ALL": "C.UTF-8",
      "UED": Program.underTest.path,
    ].merging(environment) { $1 }
    let process = Process(
      program, arguments, environment: settings.filter { !$0.value.isEmpty }.map { "\($0)=\($1)" },
      directory: folder.path)
    #expect(throws: Never.self) { child = try process.start(atTerminal: path) }
  }

  deinit {
    if child > 0 { kill() }
  }

  /// The content of a file of the folder.
  func file(_ name: String) -> String? { folder.text(name) }

  func send(_ signal: Int32) { Glibc.kill(child, signal) }

  /// Waits until the program has read all keys and waits for more.
  func settle(at location: SourceLocation = #_sourceLocation) {
    settle(ProcessState(of: child), at: location)
  }

  /// Kills the program and its children.
  func kill() {
    send(SIGKILL)
    Glibc.kill(-child, SIGKILL)
    _ = reap()
  }

  /// Kills the program that strace runs. Then strace ends, too, after the program has released its locks.
  func killTraced() {
    let children = Disk.read("/proc/\(child)/task/\(child)/children") ?? []
    for number in String(decoding: children, as: UTF8.self).split(separator: " ") {
      if let process = Int32(number) { Glibc.kill(process, SIGKILL) }
    }
    _ = reap()
  }

  /// Kills the program at some moment of the next 4 ms: whatever it is doing then, the test must hold.
  func killSoon(_ random: inout SeededGenerator) {
    usleep(UInt32(random.below(4000)))
    kill()
  }

  /// Waits for the end of the program.
  ///
  /// - Returns: Its exit status, or the negative number of the signal that killed it.
  func ending(at location: SourceLocation = #_sourceLocation) -> Int32 {
    waitForEnd(at: location)
    if hasFailed { send(SIGKILL) }
    return switch reap() {
    case .exited(let status): status
    case .signalled(let signal): -signal
    default: -SIGKILL
    }
  }

  /// Plays a dialogue, and checks the result.
  ///
  ///     session.play("2: a\r", "3> three\r", "4> \u{4}", "\n3*: w\r", "written", "Again? ¦y")
  ///
  /// - Parameters:
  ///   - steps: The awaited output, up to a prompt or to `¦`, and then the keys to type.
  ///   - status: The expected result of `ending()`, with the terminal reset; nil if ued goes on.
  ///   - text: The expected text of the file `f`; nil for any.
  ///   - location: The place to report a failure at.
  func play(
    _ steps: String..., ends status: Int32? = nil, leaves text: String? = nil,
    at location: SourceLocation = #_sourceLocation
  ) {
    for step in steps { playStep(step, at: location) }
    if let status {
      #expect(ending(at: location) == status, sourceLocation: location)
      #expect(isCooked, sourceLocation: location)
    }
    if let text { #expect(file("f") == text, sourceLocation: location) }
  }

  private func reap() -> Ending {
    defer { child = 0 }
    return Process.end(of: child, by: Process.now() + Process.patience)
  }
}

/// A dialogue of lines and prompts, at a terminal without escape sequences.
extension TerminalSession {
  /// Starts the program under test, and waits for its prompt.
  static func plain(
    _ arguments: [String], in folder: TemporaryFolder, history: String = "on", columns: UInt16 = 80,
    program: String = Program.underTest.path
  ) -> TerminalSession {
    let session = TerminalSession(
      arguments, environment: ["TERM": "dumb", "UED_HISTORY": history], columns: columns,
      program: program, in: folder)
    session.wait(for: "a prompt", until: endsWithPrompt)
    return session
  }

  /// Types lines, each after a prompt, and waits for the next prompt.
  ///
  /// - Returns: The output meanwhile, with the echo.
  @discardableResult
  func enter(_ lines: String...) -> String {
    let start = written.count
    for line in lines {
      let typed = written.count
      type(line + "\n")
      // The echo of the keys comes first.
      wait(for: "a prompt") { $0[typed...].contains(0x0A) && Self.endsWithPrompt($0) }
    }
    return shown(from: start)
  }

  /// Enters lines; the answer to each must have some words.
  func talk(
    _ lines: (entered: String, answer: String)..., at location: SourceLocation = #_sourceLocation
  ) {
    for (line, answer) in lines {
      let said = enter(line)
      #expect(said.contains(answer), "\(line)", sourceLocation: location)
    }
  }

  /// Types a last line and waits for the end.
  ///
  /// - Returns: The output meanwhile, with the echo.
  @discardableResult
  func end(_ line: String = "Q") -> String {
    let start = written.count
    type(line + "\n")
    _ = ending()
    return shown(from: start)
  }

  /// The bytes shown from an index of `written` on, without carriage returns.
  func shown(from start: Int = 0) -> String {
    String(decoding: written[start...].filter { $0 != 13 }, as: UTF8.self)
  }

  /// Whether the output ends with a prompt for a command, for text or for the rest of a command, on
  /// its own line.
  private static func endsWithPrompt(_ shown: [UInt8]) -> Bool {
    let line = shown.suffix(16).split(separator: 0x0A, omittingEmptySubsequences: false).last ?? []
    if line.count == 16 { return false }
    return String(decoding: line, as: UTF8.self).wholeMatch(
      of: #/(old |new )?[0-9].*[:>] |\.\.\. /#) != nil
  }
}
