import Glibc

/// The reason why a system call failed, as in `errno`.
///
/// SAFETY: `strerror` returns a string that ends with NUL and is valid until the next call; it is copied.
@safe struct SystemError: Error, Equatable, Sendable {
  var code: Int32

  /// The system's text for it, in the language and the encoding of the locale.
  var text: [UInt8] {
    unsafe strerror(code).map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
      ?? []
  }

  /// The reason of the last failure.
  static var last: SystemError { SystemError(code: errno) }

  /// Repeats a call as long as it fails with EINTR.
  ///
  /// - Returns: The result of the call, which is not negative.
  @discardableResult
  static func retrying<Count: SignedInteger>(
    _ call: () -> Count
  ) throws(SystemError) -> Count {
    while true {
      let result = call()
      if result >= 0 { return result }
      if errno != EINTR { throw .last }
    }
  }
}
