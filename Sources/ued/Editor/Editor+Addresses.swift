import TextBuffer

/// Addresses resolved to line numbers.
struct ResolvedAddresses: Sendable {
  /// The first or only address; without addresses, the current line.
  var first: LineNumber
  /// The second or only address; without addresses, the current line.
  var second: LineNumber
  /// The number of given addresses: 0, 1 or 2.
  var count: Int
}

extension Editor {
  /// Resolves addresses to line numbers from 0 to the last line.
  ///
  /// A `;` sets the current line, and a search sets the last pattern, even if a later address fails.
  mutating func resolve(_ addresses: Addresses) throws(EditorError) -> ResolvedAddresses {
    if addresses.isEmpty {
      return ResolvedAddresses(first: text.currentLine, second: text.currentLine, count: 0)
    }
    let lastLine = text.lastLine
    var first: LineNumber?
    var second = text.currentLine
    /// The next term is the first of an address.
    var isStart = true
    for term in addresses {
      switch term {
      case .comma, .semicolon:
        if !isStart {
          guard .zero <= second, second <= lastLine else {
            throw .noSuchLine(second, last: lastLine)
          }
          if term == .semicolon { text.currentLine = second }
          first = second
          isStart = true
        } else if first == nil {
          first = term == .semicolon ? text.currentLine : LineNumber(1)
          second = lastLine
        } else {
          first = second
        }
        continue
      case .number(let number): second = LineNumber(number)
      case .offset(let offset): second = (isStart ? text.currentLine : second) + offset
      case .tracked(let number, let revision):
        second = try text.line(LineNumber(number), of: revision)
      case .anchored(let number, let hash, let isTracked):
        second = LineNumber(number)
        if isTracked {
          do throws(EditorError) {
            second = try text.line(second, of: nil)
          } catch {
            guard case .noSuchLineOf = error else { throw error }
          }
        }
        try check(second, hash)
      case .current: second = text.currentLine
      case .last: second = lastLine
      case .mark(let letter): second = try line(ofMark: letter)
      case .search(let search): second = try find(search)
      case .fault(let fault): throw .parse(fault)
      }
      isStart = false
    }
    guard isStart || .zero <= second && second <= lastLine else {
      throw .noSuchLine(second, last: lastLine)
    }
    return ResolvedAddresses(first: first ?? second, second: second, count: first == nil ? 1 : 2)
  }

  private func check(_ line: LineNumber, _ hash: Int) throws(EditorError) {
    let buffer = text.buffer
    let isThere = .zero < line && line <= text.lastLine
    let found = isThere ? buffer.line(line) : nil
    if found.map({ LineHash.of($0) }) == hash { return }
    var others: [LineNumber] = []
    if text.lastLine > .zero {
      var bytes: [UInt8] = []
      buffer.forEachLine(in: LineRange(LineNumber(1), text.lastLine)) { number, line in
        bytes.removeAll(keepingCapacity: true)
        bytes.append(line, in: 0..<line.byteCount)
        if LineHash.of(bytes) == hash { others.append(number) }
        return others.count < 8 && !Interrupts.isInterrupted
      }
    }
    if Interrupts.isInterrupted { throw .interrupted }
    let past =
      others.isEmpty && line > .zero
      ? past(of: LineRange(line)) { (_, old, _) in LineHash.of(old.line(line)) == hash } : nil
    throw .lineDiffers(line, hash: hash, found: found, others: others, past)
  }

  /// The lines addressed by a command, or its default, checked by its address rule.
  func lines(
    _ given: ResolvedAddresses, _ rule: AddressRule
  ) throws(EditorError) -> LineRange {
    switch rule {
    case .none:
      guard given.count == 0 else { throw .parse(.unexpectedAddress) }
      return LineRange(given.first)
    case .ignored: return LineRange(given.first)
    case .line(let missing, let zero):
      let line = given.count == 0 ? line(missing) : given.second
      guard zero || .zero < line && line <= text.lastLine else {
        throw .noSuchLine(line, last: text.lastLine)
      }
      return LineRange(line)
    case .lines(let missing):
      if missing == .allOrNone && given.count == 0 && text.lastLine == .zero {
        return LineRange(1, 0)
      }
      return try range(given.count == 0 ? lines(missing) : LineRange(given.first, given.second))
    case .optional:
      return given.count == 0
        ? LineRange(1, 0) : try range(LineRange(given.first, given.second))
    }
  }

  /// Whether a strict run accepts a command for all lines of an empty text, since this must not end
  /// the run: `g` and `v` then do nothing, and `s` and `expect` find no match.
  func mayFindNoLine(_ parsed: ParsedCommand) -> Bool {
    guard conduct.treatsDoubtsAsErrors, text.lastLine == .zero else { return false }
    let isAll = parsed.addresses == Addresses([.comma])
    return switch parsed.command {
    case .global(let global): !global.isInteractive && (isAll || parsed.addresses.isEmpty)
    case .expect, .repeatSubstitute, .substitute: isAll
    default: false
    }
  }

  private func line(_ missing: AddressRule.DefaultLine) -> LineNumber {
    switch missing {
    case .current: text.currentLine
    case .last: text.lastLine
    case .page: text.currentLine + (text.isInGlobal ? 0 : 1)
    case .pageAbove: text.currentLine - (text.isInGlobal ? 0 : 1)
    case .next: text.currentLine + (text.isInGlobal && !options.traditional ? 0 : 1)
    }
  }

  private func lines(_ missing: AddressRule.DefaultLines) -> LineRange {
    switch missing {
    case .all, .allOrNone: LineRange(LineNumber(1), text.lastLine)
    case .current: LineRange(text.currentLine)
    case .currentAndNext: LineRange(text.currentLine, text.currentLine + 1)
    }
  }

  /// Throws unless a range is in order and all of its lines exist.
  private func range(_ range: LineRange) throws(EditorError) -> LineRange {
    let lastLine = text.lastLine
    guard range.first > .zero else { throw .noSuchLine(range.first, last: lastLine) }
    guard range.last <= lastLine else { throw .noSuchLine(range.last, last: lastLine) }
    guard range.first <= range.last else {
      throw text.lastLine == .zero
        ? .noSuchLine(range.first, last: .zero) : .rangeIsBackwards(range)
    }
    return range
  }

  /// The line of a mark. In an empty buffer every mark is at line 0, as in ed.
  private func line(ofMark letter: UInt8) throws(EditorError) -> LineNumber {
    guard letter.isLowercase else { throw .invalidMark }
    if text.lastLine == .zero { return .zero }
    guard let line = text.marks[Int(letter - UInt8(ascii: "a"))] else {
      throw .markNotSet(letter)
    }
    return line
  }

  /// The next matching line; the search wraps around and visits the current line last.
  private mutating func find(_ search: Search) throws(EditorError) -> LineNumber {
    let pattern = try compile(search.pattern)
    if conduct.decorates { patterns.searched = pattern }
    let (first, current, last) = (LineNumber(1), text.currentLine, text.lastLine)
    let ranges =
      search.isForward
      ? [LineRange(current + 1, last), LineRange(first, current)]
      : [LineRange(first, current - 1), LineRange(current, last)]
    for range in ranges {
      let range = LineRange(max(range.first, first), range.last)
      if range.count > 0, let line = find(pattern, in: range, isForward: search.isForward) {
        return line
      }
    }
    throw whyGivenUp(pattern) ?? noMatch(of: pattern, in: LineRange(LineNumber(1), text.lastLine))
  }

  func find(
    _ pattern: Pattern, in range: LineRange, isForward: Bool
  ) -> LineNumber? {
    let buffer = text.buffer
    if isForward {
      var found: LineNumber?
      var matches = MatchingLines(of: pattern, isBinary: text.isBinary)
      matches.forEach(in: range, of: buffer) { number, _, _ in
        found = number
        return false
      }
      return found
    }
    var subject = Subject(isBinary: text.isBinary)
    var number = range.last
    while number >= range.first {
      if buffer.withLine(number, { subject.matches(pattern, $0) }) { return number }
      if pattern.isGivenUp { return nil }
      number = number - 1
    }
    return nil
  }

  /// The reason why a search stopped early; nil if it looked at all lines.
  func whyGivenUp(_ pattern: Pattern) -> EditorError? {
    if Interrupts.isInterrupted { return .interrupted }
    return pattern.takeFailure().map { .match($0) }
  }

  /// Compiles a regular expression, which becomes the last one; an empty one repeats the last.
  mutating func compile(_ written: PatternText) throws(EditorError) -> Pattern {
    try patterns.compile(
      written, isExtended: options.extendedRegex, isBinary: text.isBinary)
  }
}

/// The last patterns and the last substitution, which later commands can refer to.
struct PatternMemory {
  /// The last pattern, which an empty one repeats.
  private(set) var last: Pattern?
  /// The last substitution, which `s` without a pattern repeats.
  var substitution = LastSubstitution()
  /// The pattern of the last search by a person; printed lines show its matches.
  var searched: Pattern?
  /// A cache of compiled patterns, newest first, for the commands of a command list.
  private var recent: [Pattern] = []
  private static let recentLimit = 8

  /// Forgets what later commands can refer to; compiled patterns stay in the cache.
  mutating func forget() {
    last = nil
    substitution = LastSubstitution()
  }

  /// Compiles a regular expression, which becomes the last one; an empty one repeats the last.
  mutating func compile(
    _ written: PatternText, isExtended: Bool, isBinary: Bool
  ) throws(EditorError) -> Pattern {
    switch written {
    case .previous(let withIgnoreCase):
      guard let last else { throw .noPreviousPattern }
      if withIgnoreCase { throw .parse(.ignoreCaseOnEmptyPattern) }
      return last
    case .text(let bytes, let ignoreCase), .literal(let bytes, let ignoreCase):
      var isPlainText = false
      if case .literal = written { isPlainText = true }
      let bytes = isBinary ? bytes.map { $0 == 0 ? .newline : $0 } : bytes
      if let known = recent.first(where: {
        $0.written == bytes && $0.ignoresCase == ignoreCase && $0.isPlainText == isPlainText
      }) {
        last = known
        return known
      }
      let pattern: Pattern
      do {
        pattern = try Pattern(
          bytes, extended: isExtended, ignoreCase: ignoreCase, isPlainText: isPlainText)
      } catch {
        throw error == .abandoned ? .interrupted : .match(error)
      }
      last = pattern
      recent.insert(pattern, at: 0)
      if recent.count > Self.recentLimit { recent.removeLast() }
      return pattern
    }
  }
}

struct LastSubstitution {
  var pattern: Pattern?
  var template: ReplacementTemplate?
  /// The number of the match to replace in a line; 0 for all.
  var count = 1
  /// Whether each match is asked about first.
  var asks = false
  /// The format for printing the last changed line.
  var format: LineFormat = []
  /// The format that the flag `p` of a repetition toggles.
  var toggledFormat: LineFormat = .plain
  /// The replacement as written; `template` is its parsed form.
  var replacement = ReplacementText.template([])
}
