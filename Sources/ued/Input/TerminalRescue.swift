import Glibc
import Synchronization

/// Restores the terminal's settings after a line has been typed, also when a signal kills the process
/// meanwhile.
///
/// `Interrupts` has the signals that do not kill ued. SIGKILL can't be caught; shells restore the
/// terminal after it.
///
/// SAFETY: `settings` is allocated once, written only while `isRaw` is not set, and only read by the
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
  /// The real-time signals, except for the two that the C library reserves.
  private static let realTime: ClosedRange<Int32> = 34...64

  /// Saves the settings of the terminal, and installs the signal handlers.
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

  /// Runs `body`, during which the terminal is in raw mode.
  static func during<Result>(_ body: () -> Result) -> Result {
    save()
    isRaw.store(true, ordering: .relaxed)
    defer { restore() }
    return body()
  }

  /// Runs `body` in the midst of `during`, with the settings of the terminal as they were before; those
  /// that it leaves are restored in the end.
  static func whileRestored(_ body: () -> Void) {
    restore()
    body()
    save()
    isRaw.store(true, ordering: .relaxed)
  }

  private static func save() {
    unsafe tcgetattr(descriptor.load(ordering: .relaxed), settings)
  }

  /// Restores the settings that were saved last.
  static func restore() {
    unsafe tcsetattr(descriptor.load(ordering: .relaxed), TCSANOW, settings)
    isRaw.store(false, ordering: .relaxed)
  }

  private static func rescue(_ signal: Int32) {
    if isRaw.load(ordering: .relaxed) {
      unsafe tcsetattr(descriptor.load(ordering: .relaxed), TCSANOW, settings)
    }
    // SA_RESETHAND has removed this handler, so the signal kills the process now.
    raise(signal)
  }
}
