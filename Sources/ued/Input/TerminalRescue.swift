import Glibc
import Synchronization

/// Restores the terminal's settings after a line has been typed, and when a signal kills the
/// process before that. `Interrupts` handles the signals that do not kill ued. SIGKILL can't be
/// caught; shells restore the terminal after it.
///
/// SAFETY: `settings` is allocated once, written only while `isRaw` is not set, and only read by
/// the handler, which calls nothing but functions that POSIX allows in handlers.
@safe enum TerminalRescue {
  nonisolated(unsafe) private static let settings = UnsafeMutablePointer<termios>.allocate(
    capacity: 1)
  private static let descriptor = Atomic<Int32>(-1)
  private static let isRaw = Atomic<Bool>(false)
  /// Whether the terminal shows its alternate screen.
  private static let isOnScreen = Atomic<Bool>(false)
  /// The sequence that turns off the modes of a full screen, and shows the earlier lines again.
  static let leavingSequence: StaticString = "\u{1B}[?2004l\u{1B}[?7h\u{1B}[0m\u{1B}[?1049l"

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
    begin()
    defer { restore() }
    return body()
  }

  /// Saves the settings of the terminal for ``restore()``, before raw mode and perhaps the
  /// alternate screen begin.
  static func begin(onScreen isOnScreen: Bool = false) {
    save()
    isRaw.store(true, ordering: .relaxed)
    Self.isOnScreen.store(isOnScreen, ordering: .relaxed)
  }

  /// Within `during`, runs `body` with the original settings of the terminal. `during` later
  /// restores the settings that `body` leaves.
  static func whileRestored(_ body: () -> Void) {
    restore()
    body()
    begin()
  }

  private static func save() {
    unsafe tcgetattr(descriptor.load(ordering: .relaxed), settings)
  }

  static func restore() {
    unsafe tcsetattr(descriptor.load(ordering: .relaxed), TCSANOW, settings)
    isRaw.store(false, ordering: .relaxed)
    isOnScreen.store(false, ordering: .relaxed)
  }

  private static func rescue(_ signal: Int32) {
    if isOnScreen.load(ordering: .relaxed) {
      let sequence = leavingSequence
      _ = unsafe write(
        descriptor.load(ordering: .relaxed), sequence.utf8Start, sequence.utf8CodeUnitCount)
    }
    if isRaw.load(ordering: .relaxed) {
      unsafe tcsetattr(descriptor.load(ordering: .relaxed), TCSANOW, settings)
    }
    // SA_RESETHAND has removed this handler, so the signal kills the process now.
    raise(signal)
  }
}
