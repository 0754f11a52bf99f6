import CSpawn
import Glibc

/// The keyboard's side of a new pseudo-terminal, and the program at its other side.
struct Keyboard: ~Copyable {
  private let terminal: KeyboardEnd
  private var child: pid_t = 0

  /// Sizes that the terminal gets while keys are typed.
  private var laterSizes: ArraySlice<ScreenSize>

  /// Makes a terminal of the first size.
  init(sizes: [ScreenSize]) {
    terminal = KeyboardEnd(sizes.first ?? ScreenSize(columns: 80))
    laterSizes = sizes.dropFirst()
  }

  /// Runs a program, types, and asks it in several ways to end; then the terminal hangs up.
  consuming func run(
    _ words: [String], environment: [String], directory: String, typing keys: [UInt8],
    secondsAllowed: Double
  ) throws(Process.Failure) -> Ending {
    var arguments = words.map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    defer { for word in arguments + variables { free(word) } }
    let code = cspawn_start_at_terminal(
      &child, words[0], &arguments, &variables, directory, terminal.path)
    guard code == 0 else { throw Process.Failure(what: "start \(words[0])", code: code) }
    let deadline = Process.now() + secondsAllowed
    // The prompt shows that the keys are edited.
    var isOver = !read(forAtMost: 3)
    isOver = isOver || !type(keys[...], until: deadline)
    // Leaves searches, quotes and pastes, then text, then the program. An interrupt drops what is typed after it.
    for ending in ["\u{1B}[201~\u{7}\u{3}", "\r.\r", "Q\rQ\r"] where !isOver {
      isOver = !type(Array(ending.utf8)[...], until: deadline) || !read(forAtMost: 1)
    }
    return end(by: deadline)
  }

  /// Types bytes as the program takes them, and reads what it shows.
  ///
  /// - Returns: False when nobody has the terminal open any more, or the deadline is over.
  private mutating func type(_ keys: ArraySlice<UInt8>, until deadline: Double) -> Bool {
    var keys = keys
    var sinceRead = 0
    while !keys.isEmpty {
      if Process.now() > deadline { return false }
      var polled = pollfd(fd: terminal.descriptor, events: Int16(POLLIN | POLLOUT), revents: 0)
      // A terminal takes no more than 4096 bytes before they are read.
      let isFull = sinceRead > 1024
      if isFull { polled.events = Int16(POLLIN) }
      let count = poll(&polled, 1, isFull ? 300 : 1000)
      if count == 0 {
        sinceRead = 0
      } else if polled.revents & Int16(POLLIN) != 0 {
        guard take() else { return false }
        sinceRead = 0
      } else if polled.revents & Int16(POLLOUT) != 0 {
        let part = Array(keys.prefix(64))
        let written = write(terminal.descriptor, part, part.count)
        if written > 0 { keys = keys.dropFirst(written) }
        sinceRead += max(0, written)
        // A program that waits for keys takes the new size at once.
        if let size = laterSizes.popFirst() {
          guard read(forAtMost: 1, quietFor: 30) else { return false }
          terminal.resize(to: size)
          guard read(forAtMost: 1, quietFor: 30) else { return false }
        }
      } else if polled.revents != 0 {
        return false
      }
    }
    return true
  }

  /// Reads until nothing has come for a while.
  ///
  /// - Parameters:
  ///   - seconds: For how long at most.
  ///   - first: How long to wait for the first output, in milliseconds; all the time if nil.
  /// - Returns: False when nobody has the terminal open any more.
  private func read(forAtMost seconds: Double, quietFor first: Int32? = nil) -> Bool {
    let start = Process.now()
    var wait = first ?? Int32(seconds * 1000)
    while Process.now() - start < seconds {
      var polled = pollfd(fd: terminal.descriptor, events: Int16(POLLIN), revents: 0)
      if poll(&polled, 1, wait) == 0 { return true }
      guard take() else { return false }
      wait = 100
    }
    return true
  }

  private func take() -> Bool {
    var block = [UInt8](repeating: 0, count: 16_384)
    return Glibc.read(terminal.descriptor, &block, block.count) > 0
  }

  /// Hangs up, and waits for the end of the program.
  private consuming func end(by deadline: Double) -> Ending {
    let child = child
    _ = consume self
    var status: Int32 = 0
    var isLate = false
    while waitpid(child, &status, isLate ? 0 : WNOHANG) == 0 {
      if Process.now() > deadline + 5 {
        isLate = true
        kill(-child, SIGKILL)
        kill(child, SIGKILL)
      }
      usleep(1000)
    }
    let signal = status & 0x7F
    return isLate ? .timedOut : signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal)
  }
}
