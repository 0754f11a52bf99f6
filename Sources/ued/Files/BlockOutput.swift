import Glibc

/// Writes to a descriptor in big blocks.
///
/// SAFETY: bytes are lent to the system for the length of a call only.
@safe struct BlockOutput {
  private let descriptor: Int32
  /// Whether an interrupt ends it: where somebody may never read, or where nothing is lost by it.
  private let isInterruptible: Bool
  private var pending: [UInt8] = []
  /// Why something could not be written, as in `errno`; 0 when all could.
  private(set) var failure: Int32 = 0

  private static let blockSize = 1 << 16

  init(descriptor: Int32, isInterruptible: Bool = false) {
    self.descriptor = descriptor
    self.isInterruptible = isInterruptible
  }

  /// Writes bytes, sooner or later.
  mutating func append(_ bytes: RawSpan) {
    if pending.count + bytes.byteCount > Self.blockSize { flush() }
    if bytes.byteCount > Self.blockSize {
      if failure == 0 {
        failure = unsafe bytes.withUnsafeBytes {
          unsafe Self.writeAll($0, to: descriptor, isInterruptible: isInterruptible)
        }
      }
    } else {
      pending.append(bytes, in: 0..<bytes.byteCount)
    }
  }

  /// Writes all that has gathered.
  mutating func flush() {
    if failure == 0 && !pending.isEmpty {
      failure = unsafe pending.withUnsafeBytes {
        unsafe Self.writeAll($0, to: descriptor, isInterruptible: isInterruptible)
      }
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// Writes all bytes of a buffer.
  ///
  /// - Returns: 0, or the error.
  static func writeAll(
    _ bytes: UnsafeRawBufferPointer, to descriptor: Int32, isInterruptible: Bool = false
  ) -> Int32 {
    var rest = unsafe bytes
    while let base = rest.baseAddress, unsafe !rest.isEmpty {
      if isInterruptible && Interrupts.isInterrupted { return EINTR }
      let count = unsafe Glibc.write(descriptor, base, rest.count)
      if count < 0 && errno != EINTR { return errno }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[max(count, 0)...])
    }
    return 0
  }
}
