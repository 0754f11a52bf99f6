import Glibc

/// The size of a terminal, in characters.
package struct ScreenSize: Sendable {
  package var rows: UInt16
  package var columns: UInt16

  package init(rows: UInt16 = 24, columns: UInt16) { (self.rows, self.columns) = (rows, columns) }
}

/// The keyboard's end of a new pseudo-terminal.
package struct KeyboardEnd: ~Copyable {
  /// The keyboard, which does not block.
  package let descriptor: Int32
  /// The path of the other end, where a program runs.
  package let path: String

  package init(_ size: ScreenSize) {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    var unlocked: Int32 = 0
    var number: Int32 = -1
    _ = ioctl(descriptor, 0x4004_5431, &unlocked)  // TIOCSPTLCK
    _ = ioctl(descriptor, 0x8004_5430, &number)  // TIOCGPTN
    path = "/dev/pts/\(number)"
    resize(to: size)
  }

  deinit { close(descriptor) }

  /// Gives the terminal a size; the program is told of another one by a signal.
  package func resize(to size: ScreenSize) {
    var size = winsize(ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, 0x5414, &size)  // TIOCSWINSZ
  }
}
