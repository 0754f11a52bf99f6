import Glibc

/// Why the system said no, as in `errno`.
struct SystemError: Error, Equatable, Sendable {
  var code: Int32

  /// The reason of the call that has just failed.
  static var last: SystemError { SystemError(code: errno) }

  /// Makes a call again as long as only a signal stops it.
  ///
  /// - Returns: What it returned, which is not negative.
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
