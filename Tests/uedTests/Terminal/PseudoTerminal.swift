import Glibc
import Testing

@testable import ued

/// A terminal with somebody typing at it, for a process of its own (an exit test).
///
/// The process becomes the leader of a session with this as its terminal, so that `^C` and `^Z`
/// really send signals.
final class PseudoTerminal: @unchecked Sendable {
  /// What to wait for on the screen, and what to type then.
  typealias Step = (awaited: String, typed: String)

  let keyboard: Int32
  let terminal: Int32
  let path: String
  private var steps: [Step] = []
  private(set) var screen: [UInt8] = []
  private var typist: pthread_t = 0

  init(environment: [String: String] = [:]) {
    unsetenv("EDITRC")
    unsetenv("NO_COLOR")
    let settings = ["TERM": "xterm", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"]
    for (name, value) in settings.merging(environment, uniquingKeysWith: { $1 }) {
      setenv(name, value, 1)
    }
    setsid()
    keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var unlocked: Int32 = 0
    var number: Int32 = -1
    _ = ioctl(keyboard, 0x4004_5431, &unlocked)  // TIOCSPTLCK
    _ = ioctl(keyboard, 0x8004_5430, &number)  // TIOCGPTN
    path = "/dev/pts/\(number)"
    terminal = open(path, O_RDWR | O_CLOEXEC)
    _ = ioctl(terminal, 0x540E, 0)  // TIOCSCTTY
    resize(columns: 80)
    Interrupts.install()
  }

  func resize(columns: UInt16) {
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(keyboard, 0x5414, &size)  // TIOCSWINSZ
  }

  /// Whether the terminal is as a shell expects it: it echoes, and waits for whole lines.
  var isCooked: Bool {
    var settings = termios()
    tcgetattr(terminal, &settings)
    let wanted = tcflag_t(ICANON | ECHO | ISIG)
    return settings.c_lflag & wanted == wanted
  }

  /// Types the steps on another thread while `body` runs.
  func typing<Result>(_ steps: Step..., while body: () -> Result) -> Result {
    self.steps = steps
    let pointer = Unmanaged.passUnretained(self).toOpaque()
    pthread_create(
      &typist, nil,
      { pointer in
        if let pointer {
          Unmanaged<PseudoTerminal>.fromOpaque(pointer).takeUnretainedValue().type()
        }
        return nil
      }, pointer)
    let result = body()
    pthread_join(typist, nil)
    return result
  }

  private func type() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
    for step in steps {
      var seen: [UInt8] = []
      let awaited = Array(step.awaited.utf8)
      while !seen.contains(awaited) {
        var polled = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
        guard poll(&polled, 1, 5000) > 0 else {
          Issue.record("waited for \(step.awaited), saw \(String(decoding: seen, as: UTF8.self))")
          exit(1)
        }
        var byte: UInt8 = 0
        guard read(keyboard, &byte, 1) == 1 else { exit(1) }
        seen.append(byte)
      }
      screen += seen
      put(step.typed, to: keyboard)
    }
  }
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
  mutating func typed(for purpose: LinePurpose) -> String {
    var line: [UInt8] = []
    let status = next(into: &line, for: purpose)
    return status == .line ? String(decoding: line, as: UTF8.self) : "\(status)"
  }
}

/// Runs `body` on the thread that gets the signals sent to this process.
///
/// Tests run on threads that block all signals, and the first thread only sleeps; `body` runs inside a
/// signal handler there, which is as good as a program of one thread. For exit tests only.
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
