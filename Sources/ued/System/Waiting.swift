import UedLinux
import Glibc

/// A wait for other processes, in blocking system calls. The wait for each process has a time
/// limit, and the whole wait has another. A timer sends SIGURG to this thread at intervals: the
/// call fails with EINTR, and the wait checks for its limits and for interrupts.
///
/// SAFETY: the timer and its settings are values on the stack, passed for the length of a call; the
/// timer is deleted once, in `deinit`.
@safe struct Waiting: ~Copyable {
  /// The default limit in seconds.
  static let usualLimit = 30.0

  private let limit: Int
  private var deadline: Int
  private let lastDeadline: Int
  private var timer: timer_t?

  /// The limit for the whole wait, as a multiple of the limit for each process.
  private static let limitFactor = 4
  private static let longestInterval = 250_000_000
  private static let shortestInterval = 1_000_000
  /// Installs the handler of SIGURG at the first use.
  private static let handler: Void = Interrupts.catchReminders()

  init(atMost seconds: Double) {
    limit = Int(min(max(seconds, 0), 1e8) * 1e9)
    deadline = SystemClock.nanosecondsOfUptime + limit
    lastDeadline = SystemClock.nanosecondsOfUptime + limit * Self.limitFactor
  }

  deinit {
    if let timer = unsafe timer { unsafe timer_delete(timer) }
  }

  /// Restarts the limit for one process, because the wait is now for a different one.
  mutating func restart() {
    deadline = min(SystemClock.nanosecondsOfUptime + limit, lastDeadline)
  }

  /// Whether the limit for the whole wait has passed.
  var isOver: Bool { SystemClock.nanosecondsOfUptime >= lastDeadline }

  /// Repeats a blocking call while signals interrupt it. A failed call returns -1 with the reason
  /// in `errno`. When `hasChangedHands` returns true, a different process now blocks the call, and
  /// the limit restarts. An error of `hasChangedHands` ends the wait.
  ///
  /// - Throws: ETIMEDOUT after the limit, EINTR after an interrupt, or the error of the call.
  mutating func forSuccess(
    hasChangedHands: () throws(SystemError) -> Bool = { () throws(SystemError) in false },
    of call: () -> Int32
  ) throws(SystemError) {
    // SIGURG is unblocked only during this wait, since it would disturb unrelated calls.
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe sigaddset(&signals, SIGURG)
    var before = sigset_t()
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    while true {
      if Interrupts.isInterrupted { throw SystemError(code: EINTR) }
      if try hasChangedHands() { restart() }
      if SystemClock.nanosecondsOfUptime >= deadline { throw SystemError(code: ETIMEDOUT) }
      try startTimer()
      if call() >= 0 { return }
      if errno != EINTR { throw .last }
    }
  }

  /// Takes the lock of an open file or folder by `flock`, waiting at most `seconds` for its holder.
  ///
  /// - Throws: ETIMEDOUT; EINTR after an interrupt; otherwise the reason why it can't be locked.
  static func lock(
    _ file: borrowing OpenFile, atMost seconds: Double
  ) throws(SystemError) {
    var waiting = Waiting(atMost: seconds)
    try waiting.lock(file)
  }

  /// Takes the lock of an open file or folder by `flock`. If another process holds the lock, `ends`
  /// first tells whether waiting is pointless.
  ///
  /// - Throws: ETIMEDOUT; EINTR after an interrupt; ENOLCK if waiting is pointless; otherwise the
  ///   reason why it can't be locked.
  mutating func lock(
    _ file: borrowing OpenFile, unless ends: (borrowing OpenFile) -> Bool = { _ in false }
  ) throws(SystemError) {
    let descriptor = file.descriptor
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return }
    if errno != EWOULDBLOCK { throw .last }
    if ends(file) { throw SystemError(code: ENOLCK) }
    restart()
    try forSuccess { flock(descriptor, LOCK_EX) }
  }

  private mutating func startTimer() throws(SystemError) {
    if unsafe timer != nil { return }
    Self.handler
    var new: timer_t?
    if unsafe clinux_make_thread_timer(SIGURG, &new) != 0 { throw .last }
    unsafe timer = new
    let interval = timespec(
      tv_sec: 0, tv_nsec: min(max(limit / 8, Self.shortestInterval), Self.longestInterval))
    var setting = itimerspec(it_interval: interval, it_value: interval)
    if unsafe timer_settime(new, 0, &setting, nil) != 0 { throw .last }
  }
}
