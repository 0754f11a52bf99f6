import CLinux
import Glibc

/// How many rows and columns a terminal has.
///
/// SAFETY: the system fills a value on the stack.
@safe struct TerminalSize: Equatable, Sendable {
  let rows: Int
  let columns: Int

  /// The size of the terminal that a descriptor belongs to; nil when it is none.
  init?(of descriptor: Int32) {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    rows = Int(size.ws_row)
    columns = Int(size.ws_col)
  }
}
