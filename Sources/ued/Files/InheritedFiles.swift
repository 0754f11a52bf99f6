import Glibc

/// The files that were open when ued was started: who opened them would keep the old file if it were
/// replaced.
///
/// SAFETY: `fstat` fills a value on the stack.
@safe enum InheritedFiles {
  /// Descriptors below this one may have been opened by the script that runs ued.
  private static let firstOwnDescriptor: Int32 = 10

  private static let numbers: Set<FileIdentity.Number> = {
    var numbers: Set<FileIdentity.Number> = []
    for descriptor in 0..<firstOwnDescriptor {
      var status = stat()
      // Those that ued opens itself are closed on `exec`, so they can't be inherited.
      let flags = fcntl(descriptor, F_GETFD)
      if flags >= 0, flags & FD_CLOEXEC == 0, unsafe fstat(descriptor, &status) == 0 {
        numbers.insert(FileIdentity(status).number)
      }
    }
    return numbers
  }()

  /// Whether a file is one of them.
  static func contains(_ file: FileIdentity) -> Bool { numbers.contains(file.number) }
}
