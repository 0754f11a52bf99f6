import Glibc

/// A compiled POSIX regular expression.
///
/// glibc defines what matches where. It compiles NUL-terminated strings, so in a binary text newlines
/// replace NULs in the pattern and in its subjects, neither of which has newlines of its own.
///
/// There are two fast paths with the same results: a pattern without operators is searched for as a
/// literal, and once many lines have been matched most other patterns get automata (`LineMatcher`).
///
/// Invariants of the unsafe parts:
/// - `compiled` is initialized by a successful `regcomp` and freed once, in `deinit`.
/// - `groups` has `groupLimit` elements, all initialized, until `deinit`.
/// - Pointers to a subject do not outlive the call that lends them.
@safe final class Pattern {
  /// The number of groups that a replacement can refer to, the whole match included.
  static let groupLimit = 10

  /// The text that it was compiled from.
  let source: [UInt8]
  /// What was written: the source, or the plain text that was made a source.
  let written: [UInt8]
  /// Whether nothing in `written` is special.
  let isPlainText: Bool
  /// Whether it ignores case.
  let ignoresCase: Bool
  /// The number of capture groups.
  let groupCount: Int
  /// The only bytes that match, for a pattern without operators.
  private let literal: [UInt8]?
  private let automatonThreshold: Int
  private let isExtended: Bool
  /// The automata; nil before the threshold, and for patterns that only glibc can match.
  private var matcher: LineMatcher?
  /// The number of lines matched so far, up to the threshold.
  private var lineCount = 0
  private let compiled: UnsafeMutablePointer<regex_t>
  private let groups: UnsafeMutablePointer<regmatch_t>

  /// Compiles `source`.
  ///
  /// - Parameters:
  ///   - written: The text between the delimiters.
  ///   - extended: Whether it is an extended regular expression.
  ///   - ignoreCase: Whether upper and lower case are the same.
  ///   - isPlainText: Whether it is no regular expression, but the text to be found.
  ///   - automatonThreshold: The number of lines from which building automata pays; `Int.max` leaves
  ///     everything to glibc.
  /// - Throws: `MatchError.invalidPattern`.
  init(
    _ written: [UInt8], extended: Bool, ignoreCase: Bool, isPlainText: Bool = false,
    automatonThreshold: Int = 24
  ) throws(MatchError) {
    let source = isPlainText ? Self.source(of: written, extended: extended) : written
    let compiled = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
    let flags = (extended ? REG_EXTENDED : 0) | (ignoreCase ? REG_ICASE : 0)
    let terminated = source + [0]
    let status = unsafe terminated.withUnsafeBytes { bytes in
      unsafe regcomp(compiled, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), flags)
    }
    guard status == 0 else {
      let message = unsafe [UInt8](unsafeUninitializedCapacity: 80) { buffer, count in
        let needed = unsafe UnsafeMutableRawBufferPointer(buffer).withMemoryRebound(to: CChar.self)
        {
          unsafe regerror(status, nil, $0.baseAddress, $0.count)
        }
        count = min(needed, buffer.count) - 1
      }
      unsafe compiled.deallocate()
      throw .invalidPattern(message: message)
    }
    unsafe self.compiled = unsafe compiled
    groupCount = unsafe compiled.pointee.re_nsub
    self.source = source
    self.written = written
    self.isPlainText = isPlainText
    isExtended = extended
    ignoresCase = ignoreCase
    self.automatonThreshold = automatonThreshold
    if ignoreCase || automatonThreshold == .max || !MatchingLocale.hasBytesOfOneMeaning {
      literal = nil
    } else {
      literal = isPlainText ? written : Self.literal(of: source, extended: extended)
    }
    unsafe groups = .allocate(capacity: Self.groupLimit)
    unsafe groups.initialize(
      repeating: regmatch_t(rm_so: -1, rm_eo: -1), count: Self.groupLimit)
  }

  deinit {
    unsafe regfree(compiled)
    unsafe compiled.deallocate()
    unsafe groups.deallocate()
  }

  /// Whether the pattern matches somewhere in `line`.
  func matches(_ line: RawSpan) -> Bool {
    if let literal { return line.firstOffset(of: literal, in: 0..<line.byteCount) != nil }
    return matcher(forLines: 1)?.matches(line) ?? glibcMatches(line)
  }

  /// The first line that has a match.
  ///
  /// - Parameters:
  ///   - text: Lines with newlines at their ends; not a binary text.
  ///   - range: Whole lines of `text`, their newlines included.
  /// - Returns: The line without its newline; after an interrupt it may be any line.
  func firstMatchingLine(in text: RawSpan, _ range: Range<Int>) -> Range<Int>? {
    if let literal {
      if literal.isEmpty {
        return range.isEmpty ? nil : text.line(around: range.lowerBound, in: range)
      }
      let hit = text.firstOffset(of: literal, in: range)
      return hit.map { text.line(around: $0, in: range) }
    }
    if let matcher = matcher(forLines: range.count / 32) {
      return matcher.firstMatchingLine(in: text, range) { endsSearch(at: $0) }
    }
    var position = range.lowerBound
    while position < range.upperBound {
      let line = text.line(around: position, in: position..<range.upperBound)
      if endsSearch(at: text.extracting(line)) { return line }
      position = line.upperBound + 1
    }
    return nil
  }

  /// Finds the first match at or after `offset`, which is taken for the start of the text, and keeps its
  /// groups for `group(_:)`.
  ///
  /// - Parameters:
  ///   - line: The subject.
  ///   - offset: Where to begin.
  ///   - isStart: Whether `^` matches at `offset`. If not, the line is that of the previous search.
  ///   - needsGroups: Whether groups other than 0 are needed.
  /// - Returns: Whether there is one.
  func firstMatch(
    in line: RawSpan, from offset: Int, isStart: Bool, needsGroups: Bool = true
  ) -> Bool {
    if let literal {
      let start = line.firstOffset(of: literal, in: offset..<line.byteCount)
      return start.map { setMatch($0..<$0 + literal.count) } != nil
    }
    let answer: LineMatcher.Answer
    if let matcher = matcher(forLines: isStart ? 1 : 0) {
      if needsGroups && groupCount > 0 {
        return firstMatchWithGroups(by: matcher, in: line, from: offset, isStart: isStart)
      }
      answer = matcher.firstMatch(in: line, from: offset, isStart: isStart)
    } else {
      answer = .unknown
    }
    switch answer {
    case .noMatch: return false
    case .match(let range):
      setMatch(range)
      return true
    case .unknown:
      // When asked for groups, glibc misses some matches; ed always asks for them.
      return search(
        line, offset..<line.byteCount, isStart: isStart, groupLimit: Self.groupLimit)
    }
  }

  private func firstMatchWithGroups(
    by matcher: LineMatcher, in line: RawSpan, from offset: Int, isStart: Bool
  ) -> Bool {
    let (answer, hasGroups) = matcher.firstMatchWithGroups(
      in: line, from: offset, isStart: isStart
    ) { finder in
      for number in 0..<Self.groupLimit {
        // SAFETY: `groups` has `groupLimit` elements.
        unsafe groups[number] = regmatch_t(
          rm_so: regoff_t(finder.slots[2 * number]), rm_eo: regoff_t(finder.slots[2 * number + 1]))
      }
    }
    switch answer {
    case .noMatch: return false
    case .match(let range) where hasGroups:
      setMatch(range)
      return true
    case .match(let range) where matcher.ignoresSurroundings:
      return search(line, range, isStart: isStart, groupLimit: Self.groupLimit)
    case .match, .unknown:
      return search(
        line, offset..<line.byteCount, isStart: isStart, groupLimit: Self.groupLimit)
    }
  }

  /// Sets the range of group 0.
  private func setMatch(_ range: Range<Int>) {
    // SAFETY: `groups` has `groupLimit` elements.
    unsafe groups[0] = regmatch_t(
      rm_so: regoff_t(range.lowerBound), rm_eo: regoff_t(range.upperBound))
  }

  /// The automata for this pattern, which are built when the number of lines reaches the threshold.
  ///
  /// - Parameter count: The number of lines that are about to be matched.
  /// - Returns: nil when glibc has to match them.
  private func matcher(forLines count: Int) -> LineMatcher? {
    guard lineCount < automatonThreshold else { return matcher }
    lineCount = min(lineCount + count, automatonThreshold)
    if lineCount == automatonThreshold {
      matcher = LineMatcher(source, extended: isExtended, ignoreCase: ignoresCase)
    }
    return matcher
  }

  /// Leaves all further lines to glibc: automata take a newline for the end of a line, but in the
  /// subjects of a binary text it replaces a NUL.
  func disableAutomata() {
    lineCount = automatonThreshold
    matcher = nil
  }

  /// Whether glibc finds a match, or an interrupt has come: glibc can be slow.
  private func endsSearch(at line: RawSpan) -> Bool {
    Interrupts.isInterrupted || glibcMatches(line)
  }

  private func glibcMatches(_ line: RawSpan) -> Bool {
    search(line, 0..<line.byteCount, isStart: true, groupLimit: 0)
  }

  /// The range of a group in the last match, as offsets in the line; nil for a group that has no part in
  /// the match.
  ///
  /// - Precondition: `number` is 0, for the whole match, or a group's number below ``groupLimit``.
  func group(_ number: Int) -> Range<Int>? {
    precondition(number < Self.groupLimit)
    // SAFETY: `number` is below `groupLimit`, the number of elements.
    let found = unsafe groups[number]
    return found.rm_so < 0 ? nil : Int(found.rm_so)..<Int(found.rm_eo)
  }

  /// Runs glibc's matcher on a range of a line and sets `groups` to offsets in the line.
  private func search(
    _ line: RawSpan, _ range: Range<Int>, isStart: Bool, groupLimit: Int
  ) -> Bool {
    precondition(range.lowerBound >= 0 && range.upperBound <= line.byteCount)
    return unsafe line.withUnsafeBytes { bytes in
      // SAFETY: with REG_STARTEND `regexec` reads only the `rm_eo` bytes behind its pointer, which are
      // those of `range`. It needs a pointer even for an empty line.
      var none: UInt8 = 0
      return unsafe withUnsafeMutablePointer(to: &none) { fallback in
        let base = unsafe bytes.baseAddress ?? UnsafeRawPointer(fallback)
        let text = unsafe (base + range.lowerBound).assumingMemoryBound(to: CChar.self)
        unsafe groups[0] = regmatch_t(rm_so: 0, rm_eo: regoff_t(range.count))
        let flags = REG_STARTEND | (isStart ? 0 : REG_NOTBOL)
        guard unsafe regexec(compiled, text, groupLimit, groups, flags) == 0 else { return false }
        for number in 0..<groupLimit where unsafe groups[number].rm_so >= 0 {
          unsafe groups[number].rm_so += regoff_t(range.lowerBound)
          unsafe groups[number].rm_eo += regoff_t(range.lowerBound)
        }
        return true
      }
    }
  }

  /// The bytes that are operators; a backslash makes them literal.
  private static func operators(extended: Bool) -> [UInt8] {
    Array((extended ? "[.*^$+?(){}|" : "[.*^$").utf8)
  }

  /// A regular expression that matches a text, and nothing else.
  private static func source(of text: [UInt8], extended: Bool) -> [UInt8] {
    let special = operators(extended: extended) + [.backslash]
    if MatchingLocale.hasBytesOfOneMeaning {
      return text.flatMap { special.contains($0) ? [.backslash, $0] : [$0] }
    }
    var source: [UInt8] = []
    var rest = text[...]
    while let first = rest.first {
      let count = MatchingLocale.characterLength(rest)
      if count == 1 && special.contains(first) { source.append(.backslash) }
      source += rest.prefix(count)
      rest = rest.dropFirst(count)
    }
    return source
  }

  /// The bytes that `source` matches literally; nil when it has operators.
  private static func literal(of source: [UInt8], extended: Bool) -> [UInt8]? {
    let operators = operators(extended: extended)
    var literal: [UInt8] = []
    var rest = source[...]
    while let byte = rest.popFirst() {
      // What a multibyte character matches depends on the locale.
      guard byte < 0x80, !operators.contains(byte) else { return nil }
      if byte == .backslash {
        guard let escaped = rest.popFirst(), Array("./*[]^$\\&-".utf8).contains(escaped) else {
          return nil
        }
        literal.append(escaped)
      } else {
        literal.append(byte)
      }
    }
    return literal
  }
}
