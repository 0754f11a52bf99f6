import Glibc

/// The full screen of a terminal: reads keys one by one, and writes the changed lines of pages.
///
/// The terminal is in raw mode and shows its alternate screen from ``open()`` to ``close()``.
/// `TerminalRescue` restores both if a signal kills the process. SIGINT and SIGTSTP stay signals,
/// to interrupt long work.
///
/// SAFETY: system calls fill or read values on the stack, and borrow them for the length of the
/// call.
@safe final class FullScreen: Screen {
  private let session: TerminalSession
  private let clearLine: [UInt8]
  private let clearAll: [UInt8]
  private var keys = FullScreenKeys()
  private var waiting: [ScreenEvent] = []
  /// The lines that the terminal shows; nil where unknown.
  private var shown: [String?] = []
  private var jobControl: Interrupts.JobControl?

  /// A screen at the terminal of a session of line editing.
  init(_ session: TerminalSession, _ controls: TerminalControls) {
    self.session = session
    (clearLine, clearAll) = (controls.clearLine, controls.clearAll)
  }

  deinit { close() }

  func open() {
    if jobControl != nil { return }
    jobControl = Interrupts.beginJobControl()
    enter()
  }

  func close() {
    guard let jobControl else { return }
    leave()
    jobControl.end()
    self.jobControl = nil
  }

  private func enter() {
    TerminalRescue.begin(onScreen: true)
    session.write("\u{1B}[?1049h")
    setUp()
  }

  /// Sets the modes of a view: keys one by one, lines that never wrap, and marks around pastes.
  private func setUp() {
    setRaw()
    session.write("\u{1B}[?7l\u{1B}[?2004h")
    session.write(clearAll)
    shown = []
  }

  private func leave() {
    session.write(clearAll)
    session.write("\(TerminalRescue.leavingSequence)")
    TerminalRescue.restore()
  }

  private func setRaw() {
    var settings = termios()
    guard unsafe tcgetattr(session.input, &settings) == 0 else { return }
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    settings.c_lflag |= tcflag_t(ISIG)
    settings.c_iflag &= ~tcflag_t(IXON | ICRNL | INLCR | IGNCR)
    settings.c_oflag |= tcflag_t(OPOST | ONLCR)
    unsafe tcsetattr(session.input, TCSANOW, &settings)
  }

  // MARK: - Pages

  var size: TerminalSize { session.size }

  func show(_ frame: ScreenFrame) {
    var bytes: [UInt8] = []
    if shown.count > frame.lines.count { shown.removeSubrange(frame.lines.count...) }
    for (row, line) in frame.lines.enumerated() {
      let isKnown = row < shown.count && shown[row] == line
      if isKnown { continue }
      // Clears the row first: behind the last column, some terminals would clear the last
      // character.
      bytes += Self.move(to: row, 0) + clearLine + Array(line.utf8)
    }
    shown = frame.lines
    session.write(bytes + Self.move(to: frame.cursorRow, frame.cursorColumn))
  }

  private static func move(to row: Int, _ column: Int) -> [UInt8] {
    Array("\u{1B}[\(row + 1);\(column + 1)H".utf8)
  }

  // MARK: - Keys

  var hasEventAhead: Bool {
    !waiting.isEmpty || !session.unused.isEmpty
      || session.isReady(within: 0) && !Interrupts.isRequested
  }

  func dropKeys() {
    waiting = []
    session.unused = []
    tcflush(session.input, TCIFLUSH)
  }

  func nextEvent() -> ScreenEvent {
    while true {
      if !waiting.isEmpty { return waiting.removeFirst() }
      if !session.unused.isEmpty {
        note(keys.take(session.unused.removeFirst()))
        continue
      }
      if let patience = keys.patience, !Interrupts.isRequested, !session.isReady(within: patience),
        errno != EINTR
      {
        note(keys.timeOut())
        continue
      }
      switch Interrupts.waitForInput(session.input, isEdited: true) {
      case .ready: break
      case .interrupted:
        keys = FullScreenKeys()
        return .interrupted
      case .stop:
        stop()
        return .redraw
      case .redraw:
        // Another process may have used the terminal.
        setUp()
        return .redraw
      }
      var byte: UInt8 = 0
      let count = unsafe read(session.input, &byte, 1)
      if count == 1 {
        note(keys.take(byte))
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        return Interrupts.noteEnd(of: session.input) ? .interrupted : .end
      }
    }
  }

  private func note(_ typed: [FullScreenKeys.Typed]) {
    for typed in typed {
      switch typed {
      case .event(let event): waiting.append(event)
      case .stop: raise(SIGTSTP)
      }
    }
  }

  /// Stops the process, as `^Z` does, with the original settings of the terminal.
  private func stop() {
    leave()
    Interrupts.stop()
    enter()
  }
}

struct FullScreenKeys {
  enum Typed: Equatable, Sendable {
    case event(ScreenEvent)
    /// A key that acts as SIGTSTP, sent as a sequence.
    case stop
  }

  /// Decodes sequences; `sequences` below maps all but the start of a paste.
  private var decoder = KeyDecoder(
    escapeIsKey: true, rebound: Set(TerminalKey.sequences.filter { $0.value != .paste }.keys))
  private var partial: [UInt8] = []
  /// The bytes pasted so far; nil outside of a paste.
  private var pasted: [UInt8]?

  /// The longest wait for the next byte before ``timeOut()``, in milliseconds; nil for no limit.
  var patience: Int32? { decoder.patience.map { max($0, Self.leastPatience) } }

  /// A slow link may delay a key's later bytes.
  private static let leastPatience: Int32 = 300

  mutating func take(_ byte: UInt8) -> [Typed] { decoder.take(byte).flatMap { typed($0) } }

  mutating func timeOut() -> [Typed] { decoder.timeOut().flatMap { typed($0) } }

  private mutating func typed(_ key: TypedKey) -> [Typed] {
    switch key {
    case .interrupt: return [.event(.interrupted)]
    case .stop: return [.stop]
    case .key:
      pasted = []
      return []
    case .sequence(Self.pasteEnd):
      defer { pasted = nil }
      return pasted.map { [.event(.key(.pasted(Self.text($0))))] } ?? []
    case .sequence(let sequence):
      partial = []
      return Self.sequences[sequence].map { [.event(.key($0))] } ?? []
    case .byte(let byte):
      if pasted != nil {
        pasted?.append(byte)
        return []
      }
      return self.key(byte).map { [.event(.key($0))] } ?? []
    }
  }

  /// The key of a byte; nil for a part of a longer character, or a control character without a
  /// function.
  private mutating func key(_ byte: UInt8) -> ScreenKey? {
    if byte >= 0x80 {
      partial.append(byte)
      let text = String(decoding: partial, as: UTF8.self)
      if text.unicodeScalars.contains("\u{FFFD}") {
        if partial.count >= 4 { partial = [] }
        return nil
      }
      partial = []
      return text.first.map { .character($0) }
    }
    partial = []
    return switch byte {
    case 0x0D, 0x0A: .enter
    case 0x1B: .escape
    case 0x08, 0x7F: .backspace
    case 0x15: .clear
    // ^P, ^N, ^B, ^F, ^A and ^E are arrows, Home and End elsewhere, too.
    case 0x10: .up
    case 0x0E: .down
    case 0x02: .left
    case 0x06: .right
    case 0x01: .home
    case 0x05: .end
    case 0x20..<0x7F: .character(Character(UnicodeScalar(byte)))
    default: nil
    }
  }

  /// Pasted bytes as one line without control characters.
  private static func text(_ bytes: [UInt8]) -> String {
    let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
    return String(String.UnicodeScalarView(text.prefix { $0 != "\r" && $0 != "\n" }))
      .filter { !$0.unicodeScalars.contains(where: VisibleText.replaces) && $0 != "\t" }
  }

  private static let pasteEnd = Array("\u{1B}[201~".utf8)

  /// The sequences that terminals send for keys.
  private static let sequences: [[UInt8]: ScreenKey] = {
    let table: [(key: ScreenKey, sequences: String)] = [
      (.up, "[A OA"), (.down, "[B OB"), (.right, "[C OC"), (.left, "[D OD"),
      (.pageUp, "[5~"), (.pageDown, "[6~"), (.home, "[H OH [1~ [7~"), (.end, "[F OF [4~ [8~"),
    ]
    return Dictionary(
      uniqueKeysWithValues: table.flatMap { row in
        row.sequences.split(separator: " ").map { ([0x1B] + Array($0.utf8), row.key) }
      })
  }()
}
