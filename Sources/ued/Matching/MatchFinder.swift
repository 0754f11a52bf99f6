/// Finds all matches of a pattern in lines.
struct MatchFinder {
  private let pattern: Pattern
  private var subject: Subject

  init(of pattern: Pattern, isBinary: Bool) {
    self.pattern = pattern
    subject = Subject(isBinary: isBinary)
    if isBinary { pattern.disableAutomata() }
  }

  /// The matches in a line that are not empty, in order.
  mutating func matches(in line: RawSpan) -> [Range<Int>] {
    let pattern = pattern
    return subject.withSubject(of: line) { line in
      var found: [Range<Int>] = []
      var position = 0
      while position <= line.byteCount,
        pattern.firstMatch(
          in: line, from: position, isStart: position == 0, needsGroups: false),
        let match = pattern.group(0)
      {
        if !match.isEmpty { found.append(match) }
        position = match.upperBound + (match.isEmpty ? 1 : 0)
      }
      return found
    }
  }
}
