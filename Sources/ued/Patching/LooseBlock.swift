import TextBuffer
import TextLines

/// Lines to find in spite of small differences: blanks at their ends, the indentation of all of
/// them, no-break spaces, or typographic quotes and dashes.
struct LooseBlock {
  /// A line in two parts.
  private struct Line: Equatable {
    /// The bytes of its indentation.
    let indentation: ArraySlice<UInt8>
    /// The rest without blanks at the end, with plain quotes, dashes and blanks.
    let content: [UInt8]

    init(_ line: [UInt8]) {
      let end = Self.endOfIndentation(line)
      indentation = line[..<end]
      let rest = Array(line[end...])
      content =
        rest.contains { $0 >= 0x80 }
        ? Array(PlainLine(rest, .withPlainQuotes).text.utf8).withoutEndBlanks
        : rest.withoutEndBlanks
    }

    private static func endOfIndentation(_ line: [UInt8]) -> Int {
      var end = 0
      while end < line.count {
        if line[end] == .space || line[end] == .tab {
          end += 1
          continue
        }
        let wide = blanks.first { line[end...].starts(with: $0) }
        guard let wide else { break }
        end += wide.count
      }
      return end
    }

    /// The blanks that are not ASCII, in UTF-8.
    private static let blanks = ([0xA0, 0x202F, 0x205F, 0x3000] + Array(0x2000...0x200A))
      .compactMap { Unicode.Scalar(UInt32($0)).map { Array(String($0).utf8) } }

    var isBlank: Bool { content.isEmpty }

    /// The width of the indentation in columns.
    func width(tab: Int) -> Int {
      String(decoding: indentation, as: UTF8.self).unicodeScalars.reduce(0) {
        $1 == "\t" ? ($0 / tab + 1) * tab : $0 + 1
      }
    }
  }

  private let old: [[UInt8]]
  private let lines: [Line]
  private let borders: [Int]

  /// The block of some lines; nil if these are not ``isDistinctive(_:)``.
  init?(_ lines: [[UInt8]]) {
    guard Self.isDistinctive(lines) else { return nil }
    old = lines
    self.lines = lines.map { Line($0) }
    borders = KnuthMorrisPratt.borders(of: self.lines.map(\.content))
  }

  /// Whether lines have enough letters and digits to be distinctive: `least` or more.
  static func isDistinctive(_ lines: [[UInt8]], least: Int = 1) -> Bool {
    var count = 0
    return lines.contains { line in
      String(decoding: line, as: UTF8.self).unicodeScalars.contains {
        if $0.properties.isAlphabetic || $0.properties.numericType != nil { count += 1 }
        return count == least
      }
    }
  }

  /// Whether two lines differ at most in blanks around them and in typographic characters.
  static func isSame(_ line: [UInt8], _ other: [UInt8]) -> Bool {
    Line(line).content == Line(other).content
  }

  /// The number of added letters and digits that show that a command has run before.
  static let tellingCount = 4

  /// The first lines of the block's places, ascending; from the top, without overlap unless allowed.
  ///
  /// - Complexity: O(*n* + *p k*), for *n* bytes in the lines, *p* places and *k* lines in the
  ///   block.
  func places(
    in range: LineRange, of text: PieceTable, allowingOverlap: Bool = false
  ) -> [LineNumber] {
    guard range.count >= lines.count else { return [] }
    var places: [LineNumber] = []
    var matched = 0
    var bytes: [UInt8] = []
    text.forEachLine(in: range) { number, line in
      bytes.removeAll(keepingCapacity: true)
      bytes.append(line, in: 0..<line.byteCount)
      let content = Line(bytes).content
      while matched > 0, matched == lines.count || lines[matched].content != content {
        matched = borders[matched - 1]
      }
      if lines[matched].content == content { matched += 1 }
      if matched == lines.count {
        let first = number - (lines.count - 1)
        let isApart = places.last.map { first >= $0 + lines.count } ?? true
        if allowingOverlap || isApart, shift(at: first, of: text) != nil {
          places.append(first)
        }
      }
      return !Interrupts.isInterrupted
    }
    return places
  }

  private func found(at place: LineNumber, of text: PieceTable) -> [[UInt8]] {
    lines.indices.map { text.line(place + $0) }
  }

  /// The columns by which a place is indented more than the block, and a tab width for which they
  /// are the same on all lines; nil if there is none.
  private func shift(at place: LineNumber, of text: PieceTable) -> (columns: Int, tab: Int)? {
    shift(of: found(at: place, of: text).map { Line($0) })
  }

  /// Prefers the tab width `unit`, or else one that gives the block and the place the same columns.
  /// If the block or `new` has both tabs and blanks, the latter comes first: such columns agree only
  /// by that width, as when a run of blanks was turned into tabs.
  private func shift(
    of found: [Line], _ new: [Line] = [], unit: Int? = nil
  ) -> (columns: Int, tab: Int)? {
    let pairs = zip(found, lines).filter { !$0.1.isBlank }
    let hasTabs = pairs.contains {
      $0.indentation.contains(.tab) || $1.indentation.contains(.tab)
    }
    var shifts: [(columns: Int, tab: Int)] = []
    for tab in hasTabs ? [8, 4, 2, 3, 1, 5, 6, 7] : [unit ?? 8] {
      let all = Set(pairs.map { $0.width(tab: tab) - $1.width(tab: tab) })
      if all.count == 1, let columns = all.first { shifts.append((columns, tab)) }
    }
    let given = (lines + new).filter { !$0.isBlank }.map(\.indentation)
    let isMixed =
      lines.contains { $0.indentation.contains(.tab) && $0.indentation.contains(.space) }
      || given.contains { $0.contains(.tab) }
        && given.contains { $0.suffix(2).elementsEqual([.space, .space]) }
    let (byUnit, equal) = (shifts.first { $0.tab == unit }, shifts.first { $0.columns == 0 })
    return (isMixed ? equal ?? byUnit : byUnit ?? equal) ?? shifts.first
  }

  /// The indentation that the block has more than a place, or less, on all lines; nil if the lines
  /// differ otherwise.
  private func constantShift(
    of found: [Line]
  ) -> (removed: ArraySlice<UInt8>, added: ArraySlice<UInt8>)? {
    let pairs = zip(lines, found).filter { !$0.0.isBlank }
      .map { (old: $0.0.indentation, new: $0.1.indentation) }
    guard let first = pairs.first else { return nil }
    let removed = first.old.dropLast(first.new.count)
    let added = first.new.dropLast(first.old.count)
    let isConstant = pairs.allSatisfy {
      $0.old.starts(with: removed) && added + $0.old.dropFirst(removed.count) == $0.new
    }
    return isConstant ? (removed, added) : nil
  }

  /// Whether some lines are indented with tabs; nil without any indentation.
  private static func usesTabs(_ lines: [Line]) -> Bool? {
    let known = lines.filter { !$0.isBlank && !$0.indentation.isEmpty }
    return known.isEmpty ? nil : known.contains { $0.indentation.contains(.tab) }
  }

  /// The indentation of a whole text if the new lines have the other kind, and the block has none;
  /// otherwise nil, and the new lines tell how the place is indented. A single blank does not count.
  func otherStyle(than new: [[UInt8]], in text: PieceTable) -> IndentationStyle? {
    let indented = new.map { Line($0) }.filter { $0.indentation != [.space] }
    guard lines.allSatisfy(\.indentation.isEmpty), let hasTabs = Self.usesTabs(indented),
      let style = IndentationStyle(of: text), style.usesTabs != hasTabs
    else { return nil }
    return style
  }

  /// The width of a tab if one side is indented with tabs and the other one with blanks: the least
  /// step between lines of the latter, or else of the text. Nil if the sides agree, or without such
  /// a step. A `style` is that of a place without indentation.
  func unit(
    of new: [[UInt8]], at place: LineNumber, of text: PieceTable, _ style: IndentationStyle?
  ) -> Int? {
    let found = found(at: place, of: text).map { Line($0) }
    return unit(of: new.map { Line($0) }, found, at: place, of: text, style)
  }

  private func unit(
    of new: [Line], _ found: [Line], at place: LineNumber, of text: PieceTable,
    _ style: IndentationStyle?
  ) -> Int? {
    let given = lines + new
    guard let hasTabs = Self.usesTabs(given),
      let isInTabs = Self.usesTabs(found) ?? style?.usesTabs, hasTabs != isInTabs
    else { return nil }
    func widths(_ lines: [Line]) -> [Int] { lines.filter { !$0.isBlank }.map { $0.width(tab: 8) } }
    var all = widths(isInTabs ? given : found)
    // The line that the place belongs to.
    let margin = all.min() ?? 0
    for distance in 1...64 where !isInTabs && distance < place.value {
      guard let above = widths([Line(text.line(place - distance))]).first, above < margin else {
        continue
      }
      all.append(above)
      break
    }
    let least = all.min() ?? 0
    // A step of eight may be two of four.
    return all.map { $0 - least }.filter { (2...6).contains($0) }.min() ?? style?.step
  }

  /// The ignored differences at a place.
  func overlooked(at place: LineNumber, of text: PieceTable) -> OverlookedDifferences {
    var differences = OverlookedDifferences(
      lines: LineRange(place, place + (lines.count - 1)))
    for (found, (old, line)) in zip(found(at: place, of: text), zip(old, lines)) where found != old
    {
      let other = Line(found)
      if !line.isBlank && other.indentation != line.indentation {
        differences.indentationCount += 1
      }
      let (end, otherEnd) = (
        old.count - old.withoutEndBlanks.count, found.count - found.withoutEndBlanks.count
      )
      if old.suffix(end) != found.suffix(otherEnd) { differences.trailingCount += 1 }
      let bodies = (Array(old.dropLast(end)), Array(found.dropLast(otherEnd)))
      if bodies.0.dropFirst(line.indentation.count) != bodies.1.dropFirst(other.indentation.count) {
        differences.typographicCount += 1
      }
    }
    return differences
  }

  /// The lines that replace the block, with the indentation of the place; lines that the block has,
  /// too, are taken from the text. `hunks` are the differences of the given lines from the block.
  /// Nil if a line would begin left of the margin; otherwise as many lines as given.
  func adapted(
    _ new: [[UInt8]], differingIn hunks: [LineHunk], at place: LineNumber, of text: PieceTable,
    _ style: IndentationStyle?
  ) -> [[UInt8]]? {
    let found = found(at: place, of: text)
    let foundLines = found.map { Line($0) }
    let newLines = new.map { Line($0) }
    let unit = unit(of: newLines, foundLines, at: place, of: text, style)
    guard let shift = shift(of: foundLines, newLines, unit: unit) else { return nil }
    let constant = shift.tab == unit ? nil : constantShift(of: foundLines)
    /// The indentations in the text for each indentation in the block.
    var indentations: [ArraySlice<UInt8>: Set<ArraySlice<UInt8>>] = [:]
    for (line, other) in zip(lines, foundLines) where !line.isBlank {
      indentations[line.indentation, default: []].insert(other.indentation)
    }
    let usesTabs = Self.usesTabs(foundLines) ?? style?.usesTabs
    let places = Dictionary(old.indices.map { (old[$0], $0) }) { first, _ in first }
    var adapted = new
    for hunk in hunks where hunk.new.count > 0 {
      for index in (hunk.new.first.value - 1)..<hunk.new.last.value {
        let line = newLines[index]
        if line.isBlank { continue }
        if let same = places[new[index]] {
          adapted[index] = found[same]
          continue
        }
        let rest = new[index][line.indentation.endIndex...]
        if let indentation = indentations[line.indentation], indentation.count == 1 {
          adapted[index] = Array(indentation.first ?? []) + rest
        } else if let constant, line.indentation.starts(with: constant.removed),
          !(constant.added.contains(.space) && line.indentation.contains(.tab))
        {
          let indentation = line.indentation.dropFirst(constant.removed.count)
          adapted[index] = Array(constant.added + indentation + rest)
        } else {
          let width = line.width(tab: shift.tab) + shift.columns
          if width < 0 { return nil }
          let hasTabs = usesTabs ?? line.indentation.contains(.tab)
          adapted[index] = Self.blanks(width, tab: hasTabs ? shift.tab : nil) + rest
        }
      }
    }
    return adapted
  }

  private static func blanks(_ width: Int, tab: Int?) -> [UInt8] {
    let tabCount = tab.map { width / $0 } ?? 0
    return Array(repeating: .tab, count: tabCount)
      + Array(repeating: .space, count: width - tabCount * (tab ?? 0))
  }
}

/// The indentation of a text that uses only tabs, or only blanks.
struct IndentationStyle: Equatable, Sendable {
  let usesTabs: Bool
  /// The least indentation with blanks, if it has 2 to 8 of them; nil with tabs.
  let step: Int?

  /// Nil for a text with both kinds or none. A single blank, as before the `*` of a comment, does
  /// not count.
  ///
  /// - Complexity: O(*n*), for *n* lines; an interrupt ends the search.
  init?(of text: PieceTable) {
    var (hasTabs, least) = (false, Int.max)
    text.forEachLine(in: LineRange(1, text.newlineCount)) { _, line in
      var count = 0
      while count < line.byteCount && line[count] == .space { count += 1 }
      if count > 1 && count < line.byteCount { least = min(least, count) }
      if line.byteCount > 0 && line[0] == .tab { hasTabs = true }
      return !Interrupts.isInterrupted && !(hasTabs && least < .max)
    }
    if hasTabs == (least < .max) { return nil }
    (usesTabs, step) = (hasTabs, (2...8).contains(least) ? least : nil)
  }
}

/// The ignored differences between the lines of a place and the given lines.
struct OverlookedDifferences: Equatable, Sendable {
  var lines: LineRange
  /// The number of lines with another indentation.
  var indentationCount = 0
  /// The number of lines with other blanks at the end.
  var trailingCount = 0
  /// The number of lines with other quotes, dashes or no-break spaces.
  var typographicCount = 0

  var isEmpty: Bool { indentationCount + trailingCount + typographicCount == 0 }
}

/// The tables of the search by Knuth, Morris and Pratt.
enum KnuthMorrisPratt {
  /// For each element, the length of the longest proper prefix of the pattern that ends there.
  static func borders(of pattern: [some Equatable]) -> [Int] {
    var borders = [Int](repeating: 0, count: pattern.count)
    for index in pattern.indices.dropFirst() {
      var length = borders[index - 1]
      while length > 0 && pattern[index] != pattern[length] { length = borders[length - 1] }
      borders[index] = pattern[index] == pattern[length] ? length + 1 : 0
    }
    return borders
  }
}

/// Text to find that may begin and end within lines.
struct TextBlock {
  struct Place: Equatable {
    var first: LineNumber
    /// The number of bytes before it in its first line.
    var start: Int
    var last: LineNumber
    /// The number of bytes before its end in its last line.
    var end: Int
  }

  /// The parts in the lines that it spans.
  private let parts: [[UInt8]]
  /// Whether the first and the last part are too vague to match a part of a longer line.
  private let isVague: (first: Bool, last: Bool)
  /// Whether the first part is indented, or followed by blank parts only.
  private let needsMargin: Bool

  /// The text of some lines, without the newline at its end; nil if it is empty.
  init?(_ lines: [[UInt8]]) {
    guard let first = lines.first, let last = lines.last, lines != [[]] else { return nil }
    parts = lines
    isVague = (Self.isVague(first), Self.isVague(last))
    needsMargin =
      first.first?.isSpace == true || lines.dropFirst().joined().allSatisfy(\.isSpace)
  }

  /// Whether a line has no letter, digit or bracket. Beside whole lines, such a line must match a
  /// whole line, too: an empty one does not match the end of a longer line.
  private static func isVague(_ line: [UInt8]) -> Bool {
    let brackets = "()[]{}<>".utf8
    return !LooseBlock.isDistinctive([line]) && !line.contains { brackets.contains($0) }
  }

  /// Whether a place of several lines may begin after some bytes of a line, and end within a line.
  private func mayBegin(after start: RawSpan, endingWithin endsWithin: Bool) -> Bool {
    let startsWithin = start.byteCount > 0
    // Such a text does not match within a deeper indentation: its other lines do not show that theirs
    // was kept.
    let isIndentation = needsMargin && (0..<start.byteCount).allSatisfy { start[$0].isSpace }
    let isVagueStart = startsWithin && isVague.first && (!endsWithin || isVague.last)
    let isVagueEnd = endsWithin && isVague.last && (!startsWithin || isVague.first)
    return !isVagueStart && !isVagueEnd && !(startsWithin && isIndentation && !endsWithin)
  }

  /// The lines of a longer text, which includes this one, around a place of it; nil if it is
  /// not there, or its additional part is not distinctive.
  func lines(ofText lines: [[UInt8]], around place: Place, in text: PieceTable) -> LineRange? {
    let (own, other) = (joined(parts), joined(lines))
    guard own.count < other.count, let wanted = TextBlock(lines),
      let start = other.indices.first(where: { other[$0...].starts(with: own) }),
      LooseBlock.isDistinctive(
        [Array(other[..<start]), Array(other[(start + own.count)...])],
        least: LooseBlock.tellingCount)
    else { return nil }
    let window = LineRange(
      max(LineNumber(1), place.first - (lines.count - 1)),
      min(LineNumber(text.newlineCount), place.last + (lines.count - 1)))
    return wanted.places(in: window, of: text).first {
      ($0.first.value, $0.start) <= (place.first.value, place.start)
        && (place.last.value, place.end) <= ($0.last.value, $0.end)
    }.map { LineRange($0.first, $0.last) }
  }

  private func joined(_ lines: [[UInt8]]) -> [UInt8] {
    Array(lines.joined(separator: [.newline]))
  }

  /// The places of the text, from the top, without overlap unless allowed. In a text of several
  /// lines, a vague first or last part must be a whole line if the other is whole or vague.
  ///
  /// - Complexity: O(*n*), for *n* bytes in the lines; an interrupt ends the search.
  func places(
    in range: LineRange, of text: PieceTable, allowingOverlap: Bool = false
  ) -> [Place] {
    var places: [Place] = []
    guard range.count >= parts.count else { return [] }
    let (head, tail) = (parts[0], parts[parts.count - 1])
    // The places of the whole lines between the first part and the last one.
    var middles: Set<LineNumber>?
    func hasMiddle(_ line: LineNumber) -> Bool {
      if parts.count == 2 { return true }
      if let middles { return middles.contains(line) }
      let block = LineBlock(lines: Array(parts[1..<parts.count - 1]))
      let found = Set(block.places(in: range, of: text, allowingOverlap: true))
      middles = found
      return found.contains(line)
    }
    text.forEachLine(in: range) { number, line in
      var start = 0
      if !allowingOverlap, let last = places.last {
        if last.last > number { return !Interrupts.isInterrupted }
        if last.last == number { start = last.end }
      }
      if parts.count == 1 {
        while let found = line.firstOffset(of: head, in: start..<line.byteCount) {
          let end = found + head.count
          places.append(Place(first: number, start: found, last: number, end: end))
          start = allowingOverlap ? found + 1 : end
        }
        return !Interrupts.isInterrupted
      }
      let offset = line.byteCount - head.count
      guard offset >= start, number + (parts.count - 1) <= range.last,
        line.extracting(offset..<line.byteCount).isSame(as: head)
      else { return !Interrupts.isInterrupted }
      let isThere =
        hasMiddle(number + 1)
        && text.withLine(number + (parts.count - 1)) {
          $0.byteCount >= tail.count && $0.extracting(0..<tail.count).isSame(as: tail)
            && mayBegin(
              after: line.extracting(0..<offset), endingWithin: $0.byteCount > tail.count)
        }
      if isThere {
        places.append(
          Place(
            first: number, start: offset, last: number + (parts.count - 1), end: tail.count))
      }
      return !Interrupts.isInterrupted
    }
    return places
  }
}

extension RawSpan {
  fileprivate func isSame(as bytes: [UInt8]) -> Bool {
    byteCount == bytes.count && bytes.indices.allSatisfy { self[$0] == bytes[$0] }
  }
}

extension [UInt8] {
  fileprivate var withoutEndBlanks: [UInt8] {
    Array(prefix((lastIndex { $0 != .space && $0 != .tab } ?? -1) + 1))
  }
}
