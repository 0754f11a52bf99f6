/// Replaces matches in lines, one at a time.
struct SubstitutionPass {
  let pattern: Pattern
  private let template: ReplacementTemplate
  private let count: Int
  private var subject: Subject
  /// A needle and its fixed replacement, if all occurrences are replaced without confirmation.
  private let literal: (needle: [UInt8], replacement: [UInt8])?
  /// The matches to replace, by their numbers from 1 in the line; nil for all that `count` selects.
  var chosen: Set<Int>?
  /// The matches in the last line that `count` selects, with their numbers.
  private(set) var candidates: [(number: Int, range: Range<Int>)] = []
  /// The replacement for the last changed line, its newline included.
  private(set) var text: [UInt8] = []
  /// The number of bytes in ``text`` at which memory is checked next.
  private var nextCheck = firstCheck
  private static let firstCheck = 1 << 20
  /// The number of newlines in ``text``.
  var newlineCount: Int { unsafe text.span.bytes.newlineCount(in: 0..<text.count) }

  /// A pass that replaces match number `count` of each line, counted from 1, or all matches if
  /// `count` is 0. Lines may have NUL if `isBinary`. With `isConfirmed`, the caller uses
  /// ``candidates`` and ``chosen``.
  init(
    pattern: Pattern, template: ReplacementTemplate, count: Int, isBinary: Bool, isConfirmed: Bool
  ) {
    self.pattern = pattern
    self.template = template
    self.count = count
    subject = Subject(isBinary: isBinary)
    if isBinary { pattern.disableAutomata() }
    literal =
      if count == 0, !isBinary, !isConfirmed, let needle = pattern.literal, !needle.isEmpty,
        let replacement = template.literal
      { (needle, replacement) } else { nil }
  }

  /// Replaces matches in a line, with the result in ``text``; returns whether anything was
  /// replaced, which is false after an interrupt. As in ed, each search treats the end of the
  /// previous match as the start of the text, except that `^` matches only once. A second empty
  /// match at the very start of a search is an error.
  ///
  /// - Throws: `MatchError.infiniteSubstitution`, or the reason why the line can't be searched.
  mutating func replace(in line: RawSpan) throws(MatchError) -> Bool {
    nextCheck = Self.firstCheck
    try checkMemory(for: line.byteCount)
    if let literal, line.byteCount <= Pattern.largestOffset {
      return try replace(literal.needle, by: literal.replacement, in: line)
    }
    var subject = subject
    let (needsGroups, size) = (template.hasGroups, template.size)
    return try subject.withSubject(of: line) { (seen) throws(MatchError) in
      guard pattern.firstMatch(in: seen, from: 0, isStart: true, needsGroups: needsGroups)
      else {
        if let failure = pattern.takeFailure() { throw failure }
        return false
      }
      text.removeAll(keepingCapacity: true)
      candidates.removeAll(keepingCapacity: true)
      var position = 0
      var matchNumber = 0
      var hasChanged = false
      var hasMetEmptyMatch = false
      repeat {
        guard let match = pattern.group(0) else { break }
        matchNumber += 1
        let isCandidate = count == 0 || count == matchNumber
        if isCandidate { candidates.append((matchNumber, match)) }
        if chosen?.contains(matchNumber) ?? isCandidate {
          hasChanged = true
          text.append(line, in: position..<match.lowerBound)
          try checkMemory(for: text.count + size.fixed + size.groups * match.count)
          template.append(to: &text, from: line, matchedBy: pattern)
        } else {
          text.append(line, in: position..<match.upperBound)
        }
        if match.upperBound == position {
          if count == 0 && hasMetEmptyMatch { throw .infiniteSubstitution }
          // Each further search would find the same empty match.
          if hasMetEmptyMatch && matchNumber < count { matchNumber = count - 1 }
          hasMetEmptyMatch = true
        }
        position = match.upperBound
        // A line may be long.
        if matchNumber & 255 == 0 && Interrupts.isInterrupted { return false }
      } while position < line.byteCount && (count == 0 || matchNumber < count)
        && pattern.firstMatch(
          in: seen, from: position, isStart: false, needsGroups: needsGroups)
      if let failure = pattern.takeFailure() { throw failure }
      // An interrupt may have stopped the last search.
      guard hasChanged, !Interrupts.isInterrupted else { return false }
      text.append(line, in: position..<line.byteCount)
      text.append(.newline)
      return true
    }
  }
}

extension SubstitutionPass {
  /// Checks that memory suffices for a result of a length in bytes until it is twice as long. An
  /// array of that length may be copied to one of twice the length while it grows.
  private mutating func checkMemory(for byteCount: Int) throws(MatchError) {
    if byteCount < nextCheck { return }
    nextCheck = 2 * byteCount
    if Memory.isShort(for: 5 * byteCount) { throw .outOfMemory }
  }

  /// Replaces all occurrences of a needle, with the result of the general search, but less cost per
  /// match.
  private mutating func replace(
    _ needle: [UInt8], by replacement: [UInt8], in line: RawSpan
  ) throws(MatchError) -> Bool {
    guard var match = line.firstOffset(of: needle, in: 0..<line.byteCount) else { return false }
    var new: [UInt8] = []
    swap(&new, &text)
    defer { swap(&new, &text) }
    new.removeAll(keepingCapacity: true)
    var (position, matchCount) = (0, 0)
    while true {
      new.append(line, in: position..<match)
      new.append(contentsOf: replacement)
      position = match + needle.count
      guard let next = line.firstOffset(of: needle, in: position..<line.byteCount) else { break }
      match = next
      matchCount += 1
      // A line may be long.
      if matchCount & 255 == 0 && Interrupts.isInterrupted { return false }
      try checkMemory(for: new.count + replacement.count)
    }
    new.append(line, in: position..<line.byteCount)
    new.append(.newline)
    return true
  }
}

/// The right side of a substitution, parsed.
struct ReplacementTemplate: Sendable {
  private enum TemplatePart {
    case bytes([UInt8])
    /// `&`, which is group 0, or `\1` to `\9`.
    case group(Int)
  }

  private var parts: [TemplatePart] = []
  /// The bytes of the replacement; nil if they depend on the match.
  var literal: [UInt8]? {
    if parts.isEmpty { return [] }
    if parts.count == 1, case .bytes(let bytes) = parts[0] { return bytes }
    return nil
  }
  /// Whether the template refers to capture groups other than the whole match.
  private(set) var hasGroups = false

  /// Parses a template: `&`, `\1` to `\9`, and backslashes that escape the next byte.
  init(_ template: [UInt8]) {
    var bytes: [UInt8] = []
    func endBytes() {
      if !bytes.isEmpty { parts.append(.bytes(bytes)) }
      bytes = []
    }
    var rest = template[...]
    while let byte = rest.popFirst() {
      if byte == .ampersand {
        endBytes()
        parts.append(.group(0))
      } else if byte == .backslash, let escaped = rest.popFirst() {
        if escaped.isNonzeroDigit {
          endBytes()
          parts.append(.group(Int(escaped - .zero)))
          hasGroups = true
        } else {
          bytes.append(escaped)
        }
      } else {
        bytes.append(byte)
      }
    }
    endBytes()
  }

  init(literal text: [UInt8]) {
    if !text.isEmpty { parts = [.bytes(text)] }
  }

  /// The number of bytes of the fixed parts, and the number of references to groups.
  var size: (fixed: Int, groups: Int) {
    parts.reduce(into: (0, 0)) {
      if case .bytes(let bytes) = $1 { $0.0 += bytes.count } else { $0.1 += 1 }
    }
  }

  /// Appends the replacement for the last match of `pattern` in `line` to `text`. A reference to a
  /// group that the pattern does not have inserts its digit.
  func append(to text: inout [UInt8], from line: RawSpan, matchedBy pattern: Pattern) {
    for part in parts {
      switch part {
      case .bytes(let bytes):
        text.append(contentsOf: bytes)
      case .group(let number):
        if number > pattern.groupCount {
          text.append(.zero + UInt8(number))
        } else if let range = pattern.group(number) {
          text.append(line, in: range)
        }
      }
    }
  }
}
