import Glibc

/// Standard input, output and error.
///
/// SAFETY: `open` gets a constant string.
@safe enum StandardDescriptors {
  /// Opens those that are closed on `/dev/null`, so that no file that is opened later gets their numbers.
  ///
  /// They are opened for the wrong direction, so that reading and writing fail as before.
  static func reserve() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
