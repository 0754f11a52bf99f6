import Glibc
import Synchronization

/// Says at a terminal that a command is at work, once that has taken a second.
///
/// A timer interrupts the work every second; its handler rewrites one line, with nothing but
/// carriage returns, and what it writes is wiped out before anything else is written.
///
/// SAFETY: `line` is allocated once and never freed. The handler neither allocates nor locks: it
/// changes digits in `line` and writes that. It runs on the one thread, which changes `line` only
/// while the timer is off.
@safe enum Progress {
  private static let capacity = 120
  /// How many bytes at the end of the line hold the seconds, and what follows them.
  private static let secondsCount = 8
  nonisolated(unsafe) private static let line = UnsafeMutablePointer<UInt8>.allocate(
    capacity: capacity)
  private static let lineCount = Atomic<Int>(0)
  private static let seconds = Atomic<Int>(0)
  private static let isOn = Atomic<Bool>(false)

  /// Begins to count the seconds of something that may take long.
  ///
  /// - Parameter text: What is being done.
  static func begin(_ text: String) {
    let bytes = Array("\r\(text): ".utf8.prefix(capacity - secondsCount))
    unsafe line.update(from: bytes, count: bytes.count)
    lineCount.store(bytes.count, ordering: .relaxed)
    seconds.store(0, ordering: .relaxed)
    var action = sigaction()
    unsafe action.__sigaction_handler.sa_handler = { _ in Progress.tick() }
    // What the system is asked to wait for is begun anew by whoever waits, who looks for an interrupt
    // first: so one that came a moment before the wait ends it a second later.
    action.sa_flags = 0
    unsafe sigaction(SIGALRM, &action, nil)
    isOn.store(true, ordering: .relaxed)
    setTimer(every: 1)
  }

  /// Ends it, and wipes out what was said.
  static func end() {
    guard isOn.exchange(false, ordering: .relaxed) else { return }
    setTimer(every: 0)
    guard seconds.load(ordering: .relaxed) > 0 else { return }
    let width = lineCount.load(ordering: .relaxed) + secondsCount
    TerminalOutput.write([0x0D] + [UInt8](repeating: 0x20, count: width) + [0x0D])
  }

  /// Runs `body`, which waits for a person; the time of that does not count.
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
