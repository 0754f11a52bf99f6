import Glibc
import TextBuffer

/// Text that is entered behind a command: `a i c`.
extension Editor {
  /// Runs `a` or `i`: inserts entered text after a line. Without text, `current` becomes the current
  /// line.
  mutating func enter(
    _ input: InputText, after line: LineNumber, current: LineNumber
  ) throws(EditorError) {
    let new = try read(input, replacing: LineRange(line + 1, line))
    try perform {
      $0.text.currentLine = current
      if !new.bytes.isEmpty { $0.text.insert(new.bytes, after: line) }
    }
    try finish(new)
  }

  mutating func change(_ lines: LineRange, to input: InputText) throws(EditorError) {
    let new = try read(input, replacing: lines)
    try perform {
      if new.bytes.isEmpty {
        $0.text.delete(lines)
      } else {
        $0.text.change(lines, to: new.bytes)
      }
    }
    try finish(new)
  }

  /// A text as it was entered.
  struct Entry {
    var bytes: [UInt8] = []
    /// Whether a line ended it that is there for that, such as a period.
    var isClosed = false
    /// Whether a signal ended it.
    var isInterrupted = false
  }

  /// Closes the group of a text that a person has ended, so that the next text is a group of its own.
  ///
  /// - Throws: `interrupted`, as ed says so and keeps the text; a person sees it.
  private mutating func finish(_ entry: Entry) throws(EditorError) {
    keeper.allEntered = []
    if entry.isInterrupted && !options.isFriendly { throw .interrupted }
    if entry.isClosed && options.isFriendly && !text.document.isInTransaction {
      text.document.closeGroup()
    }
  }

  /// Entered text: that of the command list, or else what follows in the input.
  private mutating func read(
    _ input: InputText, replacing lines: LineRange
  ) throws(EditorError) -> Entry {
    switch input {
    case .given(let bytes):
      return Entry(bytes: text.usesCRLF ? bytes.withoutCRLF : bytes)
    case .toBeRead(upTo: let end):
      return try readText(upTo: end, at: lines.first, replacing: lines)
    }
  }

  /// Reads the lines up to `end`, which is consumed. The first of them will be line `line`.
  ///
  /// The end of the input or an interrupt ends a text that a period would end.
  ///
  /// - Parameters:
  ///   - end: What ends the text.
  ///   - line: The number that the first line will have.
  ///   - lines: The lines that the text replaces; nil if it will not become part of the text. Should it be cut off,
  ///     it does, behind the current line.
  /// - Throws: `interrupted` if a person interrupts the first line. If a here-document is interrupted, or
  ///   has no end: `interrupted`, `textHasNoEnd`, or `endOfInput` at a terminal.
  /// - Returns: The text.
  @discardableResult
  mutating func readText(
    upTo end: TextEnd, at line: LineNumber, replacing lines: LineRange? = nil
  ) throws(EditorError) -> Entry {
    let endLine = end.line
    let isAtTerminal = console.inputKind == .terminal
    var entry = Entry()
    var line = line
    let lastKept = text.currentLine + keeper.enteredLineCount
    var place = lines ?? LineRange(lastKept + 1, lastKept)
    // At a terminal that has been done before the prompt.
    var isRecorded = isAtTerminal
    // The rest of a text for which memory is too short must not be run as commands.
    var isShort = false
    if options.isFriendly, end == .period, firstSteps.tellsEnd() {
      console.say(.endOfText)
      console.rendering.flush()
    }
    while true {
      if !isRecorded { isRecorded = recordHistoryBeforeWaiting() }
      switch console.read(LineRequest(kind: .text, line: line)) {
      case .line where console.line == endLine && !console.lineIsLiteral:
        if isShort { throw .outOfMemory }
        if end == .period { firstSteps.finish() }
        text.checkForNUL(in: entry.bytes)
        entry.isClosed = true
        return entry
      case .line:
        let start = entry.bytes.count
        let needed = start + console.line.count + 1
        // Bytes that grow are copied, and then once more into the text.
        if needed > entry.bytes.capacity && Memory.isShort(for: 4 * needed) { isShort = true }
        if isShort {
          entry.bytes = []
          continue
        }
        entry.bytes += console.line
        if text.usesCRLF && console.line.last == .carriageReturn { entry.bytes.removeLast() }
        entry.bytes.append(.newline)
        line = line + 1
        if !isAtTerminal { continue }
        let entered = console.line
        let pasted = console.takePastedLines(before: endLine)
        for pasted in pasted {
          let bytes = pasted + [.newline]
          entry.bytes += text.usesCRLF ? bytes.withoutCRLF : bytes
        }
        keep(EnteredLines(replaced: place, text: Array(entry.bytes[start...])))
        console.showPasted(pasted, from: line)
        if options.isFriendly, end == .period, firstSteps.tellsOfText(entered) {
          console.say(.textLooksLikeCommand(entered))
          console.rendering.flush()
        }
        line = line + pasted.count
        place = LineRange(place.first + (1 + pasted.count), place.first + pasted.count)
      case .end, .failed:
        if case .word(let word) = end {
          throw isAtTerminal ? .endOfInput : .textHasNoEnd(word)
        }
        if isShort { throw .outOfMemory }
        console.lastError = .endOfInput
        text.checkForNUL(in: entry.bytes)
        return entry
      case .interrupted where end != .period && !isAtTerminal && !Interrupts.hangUp:
        // In a script the rest of it is still text.
        try readText(upTo: end, at: line)
        throw .interrupted
      case .interrupted:
        if end != .period || options.isFriendly && entry.bytes.isEmpty { throw .interrupted }
        entry.isInterrupted = true
        text.checkForNUL(in: entry.bytes)
        return entry
      }
    }
  }

  /// Makes the lines of a text that was cut off at a terminal a group, and takes that back, so that `redo` brings
  /// them back. If the terminal is gone they stay in the text.
  mutating func keepCutOffText() {
    let entered = keeper.allEntered
    guard let place = entered.first?.replaced, !options.isStrict else { return }
    let lines = entered.flatMap(\.text)
    let count = lines.count { $0 == .newline }
    let isInGroup = text.document.isInTransaction
    // It is a group of its own.
    if !isInGroup { text.document.closeGroup() }
    try? perform {
      $0.text.replace(place, with: lines, count: count)
      $0.text.currentLine = place.first + (count - 1)
      $0.text.save.isDirty = true
    }
    if !isInGroup { text.document.closeGroup() }
    if Interrupts.hangUp || isatty(STDIN_FILENO) == 0 { return }
    failureDetail = .cutOff(lines: count, isInGroup: isInGroup)
    _ = try? text.undo()
  }

  /// Stores lines that have been entered at a terminal, before the next ones are asked for.
  mutating func keep(_ lines: EnteredLines) {
    keeper.keepEntered(lines, into: text)
    let notices = keeper.takeNotices()
    for notice in notices { console.say(.notice(notice)) }
    if !notices.isEmpty { console.rendering.flush() }
  }
}
