/// Matches a pattern by automata, where it is one that they understand.
///
/// What they answer is what glibc would; where that is not certain they answer nothing, and glibc
/// is to be asked: patterns for which there is no matcher, and lines with characters that this
/// pattern can't have.
final class LineMatcher {
  /// What is known about a line without glibc.
  enum Answer: Equatable {
    case unknown
    case noMatch
    case match(Range<Int>)
  }

  private let demand: ParsedPattern.Demand
  /// Bytes that every line with a match has.
  private let literal: [UInt8]?
  /// The number of bytes of every match, where all have the same.
  private let matchByteCount: Int?
  private let hasAssertion: Bool
  private let forwards: LazyMachine
  private let backwards: LazyMachine
  private var groupFinder: GroupFinder?
  /// Whether the line that was asked about last has only characters that the pattern can have.
  private var isSuited = false
  private var noTrail: [UInt64]?

  /// How many bytes are looked at for their suitability at a time.
  private static let stretch = 1 << 16

  /// A matcher for `source`, which glibc has compiled; nil when glibc is to be asked each time.
  init?(_ source: [UInt8], extended: Bool, ignoreCase: Bool) {
    guard let locale = MatchingLocale(),
      let pattern = SyntaxParser.parse(
        source, extended: extended, ignoreCase: ignoreCase, locale: locale),
      let automaton = Automaton(pattern.syntax), let classes = ByteClasses(automaton)
    else { return nil }
    demand = pattern.demand
    literal = pattern.syntax.requiredLiteral
    matchByteCount = pattern.syntax.byteCount
    hasAssertion = pattern.syntax.hasAssertion
    forwards = LazyMachine(
      automaton, classes, .forwards, isAnchored: pattern.syntax.isAnchored)
    backwards = LazyMachine(automaton, classes, .backwards, isAnchored: false)
    groupFinder = GroupFinder(automaton, of: pattern.syntax)
  }

  /// Whether a line has a match; nil when only glibc knows.
  func matches(_ line: RawSpan) -> Bool? {
    checkSuitability(of: line)
    return isSuited ? forwards.hasMatch(in: line, from: 0, .lineStart) : nil
  }

  /// The first match at or after `offset`, where the text is taken to begin.
  ///
  /// - Parameters:
  ///   - line: The text.
  ///   - offset: Where to begin.
  ///   - isStart: Whether `^` matches at `offset`. If not, the search goes on in the line in which
  ///     the last one began.
  /// - Returns: The match, if that is known.
  func firstMatch(in line: RawSpan, from offset: Int, isStart: Bool) -> Answer {
    firstMatch(in: line, from: offset, isStart: isStart, trail: &noTrail)
  }

  private func firstMatch(
    in line: RawSpan, from offset: Int, isStart: Bool, trail: inout [UInt64]?
  ) -> Answer {
    if isStart { checkSuitability(of: line) }
    guard isSuited else { return .unknown }
    let surrounding = isStart ? Syntax.Surrounding.lineStart : .restart
    guard let end = forwards.endOfMatch(in: line, from: offset, surrounding) else {
      return .noMatch
    }
    if let matchByteCount, trail == nil { return .match(end - matchByteCount..<end) }
    guard
      let start = backwards.startOfMatch(
        in: line, from: offset, to: end, surrounding, trail: &trail)
    else { return .unknown }
    return .match(start..<end)
  }

  /// The first match and its groups.
  ///
  /// - Parameters:
  ///   - line: The text.
  ///   - offset: Where to begin.
  ///   - isStart: Whether `^` matches at `offset`; see `firstMatch`.
  ///   - body: Gets the finder that has the groups, if there is a match.
  /// - Returns: The match, and whether the groups were found; if not, glibc is to be asked.
  func firstMatchWithGroups(
    in line: RawSpan, from offset: Int, isStart: Bool, _ body: (GroupFinder) -> Void
  ) -> (answer: Answer, hasGroups: Bool) {
    guard var finder = groupFinder.take() else {
      return (firstMatch(in: line, from: offset, isStart: isStart), false)
    }
    defer { groupFinder = finder }
    finder.trail?.removeAll(keepingCapacity: true)
    let answer = firstMatch(in: line, from: offset, isStart: isStart, trail: &finder.trail)
    guard case .match(let range) = answer else { return (answer, false) }
    let hasGroups = finder.findGroups(
      of: range, in: line, from: (offset, isStart ? .lineStart : .restart))
    if hasGroups { body(finder) }
    return (answer, hasGroups)
  }

  /// Whether a match stays the same when all around it is taken away.
  var ignoresSurroundings: Bool { !hasAssertion }

  private func checkSuitability(of line: RawSpan) {
    let range = 0..<line.byteCount
    isSuited = UTF8Text.firstUnsuited(for: demand, in: line, range) == range.upperBound
  }

  /// The first line that has a match.
  ///
  /// - Parameters:
  ///   - text: Lines with newlines at their ends.
  ///   - range: Whole lines of `text`, their newlines included.
  ///   - asksOther: Tells whether a line has a match which the automata do not know.
  /// - Returns: The line without its newline.
  func firstMatchingLine(
    in text: RawSpan, _ range: Range<Int>, orElse asksOther: (RawSpan) -> Bool
  ) -> Range<Int>? {
    var position = range.lowerBound
    while position < range.upperBound {
      let rest = position..<range.upperBound
      if let literal {
        guard let hit = text.firstOffset(of: literal, in: rest) else { return nil }
        let line = text.line(around: hit, in: rest)
        if matches(text, line, orElse: asksOther) { return line }
        position = line.upperBound + 1
        continue
      }
      let suited = suitedLines(in: text, rest)
      if suited.isEmpty {
        let line = text.line(around: position, in: rest)
        if matches(text, line, orElse: asksOther) { return line }
        position = line.upperBound + 1
      } else if let hit = forwards.firstMatch(in: text, suited) {
        return text.line(around: hit, in: suited)
      } else {
        position = suited.upperBound
      }
    }
    return nil
  }

  /// Lines at the start of a range in which the automata know everything.
  private func suitedLines(in text: RawSpan, _ range: Range<Int>) -> Range<Int> {
    if demand == .nothing { return range }
    let stretch = range.lowerBound..<min(range.lowerBound + Self.stretch, range.upperBound)
    let end = UTF8Text.firstUnsuited(for: demand, in: text, stretch)
    if end == range.upperBound { return range }
    let newline = text.lastOffset(of: .newline, in: range.lowerBound..<end)
    return range.lowerBound..<(newline ?? range.lowerBound - 1) + 1
  }

  private func matches(
    _ text: RawSpan, _ line: Range<Int>, orElse asksOther: (RawSpan) -> Bool
  ) -> Bool {
    text.withPart(line) { matches($0) ?? asksOther($0) }
  }
}
