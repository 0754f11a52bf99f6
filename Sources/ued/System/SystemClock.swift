import Glibc

/// Wall-clock time.
///
/// SAFETY: each call fills a value on the stack; no pointer to it is kept.
@safe enum SystemClock {
  /// Seconds since the Unix epoch, in whole milliseconds. The coarse clock, which is a few
  /// milliseconds late, can be read without a system call.
  static var now: Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return Double(time.tv_sec * 1000 + time.tv_nsec / 1_000_000) / 1000
  }

  /// Nanoseconds since the system was started; never goes back.
  static var nanosecondsOfUptime: Int {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  /// Seconds since the system was started; never goes back.
  static var uptime: Double { Double(nanosecondsOfUptime) / 1e9 }

  /// A time in a format of `strftime`, whose text has at most 63 bytes, in the local time zone
  /// unless in UTC.
  static func text(_ seconds: Double, _ format: String, inUTC isUTC: Bool = false) -> String {
    var whole = time_t(seconds)
    var parts = unsafe tm()
    _ = unsafe isUTC ? gmtime_r(&whole, &parts) : localtime_r(&whole, &parts)
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe strftime(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, format, &parts)
    }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  /// A time as RFC 3339 has it.
  static func standardText(_ seconds: Double) -> String {
    text(seconds, "%Y-%m-%dT%H:%M:%SZ", inUTC: true)
  }

  /// The time of a year, month, day, hour, minute and second in the local calendar, as seconds
  /// since the Unix epoch; nil if there is no such day or time.
  static func time(_ parts: [Int]) -> Double? {
    guard parts.count == 6 else { return nil }
    var time = unsafe tm()
    unsafe time.tm_year = Int32(parts[0] - 1900)
    unsafe time.tm_mon = Int32(parts[1] - 1)
    unsafe time.tm_mday = Int32(parts[2])
    unsafe time.tm_hour = Int32(parts[3])
    unsafe time.tm_min = Int32(parts[4])
    unsafe time.tm_sec = Int32(parts[5])
    unsafe time.tm_isdst = -1
    let seconds = unsafe mktime(&time)
    // February 30 would be March 2.
    let found = unsafe [time.tm_mon + 1, time.tm_mday, time.tm_hour, time.tm_min, time.tm_sec]
    return seconds != -1 && found.map(Int.init) == Array(parts.dropFirst()) ? Double(seconds) : nil
  }
}

/// The time since the computer was started.
///
/// SAFETY: `read` fills an array on the stack, whose size it gets.
@safe enum SystemBoot {
  /// A text that differs after every start of the computer; empty if the system does not tell.
  static var identity: [UInt8] {
    guard let file = try? OpenFile(Array("/proc/sys/kernel/random/boot_id".utf8), O_RDONLY) else {
      return []
    }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe read(file.descriptor, $0.baseAddress, $0.count)
    }
    return Array(bytes.prefix(max(count, 0)))
  }
}

/// Bytes as C strings, for system calls.
///
/// SAFETY: a string ends with NUL and is lent to the closure, which must not keep it.
@safe enum SystemName {
  /// Calls `body` with a path or command as a C string.
  static func lend<Result>(
    _ name: [UInt8], to body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    var terminated = name
    terminated.append(0)
    return unsafe terminated.withUnsafeBufferPointer { buffer in
      // SAFETY: `UInt8` and `CChar` have the same layout.
      unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        guard let name = characters.baseAddress else {
          preconditionFailure("the buffer has at least a NUL")
        }
        return unsafe body(name)
      }
    }
  }
}

/// The user that ued runs as.
enum SystemUser {
  /// The effective user's number, which never changes.
  static let number = geteuid()
}
