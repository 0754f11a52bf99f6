/// Names and commands as the system wants them.
///
/// SAFETY: the bytes are lent for the length of a call, and end with NUL.
@safe enum SystemName {
  /// Lends a name or command to the system.
  static func lend<Result>(
    _ name: [UInt8], to body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    var terminated = name
    terminated.append(0)
    return unsafe terminated.withUnsafeBufferPointer { buffer in
      // SAFETY: the buffer is not empty; bytes and C characters have one layout.
      unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        guard let name = characters.baseAddress else {
          preconditionFailure("a name is never empty")
        }
        return unsafe body(name)
      }
    }
  }
}
