/// Finds the keys in the bytes that a terminal sends.
///
/// Control sequences that mean no key are found whole, in however many pieces they arrive, so that
/// reports of mice, focus and positions never become text. The decoder does not wait: `patience` says how
/// long the next byte may take, and `timeOut` what its absence means.
struct KeyDecoder: Equatable, Sendable {
  /// Whether an escape is a key by itself, as in the key maps of vi, and not only the start of another one. If it is no
  /// key, an escape that nothing follows is dropped.
  var escapeIsKey = false
  /// Sequences of our keys that the user's settings bind to something else.
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
    case parameters, shift
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

  /// How many milliseconds to wait for the next byte before `timeOut`; nil for any time.
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

  /// Takes a byte.
  ///
  /// - Returns: The keys that are complete now.
  mutating func take(_ byte: UInt8) -> [TypedKey] {
    switch state {
    case .ground: return start(byte)
    case .escape: return takeAfterEscape(byte)
    case .lateEscape:
      guard byte == Byte.bracket || byte == Byte.osc || byte == Byte.shift else {
        return start(byte)
      }
      return takeAfterEscape(byte)
    case .parameters: return takeParameter(byte)
    case .shift: return takeShifted(byte)
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
        // Strings of terminals have none of these: somebody types.
        return start(byte)
      } else {
        lastInString = byte
        // The content is dropped; one byte of it tells that there was some.
        if bytes.count == escapes + 1 { bytes.append(byte) }
      }
      return []
    case .stringEscape:
      reset()
      if byte == UInt8(ascii: "\\") { return [] }
      return start(Byte.escape) + take(byte)
    }
  }

  /// Gives up the wait for the next byte.
  ///
  /// - Returns: The keys that the bytes so far turn out to be. What is left of a sequence is dropped.
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
    static let shift = UInt8(ascii: "O")
    static let osc = UInt8(ascii: "]")
    /// U+009C, which ends a string, in UTF-8.
    static let c1: UInt8 = 0xC2
    static let stringEnd: UInt8 = 0x9C

    /// Whether a byte is Enter, `^C`, `^D` or `^U`.
    static func endsLine(_ byte: UInt8) -> Bool {
      byte == 0x0D || byte == 0x0A || byte == 3 || byte == 4 || byte == 0x15
    }
  }

  /// How many escapes the sequence begins with: Alt adds one.
  private var escapes: Int { bytes.prefix { $0 == Byte.escape }.count }

  /// Whether what begins a string is also a key that people type with Alt, and that has a function.
  private var mayBeTyped: Bool { bytes.last != Byte.osc }

  /// The key that the sequence means.
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
    case Byte.shift: state = .shift
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

  /// Adds a byte to a sequence that may be a key; a longer one only has an end to be found.
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

  /// The meaning of a complete sequence.
  private mutating func finish() -> [TypedKey] {
    defer { reset() }
    if let key { return [.key(key)] }
    if let coded = CodedKey(sequence: bytes.dropFirst(escapes)) {
      return Array(repeating: .byte(Byte.escape), count: escapes - 1) + coded.typed
    }
    return [.sequence(bytes)]
  }
}
