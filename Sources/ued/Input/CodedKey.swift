/// A key that a terminal sends as the number of its character, with the modifiers that were held:
/// `ESC [ 97 ; 5 u`, or `ESC [ 27 ; 5 ; 97 ~` as xterm has it.
struct CodedKey: Equatable, Sendable {
  private let code: UInt32
  private let modifiers: Set<Modifier>
  private let isRelease: Bool
  /// The text that the key makes, if the terminal says so.
  private let text: [UInt32]

  private enum Modifier: Int, CaseIterable {
    case shift = 1, alt = 2, control = 4, others = 0b11_1000
  }

  /// Reads a sequence from `[` on; nil if it is another one.
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

  /// What the key is, in bytes that a terminal without such codes would have sent.
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

  /// The control character of a key; nil if it has none.
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

  /// The bytes of a character; none for numbers that stand for keys without one.
  private static func bytes(_ code: UInt32) -> [TypedKey] {
    let isPrivate = (0xE000...0xF8FF).contains(code)
    guard !isPrivate, let character = Unicode.Scalar(code), code != 0 else { return [] }
    return Character(character).utf8.map { .byte($0) }
  }
}
