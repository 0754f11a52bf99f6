import Glibc

/// Wall-clock time, and the time since the system was started.
///
/// SAFETY: each call fills a value on the stack; no pointer to it is kept.
@safe enum SystemClock {
  /// Seconds since the Unix epoch, in whole milliseconds. Uses the coarse clock, which may be a few
  /// milliseconds late, but needs no system call.
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

  /// Formats a time with `strftime`, in the local time zone or in UTC. The result must fit in 63
  /// bytes.
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

  /// A time in the format of RFC 3339, in UTC.
  static func standardText(_ seconds: Double) -> String {
    text(seconds, "%Y-%m-%dT%H:%M:%SZ", inUTC: true)
  }

  /// Converts a local year, month, day, hour, minute and second to seconds since the Unix epoch;
  /// nil if the day or time does not exist.
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
    // `mktime` turns February 30 into March 1 or 2 instead of failing.
    let found = unsafe [time.tm_mon + 1, time.tm_mday, time.tm_hour, time.tm_min, time.tm_sec]
    return seconds != -1 && found.map(Int.init) == Array(parts.dropFirst()) ? Double(seconds) : nil
  }
}

/// The current boot of the system.
///
/// SAFETY: `read` fills an array, and gets its size.
@safe enum SystemBoot {
  /// The kernel's boot ID, which is different after each boot; empty if it can't be read.
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
  /// The effective user ID, which ued never changes.
  static let number = geteuid()
}
