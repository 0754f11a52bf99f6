import TextBuffer

/// What a repeated substitution needs of the last one.
struct LastSubstitution {
  var pattern: Pattern?
  var template: ReplacementTemplate?
  /// Which match of a line: 0 is all of them.
  var count = 1
  /// How the last changed line was printed.
  var format: LineFormat = []
  /// What the flag `p` of a repetition turns on and off.
  var toggledFormat: LineFormat = .plain
  /// The regular expression and the replacement as written, for the name of the group.
  var writtenPattern: [UInt8] = []
  var writtenTemplate: [UInt8] = []
}

extension Editor {
  /// Runs `s` in any of its forms.
  ///
  /// - Returns: How to print the current line afterwards.
  mutating func substitute<Source: LineSource & ~Copyable>(
    _ parsed: ParsedCommand, _ addresses: ResolvedAddresses, reading source: inout Source
  ) throws(EditorError) -> LineFormat {
    let lines = try range(addresses, orElse: currentLine, currentLine)
    switch parsed.command {
    case .substitute(let substitution):
      try prepare(substitution, fault: parsed.fault, reading: &source)
    case .repeatSubstitute(let flags):
      try prepareRepetition(flags, fault: parsed.fault)
    default: preconditionFailure("not a substitution: \(parsed.command)")
    }
    let format = lastSubstitution.format
    beginChange()
    guard let pattern = lastSubstitution.pattern, let template = lastSubstitution.template else {
      throw .noPreviousSubstitution
    }
    let hasChanged = try replaceMatches(
      of: pattern, in: lines, with: template, count: lastSubstitution.count)
    if !hasChanged && activeLines == nil { throw .noMatch }
    return format
  }

  /// Makes a substitution the last one. As in ed, replacement and flags are kept even when something
  /// is wrong behind them.
  private mutating func prepare<Source: LineSource & ~Copyable>(
    _ substitution: Substitution, fault: ParseError?, reading source: inout Source
  ) throws(EditorError) {
    var substitution = substitution
    var fault = fault
    if substitution.pattern == nil, let fault { throw .parse(fault) }
    if case .previous = substitution.pattern, lastPattern == nil { throw .noPreviousPattern }
    while substitution.continues {
      try readReply(from: &source)
      var parser = CommandParser(line: scratch)
      do { try parser.continueSubstitution(&substitution) } catch { fault = error }
    }
    switch substitution.replacement {
    case .previous where lastSubstitution.template == nil: throw .noPreviousSubstitution
    case .template(let template):
      if lastSubstitution.template == nil || lastSubstitution.writtenTemplate != template {
        lastSubstitution.template = ReplacementTemplate(template)
        lastSubstitution.writtenTemplate = template
      }
    case .previous, nil: break
    }
    lastSubstitution.count = substitution.count
    lastSubstitution.format = substitution.format
    if let fault { throw .parse(fault) }
    lastSubstitution.toggledFormat = substitution.format.isEmpty ? .plain : substitution.format
    guard let text = substitution.pattern else { throw .noPreviousPattern }
    let pattern = try compile(text)
    lastSubstitution.pattern = pattern
    lastSubstitution.writtenPattern = pattern.source
  }

  /// Changes the last substitution as the flags of its repetition say.
  private mutating func prepareRepetition(
    _ flags: [RepeatFlag], fault: ParseError?
  ) throws(EditorError) {
    for flag in flags {
      switch flag {
      case .count(let count): lastSubstitution.count = count
      case .toggleAll: lastSubstitution.count = lastSubstitution.count == 0 ? 1 : 0
      case .togglePrint, .lastSearch: break
      }
    }
    if let fault { throw .parse(fault) }
    guard lastSubstitution.pattern != nil else { throw .noPreviousSubstitution }
    if flags.contains(.lastSearch) {
      guard let lastPattern else { throw .noPreviousPattern }
      lastSubstitution.pattern = lastPattern
      lastSubstitution.writtenPattern = lastPattern.source
    }
    if flags.contains(.togglePrint) {
      lastSubstitution.format.formSymmetricDifference(lastSubstitution.toggledFormat)
    }
  }

  /// Replaces matches in each of several lines. The last line of the last change becomes the
  /// current one, and the text that it replaces goes to the cut buffer.
  ///
  /// - Returns: Whether any line has changed.
  /// - Throws: For a line in which the replacement would never end, out of memory, or when interrupted. The lines
  ///   above it are changed then.
  private mutating func replaceMatches(
    of pattern: Pattern, in lines: LineRange, with template: ReplacementTemplate, count: Int
  ) throws(EditorError) -> Bool {
    var pass = SubstitutionPass(
      pattern: pattern, template: template, count: count, isBinary: isBinary)
    if lines.count == 1 {
      // Nobody holds the text when the line is replaced, so the tree is changed in place.
      guard try replaceMatches(in: lines.first, with: &pass) else { return false }
      replaceLine(lines.first.value, with: pass.text)
      labelSubstitution(of: 1)
      return true
    }
    return try replaceMatches(in: lines, only: nil, with: pass)
  }

  /// Lets a pass go over one line, and changes nothing itself.
  private func replaceMatches(
    in line: LineNumber, with pass: inout SubstitutionPass
  ) throws(EditorError) -> Bool {
    do {
      return try buffer.withLine(line) { (text) throws(MatchError) in try pass.replace(in: text) }
    } catch {
      throw .match(error)
    }
  }

  /// Says that the present command has substituted in so many lines.
  private mutating func labelSubstitution(of lines: Int) {
    // A global command has a name for all that it does.
    if activeLines != nil { return }
    label = GroupLabel(
      .substituted(
        pattern: lastSubstitution.writtenPattern, replacement: lastSubstitution.writtenTemplate,
        lines: lines))
  }

  /// Puts new text in the place of a line.
  private mutating func replaceLine(_ line: Int, with text: [UInt8]) {
    let count = text.count { $0 == .newline }
    cut = .removed(replaceLines(from: line, removing: 1, with: text, count: count))
    currentLine = line + count - 1
    isModified = true
  }

  /// Replaces matches in many lines in one pass, which builds the new text beside the old one.
  ///
  /// Only the lines in `chosen` are looked at, which ascend, or all in the range when it is nil.
  private mutating func replaceMatches(
    in lines: LineRange, only chosen: [Int]?, with pass: SubstitutionPass
  ) throws(EditorError) -> Bool {
    let old = buffer
    var replacement = Replacement(
      by: pass, in: old, from: old.offset(ofLine: lines.first), visitsAll: chosen != nil,
      isFollowed: activeLines != nil || marks.areUsed)
    if let chosen {
      var nextChosen = 0
      var offset = replacement.rest
      old.forEachLine(in: lines) { number, line in
        defer { offset = offset + (line.byteCount + 1) }
        if Interrupts.isInterrupted { return false }
        if chosen[nextChosen] != number.value { return true }
        nextChosen += 1
        return replacement.replace(number, at: offset, line)
      }
    } else {
      var matching = MatchingLines(of: pass.pattern, isBinary: isBinary)
      matching.forEach(in: lines, of: old) { replacement.replace($0, at: $1, $2) }
    }
    var failure = replacement.failure
    if failure == nil && Interrupts.isInterrupted { failure = .interrupted }
    let (span, shift) = (replacement.span, replacement.shift)
    if let span {
      yank(LineRange(span.last))
      var shiftSoFar = 0
      for (line, count) in replacement.changes {
        follow(from: line + shiftSoFar, removing: 1, inserting: count, shift: shiftSoFar)
        shiftSoFar += count - 1
      }
      let text = replacement.builder.finish()
      document.edit { $0.replaceLines(span, with: text) }
      currentLine = span.last.value + shift
      isModified = true
      noteEdit()
      labelSubstitution(of: replacement.changedLineCount)
    }
    if let visited = replacement.visited { currentLine = visited + shift }
    if let failure { throw failure }
    return span != nil
  }

  /// Does what a list that is one substitution does on each of several lines, in one pass.
  ///
  /// The lines ascend, and there is at least one.
  mutating func substitute<Source: LineSource & ~Copyable>(
    _ parsed: ParsedCommand, onEachOf lines: [Int], reading source: inout Source
  ) throws(EditorError) {
    guard case .substitute(let substitution) = parsed.command,
      let first = lines.first, let last = lines.last
    else { preconditionFailure("not a substitution: \(parsed.command)") }
    currentLine = first
    try prepare(substitution, fault: parsed.fault, reading: &source)
    guard let pattern = lastSubstitution.pattern, let template = lastSubstitution.template else {
      throw .noPreviousSubstitution
    }
    let pass = SubstitutionPass(
      pattern: pattern, template: template, count: lastSubstitution.count, isBinary: isBinary)
    _ = try replaceMatches(in: LineRange(first, last), only: lines, with: pass)
  }
}

/// The new text of a substitution on many lines, built beside the old one.
private struct Replacement {
  private var pass: SubstitutionPass
  /// The new text, from the first changed line on.
  private(set) var builder: PieceTable.Builder
  /// Where the old text begins that has not been given to the builder.
  private(set) var rest: ByteOffset
  /// The first and the last changed line so far, as numbered in the old text.
  private(set) var span: LineRange?
  /// How many more lines the new text has so far.
  private(set) var shift = 0
  private(set) var changedLineCount = 0
  /// The changed lines and how many lines each became, where somebody has to follow.
  private(set) var changes: [(line: Int, count: Int)] = []
  /// The last line that was looked at, where every one becomes the current line; nil when it has
  /// changed.
  private(set) var visited: Int?
  /// Why it ended.
  private(set) var failure: EditorError?
  private let visitsAll: Bool
  private let isFollowed: Bool

  /// How much memory a changed line or a piece may take besides what it has taken already, when the
  /// list that it is in grows, and when the tree is put together.
  private static let (bytesPerChange, bytesPerPiece) = (48, 4)

  init(
    by pass: SubstitutionPass, in text: PieceTable, from start: ByteOffset, visitsAll: Bool,
    isFollowed: Bool
  ) {
    self.pass = pass
    builder = PieceTable.Builder(from: text, copyingBelow: Memory.leastShared(of: text.byteCount))
    rest = start
    self.visitsAll = visitsAll
    self.isFollowed = isFollowed
  }

  /// Replaces matches in a line that begins at `offset`; lines come in order.
  ///
  /// - Returns: Whether to go on.
  mutating func replace(_ number: LineNumber, at offset: ByteOffset, _ line: RawSpan) -> Bool {
    if visitsAll { visited = number.value }
    do throws(MatchError) {
      guard try pass.replace(in: line) else { return true }
    } catch {
      failure = .match(error)
      return false
    }
    visited = nil
    if span != nil && rest < offset { builder.keep(rest..<offset) }
    builder.append(pass.text)
    rest = offset + (line.byteCount + 1)
    if changedLineCount & 4095 == 4095,
      Memory.isShort(
        for: Self.bytesPerChange * changes.count + Self.bytesPerPiece * builder.pieceCount)
    {
      failure = .outOfMemory
    }
    let count = pass.newlineCount
    if isFollowed { changes.append((number.value, count)) }
    shift += count - 1
    changedLineCount += 1
    span = LineRange(span?.first ?? number, number)
    return failure == nil
  }
}
