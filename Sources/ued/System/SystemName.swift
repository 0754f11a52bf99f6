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
