/// Finds the keys in the bytes that a terminal sends.
///
/// Control sequences without a key are found whole, in however many pieces they arrive, so that
/// reports of mice, focus and positions never become text. The decoder does not wait: `patience` is
/// the longest wait for the next byte, and `timeOut` handles its absence.
struct KeyDecoder: Equatable, Sendable {
  /// Whether an escape alone is a key, as in vi's key maps; otherwise a lone escape is dropped.
  var escapeIsKey = false
  /// Sequences of our keys that the user's settings bind to other functions.
  var rebound: Set<[UInt8]> = []
  private var state = State.ground
  /// The bytes of the sequence so far, from its first escape on.
  private var bytes: [UInt8] = []

  private static let longestKey = 256
  /// The last byte of the string.
  private var lastInString: UInt8 = 0

  private enum State: Equatable {
    case ground
    case escape
    /// The escape was typed alone, unless the rest of a sequence arrives late.
    case lateEscape
    /// After `ESC [`, or `ESC O`.
    case parameters, singleShift
    /// In the report of a mouse button, with this many bytes to come.
    case mouse(Int)
    /// In a string, which ends with `ESC \` or BEL.
    case string
    /// After an escape in a string.
    case stringEscape
  }

  init(escapeIsKey: Bool = false, rebound: Set<[UInt8]> = []) {
    self.escapeIsKey = escapeIsKey
    self.rebound = rebound
  }

  /// Gives up the sequence so far, and returns its bytes.
  mutating func giveUp() -> [UInt8] {
    defer { reset() }
    return bytes
  }

  /// The longest wait for the next byte before `timeOut`, in milliseconds; nil for no limit.
  var patience: Int32? {
    switch state {
    case .ground: nil
    case .escape: escapeIsKey ? 40 : 100
    case .lateEscape: 1000
    case .string where bytes.count == escapes + 1: mayBeTyped ? 30 : 100
    case .string: 500
    default: 2000
    }
  }

  /// Takes a byte, and returns the keys that are complete now.
  mutating func take(_ byte: UInt8) -> [TypedKey] {
    switch state {
    case .ground: return start(byte)
    case .escape: return takeAfterEscape(byte)
    case .lateEscape:
      guard byte == Byte.bracket || byte == Byte.osc || byte == Byte.singleShift else {
        return start(byte)
      }
      return takeAfterEscape(byte)
    case .parameters: return takeParameter(byte)
    case .singleShift: return takeShifted(byte)
    case .mouse(let count):
      bytes.append(byte)
      if count > 1 {
        state = .mouse(count - 1)
        return []
      }
      return finish()
    case .string:
      if byte == Byte.escape {
        if bytes.count == escapes + 1 && mayBeTyped { return timeOut() + start(byte) }
        state = .stringEscape
      } else if byte == Byte.bell || byte == Byte.stringEnd && lastInString == Byte.c1 {
        reset()
      } else if Byte.endsLine(byte) {
        // Terminals send none of these in strings, so the user is typing.
        return start(byte)
      } else {
        lastInString = byte
        // The content is dropped. One byte of it shows that the string is not empty.
        if bytes.count == escapes + 1 { bytes.append(byte) }
      }
      return []
    case .stringEscape:
      reset()
      if byte == UInt8(ascii: "\\") { return [] }
      return start(Byte.escape) + take(byte)
    }
  }

  /// Gives up waiting for a byte, and returns the keys so far; the rest of a sequence is dropped.
  mutating func timeOut() -> [TypedKey] {
    if state == .escape {
      let typed = escapeIsKey ? bytes.map { TypedKey.byte($0) } : []
      state = .lateEscape
      bytes = [Byte.escape]
      return typed
    }
    defer { reset() }
    guard state == .string, bytes.count == escapes + 1, mayBeTyped else { return [] }
    if let key { return [.key(key)] }
    return bytes.map { .byte($0) }
  }

  // MARK: - Sequences

  private enum Byte {
    static let escape: UInt8 = 0x1B
    static let bell: UInt8 = 0x07
    static let bracket = UInt8(ascii: "[")
    static let singleShift = UInt8(ascii: "O")
    static let osc = UInt8(ascii: "]")
    /// U+009C, which ends a string, in UTF-8.
    static let c1: UInt8 = 0xC2
    static let stringEnd: UInt8 = 0x9C

    /// Whether a byte is Enter, `^C`, `^D` or `^U`.
    static func endsLine(_ byte: UInt8) -> Bool {
      byte == 0x0D || byte == 0x0A || byte == 3 || byte == 4 || byte == 0x15
    }
  }

  /// The number of escapes at the start of the sequence; Alt adds one.
  private var escapes: Int { bytes.prefix { $0 == Byte.escape }.count }

  /// Whether the start of a string is also a key with Alt that has a function.
  private var mayBeTyped: Bool { bytes.last != Byte.osc }

  /// The key that the sequence stands for.
  private var key: TerminalKey? {
    rebound.contains(bytes) ? nil : TerminalKey(sequence: bytes)
  }

  private mutating func reset() {
    state = .ground
    bytes = []
  }

  private mutating func start(_ byte: UInt8) -> [TypedKey] {
    reset()
    guard byte == Byte.escape else { return [.byte(byte)] }
    state = .escape
    bytes = [byte]
    return []
  }

  private mutating func takeAfterEscape(_ byte: UInt8) -> [TypedKey] {
    bytes.append(byte)
    switch byte {
    case Byte.escape where escapes <= 2: return []
    case Byte.bracket: state = .parameters
    case Byte.singleShift: state = .singleShift
    case Byte.osc, UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"), UInt8(ascii: "_"):
      state = .string
    default:
      defer { reset() }
      return bytes.map { .byte($0) }
    }
    return []
  }

  private mutating func takeParameter(_ byte: UInt8) -> [TypedKey] {
    let parameters = bytes.dropFirst(escapes + 1)
    switch byte {
    // The console of Linux sends function keys as `ESC [ [ A`.
    case Byte.bracket where parameters.isEmpty, 0x20...0x3F: keep(byte)
    case UInt8(ascii: "M") where parameters.isEmpty:
      bytes.append(byte)
      state = .mouse(3)
      return []
    case 0x40...0x7E:
      bytes.append(byte)
      return finish()
    default: return start(byte)
    }
    // rxvt ends the sequences of keys with Shift in a dollar sign.
    guard byte == UInt8(ascii: "$"), !parameters.isEmpty, parameters.allSatisfy(\.isDigit) else {
      return []
    }
    return finish()
  }

  /// Adds a byte unless the sequence is too long for a key. Then only its end matters.
  private mutating func keep(_ byte: UInt8) {
    if bytes.count < Self.longestKey { bytes.append(byte) }
  }

  private mutating func takeShifted(_ byte: UInt8) -> [TypedKey] {
    switch byte {
    case 0x30...0x39, UInt8(ascii: ";"):
      keep(byte)
      return []
    case 0x20...0x7E:
      bytes.append(byte)
      return finish()
    default: return start(byte)
    }
  }

  private mutating func finish() -> [TypedKey] {
    defer { reset() }
    if let key { return [.key(key)] }
    if let coded = CodedKey(sequence: bytes.dropFirst(escapes)) {
      return Array(repeating: .byte(Byte.escape), count: escapes - 1) + coded.typed
    }
    return [.sequence(bytes)]
  }
}

/// A key typed at a terminal, decoded from its bytes.
enum TypedKey: Equatable, Sendable {
  /// A byte of a character, or a control character.
  case byte(UInt8)
  /// A key with a function of its own.
  case key(TerminalKey)
  /// A complete sequence that stands for none of our keys; the user's settings may bind it.
  case sequence([UInt8])
  /// A key that acts as SIGINT or SIGTSTP, sent as a sequence that the system does not notice.
  case interrupt, stop
}

/// Keys that reach libedit as one character each: control characters that no keyboard sends and
/// none of its key maps binds.
enum TerminalKey: UInt8, CaseIterable {
  case home = 0x81
  case end, deleteNext, previousWord, nextWord, deleteWord, overwrite
  case paste = 0x90
  /// Inserts the draft of the line.
  case draft
  case undo, redo, older, newer, left, right
  /// libedit's function that quotes the next key.
  case quoted
  /// Deletes the code point before the cursor, and leaves the yank buffer alone.
  case erase
  /// Ends the line, whatever the settings have bound to a newline.
  case enter

  /// The function that each key calls, and its sequences without the escape at the beginning.
  private static let table: [(key: TerminalKey, function: String, sequences: String)] = [
    (.home, "ed-move-to-beg", "[H OH [1~ [7~"), (.end, "ued-end", "[F OF [4~ [8~"),
    (.deleteNext, "ed-delete-next-char", "[3~"), (.deleteWord, "em-delete-next-word", "[3;5~"),
    (.previousWord, "ed-prev-word", "[1;5D [1;3D Od [5D \u{1B}[D \u{1B}OD"),
    (.nextWord, "em-next-word", "[1;5C [1;3C Oc [5C \u{1B}[C \u{1B}OC"),
    (.overwrite, "em-toggle-overwrite", "[2~"), (.paste, "ued-paste", "[200~"),
    (.draft, "ued-draft", ""), (.undo, "ued-undo", ""), (.redo, "ued-redo", "_"),
    (.older, "ued-older", "[A OA [5~"), (.newer, "ued-newer", "[B OB [6~"),
    (.left, "ed-prev-char", "[D OD"), (.right, "ed-next-char", "[C OC"),
    (.quoted, "ed-quoted-insert", ""), (.erase, "em-delete-prev-char", ""),
    (.enter, "ed-newline", ""),
  ]

  /// The sequences that terminals send for the keys, each from its first escape on.
  static let sequences: [[UInt8]: TerminalKey] = Dictionary(
    uniqueKeysWithValues: table.flatMap { row in
      row.sequences.split(separator: " ").map { ([0x1B] + Array($0.utf8), row.key) }
    })

  /// The key that a sequence stands for; nil for other sequences.
  init?(sequence: [UInt8]) {
    guard let key = Self.sequences[sequence] else { return nil }
    self = key
  }

  /// The key in the notation of libedit's settings.
  var setting: String { "\\" + String(rawValue, radix: 8) }

  /// The bindings for the key maps of both emacs and vi; keys are written as in libedit's settings.
  static let bindings: [(keys: String, function: String)] =
    table.map { ($0.key.setting, $0.function) } + [
      ("\t", "ued-complete"), ("^T", "ued-transpose"), ("^W", "ed-delete-prev-word"),
      ("^_", "ued-undo"),
      ("^R", "ued-search"), ("^S", "ued-search-forward"), ("^P", "ued-older"),
      ("^N", "ued-newer"), ("^L", "ued-clear"), ("^V", "ued-quote"),
    ]

  static let emacsBindings: [(keys: String, function: String)] = [
    ("^Q", "ued-escape"), ("\\ex", "ued-escape"), ("\\eX", "ued-escape"), ("\\ep", "ued-older"),
    ("\\eP", "ued-older"), ("\\en", "ued-newer"),
    ("\\eN", "ued-newer"), ("\\e_", "ued-redo"), ("\\e/", "ued-expand"),
  ]

  static let viBindings: [(keys: String, function: String)] = [
    ("\\e", "ued-escape"), ("k", "ued-previous"), ("\\055", "ued-previous"), ("j", "ued-next"),
    ("+", "ued-next"), (":", "ued-escape"), ("v", "ued-escape"),
    ("/", "ued-fetch"), ("?", "ued-fetch-forward"), ("n", "ued-search-again"),
    ("N", "ued-search-back"), ("U", "ued-restore"),
  ]
}

/// A key sent as the number of its character, with the modifiers that were held: `ESC [ 97 ; 5 u`,
/// or xterm's `ESC [ 27 ; 5 ; 97 ~`.
struct CodedKey: Equatable, Sendable {
  private let code: UInt32
  private let modifiers: Set<Modifier>
  private let isRelease: Bool
  /// The text that the key makes, if the terminal sends it.
  private let text: [UInt32]

  private enum Modifier: Int, CaseIterable {
    case shift = 1, alt = 2, control = 4, others = 0b11_1000
  }

  /// Reads a sequence from `[` on; nil for other sequences.
  init?(sequence: ArraySlice<UInt8>) {
    guard sequence.first == UInt8(ascii: "["), let final = sequence.last else { return nil }
    let fields = sequence.dropFirst().dropLast().split(
      separator: UInt8(ascii: ";"), omittingEmptySubsequences: false
    ).map {
      $0.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map(Self.number)
    }
    func field(_ index: Int) -> [UInt32?] { index < fields.count ? fields[index] : [] }
    let held: [UInt32?]
    switch (final, fields.count) {
    case (UInt8(ascii: "u"), 1...3):
      guard let code = field(0).first ?? nil else { return nil }
      // The second number is the character with Shift.
      self.code = field(0).count > 1 && field(1).first == 2 ? field(0)[1] ?? code : code
      held = field(1)
      text = field(2).compactMap { $0 }
    case (UInt8(ascii: "~"), 3):
      guard field(0) == [27], let code = field(2).first ?? nil else { return nil }
      self.code = code
      held = field(1)
      text = []
    default: return nil
    }
    let bits = Int(max(1, held.first.flatMap { $0 } ?? 1)) - 1
    modifiers = Set(Modifier.allCases.filter { bits & $0.rawValue != 0 })
    isRelease = held.count > 1 && held[1] == 3
  }

  /// The keys that a terminal without such codes would have sent.
  var typed: [TypedKey] {
    guard !isRelease, !modifiers.contains(.others) else { return [] }
    if modifiers.contains(.control) {
      switch Self.control(code) {
      case nil: return []
      case 0x03: return [.interrupt]
      case 0x1A: return [.stop]
      case let byte?: return withAlt([.byte(byte)])
      }
    }
    if !text.isEmpty && !modifiers.contains(.alt) { return text.flatMap(Self.bytes) }
    if code == 0x09 && modifiers.contains(.shift) { return [] }
    let lower = UInt32(UInt8(ascii: "a"))...UInt32(UInt8(ascii: "z"))
    let isUpper = modifiers.contains(.shift) && lower.contains(code)
    return withAlt(Self.bytes(isUpper ? code - 0x20 : code))
  }

  private func withAlt(_ keys: [TypedKey]) -> [TypedKey] {
    modifiers.contains(.alt) && !keys.isEmpty ? [.byte(0x1B)] + keys : keys
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt32? {
    guard !digits.isEmpty, digits.count < 9 else { return nil }
    return UInt32(String(decoding: digits, as: UTF8.self))
  }

  /// The control character of a key; nil for keys without one.
  private static func control(_ code: UInt32) -> UInt8? {
    guard let byte = UInt8(exactly: code) else { return nil }
    switch byte {
    case 0x09, 0x0D, 0x1B, 0x7F: return byte
    case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x40...0x5F: return byte & 0x1F
    case UInt8(ascii: " "): return 0
    case UInt8(ascii: "/"), UInt8(ascii: "-"): return 0x1F
    case UInt8(ascii: "?"): return 0x7F
    default: return nil
    }
  }

  /// The bytes of a character; empty for keys without a character.
  private static func bytes(_ code: UInt32) -> [TypedKey] {
    let isPrivate = (0xE000...0xF8FF).contains(code)
    guard !isPrivate, let character = Unicode.Scalar(code), code != 0 else { return [] }
    return Character(character).utf8.map { .byte($0) }
  }
}
