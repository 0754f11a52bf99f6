import Synchronization

/// How long work that can be given up goes on after a signal, so that signals are answered soon, and what takes no
/// longer is done all the same.
struct GracePeriod {
  /// Whether SIGINT counts, and not only signals that end the program.
  let heedsInterrupts: Bool
  /// When it ends; nil while no signal has been seen.
  private var end: Int?
  private var count = 0
  /// When the one before the end of the program ends, however often it begins; 0 while no signal asks for that.
  private static let lastEnd = Atomic<Int>(0)

  private static let microseconds = 20_000
  /// The number of calls for each look at signals and clock.
  private static let calls = 64

  init(heedsInterrupts: Bool) { self.heedsInterrupts = heedsInterrupts }

  /// Whether there was one before the end of the program, and it is over.
  static var isSpent: Bool {
    let end = lastEnd.load(ordering: .relaxed)
    return end > 0 && now >= end
  }

  private static var now: Int { Int(SystemClock.uptime * 1e6) }

  /// Whether the work is to be given up; call it for each of its many small parts.
  mutating func isOver() -> Bool {
    count += 1
    return count % Self.calls == 0 && isOverNow()
  }

  /// Whether the work is to be given up; it begins with the first call after a signal.
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
