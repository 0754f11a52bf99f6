/// Matches a pattern by automata, with the results that glibc would give.
///
/// Where those are uncertain the answer is unknown and the caller has to ask glibc: for patterns
/// without a matcher, and for lines that are not in the encoding that the pattern needs.
final class LineMatcher {
  /// The result of a search.
  enum Answer: Equatable {
    /// Only glibc can tell.
    case unknown
    case noMatch
    case match(Range<Int>)
  }

  private let encoding: SubjectEncoding
  /// The required literal: bytes that every line with a match has.
  private let literal: [UInt8]?
  /// The length of every match; nil when matches differ in length.
  private let matchByteCount: Int?
  private let hasAssertion: Bool
  private let forwards: LazyDFA
  private let backwards: LazyDFA
  private var groupFinder: GroupFinder?
  /// Whether the current line is in `encoding`.
  private var isValid = false
  /// What a search that needs no groups has in place of live nodes.
  private var noLiveNodes: [UInt64]?

  /// The number of bytes that are validated at a time.
  private static let validationBlock = 1 << 16

  /// A matcher for `source`, which glibc has compiled; nil when automata can't match it as glibc does.
  init?(_ source: [UInt8], extended: Bool, ignoreCase: Bool) {
    guard let locale = MatchingLocale(),
      let pattern = SyntaxParser.parse(
        source, extended: extended, ignoreCase: ignoreCase, locale: locale),
      let automaton = NFA(pattern.syntax), let classes = ByteClasses(automaton)
    else { return nil }
    encoding = pattern.encoding
    literal = pattern.syntax.requiredLiteral
    matchByteCount = pattern.syntax.byteCount
    hasAssertion = pattern.syntax.hasAssertion
    forwards = LazyDFA(automaton, classes, .forwards, isAnchored: pattern.syntax.isAnchored)
    backwards = LazyDFA(automaton, classes, .backwards, isAnchored: false)
    groupFinder = GroupFinder(automaton, of: pattern.syntax)
  }

  /// Whether a line has a match; nil when only glibc can tell.
  func matches(_ line: RawSpan) -> Bool? {
    validate(line)
    return isValid ? forwards.hasMatch(in: line, from: 0, .lineStart) : nil
  }

  /// The first match at or after `offset`, which is taken for the start of the text.
  ///
  /// - Parameters:
  ///   - line: The subject.
  ///   - offset: Where to begin.
  ///   - isStart: Whether `^` matches at `offset`. If not, the line is that of the previous search.
  /// - Returns: The match, if that is known.
  func firstMatch(in line: RawSpan, from offset: Int, isStart: Bool) -> Answer {
    firstMatch(in: line, from: offset, isStart: isStart, liveNodes: &noLiveNodes)
  }

  private func firstMatch(
    in line: RawSpan, from offset: Int, isStart: Bool, liveNodes: inout [UInt64]?
  ) -> Answer {
    if isStart { validate(line) }
    guard isValid else { return .unknown }
    let surrounding = isStart ? Syntax.Surrounding.lineStart : .restart
    guard let end = forwards.endOfMatch(in: line, from: offset, surrounding) else {
      return .noMatch
    }
    if let matchByteCount, liveNodes == nil { return .match(end - matchByteCount..<end) }
    guard
      let start = backwards.startOfMatch(
        in: line, from: offset, to: end, surrounding, liveNodes: &liveNodes)
    else { return .unknown }
    return .match(start..<end)
  }

  /// The first match and its groups.
  ///
  /// - Parameters:
  ///   - line: The subject.
  ///   - offset: Where to begin.
  ///   - isStart: Whether `^` matches at `offset`; see `firstMatch`.
  ///   - body: Called with the groups, if they were found.
  /// - Returns: The match, and whether its groups were found; if not, only glibc can tell them.
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

  /// Whether a match would also be one with nothing around it.
  var ignoresSurroundings: Bool { !hasAssertion }

  private func validate(_ line: RawSpan) {
    let range = 0..<line.byteCount
    isValid = UTF8Text.firstInvalid(as: encoding, in: line, range) == range.upperBound
  }

  /// The first line that has a match.
  ///
  /// - Parameters:
  ///   - text: Lines with newlines at their ends.
  ///   - range: Whole lines of `text`, their newlines included.
  ///   - fallback: Decides for a line where automata can't.
  /// - Returns: The line without its newline.
  func firstMatchingLine(
    in text: RawSpan, _ range: Range<Int>, orElse fallback: (RawSpan) -> Bool
  ) -> Range<Int>? {
    var position = range.lowerBound
    while position < range.upperBound {
      let rest = position..<range.upperBound
      var candidate = position
      if let literal {
        guard let hit = text.firstOffset(of: literal, in: rest) else { return nil }
        candidate = hit
      } else {
        let valid = validLines(in: text, rest)
        if let hit = forwards.firstMatch(in: text, valid) {
          return text.line(around: hit, in: valid)
        }
        position = valid.upperBound
        if !valid.isEmpty { continue }
      }
      let line = text.line(around: candidate, in: rest)
      let subject = text.extracting(line)
      if matches(subject) ?? fallback(subject) { return line }
      position = line.upperBound + 1
    }
    return nil
  }

  /// The lines at the start of a range, as many as are known to be in `encoding`.
  private func validLines(in text: RawSpan, _ range: Range<Int>) -> Range<Int> {
    if encoding == .anyBytes { return range }
    let block = range.lowerBound..<min(range.lowerBound + Self.validationBlock, range.upperBound)
    let end = UTF8Text.firstInvalid(as: encoding, in: text, block)
    if end == range.upperBound { return range }
    let newline = text.lastOffset(of: .newline, in: range.lowerBound..<end)
    return range.lowerBound..<(newline ?? range.lowerBound - 1) + 1
  }
}
