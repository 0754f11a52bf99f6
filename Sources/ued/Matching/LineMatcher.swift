/// Matches a pattern by automata, with the results that glibc would give. If the result is
/// `unknown`, as for a line outside the encoding that the pattern needs, the caller must ask glibc.
/// Patterns that automata can't match have no matcher.
final class LineMatcher {
  enum Answer: Equatable {
    /// Only glibc knows the result.
    case unknown
    case noMatch
    case match(Range<Int>)
  }

  private let encoding: SubjectEncoding
  /// The required literal: bytes that every line with a match has.
  private let literal: [UInt8]?
  /// The length of every match; nil if matches differ in length.
  private let matchByteCount: Int?
  private let hasAssertion: Bool
  /// Finds possible beginnings of matches; nil if not worthwhile, or if assertions may begin a
  /// match.
  private var prefixes: PrefixFilter?
  /// A simpler matcher for the question whether a line has a match at all.
  private let core: LineMatcher?
  /// Whether matches are short enough to try each possible beginning.
  private let isShort: Bool
  private let automaton: NFA
  private let byteClasses: ByteClasses
  private let forwards: LazyDFA
  /// Finds the end of a match that begins where the search begins.
  private lazy var anchored = LazyDFA(automaton, byteClasses, .forwards, isAnchored: true)
  private lazy var backwards = LazyDFA(automaton, byteClasses, .backwards, isAnchored: false)
  private var groupFinder: GroupFinder?
  /// Whether the current line is in `encoding`.
  private var isValid = false
  /// Always nil: the `liveNodes` argument of searches without groups.
  private var noLiveNodes: [UInt64]?

  /// The number of bytes to validate at a time, at first and at most. It grows in the course of a
  /// search.
  private static let (firstValidation, largestValidation) = (1 << 9, 1 << 16)
  private static let shortMatch = 64

  /// A matcher for `source`, which glibc has compiled; nil if automata can't match it as glibc
  /// does.
  convenience init?(_ source: [UInt8], extended: Bool, ignoreCase: Bool) {
    guard let locale = MatchingLocale(),
      let pattern = SyntaxParser.parse(
        source, extended: extended, ignoreCase: ignoreCase, locale: locale)
    else { return nil }
    self.init(pattern.syntax, pattern.encoding)
  }

  private init?(_ syntax: Syntax, _ encoding: SubjectEncoding) {
    guard let automaton = NFA(syntax), let classes = ByteClasses(automaton) else { return nil }
    (self.encoding, self.automaton, byteClasses) = (encoding, automaton, classes)
    matchByteCount = syntax.byteCount
    hasAssertion = syntax.hasAssertion
    core = syntax.core.flatMap { LineMatcher($0, encoding) }
    forwards = LazyDFA(automaton, classes, .forwards, isAnchored: syntax.isAnchored)
    let filter = PrefixFilter(of: syntax, in: encoding)
    prefixes = filter
    isShort = syntax.longestByteCount.map { $0 <= Self.shortMatch } ?? false
    // A match begins at a prefix, so a literal must be far rarer to be preferred.
    literal = syntax.requiredLiteral.flatMap { literal in
      let share = PrefixFilter.share(of: literal)
      return filter.map { share * 8 < $0.share } ?? true ? literal : nil
    }
    groupFinder = GroupFinder(automaton, of: syntax)
  }

  /// Whether a line has a match; nil if only glibc knows.
  func matches(_ line: RawSpan) -> Bool? {
    if let core { return core.matches(line) }
    validate(line)
    return isValid ? forwards.hasMatch(in: line, from: 0, .lineStart) : nil
  }

  /// The first match at or after `offset`, which counts as the start of the text. `isStart` says
  /// whether `^` matches there. If not, the line must be the one that the previous search
  /// validated.
  func firstMatch(in line: RawSpan, from offset: Int, isStart: Bool) -> Answer {
    firstMatch(in: line, from: offset, isStart: isStart, liveNodes: &noLiveNodes)
  }

  private func firstMatch(
    in line: RawSpan, from offset: Int, isStart: Bool, liveNodes: inout [UInt64]?
  ) -> Answer {
    if isStart { validate(line) }
    guard isValid else { return .unknown }
    if let prefixes {
      return firstMatch(in: line, from: offset, by: prefixes, liveNodes: &liveNodes)
    }
    let neighbor = isStart ? Syntax.Neighbor.lineStart : .restart
    return firstMatch(in: line, from: offset, neighbor, liveNodes: &liveNodes)
  }

  private func firstMatch(
    in line: RawSpan, from offset: Int, _ neighbor: Syntax.Neighbor,
    liveNodes: inout [UInt64]?
  ) -> Answer {
    guard let end = forwards.endOfMatch(in: line, from: offset, neighbor) else {
      return .noMatch
    }
    if let matchByteCount, liveNodes == nil { return .match(end - matchByteCount..<end) }
    guard
      let start = backwards.startOfMatch(
        in: line, from: offset, to: end, neighbor, liveNodes: &liveNodes)
    else { return .unknown }
    return .match(start..<end)
  }

  /// Fast path: looks only at possible beginnings of a match. No match begins with an assertion
  /// here, so the text before it does not matter.
  private func firstMatch(
    in line: RawSpan, from offset: Int, by prefixes: PrefixFilter, liveNodes: inout [UInt64]?
  ) -> Answer {
    var position = offset
    let anchored = anchored
    while let start = prefixes.firstOffset(in: line, position..<line.byteCount) {
      if prefixes.isExact && liveNodes == nil { return .match(start..<start + prefixes.length) }
      if !isShort { return firstMatch(in: line, from: start, .restart, liveNodes: &liveNodes) }
      if let end = anchored.endOfMatch(in: line, from: start, .restart) {
        if liveNodes == nil { return .match(start..<end) }
        let found = backwards.startOfMatch(
          in: line, from: start, to: end, .restart, liveNodes: &liveNodes)
        return found == start ? .match(start..<end) : .unknown
      }
      noteMiss(start - position)
      position = start + 1
    }
    return .noMatch
  }

  private func noteMiss(_ distance: Int) {
    prefixes?.noteMiss(after: distance)
    if prefixes?.isWorthwhile == false { prefixes = nil }
  }

  /// An offset in the first line with a match; nil without one. All the lines must be valid.
  private func firstHit(in text: RawSpan, _ lines: Range<Int>) -> Int? {
    var position = lines.lowerBound
    let (filter, anchored) = (prefixes, anchored)
    while let filter, filter.isWorthwhile {
      guard let start = filter.firstOffset(in: text, position..<lines.upperBound) else {
        return nil
      }
      if filter.isExact { return start }
      let next: Int
      if isShort {
        if anchored.endOfMatch(in: text, from: start, .restart) != nil { return start }
        next = start + 1
      } else {
        let newline = text.firstOffset(of: .newline, in: start..<lines.upperBound)
        next = (newline ?? lines.upperBound - 1) + 1
        if let hit = forwards.firstMatch(in: text, start..<next) { return hit }
      }
      noteMiss(start - position)
      position = next
    }
    // No match begins before `position`, which may be within a line.
    return forwards.firstMatch(in: text, position..<lines.upperBound)
  }

  /// The first match, as in `firstMatch`, and whether its groups were found; if not, only glibc
  /// knows them. Calls `body` with the groups found.
  func firstMatchWithGroups(
    in line: RawSpan, from offset: Int, isStart: Bool, _ body: (GroupFinder) -> Void
  ) -> (answer: Answer, hasGroups: Bool) {
    guard var finder = groupFinder.take() else {
      return (firstMatch(in: line, from: offset, isStart: isStart), false)
    }
    defer { groupFinder = finder }
    finder.liveNodes?.removeAll(keepingCapacity: true)
    let answer = firstMatch(
      in: line, from: offset, isStart: isStart, liveNodes: &finder.liveNodes)
    guard case .match(let range) = answer else { return (answer, false) }
    let hasGroups = finder.findGroups(
      of: range, in: line, from: (offset, isStart ? .lineStart : .restart))
    if hasGroups { body(finder) }
    return (answer, hasGroups)
  }

  /// Whether a match does not depend on its neighbors.
  var ignoresNeighbors: Bool { !hasAssertion }

  private func validate(_ line: RawSpan) {
    let range = 0..<line.byteCount
    isValid = UTF8Text.firstInvalid(as: encoding, in: line, range) == range.upperBound
  }

  /// Calls `body` with each matching line of `range`, in order and without its newline, until
  /// `body` returns false. `range` must consist of whole lines with their newlines. `fallback`
  /// decides for lines that automata can't match.
  func forEachMatchingLine(
    in text: RawSpan, _ range: Range<Int>, orElse fallback: (RawSpan) -> Bool,
    _ body: (Range<Int>) -> Bool
  ) {
    if let core {
      return core.forEachMatchingLine(in: text, range, orElse: fallback, body)
    }
    var position = range.lowerBound
    var block = Self.firstValidation
    while position < range.upperBound {
      let rest = position..<range.upperBound
      var candidate = position
      if let literal {
        guard let hit = text.firstOffset(of: literal, in: rest) else { return }
        candidate = hit
      } else {
        let valid = validLines(in: text, rest, block)
        block = min(block * 2, Self.largestValidation)
        while let hit = firstHit(in: text, position..<valid.upperBound) {
          let line = text.line(around: hit, in: valid)
          if !body(line) { return }
          position = line.upperBound + 1
        }
        position = valid.upperBound
        if !valid.isEmpty { continue }
      }
      let line = text.line(around: candidate, in: rest)
      let subject = text.extracting(line)
      if matches(subject) ?? fallback(subject), !body(line) { return }
      position = line.upperBound + 1
    }
  }

  /// The valid lines at the start of a range: the lines within the first `size` bytes, or the first
  /// line if it is longer. Empty if the first line is invalid, or longer than the largest block.
  private func validLines(in text: RawSpan, _ range: Range<Int>, _ size: Int) -> Range<Int> {
    if encoding == .anyBytes { return range }
    let block = range.lowerBound..<min(range.lowerBound + size, range.upperBound)
    let end = UTF8Text.firstInvalid(as: encoding, in: text, block)
    if end == range.upperBound { return range }
    if let newline = text.lastOffset(of: .newline, in: range.lowerBound..<end) {
      return range.lowerBound..<newline + 1
    }
    // A character may be cut off at the end of the block.
    let isInvalid = end + 4 <= block.upperBound || size >= Self.largestValidation
    return isInvalid ? range.lowerBound..<range.lowerBound : validLines(in: text, range, size * 4)
  }
}
