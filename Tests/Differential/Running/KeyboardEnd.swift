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
  private let descriptor: Int32
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

  /// Gives the terminal a size; a change sends the program a signal.
  package func resize(to size: ScreenSize) {
    var size = winsize(ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, 0x5414, &size)  // TIOCSWINSZ
  }

  /// Takes the terminal away from its programs.
  package func hangUp() {
    let none = open("/dev/null", O_RDWR | O_CLOEXEC)
    dup2(none, descriptor)
    close(none)
  }

  /// An event at a terminal.
  package enum Event {
    case shown([UInt8])
    /// The number of typed keys.
    case typed(Int)
    /// No event within the given time.
    case silence
    /// No program has the terminal open any more.
    case end
  }

  /// Waits until something is shown, or some of the keys could be typed.
  ///
  /// - Parameters:
  ///   - keys: The keys to type.
  ///   - seconds: The longest time to wait.
  /// - Returns: The first event.
  package func next(typing keys: ArraySlice<UInt8> = [], for seconds: Double) -> Event {
    var polled = pollfd(
      fd: descriptor, events: Int16(keys.isEmpty ? POLLIN : POLLIN | POLLOUT), revents: 0)
    guard seconds > 0, poll(&polled, 1, Int32(seconds * 1000) + 1) > 0 else { return .silence }
    if polled.revents & Int16(POLLIN) != 0 {
      var block = [UInt8](repeating: 0, count: 16_384)
      let count = read(descriptor, &block, block.count)
      return count > 0 ? .shown(Array(block[..<count])) : .end
    }
    guard polled.revents & Int16(POLLOUT) != 0 else { return .end }
    let count = keys.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    return count > 0 || errno == EAGAIN ? .typed(max(0, count)) : .end
  }
}
