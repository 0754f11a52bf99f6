import Glibc
import Synchronization
import UedLinux

/// Signals: their handlers, and the pending requests that they leave.
///
/// Handlers only store into atomics. Unwanted signals are caught by an empty handler instead of
/// being ignored: `exec` resets handlers but not ignored signals, so shell commands start with the
/// default actions.
///
/// A signal may come just before a system call, which then blocks unaware of the signal. While a
/// request is pending, SIGURG therefore follows every 20 ms, and ends such calls with EINTR.
///
/// SAFETY: `sigaction` and `sigset_t` are values on the stack that outlive each call. Handlers
/// capture nothing, and do nothing but store into atomics that `install` has initialized, and set
/// the timer, which POSIX allows. The timer is made by `install`, before the handlers that use it,
/// and never deleted.
@safe enum Interrupts {
  private static let interrupt = Atomic<Bool>(false)
  private static let ending = Atomic<Int32>(0)
  private static let redraw = Atomic<Bool>(false)
  private static let stopping = Atomic<Bool>(false)
  /// Whether a signal that ends the program has been taken.
  private static let taken = Atomic<Bool>(false)
  /// Whether SIGINT did not come from the keyboard.
  private static let interruptIsSent = Atomic<Bool>(false)
  /// Sends SIGURG to the main thread. The first timer of a process has the number 0, which is nil here.
  nonisolated(unsafe) private static var reminder: timer_t?
  private static let hasReminder = Atomic<Bool>(false)

  /// The reason for the end of a wait.
  enum Wake: Equatable, Sendable {
    /// Input, the end of the input, or an error is available.
    case ready
    /// SIGINT, which is cleared now, or `hangUp` is set.
    case interrupted
    /// SIGTSTP, inside `withJobControl`.
    case stop
    /// SIGWINCH, or SIGCONT, before which another process may have used the terminal.
    case redraw
  }

  /// Whether work in progress should stop: SIGINT is pending, or `hangUp` is set, or memory is exhausted.
  static var isInterrupted: Bool { isRequested || Memory.isExhausted }

  /// Whether SIGINT is pending, or `hangUp` is set.
  static var isRequested: Bool { interrupt.load(ordering: .relaxed) || hangUp }

  /// Whether SIGHUP or SIGTERM is pending: the program must end.
  static var hangUp: Bool { ending.load(ordering: .relaxed) != 0 }

  /// Clears SIGINT; true if it was pending.
  static func takeInterrupt() -> Bool { interrupt.exchange(false, ordering: .relaxed) }

  /// Re-raises a consumed SIGINT for code that checks later.
  static func renew() {
    interrupt.store(true, ordering: .relaxed)
    remind()
  }

  /// Whether the program ends because of a signal, pending or taken.
  static var isEnding: Bool { hangUp || taken.load(ordering: .relaxed) }

  /// The signal that asks the program to end; nil if none does.
  static var endingSignal: Int32? {
    let signal = ending.load(ordering: .relaxed)
    return signal == 0 ? nil : signal
  }

  /// Whether the last SIGINT was sent to this process alone, and not to all at the terminal by a
  /// key.
  static var isSentToThisProcess: Bool { interruptIsSent.load(ordering: .relaxed) }

  /// Raises SIGHUP if a read has met the end of input because the terminal was closed: the
  /// kernel's signal may come later. Returns whether SIGHUP or SIGTERM is pending.
  static func noteEnd(of terminal: Int32) -> Bool {
    var polled = pollfd(fd: terminal, events: 0, revents: 0)
    if unsafe poll(&polled, 1, 0) == 1 && polled.revents & Int16(POLLHUP) != 0 { raise(SIGHUP) }
    return hangUp
  }

  /// Clears SIGHUP or SIGTERM, whichever came last. From now on, both and SIGINT are ignored, so
  /// that they can't stop the rest of the work.
  static func takeHangUp() -> Int32 {
    // Some senders repeat the signal.
    for signal in [SIGHUP, SIGTERM, SIGINT] { handle(signal, evenIfIgnored: true) { _ in } }
    _ = takeInterrupt()
    taken.store(true, ordering: .relaxed)
    return ending.exchange(0, ordering: .relaxed)
  }

  /// Installs the handlers; call it once, before anything is read. As in ed, SIGINT and SIGHUP are
  /// caught even if the process was started with them ignored.
  static func install() {
    // Static variables are initialized on first access, which must not happen in a handler.
    _ = (isInterrupted, hangUp, redraw.load(ordering: .relaxed), stopping.load(ordering: .relaxed))
    _ = interruptIsSent.load(ordering: .relaxed)
    if !hasReminder.load(ordering: .relaxed) {
      let code = unsafe clinux_make_thread_timer(SIGURG, &reminder)
      hasReminder.store(code == 0, ordering: .relaxed)
    }
    catchReminders()
    leaveInterrupts(toChild: false)
    handle(SIGHUP, evenIfIgnored: true) { Interrupts.end(by: $0) }
    handle(SIGTERM) { Interrupts.end(by: $0) }
    handle(SIGWINCH) { _ in Interrupts.redraw.store(true, ordering: .relaxed) }
    for signal in [SIGQUIT, SIGPIPE, SIGXFSZ] {
      handle(signal, flags: SA_RESTART) { _ in }
    }
  }

  /// Leaves SIGINT to a program that uses the terminal, or takes it back.
  static func leaveInterrupts(toChild isChild: Bool) {
    if isChild { return handle(SIGINT, evenIfIgnored: true) { _ in } }
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_sigaction = { _, information, _ in
      // Signals from the keyboard come from the kernel. Without optimization, `map` would be a
      // generic call that allocates memory in the runtime.
      var isSent = false
      if let information = unsafe information { isSent = unsafe information.pointee.si_code <= 0 }
      Interrupts.interruptIsSent.store(isSent, ordering: .relaxed)
      Interrupts.interrupt.store(true, ordering: .relaxed)
      Interrupts.remind()
    }
    action.sa_flags = SA_SIGINFO
    unsafe sigaction(SIGINT, &action, nil)
  }

  private static func end(by signal: Int32) {
    ending.store(signal, ordering: .relaxed)
    remind()
  }

  /// Makes SIGURG end blocking calls with EINTR. By default SIGURG is ignored, so a late one does
  /// no harm.
  static func catchReminders() {
    handle(SIGURG, evenIfIgnored: true) { _ in
      if Interrupts.isInterrupted { Interrupts.remind() }
    }
  }

  private static func remind() {
    guard hasReminder.load(ordering: .relaxed) else { return }
    var setting = itimerspec(
      it_interval: timespec(), it_value: timespec(tv_sec: 0, tv_nsec: 20_000_000))
    let code = errno
    unsafe timer_settime(reminder, 0, &setting, nil)
    errno = code
  }

  /// Waits until a descriptor can be read, and returns the reason for the end of the wait: `.stop`
  /// and `.redraw` only with `isEdited`, while a line is edited.
  ///
  /// Signals are blocked except inside `ppoll`, so that none can arrive between the check of the
  /// flags and the wait.
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
      // The input may have been typed after `^C`, whose signal is still blocked here: deliver it first.
      unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
      return hangUp || takeInterrupt() ? .interrupted : .ready
    }
  }

  /// Runs `body`, during which `^Z` makes `waitForInput` return `.stop` instead of stopping the
  /// process, so that the terminal can be restored first.
  static func withJobControl<Result>(_ body: () -> Result) -> Result {
    let control = beginJobControl()
    defer { control.end() }
    return body()
  }

  /// The actions for SIGTSTP and SIGCONT before ``beginJobControl()``.
  struct JobControl {
    fileprivate var stop = sigaction()
    fileprivate var goOn = sigaction()

    func end() {
      var (stop, goOn) = (stop, goOn)
      unsafe sigaction(SIGTSTP, &stop, nil)
      unsafe sigaction(SIGCONT, &goOn, nil)
    }
  }

  /// Begins the effect of ``withJobControl(_:)``; `end()` ends it.
  static func beginJobControl() -> JobControl {
    var control = JobControl()
    unsafe sigaction(SIGTSTP, nil, &control.stop)
    unsafe sigaction(SIGCONT, nil, &control.goOn)
    handle(SIGTSTP) { _ in Interrupts.stopping.store(true, ordering: .relaxed) }
    handle(SIGCONT) { _ in Interrupts.redraw.store(true, ordering: .relaxed) }
    return control
  }

  /// The line is about to be redrawn, so that earlier signals need no `.redraw`.
  static func noteRedraw() { redraw.store(false, ordering: .relaxed) }

  /// Stops the process as `^Z` would, which has no effect in an orphaned process group. The caller
  /// redraws the line afterwards, so that no second `.redraw` follows.
  static func stop() {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = SIG_DFL
    var before = sigaction()
    unsafe sigaction(SIGTSTP, &action, &before)
    raise(SIGTSTP)
    unsafe sigaction(SIGTSTP, &before, nil)
    noteRedraw()
  }

  /// Terminates the process by the default action of `signal`.
  static func dieOf(_ signal: Int32) {
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = SIG_DFL
    unsafe sigaction(signal, &action, nil)
    raise(signal)
  }

  /// Installs a handler, unless the process was started with the signal ignored.
  static func handle(
    _ signal: Int32, evenIfIgnored: Bool = false, flags: Int32 = 0,
    with handler: @escaping @convention(c) (Int32) -> Void
  ) {
    var action = sigaction()
    unsafe sigaction(signal, nil, &action)
    // SIG_DFL and SIG_IGN are not addresses of functions, so they are compared as integers.
    let current = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    let ignore = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    if current == ignore && !evenIfIgnored { return }
    unsafe action.__sigaction_handler.sa_handler = handler
    action.sa_flags = flags
    unsafe sigaction(signal, &action, nil)
  }
}

/// The time left for cancellable work after a signal: ued answers soon, but short work still
/// finishes.
struct GracePeriod {
  /// Whether SIGINT counts, and not only signals that end the program.
  let heedsInterrupts: Bool
  /// The end of the period; nil before a signal.
  private var end: Int?
  private var count = 0
  /// The end of the period after a signal that ends the program, for all values; 0 before it.
  private static let lastEnd = Atomic<Int>(0)

  private static let microseconds = 20_000
  /// The number of calls for each look at signals and clock.
  private static let calls = 64

  init(heedsInterrupts: Bool) { self.heedsInterrupts = heedsInterrupts }

  /// Whether the period before the end of the program is over.
  static var isSpent: Bool {
    let end = lastEnd.load(ordering: .relaxed)
    return end > 0 && now >= end
  }

  private static var now: Int { Int(SystemClock.uptime * 1e6) }

  /// Whether to give up the work; call it for each of its many small parts.
  mutating func isOver() -> Bool {
    count += 1
    return count % Self.calls == 0 && isOverNow()
  }

  /// Whether to give up the work. The period begins with the first call after a signal.
  @discardableResult mutating func isOverNow() -> Bool {
    guard Interrupts.isEnding || heedsInterrupts && Interrupts.isRequested else { return false }
    let now = Self.now
    if let end { return now >= end }
    end = now + Self.microseconds
    if Interrupts.isEnding {
      let (isFirst, last) = Self.lastEnd.compareExchange(
        expected: 0, desired: now + Self.microseconds, ordering: .relaxed)
      if !isFirst { end = last }
    }
    return false
  }
}

/// A progress line at the terminal, for work that takes longer than a second: the seconds that a
/// command takes, or the files that a run has done. The handler of a timer rewrites the line every
/// second, using carriage returns only. The line is erased before any other output.
///
/// SAFETY: `line` has `capacity` bytes, is allocated once and never freed; `begin` leaves
/// `secondsCount` of them for the handler. The handler is async-signal-safe: it does not allocate or
/// lock, calls only `write`, and restores `errno`. Apart from the handler, only the main thread
/// writes to `line`, and only while the timer is off.
@safe enum Progress {
  private static let capacity = 120
  /// The number of bytes for the seconds and their unit.
  private static let secondsCount = 8
  nonisolated(unsafe) private static let line = UnsafeMutablePointer<UInt8>.allocate(
    capacity: capacity)
  private static let byteCount = Atomic<Int>(0)
  private static let seconds = Atomic<Int>(0)
  private static let isOn = Atomic<Bool>(false)
  /// When the number of files is shown next, in milliseconds; 0 before the first file.
  private static let nextShow = Atomic<Int>(0)
  /// The width of the number of files on standard error.
  private static let shownCount = Atomic<Int>(0)

  /// Starts the timer for work that may take long, with a name for it.
  static func begin(_ text: String) {
    let bytes = Array("\r\(text): ".utf8.prefix(capacity - secondsCount))
    unsafe line.update(from: bytes, count: bytes.count)
    byteCount.store(bytes.count, ordering: .relaxed)
    seconds.store(0, ordering: .relaxed)
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in Progress.tick() }
    // Without SA_RESTART, blocking calls fail with EINTR every second, and their callers check for
    // an interrupt before they retry. An interrupt just before a call thus ends it a second later.
    action.sa_flags = 0
    unsafe sigaction(SIGALRM, &action, nil)
    isOn.store(true, ordering: .relaxed)
    setTimer(every: 1)
  }

  /// Shows on standard error, if a terminal, how many files of a run are done, at most once a
  /// second.
  static func show(_ done: Int, of count: Int) {
    let now = Int(SystemClock.uptime * 1000)
    let next = nextShow.load(ordering: .relaxed)
    if next == 0 { nextShow.store(now + 1000, ordering: .relaxed) }
    if next == 0 || now < next || isatty(STDERR_FILENO) != 1 { return }
    nextShow.store(now + 1000, ordering: .relaxed)
    let line = Array("\rued: \(done) of \(count) files".utf8)
    shownCount.store(line.count - 1, ordering: .relaxed)
    TerminalOutput.write(line, to: STDERR_FILENO)
  }

  static func end() {
    let width = shownCount.exchange(0, ordering: .relaxed)
    if width > 0 { erase(width, on: STDERR_FILENO) }
    guard isOn.exchange(false, ordering: .relaxed) else { return }
    setTimer(every: 0)
    guard seconds.load(ordering: .relaxed) > 0 else { return }
    erase(byteCount.load(ordering: .relaxed) + secondsCount, on: STDOUT_FILENO)
  }

  private static func erase(_ width: Int, on descriptor: Int32) {
    TerminalOutput.write(
      [0x0D] + [UInt8](repeating: 0x20, count: width) + [0x0D], to: descriptor)
  }

  /// Runs `body`, which waits for input, with the timer stopped.
  static func paused<Result>(_ body: () -> Result) -> Result {
    guard isOn.load(ordering: .relaxed) else { return body() }
    end()
    defer {
      seconds.store(0, ordering: .relaxed)
      isOn.store(true, ordering: .relaxed)
      setTimer(every: 1)
    }
    return body()
  }

  private static func tick() {
    let now = seconds.load(ordering: .relaxed) + 1
    seconds.store(now, ordering: .relaxed)
    var count = byteCount.load(ordering: .relaxed)
    var divisor = 1
    while divisor <= now / 10 && divisor < 100_000 { divisor *= 10 }
    while divisor > 0 {
      unsafe line[count] = UInt8(ascii: "0") + UInt8(now / divisor % 10)
      count += 1
      divisor /= 10
    }
    unsafe line[count] = UInt8(ascii: " ")
    unsafe line[count + 1] = UInt8(ascii: "s")
    let code = errno
    _ = unsafe write(STDOUT_FILENO, line, count + 2)
    errno = code
  }

  private static func setTimer(every seconds: Int) {
    let interval = timeval(tv_sec: seconds, tv_usec: 0)
    var timer = itimerval(it_interval: interval, it_value: interval)
    unsafe setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
  }
}
