import Glibc
import Synchronization

/// A progress line at the terminal, for work that takes longer than a second.
///
/// The handler of a timer rewrites the line every second, using carriage returns only. The line is erased
/// before any other output.
///
/// SAFETY: `line` has `capacity` bytes, is allocated once and never freed; `begin` leaves `secondsCount` of
/// them for the handler. The handler is async-signal-safe: it does not allocate or lock, calls only
/// `write`, and restores `errno`. There is one thread, which writes to `line` only while the timer is off.
@safe enum Progress {
  private static let capacity = 120
  /// The number of bytes for the seconds and their unit.
  private static let secondsCount = 8
  nonisolated(unsafe) private static let line = UnsafeMutablePointer<UInt8>.allocate(
    capacity: capacity)
  private static let lineCount = Atomic<Int>(0)
  private static let seconds = Atomic<Int>(0)
  private static let isOn = Atomic<Bool>(false)

  /// Starts the timer for work that may take long.
  ///
  /// - Parameter text: A name for the work.
  static func begin(_ text: String) {
    let bytes = Array("\r\(text): ".utf8.prefix(capacity - secondsCount))
    unsafe line.update(from: bytes, count: bytes.count)
    lineCount.store(bytes.count, ordering: .relaxed)
    seconds.store(0, ordering: .relaxed)
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in Progress.tick() }
    // Without SA_RESTART, blocking calls fail with EINTR every second, and their callers check for an
    // interrupt before they retry. So one that came just before a call ends it a second later.
    action.sa_flags = 0
    unsafe sigaction(SIGALRM, &action, nil)
    isOn.store(true, ordering: .relaxed)
    setTimer(every: 1)
  }

  /// Stops the timer and erases the line.
  static func end() {
    guard isOn.exchange(false, ordering: .relaxed) else { return }
    setTimer(every: 0)
    guard seconds.load(ordering: .relaxed) > 0 else { return }
    let width = lineCount.load(ordering: .relaxed) + secondsCount
    TerminalOutput.write([0x0D] + [UInt8](repeating: 0x20, count: width) + [0x0D])
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
    var count = lineCount.load(ordering: .relaxed)
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
