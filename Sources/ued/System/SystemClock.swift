import Glibc

/// Wall-clock time.
///
/// SAFETY: each call fills a value on the stack; no pointer to it is kept.
@safe enum SystemClock {
  /// A date and time of day.
  struct Parts: Equatable, Sendable {
    var year, month, day, hour, minute, second: Int
  }

  /// Seconds since the Unix epoch, in whole milliseconds. The coarse clock, which is a few milliseconds
  /// late, can be read without a system call.
  static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return Double(time.tv_sec * 1000 + time.tv_nsec / 1_000_000) / 1000
  }

  /// A time in the local time zone.
  static func local(_ seconds: Double) -> Parts {
    var whole = time_t(seconds)
    var parts = unsafe tm()
    unsafe localtime_r(&whole, &parts)
    return unsafe Self.parts(parts)
  }

  /// A time in UTC.
  static func universal(_ seconds: Double) -> Parts {
    var whole = time_t(seconds)
    var parts = unsafe tm()
    unsafe gmtime_r(&whole, &parts)
    return unsafe Self.parts(parts)
  }

  private static func parts(_ parts: tm) -> Parts {
    unsafe Parts(
      year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday),
      hour: Int(parts.tm_hour), minute: Int(parts.tm_min), second: Int(parts.tm_sec))
  }
}
