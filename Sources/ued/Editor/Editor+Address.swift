import TextBuffer

/// Addresses as line numbers.
struct ResolvedAddresses: Sendable {
  /// The first of two; with one, that one; with none, the current line.
  var first: Int
  /// The second of two; with one, that one; with none, the current line.
  var second: Int
  /// How many were given: 0, 1 or 2.
  var count: Int
}

extension Editor {
  /// Turns addresses into line numbers, each of them 0 to the last line.
  ///
  /// A `;` sets the current line, and a search the last pattern, even when something behind it
  /// fails.
  mutating func resolve(_ addresses: Addresses) throws(EditorError) -> ResolvedAddresses {
    var first: Int?
    var second = -1
    /// Whether no term of the address has been met.
    var isStart = true
    for term in addresses {
      switch term {
      case .comma, .semicolon:
        if !isStart {
          guard 0...lastLine ~= second else { throw .noSuchLine(second, last: lastLine) }
          if term == .semicolon { currentLine = second }
          first = second
          isStart = true
        } else if first == nil {
          first = term == .semicolon ? currentLine : 1
          second = lastLine
        } else {
          first = second
        }
        continue
      case .number(let number): second = number
      case .offset(let offset): second = (isStart ? currentLine : second) + offset
      case .current: second = currentLine
      case .last: second = lastLine
      case .mark(let letter): second = try line(ofMark: letter)
      case .search(let search): second = try find(search)
      case .fault(let fault): throw .parse(fault)
      }
      isStart = false
    }
    guard isStart || 0...lastLine ~= second else {
      throw .noSuchLine(second, last: lastLine)
    }
    guard second >= 0 else {
      return ResolvedAddresses(first: currentLine, second: currentLine, count: 0)
    }
    return ResolvedAddresses(first: first ?? second, second: second, count: first == nil ? 1 : 2)
  }

  /// The range for a command, or the default where none was given.
  func range(
    _ addresses: ResolvedAddresses, orElse first: Int, _ last: Int
  ) throws(EditorError) -> LineRange {
    let range =
      addresses.count == 0 ? LineRange(first, last) : LineRange(addresses.first, addresses.second)
    let (from, to) = (range.first.value, range.last.value)
    guard from >= 1 else { throw .noSuchLine(from, last: lastLine) }
    guard to <= lastLine else { throw .noSuchLine(to, last: lastLine) }
    guard from <= to else { throw .rangeIsBackwards(from, to) }
    return range
  }

  /// The one line for a command, or the default where none was given.
  func line(_ addresses: ResolvedAddresses, orElse line: Int) throws(EditorError) -> Int {
    let line = addresses.count == 0 ? line : addresses.second
    guard 1 <= line, line <= lastLine else { throw .noSuchLine(line, last: lastLine) }
    return line
  }

  /// Throws when there is an address before a command that takes none.
  func refuse(_ addresses: ResolvedAddresses) throws(EditorError) {
    guard addresses.count == 0 else { throw .parse(.unexpectedAddress) }
  }

  /// The line of a mark. In an empty buffer ed finds every mark at line 0.
  private func line(ofMark letter: UInt8) throws(EditorError) -> Int {
    guard letter.isLowercase else { throw .invalidMark }
    if lastLine == 0 { return 0 }
    guard let line = marks[Int(letter - UInt8(ascii: "a"))] else { throw .markNotSet(letter) }
    return line
  }

  /// The next line that matches, from the current line on and around the end; the current one is
  /// tried last.
  private mutating func find(_ search: Search) throws(EditorError) -> Int {
    let pattern = try compile(search.pattern)
    let ranges =
      search.isForward
      ? [LineRange(currentLine + 1, lastLine), LineRange(1, currentLine)]
      : [LineRange(1, currentLine - 1), LineRange(currentLine, lastLine)]
    for range in ranges {
      let range = LineRange(max(range.first.value, 1), range.last.value)
      if range.count > 0, let line = find(pattern, in: range, isForward: search.isForward) {
        return line
      }
    }
    if Interrupts.isInterrupted { throw .interrupted }
    throw .noMatch
  }

  private func find(_ pattern: Pattern, in range: LineRange, isForward: Bool) -> Int? {
    var found: Int?
    if isForward {
      var matches = MatchingLines(of: pattern, isBinary: isBinary)
      matches.forEach(in: range, of: buffer) { number, _, _ in
        found = number.value
        return false
      }
    } else {
      var subject = Subject(isBinary: isBinary)
      for number in stride(from: range.last.value, through: range.first.value, by: -1) {
        let matches = buffer.withLine(LineNumber(number)) { subject.matches(pattern, $0) }
        if matches { return number }
        if Interrupts.isInterrupted { return nil }
      }
    }
    return found
  }

  /// Compiles a regular expression, which becomes the last one; an empty one stands for the last.
  mutating func compile(_ text: PatternText) throws(EditorError) -> Pattern {
    switch text {
    case .previous(let withIgnoreCase):
      guard let lastPattern else { throw .noPreviousPattern }
      if withIgnoreCase { throw .parse(.ignoreCaseOnEmptyPattern) }
      return lastPattern
    case .text(let bytes, let ignoreCase):
      let source = isBinary ? bytes.map { $0 == 0 ? .newline : $0 } : bytes
      if let known = recentPatterns.first(where: {
        $0.source == source && $0.ignoresCase == ignoreCase
      }) {
        lastPattern = known
        return known
      }
      do {
        let pattern = try Pattern(
          source, extended: options.extendedRegex, ignoreCase: ignoreCase)
        lastPattern = pattern
        recentPatterns.insert(pattern, at: 0)
        if recentPatterns.count > Self.recentPatternLimit { recentPatterns.removeLast() }
        return pattern
      } catch {
        throw .match(error)
      }
    }
  }
}
