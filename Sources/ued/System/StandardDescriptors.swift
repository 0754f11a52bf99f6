import Glibc

/// Standard input, output and error.
///
/// SAFETY: the name of the null device is lent for the length of each call.
@safe enum StandardDescriptors {
  /// Takes the places of those that are closed, so that no file of the user's ever gets them.
  ///
  /// Reading and writing there goes on failing: they are opened the wrong way round.
  static func reserve() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
