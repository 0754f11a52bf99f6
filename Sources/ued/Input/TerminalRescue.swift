import CLinux
import Glibc
import Synchronization

/// Puts the terminal in order when a signal kills the process while a line is being typed.
///
/// The signals that ued lives on with are those of `Interrupts`; SIGKILL can't be caught, and shells
/// put the terminal in order after it.
///
/// SAFETY: `settings` is allocated once, written before `isRaw` is first set, and only read by the
/// handler, which calls nothing but functions that POSIX allows in handlers.
@safe enum TerminalRescue {
  nonisolated(unsafe) private static let settings = UnsafeMutablePointer<termios>.allocate(
    capacity: 1)
  private static let descriptor = Atomic<Int32>(-1)
  private static let isRaw = Atomic<Bool>(false)

  private static let deadly = [
    SIGABRT, SIGALRM, SIGBUS, SIGFPE, SIGILL, SIGPOLL, SIGPROF, SIGPWR, SIGSEGV, SIGSTKFLT, SIGSYS,
    SIGTRAP, SIGUSR1, SIGUSR2, SIGVTALRM, SIGXCPU,
  ]
  /// Those that programs may use as they like; the C library keeps two more for itself.
  private static let realTime: ClosedRange<Int32> = 34...64

  /// Notes how the terminal is set now, and watches for the signals.
  static func install(for terminal: Int32) {
    guard unsafe tcgetattr(terminal, settings) == 0 else { return }
    descriptor.store(terminal, ordering: .relaxed)
    isRaw.store(false, ordering: .relaxed)
    for signal in deadly + realTime {
      Interrupts.handle(signal, flags: Int32(bitPattern: UInt32(SA_RESETHAND))) {
        TerminalRescue.rescue($0)
      }
    }
  }

  /// Runs `body`, in which the terminal is raw.
  static func during<Result>(_ body: () -> Result) -> Result {
    isRaw.store(true, ordering: .relaxed)
    defer { isRaw.store(false, ordering: .relaxed) }
    return body()
  }

  private static func rescue(_ signal: Int32) {
    if isRaw.load(ordering: .relaxed) {
      unsafe tcsetattr(descriptor.load(ordering: .relaxed), TCSANOW, settings)
    }
    // It kills once this has returned, since the handler is there for one time only.
    raise(signal)
  }
}
