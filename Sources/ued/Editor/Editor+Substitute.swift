import TextBuffer

/// `s` in all its forms.
extension Editor {
  /// Runs the last substitution on lines, and prints the current line according to its flags.
  mutating func substitute(in lines: LineRange) throws(EditorError) -> CommandResult {
    try perform { (editor) throws(EditorError) in
      let pass = try editor.substitutionPass()
      let hasChanged =
        try editor.patterns.substitution.asks
        ? editor.replaceConfirmed(in: lines, with: pass)
        : editor.replaceMatches(in: lines, with: pass)
      if !hasChanged && !editor.text.isInGlobal { throw editor.noMatch(of: pass.pattern) }
    }
    try printCurrentLine(as: patterns.substitution.format)
    return .goOn
  }

  /// Why a pattern has no match.
  func noMatch(of pattern: Pattern) -> EditorError {
    text.usesCRLF && pattern.written.contains(.carriageReturn) ? .noMatchOfReturn : .noMatch
  }

  /// Fast path of a global command: runs a substitution on lines in one pass. The lines ascend, and
  /// there is at least one.
  mutating func substitute(
    _ substitution: Substitution, onEachOf lines: [LineNumber]
  ) throws(EditorError) {
    let span = LineRange(lines[0], lines[lines.count - 1])
    text.currentLine = span.first
    try prepare(substitution, fault: nil)
    _ = try replaceMatches(in: span, only: lines, with: try substitutionPass())
  }

  /// A pass that does the last substitution.
  private func substitutionPass() throws(EditorError) -> SubstitutionPass {
    guard let pattern = patterns.substitution.pattern,
      let template = patterns.substitution.template
    else { throw .noPreviousSubstitution }
    return SubstitutionPass(
      pattern: pattern, template: template, count: patterns.substitution.count,
      isBinary: text.isBinary)
  }

  /// Makes a substitution the last one. As in ed, replacement and flags are kept even if a syntax error
  /// follows them.
  mutating func prepare(
    _ substitution: Substitution, fault: ParseError?
  ) throws(EditorError) {
    var substitution = substitution
    var fault = fault
    if substitution.pattern == nil, let fault { throw .parse(fault) }
    if case .previous = substitution.pattern, patterns.last == nil { throw .noPreviousPattern }
    while substitution.continues { fault = try continueSubstitution(&substitution) }
    switch substitution.replacement {
    case .previous where patterns.substitution.template == nil: throw .noPreviousSubstitution
    case .previous, nil: break
    case let replacement?:
      if patterns.substitution.template == nil || patterns.substitution.replacement != replacement {
        patterns.substitution.template =
          if case .literal(let text) = replacement { ReplacementTemplate(literal: text) } else {
            ReplacementTemplate(replacement.bytes)
          }
        patterns.substitution.replacement = replacement
      }
    }
    patterns.substitution.count = substitution.count
    patterns.substitution.format = substitution.format
    patterns.substitution.asks = substitution.asks
    if let fault { throw .parse(fault) }
    patterns.substitution.toggledFormat = substitution.format.isEmpty ? .plain : substitution.format
    guard let text = substitution.pattern else { throw .noPreviousPattern }
    patterns.substitution.pattern = try compile(text)
  }

  /// Reads a further line of a substitution.
  ///
  /// - Returns: A syntax error in it.
  mutating func continueSubstitution(
    _ substitution: inout Substitution
  ) throws(EditorError) -> ParseError? {
    try readReply()
    var parser = CommandParser(line: console.line, allowsOwnForms: script.ownForms != .refused)
    do { try parser.continueSubstitution(&substitution) } catch { return error }
    if parser.usesOwnForm { allowOwnForms() }
    return nil
  }

  /// Applies the flags of a repetition to the last substitution.
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
    }
    if flags.contains(.togglePrint) {
      patterns.substitution.format.formSymmetricDifference(patterns.substitution.toggledFormat)
    }
  }

  /// Replaces matches in a range of lines. The last line of the last replacement becomes the current
  /// line, and the line that it replaces goes to the cut buffer.
  ///
  /// - Returns: Whether any line has changed.
  /// - Throws: If the replacement in a line would never end, if memory is short, or if interrupted. The
  ///   lines before are then changed.
  private mutating func replaceMatches(
    in lines: LineRange, with pass: SubstitutionPass
  ) throws(EditorError) -> Bool {
    guard lines.count == 1 else { return try replaceMatches(in: lines, only: nil, with: pass) }
    // Fast path: no copy of the text is held, so the tree is changed in place.
    var pass = pass
    guard try replaceMatches(in: lines.first, with: &pass) else {
      if Interrupts.isInterrupted { throw .interrupted }
      return false
    }
    let count = pass.text.count { $0 == .newline }
    text.cut = .removed(text.replace(lines, with: pass.text, count: count, keepsFirst: true))
    text.currentLine = lines.first + (count - 1)
    text.save.isDirty = true
    labelSubstitution(of: 1, to: lines.first)
    return true
  }

  /// Runs a pass over one line, without changing the text.
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

  /// Labels the open step as a substitution on a number of lines, up to `last`.
  mutating func labelSubstitution(of lines: Int, to last: LineNumber) {
    // A global command labels the step.
    if text.isInGlobal { return }
    let substitution = patterns.substitution
    text.label = GroupLabel(
      .substituted(
        pattern: substitution.pattern?.written ?? [], replacement: substitution.replacement.bytes,
        lines: lines, last: last))
  }

  /// Replaces matches in many lines in one pass, which builds a new text from the old one.
  ///
  /// Only the lines in `chosen`, which ascend, are searched; all lines of the range if it is nil.
  private mutating func replaceMatches(
    in lines: LineRange, only chosen: [LineNumber]?, with pass: SubstitutionPass
  ) throws(EditorError) -> Bool {
    let old = text.buffer
    var replacement = Replacement(
      by: pass, in: old, from: old.offset(ofLine: lines.first), visitsAll: chosen != nil)
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
    if failure == nil { failure = whyGivenUp(pass.pattern) }
    let (span, shift) = (replacement.span, replacement.shift)
    if let span {
      text.yank(LineRange(span.last))
      var shiftSoFar = 0
      for (lines, count) in replacement.changes {
        text.track(
          LineRange(lines.first + shiftSoFar, lines.last + shiftSoFar), inserting: count,
          shift: shiftSoFar)
        shiftSoFar += count - lines.count
      }
      let splits = replacement.changes.filter { $0.count != $0.lines.count }
      if !splits.isEmpty {
        text.lines.note(.split(splits.map { LineEdit.Split($0.lines.first, into: $0.count) }))
      }
      text.replaceUntracked(span, with: replacement.builder.finish())
      text.currentLine = span.last + shift
      labelSubstitution(of: replacement.changedLineCount, to: span.last)
    }
    if let visited = replacement.visited { text.currentLine = visited + shift }
    if let failure { throw failure }
    return span != nil
  }
}

/// Builds the new text of a substitution on many lines.
private struct Replacement {
  private var pass: SubstitutionPass
  /// The new text, from the first changed line on.
  private(set) var builder: PieceTable.Builder
  /// The start of the old text not yet added to the builder.
  private(set) var rest: ByteOffset
  /// The range from the first to the last changed line so far, as numbered in the old text.
  private(set) var span: LineRange?
  /// The number of lines added so far.
  private(set) var shift = 0
  private(set) var changedLineCount = 0
  /// Runs of changed lines, and the number of lines that they became. A line that became several is a run
  /// of its own.
  private(set) var changes: [(lines: LineRange, count: Int)] = []
  /// The last searched line, if `visitsAll` and it has not changed.
  private(set) var visited: LineNumber?
  /// The error that ended the substitution.
  private(set) var failure: EditorError?
  /// Whether every searched line becomes the current line, as in a global command.
  private let visitsAll: Bool

  /// The additional memory in bytes that a changed line or a piece may take, when its array grows and
  /// when the tree is built; a line that becomes several is noted for marks, and for lines of other revisions.
  private static let (bytesPerChange, bytesPerPiece) = (160, 4)

  init(
    by pass: SubstitutionPass, in text: PieceTable, from start: ByteOffset, visitsAll: Bool
  ) {
    self.pass = pass
    builder = EditedText.builder(from: text)
    rest = start
    self.visitsAll = visitsAll
  }

  /// Replaces matches in a line that begins at `offset`; called in the order of the lines.
  ///
  /// - Returns: Whether to continue.
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
    if count == 1, let last = changes.last, last.lines.count == last.count,
      last.lines.last + 1 == number
    {
      changes[changes.count - 1] = (LineRange(last.lines.first, number), last.count + 1)
    } else {
      changes.append((LineRange(number), count))
    }
    shift += count - 1
    changedLineCount += 1
    span = LineRange(span?.first ?? number, number)
    return failure == nil
  }
}
