import Glibc
import Testing

@testable import ued

/// The controlling terminal of a process that runs an exit test; another thread types at the
/// terminal.
///
/// The process becomes the leader of a session with this as its terminal, so that `^C` and `^Z`
/// really send signals.
final class OwnTerminal: PseudoTerminal, @unchecked Sendable {
  private(set) var terminal: Int32 = -1

  init(environment: [String: String] = [:]) {
    unsetenv("EDITRC")
    unsetenv("NO_COLOR")
    let settings = ["TERM": "xterm", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"]
    for (name, value) in settings.merging(environment, uniquingKeysWith: { $1 }) {
      setenv(name, value, 1)
    }
    setsid()
    super.init(seesSequences: true)
    terminal = open(path, O_RDWR | O_CLOEXEC)
    _ = ioctl(terminal, 0x540E, 0)  // TIOCSCTTY
    Interrupts.install()
  }

  /// Runs `body` while another thread makes the steps: awaits output, and then types an answer.
  func typing<Result>(_ steps: (awaited: String, typed: String)..., while body: () -> Result)
    -> Result
  {
    let thread = startThread { [self] in
      for step in steps { at(step.awaited, type: step.typed) }
      if hasFailed { exit(1) }
    }
    let result = body()
    pthread_join(thread, nil)
    return result
  }
}

extension LineRequest {
  static let text = LineRequest(kind: .text)
  static let continuation = LineRequest(kind: .continuation)
  static func command(prompt: [UInt8]) -> Self { LineRequest(kind: .command, prompt: prompt) }
}

extension TerminalLines {
  /// Whether lines of this terminal can be edited.
  static func isPossible(input: Int32, output: Int32) -> Bool {
    switch TerminalLines(input: input, output: output) {
    case .some: true
    case .none: false
    }
  }

  /// The next line, or how it ended instead.
  mutating func typed(for request: LineRequest) -> String {
    var line: [UInt8] = []
    let status = next(into: &line, for: request)
    return status == .line ? String(decoding: line, as: UTF8.self) : "\(status)"
  }
}

/// Lets `body` read lines from a terminal, in an exit test.
func atOwnTerminal(
  environment: [String: String] = [:],
  _ body: @escaping @Sendable (OwnTerminal, inout TerminalLines) -> Void
) {
  onFirstThread {
    let terminal = OwnTerminal(environment: environment)
    guard var lines = TerminalLines(input: terminal.terminal, output: terminal.terminal) else {
      exit(2)
    }
    body(terminal, &lines)
  }
}

/// Runs `body` on the thread that gets the signals sent to this process.
///
/// Tests run on threads that block all signals, and the first thread only sleeps. `body` runs
/// inside a signal handler on the first thread, so signals reach it as they reach a program with a
/// single thread. For exit tests only.
func onFirstThread(_ body: @escaping @Sendable () -> Void) {
  FirstThread.body = body
  signal(SIGUSR1) { _ in
    FirstThread.body()
    sem_post(&FirstThread.done)
  }
  sem_init(&FirstThread.done, 0, 0)
  kill(getpid(), SIGUSR1)
  sem_wait(&FirstThread.done)
}

private enum FirstThread {
  nonisolated(unsafe) static var body: @Sendable () -> Void = {}
  nonisolated(unsafe) static var done = sem_t()
}
