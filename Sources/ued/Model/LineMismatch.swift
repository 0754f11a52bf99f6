import TextBuffer

/// The first difference between lines of the text and those that were given.
struct LineMismatch: Equatable, Sendable {
  /// What two lines differ in.
  enum Kind: Equatable, Sendable {
    case leadingBlanks, trailingBlanks
    /// Other blanks, or how many there are.
    case blanks
    /// Tabs in the place of other blanks.
    case tabs
    /// Only one has a carriage return at its end.
    case carriageReturn
    /// Typographic quotes or dashes, and plain ones.
    case quotes
    /// One word.
    case word(found: [UInt8], expected: [UInt8])
    case text
    /// The text lacks the line.
    case missing
    /// The text has a line that was not given.
    case surplus
  }

  /// The line of the text; a missing line would be there.
  var line: LineNumber
  /// How many of the given lines are before the difference.
  var index: Int
  /// The line of the text; nil if it lacks the one that was given.
  var found: [UInt8]?
  /// The line that was given; nil if the text has one more.
  var expected: [UInt8]?

  /// What the lines differ in.
  var kind: Kind {
    guard let found else { return .missing }
    guard let expected else { return .surplus }
    return Self.kind(found, expected)
  }

  private static func kind(_ found: [UInt8], _ expected: [UInt8]) -> Kind {
    func without(_ line: [UInt8], _ byte: UInt8) -> ArraySlice<UInt8> {
      line.last == byte ? line.dropLast() : line[...]
    }
    if without(found, .carriageReturn) == without(expected, .carriageReturn) {
      return .carriageReturn
    }
    let (plain, other) = (plain(found), self.plain(expected))
    if words(found) == words(expected) || words(plain) == words(other) {
      if words(found) != words(expected) { return .quotes }
      if found.contains(.tab) != expected.contains(.tab) { return .tabs }
      if found.trimmedEnd == expected.trimmedEnd { return .trailingBlanks }
      if found.trimmedStart == expected.trimmedStart { return .leadingBlanks }
      return .blanks
    }
    let (old, new) = (words(found), words(expected))
    if old.count == new.count, old.count > 1 {
      let differing = old.indices.filter { old[$0] != new[$0] }
      if differing.count == 1 {
        return .word(found: Array(old[differing[0]]), expected: Array(new[differing[0]]))
      }
    }
    return .text
  }

  /// A line with plain quotes, dashes and blanks in the place of typographic ones.
  private static func plain(_ line: [UInt8]) -> [UInt8] {
    var plain: [UInt8] = []
    var shape = LineShape()
    for byte in line { shape.read(byte) { plain.append($0) } }
    shape.finish { plain.append($0) }
    return plain
  }

  private static func words(_ line: [UInt8]) -> [ArraySlice<UInt8>] {
    line.split { $0.isSpace }
  }
}

extension [UInt8] {
  fileprivate var trimmedStart: ArraySlice<UInt8> { drop { $0.isSpace } }
  fileprivate var trimmedEnd: ArraySlice<UInt8> {
    self[..<((lastIndex { !$0.isSpace } ?? -1) + 1)]
  }
}

/// Replaces typographic quotes, dashes and blanks by plain ones, byte for byte as they are read.
struct LineShape {
  /// The first bytes of a character that may be one of them.
  private var held: [UInt8] = []

  /// Reads a byte, and emits those that are certain.
  mutating func read(_ byte: UInt8, _ emit: (UInt8) -> Void) {
    switch (held.count, byte) {
    case (0, 0xE2), (0, 0xC2): held.append(byte)
    case (0, _): emit(byte)
    case (1, 0x80) where held[0] == 0xE2: held.append(byte)
    case (1, 0xA0) where held[0] == 0xC2: replace(by: .space, emit)
    case (2, 0x98...0x9B): replace(by: UInt8(ascii: "'"), emit)
    case (2, 0x9C...0x9F): replace(by: UInt8(ascii: "\""), emit)
    case (2, 0x90...0x95): replace(by: UInt8(ascii: "-"), emit)
    default:
      finish(emit)
      read(byte, emit)
    }
  }

  /// Emits what is held, at the end of a line.
  mutating func finish(_ emit: (UInt8) -> Void) {
    for byte in held { emit(byte) }
    held = []
  }

  private mutating func replace(by byte: UInt8, _ emit: (UInt8) -> Void) {
    held = []
    emit(byte)
  }
}
