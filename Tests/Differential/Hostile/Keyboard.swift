import Glibc

/// The keyboard's side of a new pseudo-terminal, and the program at its other side.
struct Keyboard: ~Copyable {
  private let terminal: KeyboardEnd
  /// Sizes that the terminal gets while keys are typed.
  private var laterSizes: ArraySlice<ScreenSize>

  /// Makes a terminal of the first size.
  init(sizes: [ScreenSize]) {
    terminal = KeyboardEnd(sizes.first ?? ScreenSize(columns: 80))
    laterSizes = sizes.dropFirst()
  }

  /// Runs a program, types, and asks it in several ways to end; then the terminal hangs up.
  consuming func run(_ process: Process, typing keys: [UInt8]) throws(Process.Failure) -> Ending {
    let child = try process.start(atTerminal: terminal.path)
    let deadline = Process.now() + process.secondsAllowed
    // The prompt shows that the keys are edited.
    var isOver = !read(forAtMost: 3)
    isOver = isOver || !type(keys[...], until: deadline)
    // Ends searches, quoting and pastes, then the text, then the program. Keys after an interrupt
    // are lost.
    for ending in ["\u{1B}[201~\u{7}\u{3}", "\r.\r", "Q\rQ\r"] where !isOver {
      isOver = !type(Array(ending.utf8)[...], until: deadline) || !read(forAtMost: 1)
    }
    _ = consume self
    return Process.end(of: child, by: deadline + 5)
  }

  /// Types bytes as the program takes them, and reads its output.
  ///
  /// - Returns: False when the program has closed the terminal, or the deadline is over.
  private mutating func type(_ keys: ArraySlice<UInt8>, until deadline: Double) -> Bool {
    var keys = keys
    var sinceRead = 0
    while !keys.isEmpty {
      if Process.now() > deadline { return false }
      // A terminal takes no more than 4096 bytes before they are read.
      let isFull = sinceRead > 1024
      switch terminal.next(typing: isFull ? [] : keys.prefix(64), for: isFull ? 0.3 : 1) {
      case .silence, .shown: sinceRead = 0
      case .typed(let count):
        keys = keys.dropFirst(count)
        sinceRead += count
        // A program waiting for keys uses the new size at once.
        if let size = laterSizes.popFirst() {
          guard read(forAtMost: 1, quietFor: 0.03) else { return false }
          terminal.resize(to: size)
          guard read(forAtMost: 1, quietFor: 0.03) else { return false }
        }
      case .end: return false
      }
    }
    return true
  }

  /// Reads until nothing has come for a while.
  ///
  /// - Parameters:
  ///   - seconds: For how long at most.
  ///   - first: The seconds to wait for the first output; by default `seconds`.
  /// - Returns: False when the program has closed the terminal.
  private func read(forAtMost seconds: Double, quietFor first: Double? = nil) -> Bool {
    let start = Process.now()
    var wait = first ?? seconds
    while Process.now() - start < seconds {
      switch terminal.next(for: wait) {
      case .silence: return true
      case .end: return false
      case .shown, .typed: wait = 0.1
      }
    }
    return true
  }
}
