import TextBuffer

/// `g`, `v`, `G` and `V`.
extension Editor {
  /// Finds the matching lines, then runs the command list on each.
  mutating func executeGlobal(
    _ global: Global, in lines: LineRange, _ parsed: ParsedCommand
  ) throws(EditorError) -> CommandResult {
    guard let written = global.pattern else {
      if let fault = parsed.fault { throw .parse(fault) }
      return .goOn
    }
    let pattern = try compile(written)
    if let fault = parsed.fault { throw .parse(fault) }
    let list = global.isInteractive ? nil : try commands(startingWith: global.list)
    let isPrint = list.map { isPlainPrint($0) } ?? false
    let found = try matches(
      of: pattern, in: lines, inverted: global.isInverted, as: isPrint ? .bytes : .numbers)
    let result = try perform { (editor) throws(EditorError) in
      defer {
        editor.text.label = GroupLabel(
          .global(
            pattern: pattern.written, list: global.list, isInverted: global.isInverted,
            lines: found.count))
      }
      let marked = editor.options.isFriendly && !global.isInverted ? pattern : nil
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

  /// Parses a command list, after reading the lines that continue it.
  ///
  /// - Throws: `textHasNoEnd` if a here-document in it does not end, so that no command of it runs.
  private mutating func commands(
    startingWith line: [UInt8]
  ) throws(EditorError) -> [ParsedCommand] {
    let line = line.isEmpty ? [UInt8(ascii: "p")] : line
    var parser = CommandParser(
      list: try extended(line, keepingNewlines: true), allowsOwnForms: script.ownForms != .refused)
    let commands = parser.all()
    if parser.usesOwnForm { allowOwnForms() }
    for command in commands {
      if case .toBeRead(upTo: .word(let word)) = command.command.input {
        throw .textHasNoEnd(word)
      }
    }
    return commands
  }

  /// Runs a command list on each line; without one, prints each line and reads a list in reply.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - list: The command list.
  ///   - format: How lines are printed before a list is read.
  ///   - pattern: What to mark in lines that are printed.
  /// - Throws: The first error of a command, or `interrupted`.
  /// - Returns: Whether to go on.
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

  /// Prints the current line and reads a command list for it. `&` stands for the last one.
  ///
  /// - Returns: False if the reply is empty, which skips the line.
  private mutating func readList(
    _ list: inout [ParsedCommand]?, showing format: LineFormat
  ) throws(EditorError) -> Bool {
    let line = text.currentLine
    try readAnswer(.answer, about: try printed(LineRange(line), as: format), in: line)
    if !console.line.isEmpty && console.line != [.ampersand] {
      list = try commands(startingWith: console.line)
      // Lists that have run are kept if a later one is cut off.
      keeper.allEntered = []
      return true
    }
    return !console.line.isEmpty
  }

  /// Whether a command list is only `p`, and the output as it is in the text.
  private func isPlainPrint(_ list: [ParsedCommand]) -> Bool {
    guard !options.isFriendly, case .print(.plain) = onlyCommand(of: list) else { return false }
    return true
  }

  /// The command of a list that has no other, nor addresses or a suffix; nil for other lists.
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

  /// Fast path: runs a command list that is only `d`, `m0`, `m$`, `l`, `n` or a substitution in one pass over the
  /// text.
  ///
  /// - Returns: False if the list has to be run line by line.
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
    case .print(let format) where !options.isFriendly:
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
