import CLinux
import Glibc
import Synchronization

/// What signals have asked for.
///
/// The handlers only store into atomics. Signals that ued does not want are caught by a handler that
/// does nothing instead of being ignored: handlers do not survive `exec`, so shell commands start
/// with the default action.
///
/// SAFETY: `sigaction` and `sigset_t` are values on the stack that live through each call, and the
/// handlers capture nothing.
@safe enum Interrupts {
  private static let interrupt = Atomic<Bool>(false)
  private static let ending = Atomic<Int32>(0)
  private static let redraw = Atomic<Bool>(false)
  private static let stopping = Atomic<Bool>(false)

  /// What ended a wait.
  enum Wake: Equatable, Sendable {
    /// There is something to read, or an end, or an error.
    case ready
    /// SIGINT, which is herewith taken, or `hangUp` is set.
    case interrupted
    /// SIGTSTP, while `withJobControl` watches for it.
    case stop
    /// The terminal has a new size, or somebody else had it before SIGCONT.
    case redraw
  }

  /// Whether what is being done should stop: SIGINT has come and nobody has taken it yet, or
  /// `hangUp` is set.
  static var isInterrupted: Bool { interrupt.load(ordering: .relaxed) || hangUp }

  /// Whether SIGHUP or SIGTERM has come: save the text and end.
  static var hangUp: Bool { ending.load(ordering: .relaxed) != 0 }

  /// Answers whether SIGINT has come since the last time this was asked.
  static func takeInterrupt() -> Bool { interrupt.exchange(false, ordering: .relaxed) }

  /// Takes SIGHUP or SIGTERM, whichever came last; from here on nothing stops what is left to do.
  static func takeHangUp() -> Int32 {
    // Some send it more than once.
    for signal in [SIGHUP, SIGTERM, SIGINT] { handle(signal, evenIfIgnored: true) { _ in } }
    _ = takeInterrupt()
    return ending.exchange(0, ordering: .relaxed)
  }

  /// Takes charge of the signals; call it once, before anything is read.
  ///
  /// As in ed, SIGINT and SIGHUP are caught even where they were ignored before.
  static func install() {
    // Touched here first, so that no handler is ever the one to initialise them.
    _ = (isInterrupted, hangUp, redraw.load(ordering: .relaxed), stopping.load(ordering: .relaxed))
    handle(SIGINT, evenIfIgnored: true) { _ in Interrupts.interrupt.store(true, ordering: .relaxed)
    }
    handle(SIGHUP, evenIfIgnored: true) { Interrupts.ending.store($0, ordering: .relaxed) }
    handle(SIGTERM) { Interrupts.ending.store($0, ordering: .relaxed) }
    handle(SIGWINCH) { _ in Interrupts.redraw.store(true, ordering: .relaxed) }
    for signal in [SIGQUIT, SIGPIPE, SIGXFSZ] {
      handle(signal, flags: SA_RESTART) { _ in }
    }
  }

  /// Waits until a descriptor can be read, or has ended.
  ///
  /// The signals are blocked except during the wait, so none can slip in between looking at the
  /// flags and falling asleep.
  ///
  /// - Parameters:
  ///   - descriptor: What to wait for.
  ///   - isEdited: Whether somebody can act on `.stop` and `.redraw`; otherwise the wait goes on.
  /// - Returns: What ended the wait.
  static func waitForInput(_ descriptor: Int32, isEdited: Bool = false) -> Wake {
    var blocked = sigset_t()
    unsafe sigemptyset(&blocked)
    for signal in [SIGINT, SIGHUP, SIGTERM, SIGWINCH, SIGTSTP, SIGCONT] {
      unsafe sigaddset(&blocked, signal)
    }
    var before = sigset_t()
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    while true {
      if hangUp || takeInterrupt() { return .interrupted }
      if isEdited && stopping.exchange(false, ordering: .relaxed) { return .stop }
      if isEdited && redraw.exchange(false, ordering: .relaxed) { return .redraw }
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = unsafe ppoll(&polled, 1, nil, &before)
      if ready < 0 && errno == EINTR { continue }
      // What can be read may have been typed after `^C`, whose signal was blocked then.
      unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
      return hangUp || takeInterrupt() ? .interrupted : .ready
    }
  }

  /// Runs `body`, during which `^Z` is told to `waitForInput` instead of stopping the process, so that
  /// the terminal can be put in order first.
  static func withJobControl<Result>(_ body: () -> Result) -> Result {
    var stop = sigaction()
    var goOn = sigaction()
    unsafe sigaction(SIGTSTP, nil, &stop)
    unsafe sigaction(SIGCONT, nil, &goOn)
    defer {
      unsafe sigaction(SIGTSTP, &stop, nil)
      unsafe sigaction(SIGCONT, &goOn, nil)
    }
    handle(SIGTSTP) { _ in Interrupts.stopping.store(true, ordering: .relaxed) }
    handle(SIGCONT) { _ in Interrupts.redraw.store(true, ordering: .relaxed) }
    return body()
  }

  /// Stops the process as `^Z` would have stopped it: not at all where nobody could let it go on.
  static func stop() {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = SIG_DFL
    var before = sigaction()
    unsafe sigaction(SIGTSTP, &action, &before)
    raise(SIGTSTP)
    unsafe sigaction(SIGTSTP, &before, nil)
  }

  /// Ends the process as `signal` would have ended it.
  static func dieOf(_ signal: Int32) {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = SIG_DFL
    unsafe sigaction(signal, &action, nil)
    raise(signal)
  }

  /// Lets `handler` catch a signal, unless whoever started the process has it ignored.
  static func handle(
    _ signal: Int32, evenIfIgnored: Bool = false, flags: Int32 = 0,
    with handler: @escaping @convention(c) (Int32) -> Void
  ) {
    var action = sigaction()
    unsafe sigaction(signal, nil, &action)
    // The null and the odd addresses that stand for "default" and "ignore" are not functions, so
    // they are compared as numbers.
    let current = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    let ignore = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    if current == ignore && !evenIfIgnored { return }
    unsafe action.__sigaction_handler.sa_handler = handler
    action.sa_flags = flags
    unsafe sigaction(signal, &action, nil)
  }
}
