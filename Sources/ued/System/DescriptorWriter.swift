import Glibc

/// The write loop for descriptors.
///
/// SAFETY: `write` reads only bytes `offset..<byteCount` of the span, which outlives each call.
@safe enum DescriptorWriter {
  /// Writes all bytes, however many calls that takes.
  ///
  /// - Parameters:
  ///   - bytes: What to write.
  ///   - descriptor: An open descriptor.
  ///   - isInterruptible: Whether to stop at SIGINT: for pipes whose reader may never read, and for
  ///     files that can be written again.
  /// - Throws: Why not all was written; EINTR after an interrupt. Any number of bytes may have been.
  static func write(
    _ bytes: RawSpan, to descriptor: Int32, isInterruptible: Bool = false
  ) throws(SystemError) {
    var offset = 0
    while offset < bytes.byteCount {
      if isInterruptible && Interrupts.isInterrupted { throw SystemError(code: EINTR) }
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(
          descriptor, bytes.baseAddress.map { unsafe $0 + offset }, bytes.count - offset)
      }
      if count < 0 && errno != EINTR { throw .last }
      offset += max(count, 0)
    }
  }
}
