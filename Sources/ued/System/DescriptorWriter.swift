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

  /// Writes all bytes to where a reader may not take them, which a signal then ends.
  ///
  /// - Throws: Why not all was written; EINTR if a signal came while nothing was taken.
  static func writeToReader(_ bytes: RawSpan, of descriptor: Int32) throws(SystemError) {
    var offset = 0
    while offset < bytes.byteCount {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.write(
          descriptor, bytes.baseAddress.map { unsafe $0 + offset }, bytes.count - offset)
      }
      if count < 0 && (errno != EINTR || Interrupts.isInterrupted) { throw .last }
      offset += max(count, 0)
    }
  }

  /// Writes what a reader takes at once.
  ///
  /// - Parameters:
  ///   - bytes: What to write.
  ///   - descriptor: An open descriptor.
  ///   - milliseconds: How long to wait for the reader each time.
  static func writeWhatIsTaken(
    _ bytes: RawSpan, by descriptor: Int32, within milliseconds: Int32
  ) {
    var offset = 0
    var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    while offset < bytes.byteCount, unsafe poll(&polled, 1, milliseconds) == 1 {
      // A pipe that can be written takes as much.
      let end = min(offset + Int(PIPE_BUF), bytes.byteCount)
      do throws(SystemError) {
        try write(bytes.extracting(offset..<end), to: descriptor)
      } catch {
        return
      }
      offset = end
    }
  }
}
