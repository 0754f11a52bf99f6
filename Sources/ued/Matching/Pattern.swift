import Glibc

/// A compiled POSIX regular expression.
///
/// glibc defines what matches where, and compiles NUL-terminated strings. In a binary text,
/// newlines therefore replace NULs in the pattern and in its subjects, which have no newlines of
/// their own.
///
/// Two fast paths have the same results. A pattern without operators is searched for as a literal.
/// Once many lines have been matched, most other patterns get automata (`LineMatcher`).
///
/// glibc can take very long, and can't be stopped. A search that may be slow runs on another
/// thread. A signal abandons that thread with its work, and the search reports no match.
///
/// Invariant of the unsafe parts: `groups` has `groupLimit` elements, all initialized, until `deinit`.
@safe final class Pattern {
  /// The number of groups that a replacement can refer to, the whole match included.
  static let groupLimit = 10

  /// The regular expression, as given to glibc.
  let source: [UInt8]
  /// The pattern as written: the source, or the plain text that the source was made from.
  let written: [UInt8]
  /// Whether `written` is plain text.
  let isPlainText: Bool
  let ignoresCase: Bool
  let groupCount: Int
  /// The only bytes that the pattern matches; nil if it can't be searched for as a literal.
  let literal: [UInt8]?
  private let automatonThreshold: Int
  private let isExtended: Bool
  /// The automata; nil before the threshold, and for patterns that only glibc can match.
  private var matcher: LineMatcher?
  /// The number of lines matched so far, up to the threshold.
  private var lineCount = 0
  private let flags: Int32
  private let cost: PatternCost
  /// The pattern as compiled by glibc; nil while an abandoned thread has it.
  private var compiled: CompiledPattern?
  /// The line of the last search, if it ran on another thread.
  private var slowLine: [UInt8] = []
  /// The reason why lines since the last `takeFailure` could not be searched.
  private var failure: MatchError?
  private let groups: UnsafeMutablePointer<regmatch_t>

  /// Compiles the text between the delimiters, as a basic or extended regular expression or plain
  /// text. From `automatonThreshold` lines on, building automata pays; `Int.max` leaves everything
  /// to glibc.
  ///
  /// - Throws: `.invalidPattern`; `.abandoned` after an interrupt.
  init(
    _ written: [UInt8], extended: Bool, ignoreCase: Bool, isPlainText: Bool = false,
    automatonThreshold: Int = 24
  ) throws(MatchError) {
    let source = isPlainText ? Self.source(of: written, extended: extended) : written
    flags = (extended ? REG_EXTENDED : 0) | (ignoreCase ? REG_ICASE : 0)
    cost = PatternCost(of: source, extended: extended)
    compiled = try CompiledPattern.compile(source, flags: flags, cost)
    groupCount = compiled?.groupCount ?? 0
    self.source = source
    self.written = written
    self.isPlainText = isPlainText
    isExtended = extended
    ignoresCase = ignoreCase
    self.automatonThreshold = automatonThreshold
    if ignoreCase || automatonThreshold == .max || !MatchingLocale.hasUnambiguousBytes {
      literal = nil
    } else {
      literal = isPlainText ? written : Self.literal(of: source, extended: extended)
    }
    unsafe groups = .allocate(capacity: Self.groupLimit)
    unsafe groups.initialize(
      repeating: regmatch_t(rm_so: -1, rm_eo: -1), count: Self.groupLimit)
  }

  deinit {
    unsafe groups.deallocate()
  }

  func matches(_ line: RawSpan) -> Bool {
    if let literal { return line.firstOffset(of: literal, in: 0..<line.byteCount) != nil }
    return matcher(for: line)?.matches(line) ?? glibcMatches(line)
  }

  /// The first line with a match, without its newline; after an interrupt, perhaps one without a
  /// match. The range has whole lines with newlines, and the text is not binary.
  func firstMatchingLine(in text: RawSpan, _ range: Range<Int>) -> Range<Int>? {
    var first: Range<Int>?
    forEachMatchingLine(in: text, range) { line in
      first = line
      return false
    }
    return first
  }

  /// Visits the lines with a match, in order and without their newlines, until `body` returns
  /// false. After an interrupt, it may get lines without a match. The range has whole lines with
  /// newlines, and the text is not binary.
  func forEachMatchingLine(
    in text: RawSpan, _ range: Range<Int>, _ body: (Range<Int>) -> Bool
  ) {
    var position = range.lowerBound
    if literal == nil, let matcher = matcher(forLines: range.count / 32) {
      return matcher.forEachMatchingLine(
        in: text, range, orElse: { matchesOrGivesUp(at: $0) }, body)
    }
    while position < range.upperBound {
      let rest = position..<range.upperBound
      var candidate = position
      if let literal, !literal.isEmpty {
        guard let hit = text.firstOffset(of: literal, in: rest) else { return }
        candidate = hit
      }
      let line = text.line(around: candidate, in: rest)
      position = line.upperBound + 1
      if literal == nil && !matchesOrGivesUp(at: text.extracting(line)) { continue }
      if !body(line) { return }
    }
  }

  /// Finds the first match at or after `offset`, ignoring the bytes before; `^` matches there only
  /// if `isStart`. Keeps the range of the match, and those of its groups if `needsGroups`, for
  /// `group(_:)`. Unless `isStart`, the line must be the one searched last. Returns whether a match
  /// was found.
  func firstMatch(
    in line: RawSpan, from offset: Int, isStart: Bool, needsGroups: Bool = true
  ) -> Bool {
    if let literal {
      let start = line.firstOffset(of: literal, in: offset..<line.byteCount)
      return start.map { setMatch($0..<$0 + literal.count) } ?? false
    }
    let answer: LineMatcher.Answer
    if isStart { slowLine = [] }
    if let matcher = isStart ? matcher(for: line) : matcher {
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
      return setMatch(range)
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
      return setMatch(range)
    case .match(let range) where matcher.ignoresNeighbors:
      return search(line, range, isStart: isStart, groupLimit: Self.groupLimit)
    case .match, .unknown:
      return search(
        line, offset..<line.byteCount, isStart: isStart, groupLimit: Self.groupLimit)
    }
  }

  /// Sets the range of group 0; false if its offsets are too large.
  private func setMatch(_ range: Range<Int>) -> Bool {
    guard range.upperBound <= Self.largestOffset else {
      failure = .lineTooLong
      return false
    }
    // SAFETY: `groups` has `groupLimit` elements.
    unsafe groups[0] = regmatch_t(
      rm_so: regoff_t(range.lowerBound), rm_eo: regoff_t(range.upperBound))
    return true
  }

  /// Counts `count` more lines, and returns the automata, which are built once the threshold is
  /// reached; nil if glibc must match the lines.
  private func matcher(forLines count: Int) -> LineMatcher? {
    guard lineCount < automatonThreshold else { return matcher }
    lineCount = min(lineCount + count, automatonThreshold)
    if lineCount == automatonThreshold {
      matcher = LineMatcher(source, extended: isExtended, ignoreCase: ignoresCase)
    }
    return matcher
  }

  /// The automata for a line. It counts as one more line for every 512 bytes.
  private func matcher(for line: RawSpan) -> LineMatcher? {
    matcher(forLines: 1 + line.byteCount / 512)
  }

  /// Leaves all further lines to glibc. Automata treat a newline as the end of a line, but in the
  /// subjects of a binary text it replaces a NUL.
  func disableAutomata() {
    lineCount = automatonThreshold
    matcher = nil
  }

  /// Whether glibc finds a match in a line, or an interrupt or a failure ends searching.
  private func matchesOrGivesUp(at line: RawSpan) -> Bool {
    isGivenUp || glibcMatches(line)
  }

  /// Whether an interrupt or a failure has ended searching.
  var isGivenUp: Bool { Interrupts.isInterrupted || failure != nil }

  /// The reason why lines since the last call could not be searched; nil if all were.
  func takeFailure() -> MatchError? { failure.take() }

  private func glibcMatches(_ line: RawSpan) -> Bool {
    search(line, 0..<line.byteCount, isStart: true, groupLimit: 0)
  }

  /// The range of a group in the last match, as offsets in the line; nil for an unmatched group, and
  /// for one that glibc says ends before its start, as in `(b**)a\1*`.
  ///
  /// - Precondition: `number` is 0, for the whole match, or a group's number below ``groupLimit``.
  func group(_ number: Int) -> Range<Int>? {
    precondition(number < Self.groupLimit)
    // SAFETY: `number` is below `groupLimit`, the number of elements.
    let found = unsafe groups[number]
    return found.rm_so < 0 || found.rm_eo < found.rm_so ? nil : Int(found.rm_so)..<Int(found.rm_eo)
  }

  /// Runs glibc's matcher on a range of a line and sets `groups` to offsets in the line.
  private func search(
    _ line: RawSpan, _ range: Range<Int>, isStart: Bool, groupLimit: Int
  ) -> Bool {
    guard line.byteCount <= Self.longestLine else {
      failure = .lineTooLong
      return false
    }
    do throws(MatchError) {
      guard try glibcFinds(in: line, range, isStart: isStart, groupLimit: groupLimit) else {
        return false
      }
    } catch {
      if error != .abandoned { failure = error }
      return false
    }
    for number in 0..<groupLimit where unsafe groups[number].rm_so >= 0 {
      unsafe groups[number].rm_so += regoff_t(range.lowerBound)
      unsafe groups[number].rm_eo += regoff_t(range.lowerBound)
    }
    return true
  }

  /// The largest offset that a group can have.
  static let largestOffset = Int(Int32.max) - 1

  /// The longest line that glibc can search. glibc doubles its buffers, whose sizes it keeps in an
  /// `int`, and reports no match for a line that would need larger ones.
  private static let longestLine = Int(Int32.max) / 2 - 1

  /// A search on another thread, with all the data that it uses.
  private final class SlowSearch: @unchecked Sendable {
    var groups = Array(repeating: regmatch_t(rm_so: -1, rm_eo: -1), count: Pattern.groupLimit)
    var result = Result<Bool, MatchError>.success(false)
  }

  /// Searches, on another thread if the search may take long.
  private func glibcFinds(
    in line: RawSpan, _ range: Range<Int>, isStart: Bool, groupLimit: Int
  ) throws(MatchError) -> Bool {
    if self.compiled == nil {
      self.compiled = try CompiledPattern.compile(source, flags: flags, cost)
    }
    guard let compiled else { return false }
    guard range.count > cost.quickByteCount else {
      return try unsafe compiled.search(
        line, range, isStart: isStart, groups: groups, groupLimit: groupLimit)
    }
    if isStart || slowLine.count != line.byteCount {
      if Memory.isShort(for: line.byteCount) { throw .outOfMemory }
      slowLine = []
      slowLine.append(line, in: 0..<line.byteCount)
    }
    let search = SlowSearch()
    let copy = slowLine
    let ending = SideThread.run {
      unsafe search.groups.withUnsafeMutableBufferPointer { found in
        guard let found = found.baseAddress else { return }
        let line = unsafe copy.span.bytes
        do throws(MatchError) {
          search.result = .success(
            try unsafe compiled.search(
              line, range, isStart: isStart, groups: found, groupLimit: groupLimit))
        } catch {
          search.result = .failure(error)
        }
      }
    }
    switch ending {
    case .done:
      for number in 0..<Self.groupLimit { unsafe groups[number] = search.groups[number] }
      return try search.result.get()
    case .abandoned:
      // glibc locks a compiled pattern until its search ends.
      self.compiled = nil
      throw .abandoned
    case .noThread:
      return try unsafe compiled.search(
        line, range, isStart: isStart, groups: groups, groupLimit: groupLimit)
    }
  }

  /// The bytes that are operators; a backslash makes them literal.
  private static func operators(extended: Bool) -> [UInt8] {
    Array((extended ? "[.*^$+?(){}|" : "[.*^$").utf8)
  }

  /// A regular expression that matches only the given text.
  private static func source(of text: [UInt8], extended: Bool) -> [UInt8] {
    let special = operators(extended: extended) + [.backslash]
    if MatchingLocale.hasUnambiguousBytes {
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

  /// The bytes that `source` matches literally; nil if it has operators.
  private static func literal(of source: [UInt8], extended: Bool) -> [UInt8]? {
    let operators = operators(extended: extended)
    var literal: [UInt8] = []
    var rest = source[...]
    while let byte = rest.popFirst() {
      // The meaning of a multibyte character depends on the locale.
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

/// Converts lines for patterns: in a binary text, NULs become newlines.
struct Subject: Sendable {
  private let isBinary: Bool
  private var copy: [UInt8] = []

  init(isBinary: Bool) { self.isBinary = isBinary }

  /// Whether `pattern` matches somewhere in `line`.
  mutating func matches(_ pattern: Pattern, _ line: RawSpan) -> Bool {
    if isBinary { pattern.disableAutomata() }
    return withSubject(of: line) { pattern.matches($0) }
  }

  /// Calls `body` with the subject for `line`, which has the same length.
  mutating func withSubject<Result, Failure: Error>(
    of line: RawSpan, _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isBinary else { return try body(line) }
    copy.removeAll(keepingCapacity: true)
    copy.append(line, in: 0..<line.byteCount)
    for index in copy.indices where copy[index] == 0 { copy[index] = .newline }
    return try unsafe body(copy.span.bytes)
  }
}

enum UTF8Text {
  static func isValid(_ bytes: [UInt8]) -> Bool {
    unsafe firstInvalid(as: .utf8, in: bytes.span.bytes, 0..<bytes.count) == bytes.count
  }

  /// The offset of the first invalid character in a range, or the end of the range.
  static func firstInvalid(
    as encoding: SubjectEncoding, in text: RawSpan, _ range: Range<Int>
  ) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= text.byteCount)
    if encoding == .anyBytes { return range.upperBound }
    var offset = range.lowerBound
    while true {
      offset = firstNonASCII(in: text, offset..<range.upperBound)
      guard offset < range.upperBound, encoding == .utf8 else { return offset }
      let length = text.characterLength(in: offset..<range.upperBound)
      if length == 0 { return offset }
      offset += length
    }
  }

  /// The offset of the first byte above 0x7F in a range, or the end of the range.
  private static func firstNonASCII(in text: RawSpan, _ range: Range<Int>) -> Int {
    var offset = range.lowerBound
    // SAFETY: the caller has checked that `range` is in the text, loads end in `range`, and all bit
    // patterns are valid integers.
    while offset + 32 <= range.upperBound {
      let bytes = unsafe text.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: SIMD4<UInt64>.self)
      if (bytes & 0x8080_8080_8080_8080) != SIMD4() { break }
      offset += 32
    }
    while offset < range.upperBound {
      if unsafe text.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self) >= 0x80 { break }
      offset += 1
    }
    return offset
  }
}

/// The properties of the locale that regular expressions depend on.
struct MatchingLocale: Sendable {
  /// Whether the encoding is UTF-8. Otherwise it is ASCII, and each byte from 0x80 on is a
  /// character but not a letter.
  let isUTF8: Bool
  /// Whether characters collate by their codes.
  let hasPlainOrder: Bool
  /// Whether `a` to `z` are the lower case of `A` to `Z`.
  let hasPlainCase: Bool

  /// The locale of the process; nil for any other encoding, which only glibc supports.
  init?() {
    // SAFETY: the returned strings are copied before any other call that may overwrite them.
    let codeset = unsafe nl_langinfo(nl_item(CODESET)).map { unsafe String(cString: $0) }
    let order = unsafe setlocale(LC_COLLATE, nil).map { unsafe String(cString: $0) }
    let plainOrders = ["C", "POSIX", "C.UTF-8", "C.utf8"]
    switch codeset {
    case "UTF-8": isUTF8 = true
    case "ANSI_X3.4-1968": isUTF8 = false
    default: return nil
    }
    hasPlainOrder = order.map { plainOrders.contains($0) } ?? false
    hasPlainCase = (UInt8(ascii: "a")...UInt8(ascii: "z")).allSatisfy {
      toupper(Int32($0)) == Int32($0 - 32) && tolower(Int32($0 - 32)) == Int32($0)
    }
  }

  /// Whether no character contains the byte of another one, so that texts can be searched for as
  /// bytes. In GB18030, Big5 and Shift JIS the second byte of a character may be an ASCII letter.
  static var hasUnambiguousBytes: Bool {
    if __ctype_get_mb_cur_max() == 1 { return true }
    // SAFETY: the returned string is compared before any other call that may overwrite it.
    return unsafe nl_langinfo(nl_item(CODESET)).map { unsafe strcmp($0, "UTF-8") == 0 } ?? false
  }

  /// The number of bytes of the character at the start of a text; 1 for an invalid one.
  static func characterLength(_ text: ArraySlice<UInt8>) -> Int {
    // SAFETY: `mblen` reads at most the `count` bytes that are lent to it.
    unsafe text.withUnsafeBytes {
      max(1, Int(unsafe mblen($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count)))
    }
  }
}
