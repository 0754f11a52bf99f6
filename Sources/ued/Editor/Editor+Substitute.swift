import TextBuffer

/// `s` in all its forms.
extension Editor {
  /// Does the substitution that was prepared last, in lines, and prints the current line as it says.
  mutating func substitute(in lines: LineRange) throws(EditorError) -> CommandResult {
    let last = patterns.substitution
    try perform { (editor) throws(EditorError) in
      guard let pattern = last.pattern, let template = last.template else {
        throw .noPreviousSubstitution
      }
      let pass = SubstitutionPass(
        pattern: pattern, template: template, count: last.count, isBinary: editor.text.isBinary)
      let hasChanged = try editor.replaceMatches(in: lines, with: pass)
      if !hasChanged && !editor.text.isInGlobal { throw .noMatch }
    }
    try printCurrentLine(as: last.format)
    return .goOn
  }

  /// Does what a list that is one substitution does on each of several lines, in one pass.
  ///
  /// The lines ascend, and there is at least one.
  mutating func substitute(
    _ substitution: Substitution, onEachOf lines: [LineNumber]
  ) throws(EditorError) {
    let span = LineRange(lines[0], lines[lines.count - 1])
    text.currentLine = span.first
    try prepare(substitution, fault: nil)
    let last = patterns.substitution
    guard let pattern = last.pattern, let template = last.template else {
      throw .noPreviousSubstitution
    }
    let pass = SubstitutionPass(
      pattern: pattern, template: template, count: last.count, isBinary: text.isBinary)
    _ = try replaceMatches(in: span, only: lines, with: pass)
  }

  /// Makes a substitution the last one. As in ed, replacement and flags are kept even when something
  /// is wrong behind them.
  mutating func prepare(
    _ substitution: Substitution, fault: ParseError?
  ) throws(EditorError) {
    var substitution = substitution
    var fault = fault
    if substitution.pattern == nil, let fault { throw .parse(fault) }
    if case .previous = substitution.pattern, patterns.last == nil { throw .noPreviousPattern }
    while substitution.continues {
      try readReply()
      var parser = CommandParser(line: console.line)
      do { try parser.continueSubstitution(&substitution) } catch { fault = error }
    }
    switch substitution.replacement {
    case .previous where patterns.substitution.template == nil: throw .noPreviousSubstitution
    case .template(let template):
      if patterns.substitution.template == nil || patterns.substitution.writtenTemplate != template
      {
        patterns.substitution.template = ReplacementTemplate(template)
        patterns.substitution.writtenTemplate = template
      }
    case .previous, nil: break
    }
    patterns.substitution.count = substitution.count
    patterns.substitution.format = substitution.format
    if let fault { throw .parse(fault) }
    patterns.substitution.toggledFormat = substitution.format.isEmpty ? .plain : substitution.format
    guard let text = substitution.pattern else { throw .noPreviousPattern }
    let pattern = try compile(text)
    patterns.substitution.pattern = pattern
    patterns.substitution.writtenPattern = pattern.source
  }

  /// Changes the last substitution as the flags of its repetition say.
  mutating func prepareRepetition(
    _ flags: [RepeatFlag], fault: ParseError?
  ) throws(EditorError) {
    for flag in flags {
      switch flag {
      case .count(let count): patterns.substitution.count = count
      case .toggleAll: patterns.substitution.count = patterns.substitution.count == 0 ? 1 : 0
      case .togglePrint, .lastSearch: break
      }
    }
    if let fault { throw .parse(fault) }
    guard patterns.substitution.pattern != nil else { throw .noPreviousSubstitution }
    if flags.contains(.lastSearch) {
      guard let last = patterns.last else { throw .noPreviousPattern }
      patterns.substitution.pattern = last
      patterns.substitution.writtenPattern = last.source
    }
    if flags.contains(.togglePrint) {
      patterns.substitution.format.formSymmetricDifference(patterns.substitution.toggledFormat)
    }
  }

  /// Replaces matches in each of several lines. The last line of the last change becomes the
  /// current one, and the text that it replaces goes to the cut buffer.
  ///
  /// - Returns: Whether any line has changed.
  /// - Throws: For a line in which the replacement would never end, out of memory, or when interrupted.
  ///   The lines above it are changed then.
  private mutating func replaceMatches(
    in lines: LineRange, with pass: SubstitutionPass
  ) throws(EditorError) -> Bool {
    guard lines.count == 1 else { return try replaceMatches(in: lines, only: nil, with: pass) }
    // Nobody holds the text when the line is replaced, so the tree is changed in place.
    var pass = pass
    guard try replaceMatches(in: lines.first, with: &pass) else { return false }
    let count = pass.text.count { $0 == .newline }
    text.cut = .removed(text.replace(lines, with: pass.text, count: count))
    text.currentLine = lines.first + (count - 1)
    text.save.isDirty = true
    labelSubstitution(of: 1)
    return true
  }

  /// Lets a pass go over one line, and changes nothing itself.
  private func replaceMatches(
    in line: LineNumber, with pass: inout SubstitutionPass
  ) throws(EditorError) -> Bool {
    do {
      return try text.buffer.withLine(line) { (text) throws(MatchError) in
        try pass.replace(in: text)
      }
    } catch {
      throw .match(error)
    }
  }

  /// Says that the present command has substituted in so many lines.
  private mutating func labelSubstitution(of lines: Int) {
    // A global command has a name for all that it does.
    if text.isInGlobal { return }
    let last = patterns.substitution
    text.label = GroupLabel(
      .substituted(
        pattern: last.writtenPattern, replacement: last.writtenTemplate, lines: lines))
  }

  /// Replaces matches in many lines in one pass, which builds the new text beside the old one.
  ///
  /// Only the lines in `chosen` are looked at, which ascend, or all in the range when it is nil.
  private mutating func replaceMatches(
    in lines: LineRange, only chosen: [LineNumber]?, with pass: SubstitutionPass
  ) throws(EditorError) -> Bool {
    let old = text.buffer
    var replacement = Replacement(
      by: pass, in: old, from: old.offset(ofLine: lines.first), visitsAll: chosen != nil,
      isFollowed: text.isInGlobal || text.marks.areUsed)
    if let chosen {
      var nextChosen = 0
      var offset = replacement.rest
      old.forEachLine(in: lines) { number, line in
        defer { offset = offset + (line.byteCount + 1) }
        if Interrupts.isInterrupted { return false }
        if chosen[nextChosen] != number { return true }
        nextChosen += 1
        return replacement.replace(number, at: offset, line)
      }
    } else {
      var matching = MatchingLines(of: pass.pattern, isBinary: text.isBinary)
      matching.forEach(in: lines, of: old) { replacement.replace($0, at: $1, $2) }
    }
    var failure = replacement.failure
    if failure == nil && Interrupts.isInterrupted { failure = .interrupted }
    let (span, shift) = (replacement.span, replacement.shift)
    if let span {
      text.yank(LineRange(span.last))
      var shiftSoFar = 0
      for (line, count) in replacement.changes {
        text.follow(LineRange(line + shiftSoFar), inserting: count, shift: shiftSoFar)
        shiftSoFar += count - 1
      }
      text.replaceUnfollowed(span, with: replacement.builder.finish())
      text.currentLine = span.last + shift
      labelSubstitution(of: replacement.changedLineCount)
    }
    if let visited = replacement.visited { text.currentLine = visited + shift }
    if let failure { throw failure }
    return span != nil
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
  private(set) var changes: [(line: LineNumber, count: Int)] = []
  /// The last line that was looked at, where every one becomes the current line; nil when it has
  /// changed.
  private(set) var visited: LineNumber?
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
    if visitsAll { visited = number }
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
    if isFollowed { changes.append((number, count)) }
    shift += count - 1
    changedLineCount += 1
    span = LineRange(span?.first ?? number, number)
    return failure == nil
  }
}
