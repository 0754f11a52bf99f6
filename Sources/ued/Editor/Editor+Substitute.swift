import TextBuffer
import TextLines

/// `s` in all its forms.
extension Editor {
  /// Runs the last substitution on lines, and prints the current line according to its flags.
  mutating func substitute(in lines: LineRange) throws(EditorError) -> CommandResult {
    try perform { (editor) throws(EditorError) in
      let asks = editor.patterns.substitution.asks
      let pass = try editor.substitutionPass(isConfirmed: asks)
      let hasChanged =
        try asks
        ? editor.replaceConfirmed(in: lines, with: pass)
        : editor.replaceMatches(in: lines, with: pass)
      if !hasChanged && !editor.text.isInGlobal {
        throw editor.noMatch(of: pass.pattern, in: lines)
      }
    }
    try printCurrentLine(as: patterns.substitution.format)
    return .goOn
  }

  /// The error for a pattern without a match; for a person or a strict run, perhaps with a hint.
  func noMatch(of pattern: Pattern, in lines: LineRange) -> EditorError {
    guard text.hidesReturns else { return .noMatch }
    let returns: [[UInt8]] = [[.carriageReturn], Array("\\r".utf8)]
    if text.usesCRLF && returns.contains(where: pattern.written.contains) {
      return .noMatchBecause(.returnIsLineEnd)
    }
    if let reason = hiddenMatch(of: pattern, in: lines) ?? otherDialect(pattern, in: lines) {
      return .noMatchBecause(reason)
    }
    let all = LineRange(LineNumber(1), text.lastLine)
    if lines.count == 1, let line = find(pattern, in: all, isForward: true), line != lines.first,
      patterns.substitution.count < 2
    {
      return .noMatchBecause(.otherLine(line))
    }
    return .noMatch
  }

  /// The first line that would match without its carriage return or byte order mark, which are
  /// seldom visible.
  func hiddenMatch(of pattern: Pattern, in lines: LineRange) -> MismatchReason? {
    if lines.count == 0 { return nil }
    let (mark, first) = (Array("\u{FEFF}".utf8), LineNumber(1))
    let shown = text.slice(lines)
    let isMarked = lines.first == first && shown.line(first).starts(with: mark)
    guard isMarked || shown.hasReturns, var bare = shown.withoutCRLF else { return nil }
    if isMarked { bare.replace(ByteOffset(0)..<ByteOffset(mark.count), with: []) }
    var found: LineNumber?
    var matching = MatchingLines(of: pattern, isBinary: text.isBinary)
    matching.forEach(in: LineRange(1, bare.newlineCount), of: bare) { number, _, _ in
      found = lines.first + (number.value - 1)
      return false
    }
    return found.map { isMarked && $0 == first ? .byteOrderMark : .carriageReturn($0) }
  }

  /// A form of another regex dialect: `\d`, `\t`, or an extended operator that would match.
  private func otherDialect(_ pattern: Pattern, in lines: LineRange) -> MismatchReason? {
    if pattern.isPlainText || lines.count == 0 { return nil }
    let written = String(decoding: pattern.written, as: UTF8.self)
    for (form, here) in [("\\d", "[0-9]"), ("\\t", "[[:blank:]]")] where written.contains(form) {
      return .otherDialect(form, here: here)
    }
    let operators: [Character] = ["+", "|", "(", "{", "?"]
    guard !options.extendedRegex, let form = written.first(where: { operators.contains($0) }),
      let extended = try? Pattern(
        pattern.written, extended: true, ignoreCase: pattern.ignoresCase),
      find(extended, in: lines, isForward: true) != nil
    else { return nil }
    return .otherDialect(String(form), here: "\\\(form)' or use '-E")
  }

  /// Fast path of a global command: substitutes in ascending lines, at least one, in one pass.
  mutating func substitute(
    _ substitution: Substitution, onEachOf lines: [LineNumber]
  ) throws(EditorError) {
    let span = LineRange(lines[0], lines[lines.count - 1])
    text.currentLine = span.first
    try prepare(substitution, fault: nil)
    _ = try replaceMatches(in: span, only: lines, with: try substitutionPass())
  }

  /// A pass that does the last substitution.
  private func substitutionPass(
    isConfirmed: Bool = false
  ) throws(EditorError) -> SubstitutionPass {
    guard let pattern = patterns.substitution.pattern,
      let template = patterns.substitution.template
    else { throw .noPreviousSubstitution }
    return SubstitutionPass(
      pattern: pattern, template: template, count: patterns.substitution.count,
      isBinary: text.isBinary, isConfirmed: isConfirmed)
  }

  /// Makes a substitution the last one. As in ed, it is kept even if a syntax error follows it.
  mutating func prepare(
    _ substitution: Substitution, fault: ParseError?
  ) throws(EditorError) {
    var substitution = substitution
    var fault = fault
    if substitution.pattern == nil, let fault { throw .parse(fault) }
    if case .previous = substitution.pattern, patterns.last == nil { throw .noPreviousPattern }
    while substitution.continues { fault = try continueSubstitution(&substitution) }
    try refuseLostEscape(in: substitution)
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

  /// Throws if a strict run would write a letter for an escape of sed, such as `\n`.
  private func refuseLostEscape(in substitution: Substitution) throws(EditorError) {
    guard conduct.treatsDoubtsAsErrors, let letter = substitution.lostEscape else { return }
    throw .lostEscape(letter)
  }

  /// Reads a further line of a substitution; returns a syntax error in it.
  mutating func continueSubstitution(
    _ substitution: inout Substitution
  ) throws(EditorError) -> ParseError? {
    try readReply()
    var parser = CommandParser(line: console.line, allowsOwnForms: script.ownForms != .refused)
    do { try parser.continueSubstitution(&substitution) } catch { return error }
    if parser.usesOwnForm { allowOwnForms() }
    return nil
  }

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

  /// Replaces matches in a range of lines, and returns whether any line has changed. The last line
  /// of the last replacement becomes the current line; the old line goes to the cut buffer.
  ///
  /// - Throws: If the replacement in a line would never end, if memory is short, or if interrupted.
  ///   Earlier lines are changed then.
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

  /// Replaces matches in many lines in one pass, which builds a new text from the old one. Searches
  /// only the lines in `chosen`, which ascend, or all lines of the range if it is nil.
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
      let splits = replacement.changes.filter { $0.count != $0.lines.count }
      // The lines changed in place have the same numbers before and after.
      for (lines, count) in replacement.changes where count == lines.count {
        text.note(.replaced(lines, by: count, keeping: count))
      }
      if !splits.isEmpty {
        text.note(.split(splits.map { LineEdit.Split($0.lines.first, into: $0.count) }))
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
  /// Runs of changed lines and their new counts. A line that became several is its own run.
  private(set) var changes: [(lines: LineRange, count: Int)] = []
  /// The last searched line, if `visitsAll` and it has not changed.
  private(set) var visited: LineNumber?
  /// The error that ended the substitution.
  private(set) var failure: EditorError?
  /// Whether every searched line becomes the current line, as in a global command.
  private let visitsAll: Bool

  /// The memory, in bytes, that a changed line (with notes for marks and other revisions) and a
  /// piece take in addition while the tree is built.
  private static let (bytesPerChange, bytesPerPiece) = (160, 4)

  init(
    by pass: SubstitutionPass, in text: PieceTable, from start: ByteOffset, visitsAll: Bool
  ) {
    self.pass = pass
    builder = EditedText.builder(from: text)
    rest = start
    self.visitsAll = visitsAll
  }

  /// Replaces matches in a line that begins at `offset`; called in the order of the lines. Returns
  /// whether to continue.
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

// MARK: - Confirming

/// `s` with the flag `c`, which asks about each match.
extension Editor {
  /// The user's decision about a match.
  private enum Reply { case yes, no, all, quit }

  /// The state carried from one question to the next.
  private struct Answers {
    var reply: Reply
    /// Whether a dialogue was interrupted: replies already sent are read, but replace nothing.
    var isGivenUp = false
    /// The error after which no more questions are possible.
    var failure: EditorError?
  }

  /// Replaces the matches in lines that the user accepts, and returns whether there was any match.
  ///
  /// - Throws: An error of the substitution, the end of the input, or `interrupted`.
  mutating func replaceConfirmed(
    in lines: LineRange, with pass: SubstitutionPass
  ) throws(EditorError) -> Bool {
    var pass = pass
    var answers = Answers(reply: text.activeLines?.acceptsAllMatches == true ? .all : .yes)
    var hasMatched = false
    var changedCount = 0
    var line = lines.first
    for index in 0..<lines.count where answers.reply != .quit {
      let old = text.buffer.line(line)
      pass.chosen = nil
      var isReplaced = try replace(in: old, with: &pass)
      hasMatched = hasMatched || isReplaced
      if isReplaced && answers.reply != .all {
        isReplaced = try replaceAccepted(in: old, line, with: &pass, &answers)
      }
      guard isReplaced else {
        line = line + 1
        continue
      }
      let count = pass.newlineCount
      text.cut = .removed(
        text.replace(LineRange(line), with: pass.text, count: count, keepsFirst: true))
      changedCount += 1
      labelSubstitution(of: changedCount, to: lines.first + index)
      line = line + count
      text.currentLine = line - 1
    }
    // In a global command, the answer "all" also covers the lines not visited yet.
    if answers.reply == .all { text.activeLines?.acceptsAllMatches = true }
    if answers.reply == .quit { text.activeLines?.removeAll() }
    if let failure = answers.failure { throw failure }
    if answers.isGivenUp { throw .interrupted }
    return hasMatched
  }

  /// Asks about each match in a line, and returns whether any was replaced.
  private mutating func replaceAccepted(
    in old: [UInt8], _ line: LineNumber, with pass: inout SubstitutionPass, _ answers: inout Answers
  ) throws(EditorError) -> Bool {
    pass.chosen = []
    var isReplaced = false
    for (number, range) in pass.candidates {
      text.currentLine = line
      if answers.reply != .all {
        // The line is shown with the replacements accepted so far.
        let shown = isReplaced && pass.newlineCount == 1 ? pass.text.dropLast() : old[...]
        let shift = shown.count - old.count
        let place = range.lowerBound + shift..<range.upperBound + shift
        try ask(about: place, of: Array(shown), in: line, &answers)
      }
      if takeInterruptOfDialogue() { answers.isGivenUp = true }
      if answers.isGivenUp && answers.reply == .all { answers.reply = .quit }
      hasRefusedMatches = hasRefusedMatches || answers.reply == .no || answers.reply == .quit
      if answers.reply == .quit { break }
      if answers.reply == .no || answers.isGivenUp { continue }
      pass.chosen?.insert(number)
      // Replaces now, because no search runs once a signal ends the program.
      if conduct.allowsCorrection && answers.reply == .yes {
        isReplaced = try replace(in: old, with: &pass)
      }
    }
    return answers.failure == nil ? try replace(in: old, with: &pass) : isReplaced
  }

  /// Asks about a match. If the input or the program ends, a person's accepted replacements are
  /// kept.
  private mutating func ask(
    about match: Range<Int>, of bytes: [UInt8], in line: LineNumber, _ answers: inout Answers
  ) throws(EditorError) {
    do throws(EditorError) {
      answers.reply = try ask(about: match, of: bytes, in: line)
    } catch {
      text.keepsInterrupted = text.keepsInterrupted || Interrupts.endingSignal != nil
      if !conduct.allowsCorrection || error == .interrupted && !text.keepsInterrupted {
        throw error
      }
      (answers.failure, answers.reply) = (error, .quit)
    }
  }

  private func replace(
    in line: [UInt8], with pass: inout SubstitutionPass
  ) throws(EditorError) -> Bool {
    do {
      return try unsafe pass.replace(in: line.span.bytes)
    } catch {
      throw .match(error)
    }
  }

  /// Shows a match and asks about it.
  private mutating func ask(
    about match: Range<Int>, of bytes: [UInt8], in line: LineNumber
  ) throws(EditorError) -> Reply {
    while true {
      try readAnswer(.confirmation, about: .match(match, of: bytes, in: line), in: line)
      switch console.line {
      case [UInt8(ascii: "y")]: return .yes
      case [UInt8(ascii: "n")]: return .no
      case [UInt8(ascii: "a")]: return .all
      case [UInt8(ascii: "q")]: return .quit
      default:
        // A person may try again.
        if !conduct.allowsCorrection { throw .badReply(console.line) }
        console.say(.error(.badReply(console.line), .brief))
      }
    }
  }
}

// MARK: - Global commands

/// `g`, `v`, `G` and `V`.
extension Editor {
  /// Finds the matching lines, then runs the command list on each.
  mutating func executeGlobal(
    _ global: Global, in lines: LineRange, _ parsed: ParsedCommand
  ) throws(EditorError) -> CommandResult {
    guard let sought = global.pattern else {
      if let fault = parsed.fault { throw .parse(fault) }
      return .goOn
    }
    let pattern = try compile(sought)
    if let fault = parsed.fault { throw .parse(fault) }
    let written = global.isInteractive ? [] : try extended(global.list, keepingNewlines: true)
    let list = global.isInteractive ? nil : try commands(of: written)
    let isPrint = list.map { isPlainPrint($0) } ?? false
    let found = try matches(
      of: pattern, in: lines, inverted: global.isInverted, as: isPrint ? .bytes : .numbers)
    let result = try perform { (editor) throws(EditorError) in
      defer {
        editor.text.label = GroupLabel(
          .global(
            pattern: pattern.written, list: written, isInverted: global.isInverted,
            lines: found.count))
      }
      let marked = editor.conduct.decorates && !global.isInverted ? pattern : nil
      if isPrint { return try editor.printMatches(found) }
      return try editor.visit(found.numbers, list, showing: parsed.format, marking: marked)
    }
    if global.isInteractive && result == .goOn { try printCurrentLine(as: parsed.format) }
    return result
  }

  /// The lines of a range that match, or if `inverted` those that do not.
  private func matches(
    of pattern: Pattern, in lines: LineRange, inverted: Bool, as form: MatchedLines.Form
  ) throws(EditorError) -> MatchedLines {
    let buffer = text.buffer
    var matches = MatchedLines(as: form)
    var next = (line: lines.first, offset: buffer.offset(ofLine: lines.first))
    var matching = MatchingLines(of: pattern, isBinary: text.isBinary)
    matching.forEach(in: lines, of: buffer) { number, offset, line in
      let behind = (line: number + 1, offset: offset + (line.byteCount + 1))
      defer { next = behind }
      return inverted
        ? matches.add(next.line..<number, next.offset..<offset)
        : matches.add(number..<behind.line, offset..<behind.offset)
    }
    if inverted {
      let end = buffer.byteRange(of: lines).upperBound
      _ = matches.add(next.line..<max(next.line, lines.last + 1), next.offset..<end)
    }
    if let reason = whyGivenUp(pattern) { throw reason }
    if matches.isShort { throw .outOfMemory }
    return matches
  }

  /// Parses a command list with all of its lines.
  ///
  /// - Throws: `textHasNoEnd` if a here-document in the list has no end, or `lostEscape`; no
  ///   command has run then.
  private mutating func commands(of list: [UInt8]) throws(EditorError) -> [ParsedCommand] {
    var parser = CommandParser(
      list: list.isEmpty ? [UInt8(ascii: "p")] : list, allowsOwnForms: script.ownForms != .refused)
    let commands = parser.all()
    if parser.usesOwnForm { allowOwnForms() }
    for command in commands {
      if case .toBeRead(upTo: .word(let word)) = command.command.input {
        throw .textHasNoEnd(word)
      }
      if case .substitute(let substitution) = command.command {
        try refuseLostEscape(in: substitution)
      }
    }
    return commands
  }

  /// Runs a command list on each line, and returns whether to go on. Without a list, prints each
  /// line in the format, with the pattern marked, and reads a list in reply.
  ///
  /// - Throws: The first error of a command, or `interrupted`.
  private mutating func visit(
    _ lines: [LineNumber], _ list: [ParsedCommand]?, showing format: LineFormat,
    marking pattern: Pattern?
  ) throws(EditorError) -> CommandResult {
    if let list, try runInOnePass(list, onEachOf: lines) { return .goOn }
    let isInteractive = list == nil
    if isInteractive { text.keepsInterrupted = true }
    text.activeLines = ActiveLines(lines)
    defer { text.activeLines = nil }
    var list = list
    var isGivenUp = false
    while let line = text.activeLines?.next() {
      if !isInteractive && Interrupts.isInterrupted { throw .interrupted }
      text.currentLine = line
      patterns.searched = pattern
      if isInteractive {
        let isToRun = try readList(&list, showing: format)
        if takeInterruptOfDialogue() { isGivenUp = true }
        if isGivenUp || !isToRun { continue }
      }
      guard let list else { throw .noPreviousCommand }
      for command in list {
        let result = try execute(command)
        if result != .goOn { return result }
      }
    }
    if isGivenUp { throw .interrupted }
    return .goOn
  }

  /// Prints the current line and reads a command list for it. `&` stands for the last one. Returns
  /// false if the reply is empty, which skips the line.
  private mutating func readList(
    _ list: inout [ParsedCommand]?, showing format: LineFormat
  ) throws(EditorError) -> Bool {
    let line = text.currentLine
    try readAnswer(.answer, about: try printed(LineRange(line), as: format), in: line)
    if !console.line.isEmpty && console.line != [.ampersand] {
      list = try commands(of: try extended(console.line, keepingNewlines: true))
      // Once a list runs, its lines need not be restored.
      keeper.entered = []
      return true
    }
    return !console.line.isEmpty
  }

  /// Whether a command list is only `p`, and lines are printed as they are in the text.
  private func isPlainPrint(_ list: [ParsedCommand]) -> Bool {
    guard !conduct.decorates, case .print(.plain) = onlyCommand(of: list) else { return false }
    return true
  }

  /// The only command of a list, if it has no addresses and no suffix; nil for other lists.
  private func onlyCommand(of list: [ParsedCommand]) -> Command? {
    guard list.count == 1, let only = list.first, only.addresses.isEmpty, only.format.isEmpty,
      only.fault == nil
    else { return nil }
    return only.command
  }

  /// Fast path: prints lines in one pass over the text.
  private mutating func printMatches(_ found: MatchedLines) throws(EditorError) -> CommandResult {
    console.say(.parts(found.parts, of: text.buffer))
    if let last = found.last { text.currentLine = last }
    if Interrupts.isInterrupted { throw .interrupted }
    return .goOn
  }

  /// Fast path: runs a list of a single `d`, `m0`, `m$`, `l`, `n` or substitution in one pass over
  /// the text. Returns false if the list must run line by line.
  private mutating func runInOnePass(
    _ list: [ParsedCommand], onEachOf lines: [LineNumber]
  ) throws(EditorError) -> Bool {
    guard let only = onlyCommand(of: list), lines.count > 1, !text.marks.areUsed
    else { return false }
    switch only {
    case .delete:
      text.delete(eachOf: lines)
    case .move(let target) where target == Addresses([.number(0)]):
      text.gather(lines.reversed(), before: true)
    case .move(let target) where target == Addresses([.last]):
      text.gather(lines, before: false)
    case .print(let format) where !conduct.decorates:
      console.say(.eachLine(lines, of: text.buffer, as: format))
      if let last = lines.last { text.currentLine = last }
      if Interrupts.isInterrupted { throw .interrupted }
    case .substitute(let substitution)
    where substitution.format.isEmpty && !substitution.asks:
      try substitute(substitution, onEachOf: lines)
    default: return false
    }
    return true
  }
}
