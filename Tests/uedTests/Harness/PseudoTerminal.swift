import Differential
import Glibc
import Testing

/// The keyboard's end of a pseudo-terminal: reads output, types.
///
/// Each awaited text is searched for after the previous one. The deadline is long: it only ends
/// tests that fail.
class PseudoTerminal: @unchecked Sendable {
  /// The path of the terminal, for the program.
  var path: String { terminal.path }
  /// All output.
  private(set) var written: [UInt8] = []
  /// Whether a step has failed, so that the later ones do nothing.
  private(set) var hasFailed = false
  private let terminal: KeyboardEnd
  /// Whether searches see escape sequences in the output.
  private let seesSequences: Bool
  /// The output that no awaited text has consumed.
  private var ahead: [UInt8] = []
  /// The control sequence read so far.
  private var sequence: [UInt8] = []
  /// When the present step must be done.
  private var deadline = 0.0

  init(columns: UInt16 = 80, seesSequences: Bool = false) {
    terminal = KeyboardEnd(ScreenSize(columns: columns))
    self.seesSequences = seesSequences
  }

  /// Awaits each text in turn.
  ///
  /// - Returns: The output before the last of them.
  @discardableResult
  func sees(_ texts: String..., at location: SourceLocation = #_sourceLocation) -> String {
    var before: [UInt8] = []
    for text in texts {
      deadline = Process.now() + Process.patience
      let awaited = Array(text.utf8)
      var searched = 0
      while !hasFailed {
        let found = ahead[searched...].indices.first { ahead[$0...].starts(with: awaited) }
        if let found {
          before = Array(ahead[..<found])
          ahead.removeFirst(found + awaited.count)
          break
        }
        searched = max(0, ahead.count - awaited.count + 1)
        if !wait() { fail("waited for \(text.debugDescription)", at: location) }
      }
    }
    return String(decoding: before, as: UTF8.self)
  }

  /// Awaits a prompt, and then types.
  func at(_ prompt: String, type text: String, at location: SourceLocation = #_sourceLocation) {
    sees(prompt, at: location)
    type(text, at: location)
  }

  /// Awaits the output of a step, up to a prompt or to `¦`, and types the rest of the step.
  func playStep(_ step: String, at location: SourceLocation) {
    let prompt = #/(^|\n)([0-9]*\*?(\([^)\n]*\))?[:>?]|\.\.\.|(replace\? )?\(y n a q\)|shell\$)[ ]/#
      .matchingSemantics(.unicodeScalar)
    let mark = step.firstIndex(of: "¦")
    let end = mark ?? step.firstMatch(of: prompt)?.range.upperBound ?? step.endIndex
    if end != step.startIndex { sees(String(step[..<end]), at: location) }
    type(String(step[end...].drop { $0 == "¦" }), at: location)
  }

  /// Types, and reads the output meanwhile.
  func type(_ text: String, at location: SourceLocation = #_sourceLocation) {
    type(Array(text.utf8), at: location)
  }

  /// Types bytes, and reads the output meanwhile.
  func type(_ bytes: [UInt8], at location: SourceLocation = #_sourceLocation) {
    var rest = bytes[...]
    var typed = -1
    while !rest.isEmpty && !hasFailed {
      if bytes.count - rest.count > typed { deadline = Process.now() + Process.patience }
      typed = bytes.count - rest.count
      if !wait(typing: &rest) {
        let untyped = String(decoding: rest, as: UTF8.self)
        fail("could not type \(untyped.debugDescription)", at: location)
      }
    }
  }

  /// Types a control character: `C` for `^C`.
  func control(_ letter: Character) {
    type(String(UnicodeScalar((letter.asciiValue ?? 0) & 0x1F)))
  }

  /// Stops the terminal from echoing keys.
  func stopEcho() {
    settings.c_lflag &= ~tcflag_t(ECHO)
  }

  func resize(rows: UInt16 = 24, columns: UInt16) {
    terminal.resize(to: ScreenSize(rows: rows, columns: columns))
  }

  /// Takes the terminal away, as when its window is closed.
  func hangUp() { terminal.hangUp() }

  /// Waits until the output meets a condition.
  func wait(
    for what: String, at location: SourceLocation = #_sourceLocation,
    until isDone: ([UInt8]) -> Bool
  ) {
    deadline = Process.now() + Process.patience
    while !hasFailed && !isDone(written) {
      if !wait() { fail("waited for \(what)", at: location) }
    }
  }

  /// Waits until no program has the terminal open.
  func waitForEnd(at location: SourceLocation = #_sourceLocation) {
    deadline = Process.now() + Process.patience
    while !hasFailed && wait() {}
    if !hasFailed && Process.now() > deadline { fail("waited for the end", at: location) }
  }

  /// Reads the output until the program has read all keys and waits for more.
  func settle(_ program: ProcessState, at location: SourceLocation) {
    deadline = Process.now() + Process.patience
    while !hasFailed && (hasUnreadKeys || !program.isWaiting(in: ProcessState.readingCalls)) {
      var none: ArraySlice<UInt8> = []
      if !wait(typing: &none, until: Process.now() + 0.001) && Process.now() > deadline {
        fail("waited until all was read", at: location)
      }
    }
  }

  private var hasUnreadKeys: Bool {
    var count: Int32 = 0
    withDescriptor { _ = ioctl($0, UInt(FIONREAD), &count) }
    return count > 0
  }

  /// Whether the terminal is as a shell expects it: it echoes, and waits for whole lines.
  var isCooked: Bool {
    let wanted = tcflag_t(ICANON | ECHO | ISIG)
    return settings.c_lflag & wanted == wanted
  }

  /// Whether `^S` stops the output.
  var hasFlowControl: Bool { settings.c_iflag & tcflag_t(IXON) != 0 }

  private var settings: termios {
    get {
      var settings = termios()
      withDescriptor { _ = tcgetattr($0, &settings) }
      return settings
    }
    set { withDescriptor { descriptor in _ = tcsetattr(descriptor, TCSANOW, [newValue]) } }
  }

  /// Opens the program's end of the terminal.
  private func withDescriptor(_ body: (Int32) -> Void) {
    let descriptor = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    body(descriptor)
    close(descriptor)
  }

  // MARK: - Reading and typing

  /// Records that a step has failed, and lets the later ones do nothing.
  private func fail(_ step: String, at location: SourceLocation) {
    hasFailed = true
    let seen = String(decoding: ahead.suffix(1000), as: UTF8.self)
    Issue.record("\(step), saw \(seen.debugDescription)", sourceLocation: location)
  }

  /// Waits for output, or until some of `keys` are typed; removes these from `keys`.
  ///
  /// - Returns: False at the end of the output and after the deadline.
  private func wait(typing keys: inout ArraySlice<UInt8>, until time: Double? = nil) -> Bool {
    // A terminal holds at most 4096 unread bytes.
    switch terminal.next(typing: keys.prefix(512), for: (time ?? deadline) - Process.now()) {
    case .shown(let bytes): for byte in bytes { take(byte) }
    case .typed(let count): keys = keys.dropFirst(count)
    case .silence, .end: return false
    }
    return true
  }

  private func wait() -> Bool {
    var none: ArraySlice<UInt8> = []
    return wait(typing: &none)
  }

  private func take(_ byte: UInt8) {
    written.append(byte)
    if sequence.isEmpty {
      if byte == 0x1B && !seesSequences { sequence = [byte] } else { ahead.append(byte) }
      return
    }
    sequence.append(byte)
    let isIntroducer = sequence.count == 2 && byte == UInt8(ascii: "[")
    if !isIntroducer && (0x40...0x7E).contains(byte) { sequence = [] }
  }
}
