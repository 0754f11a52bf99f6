import TextBuffer

extension Editor {
  /// Runs `g`, `v`, `G` or `V`: marks lines, then runs the list on each.
  mutating func executeGlobal<Source: LineSource & ~Copyable>(
    _ global: Global, _ parsed: ParsedCommand, _ addresses: ResolvedAddresses,
    reading source: inout Source, writing renderer: inout Renderer
  ) throws(EditorError) -> Outcome {
    if activeLines != nil { throw .parse(.globalInGlobal) }
    let lines = try range(addresses, orElse: 1, lastLine)
    guard let patternText = global.pattern else {
      try checkFault(parsed)
      return .goOn
    }
    let pattern = try compile(patternText)
    try checkFault(parsed)
    if global.isInteractive {
      let found = try matches(of: pattern, in: lines, inverted: global.isInverted)
      defer { labelGlobal(global, pattern, lines: found.count) }
      let outcome = try visit(
        found, showing: parsed.format, reading: &source, writing: &renderer)
      if outcome == .goOn { try printCurrentLine(as: parsed.format, to: &renderer) }
      return outcome
    }
    let list = try commands(startingWith: global.list, reading: &source)
    let found = try matches(of: pattern, in: lines, inverted: global.isInverted)
    defer { labelGlobal(global, pattern, lines: found.count) }
    return try visit(found, list, reading: &source, writing: &renderer)
  }

  /// Says that the present command was a global one.
  private mutating func labelGlobal(_ global: Global, _ pattern: Pattern, lines: Int) {
    label = GroupLabel(
      .global(
        pattern: pattern.source, list: global.list, isInverted: global.isInverted, lines: lines))
  }

  /// The lines in a range that match, or that do not.
  private func matches(
    of pattern: Pattern, in lines: LineRange, inverted: Bool
  ) throws(EditorError) -> [Int] {
    var matches: [Int] = []
    var next = lines.first.value
    var matching = MatchingLines(of: pattern, isBinary: isBinary)
    var nextCheck = 0
    var isShort = false
    /// Notes whether the next matches, and what is to be kept of them all, are too much for memory.
    func check(_ count: Int) {
      if count < nextCheck { return }
      nextCheck = count + 65_536
      isShort = isShort || Memory.isShort(for: Self.bytesPerVisit * nextCheck)
    }
    matching.forEach(in: lines, of: buffer) { number, _, _ in
      if inverted {
        check(matches.count + number.value - next)
        if isShort { return false }
        matches += next..<number.value
      } else {
        check(matches.count)
        matches.append(number.value)
      }
      next = number.value + 1
      return !isShort
    }
    if inverted && next <= lines.last.value {
      check(matches.count + lines.last.value - next)
      if !isShort { matches += next...lines.last.value }
    }
    if Interrupts.isInterrupted { throw .interrupted }
    if isShort { throw .outOfMemory }
    return matches
  }

  /// How much memory a line that is to be visited may still take: its number in a list that grows, and
  /// in another.
  private static let bytesPerVisit = 24

  /// The commands of a list, whose further lines are read as long as a backslash continues it.
  private mutating func commands<Source: LineSource & ~Copyable>(
    startingWith line: [UInt8], reading source: inout Source
  ) throws(EditorError) -> [ParsedCommand] {
    if options.traditional && line.isEmpty {
      return CommandParser.commands(ofList: [UInt8(ascii: "p")])
    }
    let list = try extended(line, keepingNewlines: true, reading: &source)
    return CommandParser.commands(ofList: list)
  }

  /// A line with those that escaped newlines join to it. The backslashes go.
  mutating func extended<Source: LineSource & ~Copyable>(
    _ line: [UInt8], keepingNewlines: Bool, reading source: inout Source
  ) throws(EditorError) -> [UInt8] {
    var text = line
    while text.endsWithEscape {
      text.removeLast()
      if keepingNewlines { text.append(.newline) }
      try readReply(from: &source)
      text += scratch
      // An empty line ends the text, whatever stands before it.
      if scratch.isEmpty { return text }
    }
    return text
  }

  /// Runs a list on each of several lines.
  private mutating func visit<Source: LineSource & ~Copyable>(
    _ lines: [Int], _ list: [ParsedCommand],
    reading source: inout Source, writing renderer: inout Renderer
  ) throws(EditorError) -> Outcome {
    beginChange()
    if try runInOnePass(list, onEachOf: lines, reading: &source) { return .goOn }
    activeLines = ActiveLines(lines)
    defer { activeLines = nil }
    while let line = activeLines?.next() {
      if Interrupts.isInterrupted { throw .interrupted }
      currentLine = line
      for command in list {
        let outcome = try execute(command, reading: &source, writing: &renderer)
        if outcome != .goOn { return outcome }
      }
    }
    return .goOn
  }

  /// Shows each of several lines and runs the list that is given in answer: nothing skips the line,
  /// `&` repeats the last list.
  private mutating func visit<Source: LineSource & ~Copyable>(
    _ lines: [Int], showing format: LineFormat,
    reading source: inout Source, writing renderer: inout Renderer
  ) throws(EditorError) -> Outcome {
    beginChange()
    keepsInterrupted = true
    activeLines = ActiveLines(lines)
    defer { activeLines = nil }
    var list: [ParsedCommand]?
    while let line = activeLines?.next() {
      currentLine = line
      try print(LineRange(line, line), as: format, to: &renderer)
      if renderer.isTerminal { renderer.flush() }
      try readReply(from: &source, isAnswer: true)
      if scratch.isEmpty { continue }
      if scratch != [.ampersand] {
        let text = try extended(scratch, keepingNewlines: true, reading: &source)
        list = CommandParser.commands(ofList: text)
      }
      guard let list else { throw .noPreviousCommand }
      for command in list {
        let outcome = try execute(command, reading: &source, writing: &renderer)
        if outcome != .goOn { return outcome }
      }
    }
    return .goOn
  }

  /// Reads one more line that belongs to a command into `scratch`.
  mutating func readReply<Source: LineSource & ~Copyable>(
    from source: inout Source, isAnswer: Bool = false
  ) throws(EditorError) {
    switch source.next(into: &scratch, for: replyPurpose(isAnswer: isAnswer)) {
    case .line: noteBytes(of: scratch)
    case .end, .failed: throw .endOfInput
    case .interrupted: throw .interrupted
    }
  }

  /// Notes whether a line of the script has a NUL, which makes the text binary.
  mutating func noteBytes(of line: [UInt8]) {
    if !isBinary && line.contains(0) { isBinary = true }
  }
}
