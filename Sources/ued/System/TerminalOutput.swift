import Glibc
import UedLinux

/// Prompts and messages at a terminal, which bypass the buffer for the output of commands.
enum TerminalOutput {
  /// Whether to use colours: TERM is set and not `dumb`, NO_COLOR is unset or empty, and UED_PLAIN
  /// is off.
  static var allowsColors: Bool {
    let terminal = ProcessArguments.environment("TERM") ?? []
    return (ProcessArguments.environment("NO_COLOR") ?? []).isEmpty && !prefersSentences
      && !terminal.isEmpty && terminal != Array("dumb".utf8)
  }

  /// Whether UED_PLAIN asks for sentences instead of tables and marks, for a screen reader.
  static var prefersSentences: Bool { isOn("UED_PLAIN") }

  /// Whether an environment variable is set, not empty, and not `0`.
  static func isOn(_ name: String) -> Bool {
    let value = ProcessArguments.environment(name) ?? []
    return !value.isEmpty && value != [.zero]
  }

  /// Writes bytes immediately, and ignores errors.
  static func write(_ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO) {
    try? unsafe DescriptorWriter.write(bytes.span.bytes, to: descriptor)
  }
}

/// The settings of a terminal, saved to be restored later.
///
/// SAFETY: `settings` is a value that outlives the calls that fill or read it.
@safe struct TerminalSettings {
  private let descriptor: Int32
  private var settings = termios()

  /// Saves the current settings; nil if the descriptor does not refer to a terminal.
  init?(of descriptor: Int32) {
    self.descriptor = descriptor
    guard unsafe tcgetattr(descriptor, &settings) == 0 else { return nil }
  }

  /// Restores these settings, unless another process group is in the foreground.
  func restore() {
    guard tcgetpgrp(descriptor) == getpgrp() else { return }
    var settings = settings
    unsafe tcsetattr(descriptor, TCSANOW, &settings)
  }
}

/// The size of a terminal in character cells.
///
/// SAFETY: `ioctl` fills a value on the stack, of the type that TIOCGWINSZ requires.
@safe struct TerminalSize: Equatable, Sendable {
  let rows: Int
  let columns: Int

  init(rows: Int, columns: Int) { (self.rows, self.columns) = (rows, columns) }

  /// The current size of a terminal; nil if the descriptor does not refer to one.
  init?(of descriptor: Int32) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    rows = Int(size.ws_row)
    columns = Int(size.ws_col)
  }
}
