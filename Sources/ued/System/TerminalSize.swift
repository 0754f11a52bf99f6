import UedLinux
import Glibc

/// The size of a terminal in character cells.
///
/// SAFETY: `ioctl` fills a value on the stack, of the type that TIOCGWINSZ requires.
@safe struct TerminalSize: Equatable, Sendable {
  let rows: Int
  let columns: Int

  init(rows: Int, columns: Int) { (self.rows, self.columns) = (rows, columns) }

  /// The size of the terminal that a descriptor refers to; nil when that is not a terminal.
  init?(of descriptor: Int32) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    rows = Int(size.ws_row)
    columns = Int(size.ws_col)
  }
}
