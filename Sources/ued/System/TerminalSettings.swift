import Glibc

/// The settings that a terminal had at one time.
///
/// SAFETY: `settings` is a value that calls fill or read, and outlives them.
@safe struct TerminalSettings {
  private let descriptor: Int32
  private var settings = termios()

  /// The present settings; nil if the descriptor does not refer to a terminal.
  init?(of descriptor: Int32) {
    self.descriptor = descriptor
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { return nil }
  }

  /// Gives them back to the terminal, unless another process group has it now.
  func restore() {
    guard tcgetpgrp(descriptor) == getpgrp() else { return }
    var settings = settings
    unsafe tcsetattr(descriptor, TCSANOW, &settings)
  }
}
