import TextBuffer

/// Whole lines to find in a text, unchanged.
struct LineBlock: Sendable {
  /// The lines, without their newlines.
  let lines: [[UInt8]]
  /// The table for continuing a search when a line differs; see ``KnuthMorrisPratt/borders(of:)``.
  private let borders: [Int]

  /// The block of a text that ends with a newline.
  init(_ bytes: [UInt8]) { self.init(lines: Self.lines(of: bytes)) }

  init(lines: [[UInt8]]) {
    self.lines = lines
    borders = KnuthMorrisPratt.borders(of: lines)
  }

  /// The lines of a text that ends with a newline, without their newlines.
  static func lines(of bytes: [UInt8]) -> [[UInt8]] {
    bytes.split(separator: .newline, omittingEmptySubsequences: false).dropLast().map { Array($0) }
  }

  /// The block without the line numbers of a listing: `12` and a blank, a colon or an arrow, or
  /// `12:3fa` and a tab; nil if a line has none. If `isBarred`, blanks and a bar follow each number.
  func withoutNumbers(isBarred: Bool) -> LineBlock? {
    var bytes: [UInt8] = []
    for line in lines {
      let number = line.drop { $0 == .space }.prefix { $0.isDigit }
      let behind = line[number.endIndex...]
      guard !number.isEmpty else { return nil }
      if isBarred {
        let bar = behind.drop { $0 == .space }
        guard let mark = ["|", "│"].first(where: { bar.starts(with: $0.utf8) }) else { return nil }
        let rest = bar.dropFirst(mark.utf8.count)
        bytes += rest.dropFirst(rest.first == .space ? 1 : 0) + [.newline]
        continue
      }
      var rest = behind
      if let tab = behind.prefix(6).firstIndex(of: .tab) {
        rest = behind[(tab + 1)...]
      } else if let mark = behind.first,
        [UInt8(ascii: ":"), UInt8(ascii: "|"), .space].contains(mark)
      {
        rest = behind.dropFirst()
        if rest.first == .space, mark != .space { rest = rest.dropFirst() }
      } else if behind.starts(with: "→".utf8) {
        rest = behind.dropFirst("→".utf8.count)
      } else if !behind.isEmpty {
        return nil
      }
      bytes += rest + [.newline]
    }
    return LineBlock(bytes)
  }

  /// The block without the marks of a difference before its lines: all lines, and the old and the
  /// new ones. Empty if a line has no mark, or none is added or removed.
  var withoutMarks: [LineBlock] {
    let (plus, minus) = (UInt8(ascii: "+"), UInt8(ascii: "-"))
    let marks = Set(lines.map { $0.first ?? .space })
    guard marks.isSubset(of: [plus, minus, .space]), marks != [.space] else { return [] }
    return ([nil, plus, minus] as [UInt8?]).map { other in
      LineBlock(lines: lines.filter { $0.isEmpty || $0[0] != other }.map { Array($0.dropFirst()) })
    }
  }

  private func isSame(_ line: RawSpan, _ wanted: [UInt8]) -> Bool {
    guard wanted.count == line.byteCount else { return false }
    for index in wanted.indices where wanted[index] != line[index] { return false }
    return true
  }

  /// The first line of each place of the block, ascending; from the top, without overlap unless
  /// allowed.
  ///
  /// - Precondition: The block has a line.
  /// - Complexity: O(*n*), for *n* bytes in the lines; an interrupt ends the search.
  func places(
    in range: LineRange, of text: PieceTable, allowingOverlap: Bool = false
  ) -> [LineNumber] {
    var places: [LineNumber] = []
    var matched = 0
    text.forEachLine(in: range) { number, line in
      while matched > 0 && !isSame(line, lines[matched]) { matched = borders[matched - 1] }
      if isSame(line, lines[matched]) { matched += 1 }
      if matched == lines.count {
        places.append(number - (lines.count - 1))
        matched = allowingOverlap ? borders[matched - 1] : 0
      }
      return !Interrupts.isInterrupted
    }
    return places
  }

  /// The lines, each with a newline.
  var bytes: [UInt8] { lines.flatMap { $0 + [.newline] } }

  /// The block with a newline for each backslash and `n`; nil without any.
  var unescaped: LineBlock? {
    let text = String(decoding: bytes, as: UTF8.self)
    let lines = text.replacing("\\n", with: "\n")
    return lines == text ? nil : LineBlock(Array(lines.utf8))
  }

  /// Looks around a place of the block for `more`, which includes its lines; nil if the text lacks
  /// these there. If `isLoose`, they may differ as in `LooseBlock`. The additional lines must be
  /// distinctive.
  func lines(
    _ more: [[UInt8]], around place: LineNumber, of text: PieceTable,
    isLoose: Bool = false
  ) -> LineRange? {
    let growth = more.count - lines.count
    if growth <= 0 { return nil }
    for above in 0...growth where more[above..<above + lines.count].elementsEqual(lines) {
      let others = Array(more[..<above] + more[(above + lines.count)...])
      let found = LineRange(place - above, place - above + (more.count - 1))
      guard LooseBlock.isDistinctive(others, least: LooseBlock.tellingCount), .zero < found.first,
        found.last.value <= text.newlineCount
      else { continue }
      let isThere =
        isLoose
        ? LooseBlock(more)?.places(in: found, of: text).isEmpty == false
        : found.numbers.map { text.line($0) } == more
      if isThere { return found }
    }
    return nil
  }

  /// The first difference between lines of a text and the block; nil if they are equal. If
  /// `isLoose`, a difference that `LooseBlock` ignores within a line is reported only if there is no
  /// other one.
  func firstMismatch(
    in range: LineRange, of text: PieceTable, isLoose: Bool = false
  ) -> LineMismatch? {
    var index = 0
    text.forEachLine(in: range) { _, line in
      guard index < lines.count,
        isSame(line, lines[index])
          || isLoose && LooseBlock.isSame(text.line(range.first + index), lines[index])
      else { return false }
      index += 1
      return true
    }
    if index == lines.count && index == range.count {
      return isLoose ? firstMismatch(in: range, of: text) : nil
    }
    let line = range.first + index
    func found(_ line: LineNumber) -> [UInt8]? { line <= range.last ? text.line(line) : nil }
    func expected(_ index: Int) -> [UInt8]? { index < lines.count ? lines[index] : nil }
    var (here, wanted) = (found(line), expected(index))
    // A line too many or too few is reported as such, and not as a differing line.
    if let next = found(line + 1), next == wanted, here != expected(index + 1) {
      wanted = nil
    } else if let next = expected(index + 1), next == here, wanted != found(line + 1) {
      here = nil
    }
    return LineMismatch(line: line, index: index, found: here, expected: wanted)
  }
}

/// The first difference between lines of the text and the given lines.
struct LineMismatch: Equatable, Sendable {
  /// The kind of difference between two lines.
  enum Kind: Equatable, Sendable {
    case leadingBlanks, trailingBlanks
    /// Different blanks, or a different number.
    case blanks
    /// Tabs instead of other blanks, or the reverse.
    case tabs
    /// A carriage return at the end of one line only.
    case carriageReturn
    /// Typographic quotes or dashes instead of plain ones, or the reverse.
    case quotes
    /// Characters that look alike, or are invisible.
    case characters(found: String, expected: String)
    /// One word.
    case word(found: [UInt8], expected: [UInt8])
    case text
    /// The text lacks the line.
    case missing
    /// The text has a surplus line.
    case surplus
  }

  /// The line of the text; a missing line would be there.
  var line: LineNumber
  /// The number of given lines before the difference.
  var index: Int
  /// The line of the text; nil if the text lacks the given line.
  var found: [UInt8]?
  /// The given line; nil if the text has one more.
  var expected: [UInt8]?

  /// The first byte to show of long lines, so that the difference is visible.
  var excerptStart: Int {
    guard let found, let expected else { return 0 }
    var start = zip(found, expected).prefix { $0 == $1 }.count - 20
    if start <= 20 { return 0 }
    // Not within a character.
    while start > 0, found[start] & 0xC0 == 0x80 { start -= 1 }
    return start
  }

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
      if found.trimmedEnd == expected.trimmedEnd { return .trailingBlanks }
      if found.contains(.tab) != expected.contains(.tab) { return .tabs }
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

/// A line without details that a reader may not see.
struct PlainLine {
  enum Kind {
    /// With plain quotes, dashes and blanks instead of typographic ones.
    case withPlainQuotes
    /// Also with plain letters for look-alikes, and without invisible characters. Equal texts may
    /// use different code points.
    case asSeen
  }

  /// The text; if the line is not UTF-8, each byte is one character.
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

  /// The parts in which two lines of UTF-8 differ: from the first to the last different code point.
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

  /// The plain code point with the same look; nil for an invisible one.
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

  /// Greek and Cyrillic letters, and their Latin look-alikes.
  private static let letters = Dictionary(
    uniqueKeysWithValues: zip(
      "АВЕЅІЈКМНОРСТХУаеорсухіјѕԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧον".unicodeScalars,
      "ABESIJKMHOPCTXYaeopcyxijsdqwABEZHIKMNOPTYXov".unicodeScalars))
}

/// The lines of a text most similar to a missing block, and the first difference.
struct NearestLines: Equatable, Sendable {
  var lines: LineRange
  var mismatch: LineMismatch

  /// Looks for the lines most similar to a block; nil if none is similar. Lines that look the same,
  /// apart from blanks, vote for the beginning of the block. If none gets half of the votes, the
  /// line most similar to the block's longest line decides.
  ///
  /// - Complexity: O(*n*), for *n* bytes in the lines; an interrupt ends the search.
  init?(to block: LineBlock, in range: LineRange, of text: PieceTable, isLoose: Bool = false) {
    guard range.count > 0 else { return nil }
    let votes = Votes(for: block, in: range, of: text)
    var start = votes.winner
    if start == nil || !votes.isClear {
      start = Self.likeLongest(of: block, in: range, of: text) ?? start
    }
    guard let start else { return nil }
    let first = min(max(start, range.first), range.last)
    lines = LineRange(first, min(first + (block.lines.count - 1), range.last))
    let mismatch =
      block.firstMismatch(in: lines, of: text, isLoose: isLoose)
      ?? block.firstMismatch(in: range, of: text)
    guard let mismatch else { return nil }
    self.mismatch = mismatch
  }

  /// The beginning of the block if its longest line belongs at the most similar line.
  private static func likeLongest(
    of block: LineBlock, in range: LineRange, of text: PieceTable
  ) -> LineNumber? {
    guard let index = block.lines.indices.max(by: { block.lines[$0].count < block.lines[$1].count })
    else { return nil }
    // A set of hashes of three bytes each; a few accidental matches do no harm.
    var known = [Bool](repeating: false, count: 1 << 16)
    let wanted = block.lines[index]
    forEachTriple(of: wanted) { known[$0] = true }
    var best = (line: LineNumber.zero, score: 0.5)
    var bytes: [UInt8] = []
    text.forEachLine(in: range) { number, line in
      bytes.removeAll(keepingCapacity: true)
      bytes.append(line, in: 0..<line.byteCount)
      var common = 0
      forEachTriple(of: bytes) { if known[$0] { common += 1 } }
      let score = Double(common) / Double(max(line.byteCount, wanted.count, 3) - 2)
      if score > best.score { best = (number, score) }
      return !Interrupts.isInterrupted
    }
    return best.line == .zero ? nil : best.line - index
  }

  private static func forEachTriple(of line: [UInt8], _ body: (Int) -> Void) {
    var triple: UInt32 = 0
    for (index, byte) in line.enumerated() {
      triple = triple << 8 & 0xFF_FFFF | UInt32(byte)
      if index >= 2 { body(Int((triple &* 0x9E37_79B1) >> 16)) }
    }
  }
}

/// The possible beginnings of a block, and the number of lines that vote for each.
private struct Votes {
  private var counts: [Int: Int] = [:]
  /// The lines equal to the first line of the block.
  private var beginnings: Set<Int> = []
  private let lineCount: Int
  private let votingCount: Int

  /// The largest number of lines of the block that a line of the text votes for.
  private static let most = 8

  init(for block: LineBlock, in range: LineRange, of text: PieceTable) {
    lineCount = block.lines.count
    var places: [Int: [Int]] = [:]
    let blank = Self.hash([])
    for (index, line) in block.lines.enumerated() {
      let hash = Self.hash(line)
      if hash != blank && places[hash, default: []].count < Self.most {
        places[hash, default: []].append(index)
      }
    }
    votingCount = places.values.reduce(0) { $0 + $1.count }
    var (counts, beginnings) = (counts, beginnings)
    var bytes: [UInt8] = []
    text.forEachLine(in: range) { number, line in
      bytes.removeAll(keepingCapacity: true)
      bytes.append(line, in: 0..<line.byteCount)
      for index in places[Self.hash(bytes)] ?? [] {
        counts[number.value - index, default: 0] += 1
        if index == 0 { beginnings.insert(number.value) }
      }
      return !Interrupts.isInterrupted
    }
    (self.counts, self.beginnings) = (counts, beginnings)
  }

  /// The votes for a place and those around it: a surplus or missing line shifts votes.
  private func score(of place: Int) -> Int {
    let around = [-2, -1, 0, 0, 1, 2].reduce(0) { $0 + (counts[place + $1] ?? 0) }
    return around + (beginnings.contains(place) ? lineCount : 0)
  }

  /// The place with most votes; the first of several.
  var winner: LineNumber? {
    counts.keys.map { (place: $0, score: score(of: $0)) }
      .max { ($0.score, $1.place) < ($1.score, $0.place) }
      .map { LineNumber($0.place) }
  }

  /// Whether the winner has at least half of the possible votes.
  var isClear: Bool { winner.map { 2 * (counts[$0.value] ?? 0) >= votingCount } ?? false }

  /// A hash of the look of a line, without its blanks.
  private static func hash(_ line: [UInt8]) -> Int {
    if line.contains(where: { $0 >= 0x80 }) {
      let line = PlainLine(line, .asSeen)
      return line.text.utf8.contains { $0 >= 0x80 } ? line.hash : hash(Array(line.text.utf8))
    }
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in line where !byte.isSpace { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int(truncatingIfNeeded: hash)
  }
}
