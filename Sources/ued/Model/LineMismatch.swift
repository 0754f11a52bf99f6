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
    /// Characters that look alike, or can't be seen.
    case characters(found: String, expected: String)
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
    if words(found) == words(expected) {
      if found.contains(.tab) != expected.contains(.tab) { return .tabs }
      if found.trimmedEnd == expected.trimmedEnd { return .trailingBlanks }
      if found.trimmedStart == expected.trimmedStart { return .leadingBlanks }
      return .blanks
    }
    func looksEqual(_ kind: PlainLine.Kind) -> Bool {
      let (one, other) = (PlainLine(found, kind).words, PlainLine(expected, kind).words)
      return kind == .asSeen
        ? one == other : one.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }
    if looksEqual(.withPlainQuotes) { return .quotes }
    if looksEqual(.asSeen) {
      let (old, new) = PlainLine.difference(found, expected)
      return .characters(found: old, expected: new)
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

/// A line without what a reader may not see.
struct PlainLine {
  enum Kind {
    /// With plain quotes, dashes and blanks in the place of typographic ones.
    case withPlainQuotes
    /// Also with plain letters in the place of those that look like them, and without characters that can't be seen.
    /// Equal ones may be composed of different code points.
    case asSeen
  }

  /// The text; each byte a character of its own where the line is no UTF-8.
  let text: String

  init(_ line: [UInt8], _ kind: Kind) {
    guard line.contains(where: { $0 >= 0x80 }), let read = String(validating: line, as: UTF8.self)
    else {
      text = String(String.UnicodeScalarView(line.map { Unicode.Scalar($0) }))
      return
    }
    let seen = read.unicodeScalars.compactMap {
      let plain = Self.plain($0)
      return kind == .asSeen || "'\"- ".unicodeScalars.contains(plain ?? $0) ? plain : $0
    }
    text = String(String.UnicodeScalarView(seen))
  }

  /// The parts between blanks.
  var words: [Substring] { text.split { $0 == " " || $0 == "\t" } }

  /// A hash of the text without its blanks.
  var hash: Int { text.filter { !$0.isWhitespace }.hashValue }

  /// The first and last code points in which two lines of UTF-8 differ, and what is between.
  static func difference(_ first: [UInt8], _ second: [UInt8]) -> (String, String) {
    var (old, new) = (
      Array(String(decoding: first, as: UTF8.self).unicodeScalars)[...],
      Array(String(decoding: second, as: UTF8.self).unicodeScalars)[...]
    )
    while let scalar = old.first, scalar == new.first {
      old.removeFirst()
      new.removeFirst()
    }
    while let scalar = old.last, scalar == new.last {
      old.removeLast()
      new.removeLast()
    }
    return (String(String.UnicodeScalarView(old)), String(String.UnicodeScalarView(new)))
  }

  /// What a code point looks like; nil if it can't be seen.
  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case ..<0x80: scalar
    case 0xAD, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFE00...0xFE0F, 0xFEFF: nil
    case 0xA0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: " "
    case 0x2018...0x201B: "'"
    case 0x201C...0x201F: "\""
    case 0x2010...0x2015, 0x2212: "-"
    default: letters[scalar] ?? scalar
    }
  }

  /// Greek and Cyrillic letters, and the Latin ones that look like them.
  private static let letters = Dictionary(
    uniqueKeysWithValues: zip(
      "АВЕЅІЈКМНОРСТХУаеорсухіјѕԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧον".unicodeScalars,
      "ABESIJKMHOPCTXYaeopcyxijsdqwABEZHIKMNOPTYXov".unicodeScalars))
}
