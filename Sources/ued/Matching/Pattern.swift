import Glibc

/// A compiled POSIX regular expression: bytes in, ranges out.
///
/// glibc's matcher is the judge of what matches where. It works on strings that end with NUL, so
/// patterns come without NUL: the editor gives newlines in their place, in the pattern and in the
/// text, neither of which has newlines of its own.
///
/// Patterns that stand for themselves are found without the matcher, and where many lines are to be
/// matched most others are by automata, which answer as glibc does (`LineMatcher`).
///
/// Invariants of the unsafe parts:
/// - `compiled` is initialized by a successful `regcomp` and freed once, in `deinit`.
/// - `groups` has room for `Self.groupLimit` elements for as long as the object lives.
/// - Pointers to text are used only inside the call that lends them.
@safe final class Pattern {
  /// How many groups a replacement can name, the whole match included.
  static let groupLimit = 10

  /// What it was compiled from.
  let source: [UInt8]
  /// Whether it was compiled to ignore case.
  let ignoresCase: Bool
  /// The number of parenthesized groups.
  let groupCount: Int
  /// The bytes that the pattern stands for, when it stands just for them.
  private let literal: [UInt8]?
  private let manyLines: Int
  private let isExtended: Bool
  /// Matches faster than glibc; made when it has been worth it, and then only where it can be.
  private var matcher: LineMatcher?
  /// How many lines have been asked for, up to the number from which there is a matcher.
  private var lineCount = 0
  private let compiled: UnsafeMutablePointer<regex_t>
  private let groups: UnsafeMutablePointer<regmatch_t>

  /// Compiles `source`.
  ///
  /// - Parameters:
  ///   - source: What is between the delimiters.
  ///   - extended: Whether it is an extended regular expression.
  ///   - ignoreCase: Whether small and capital letters are the same.
  ///   - manyLines: From how many lines on it is worth to make automata; `Int.max` leaves
  ///     everything to glibc.
  /// - Throws: glibc's own words for what is wrong.
  init(
    _ source: [UInt8], extended: Bool, ignoreCase: Bool, manyLines: Int = 24
  ) throws(MatchError) {
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
    isExtended = extended
    ignoresCase = ignoreCase
    self.manyLines = manyLines
    literal = ignoreCase || manyLines == .max ? nil : Self.literal(of: source, extended: extended)
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
    return matcher(forLines: 1)?.matches(line) ?? hasMatchForSystem(line)
  }

  /// The first line that has a match.
  ///
  /// - Parameters:
  ///   - text: Lines with newlines at their ends, and nothing in it stands for something else.
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
      if text.withPart(line, { endsSearch(at: $0) }) { return line }
      position = line.upperBound + 1
    }
    return nil
  }

  /// Finds the first match that begins at or after `offset`, as if the text began there, and
  /// remembers its groups.
  ///
  /// - Parameters:
  ///   - line: The text.
  ///   - offset: Where to begin.
  ///   - isStart: Whether `^` matches at `offset`. If not, the search goes on in the line in which
  ///     the last one began.
  ///   - needsGroups: Whether somebody will ask for groups other than 0.
  /// - Returns: Whether there is one.
  func firstMatch(
    in line: RawSpan, from offset: Int, isStart: Bool, needsGroups: Bool = true
  ) -> Bool {
    if let literal {
      let start = line.firstOffset(of: literal, in: offset..<line.byteCount)
      return start.map { note($0..<$0 + literal.count) } != nil
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
      note(range)
      return true
    case .unknown:
      // glibc does not find all that it should where it looks for groups; ed always does.
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
        // SAFETY: `number` is below the capacity of `groups`.
        unsafe groups[number] = regmatch_t(
          rm_so: regoff_t(finder.notes[2 * number]), rm_eo: regoff_t(finder.notes[2 * number + 1]))
      }
    }
    switch answer {
    case .noMatch: return false
    case .match(let range) where hasGroups:
      note(range)
      return true
    case .match(let range) where matcher.ignoresSurroundings:
      return search(line, range, isStart: isStart, groupLimit: Self.groupLimit)
    case .match, .unknown:
      return search(
        line, offset..<line.byteCount, isStart: isStart, groupLimit: Self.groupLimit)
    }
  }

  /// Notes the range of group 0.
  private func note(_ range: Range<Int>) {
    // SAFETY: `groups` has room for at least one element.
    unsafe groups[0] = regmatch_t(
      rm_so: regoff_t(range.lowerBound), rm_eo: regoff_t(range.upperBound))
  }

  /// The automata for this pattern, which are made once enough lines have been asked for.
  ///
  /// - Parameter count: How many lines there are to come.
  /// - Returns: nil as long as there are none.
  private func matcher(forLines count: Int) -> LineMatcher? {
    guard lineCount < manyLines else { return matcher }
    lineCount = min(lineCount + count, manyLines)
    if lineCount == manyLines {
      matcher = LineMatcher(source, extended: isExtended, ignoreCase: ignoresCase)
    }
    return matcher
  }

  /// Makes no automata any more, which take newlines for ends of lines: for binary texts, where
  /// newlines stand for NULs.
  func leaveToSystem() {
    lineCount = manyLines
    matcher = nil
  }

  /// Whether glibc, which can be slow, finds a match, or need not look any more.
  private func endsSearch(at line: RawSpan) -> Bool {
    Interrupts.isInterrupted || hasMatchForSystem(line)
  }

  private func hasMatchForSystem(_ line: RawSpan) -> Bool {
    search(line, 0..<line.byteCount, isStart: true, groupLimit: 0)
  }

  /// The range of a group in the last match, counted from the start of the line; nil for a group
  /// that took no part.
  ///
  /// - Precondition: `number` is 0, for the whole match, or a group's number below ``groupLimit``.
  func group(_ number: Int) -> Range<Int>? {
    precondition(number < Self.groupLimit)
    // SAFETY: `number` is below the capacity of `groups`, all of which is initialized.
    let found = unsafe groups[number]
    return found.rm_so < 0 ? nil : Int(found.rm_so)..<Int(found.rm_eo)
  }

  /// Runs glibc's matcher on a range of a line; the groups are counted from the start of `line`.
  private func search(
    _ line: RawSpan, _ range: Range<Int>, isStart: Bool, groupLimit: Int
  ) -> Bool {
    precondition(range.lowerBound >= 0 && range.upperBound <= line.byteCount)
    return unsafe line.withUnsafeBytes { bytes in
      // SAFETY: with REG_STARTEND the matcher reads `rm_eo` bytes from the pointer it is given:
      // those of `range`. It gets a pointer even to an empty text.
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

  /// The bytes that `source` stands for, or nil where it has operators.
  private static func literal(of source: [UInt8], extended: Bool) -> [UInt8]? {
    let operators = Array((extended ? "[.*^$+?(){}|" : "[.*^$").utf8)
    var literal: [UInt8] = []
    var rest = source[...]
    while let byte = rest.popFirst() {
      // Bytes of multi-byte characters are left to the matcher, which knows the locale.
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
