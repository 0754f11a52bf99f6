import Glibc

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
