import TextBuffer

/// Commands that insert, delete and move lines: `a c i j m t x`, and `edit`.
extension Editor {
  /// Reads a further line of a command into the console's line.
  mutating func readReply(_ request: LineRequest = LineRequest(kind: .continuation))
    throws(EditorError)
  {
    // At a terminal that has been done before the prompt of the command.
    if console.inputKind != .terminal { recordHistoryBeforeWaiting() }
    try console.readReply(request)
    text.checkForNUL(in: console.line)
  }

  /// Shows what an answer is asked about, and reads it into the console's line.
  ///
  /// - Throws: If the input has ended, or an interrupt came first.
  mutating func readAnswer(
    _ kind: LineRequest.Kind, about question: Output, in line: LineNumber
  ) throws(EditorError) {
    var request = LineRequest(kind: kind, line: line)
    request.question = console.ask(about: question)
    if Interrupts.isInterrupted { throw .interrupted }
    try readReply(request)
  }

  /// Takes an interrupt that has come while a reply of a program was read. The program may have sent further ones ahead and
  /// means them for this command, which reads them all before it ends.
  func takeInterruptOfDialogue() -> Bool { options.isDialogue && Interrupts.takeInterrupt() }

  /// A line joined with its continuation lines, without the backslashes before the newlines.
  ///
  /// A list of commands is read `keepingNewlines`. At a terminal, lines of text in it are stored as they are entered.
  mutating func extended(
    _ line: [UInt8], keepingNewlines: Bool
  ) throws(EditorError) -> [UInt8] {
    let keepsLines = keepingNewlines && console.inputKind == .terminal
    var text = line
    // What ends the text that is being entered, and where the command that is being entered begins.
    var (end, start) = (TextEnd?.none, 0)
    var lastKept = self.text.currentLine + keeper.enteredLineCount
    while text.endsWithEscape {
      text.removeLast()
      let endsCommand = text.last != .backslash
      if keepingNewlines { text.append(.newline) }
      if keepsLines && end == nil {
        var parser = CommandParser(
          list: Array(text[start...]), allowsOwnForms: script.ownForms != .refused)
        _ = parser.all()
        end = parser.openEnd
        if end == nil && endsCommand { start = text.count }
      }
      try readReply()
      text += console.line
      // An empty line ends the text, even after an escape.
      if console.line.isEmpty { return text }
      guard let textEnd = end else { continue }
      let entered =
        (console.line.endsWithEscape ? console.line.dropLast() : console.line) + [.newline]
      if entered.dropLast().elementsEqual(textEnd.line) {
        (end, start) = (nil, text.count)
      } else {
        keep(
          EnteredLines(
            replaced: LineRange(lastKept + 1, lastKept),
            text: self.text.usesCRLF ? Array(entered).withoutCRLF : Array(entered)))
        lastKept = lastKept + 1
      }
    }
    return text
  }

  // MARK: - Lines

  mutating func join(_ lines: LineRange) throws(EditorError) {
    try perform {
      $0.text.label = GroupLabel(.joined(lines))
      if lines.count > 1 { $0.text.join(lines) }
    }
  }

  mutating func put(after line: LineNumber) throws(EditorError) {
    try perform { (editor) throws(EditorError) in
      guard let cut = editor.text.cut?.text else { throw .nothingToPut }
      editor.text.label = GroupLabel(.put(lines: cut.newlineCount, after: line))
      editor.text.insertCopy(of: cut, after: line)
    }
  }

  mutating func copy(
    _ lines: LineRange, to target: Addresses, fault: ParseError?
  ) throws(EditorError) {
    let line = try destination(target)
    if let fault { throw .parse(fault) }
    try perform {
      $0.text.label = GroupLabel(.copied(lines, after: line))
      $0.text.insertCopy(of: $0.text.slice(lines), after: line)
    }
  }

  mutating func move(
    _ lines: LineRange, to target: Addresses, fault: ParseError?
  ) throws(EditorError) {
    let line = try destination(target)
    guard line < lines.first || line >= lines.last else { throw .invalidDestination }
    if let fault { throw .parse(fault) }
    try perform {
      $0.text.label = GroupLabel(.moved(lines, after: line))
      $0.text.move(lines, after: line)
    }
  }

  /// Resolves the destination of `m` or `t`.
  private mutating func destination(_ target: Addresses) throws(EditorError) -> LineNumber {
    let resolved = try resolve(target)
    if options.traditional && resolved.count == 0 { throw .parse(.destinationExpected) }
    return resolved.second
  }

  // MARK: - Editing in place

  /// Runs `edit`: lets a person edit each line of a range at the terminal, as one group.
  ///
  /// An interrupt leaves its line unchanged and ends the command; edits before it are kept.
  mutating func edit(_ lines: LineRange) throws(EditorError) {
    guard console.editsLines else { throw .needsTerminal(.edit) }
    try perform { (editor) throws(EditorError) in try editor.editEach(of: lines) }
  }

  private mutating func editEach(of lines: LineRange) throws(EditorError) {
    var line = lines.first
    var number = lines.first
    /// The range from the first to the last changed line, as numbered at the start.
    var changed: LineRange?
    while number <= lines.last {
      text.currentLine = line
      let old = text.buffer.line(line)
      guard console.canEdit(old) else { throw .lineCantBeEdited(line) }
      guard console.read(LineRequest(kind: .edit, line: line, draft: old)) == .line
      else { break }
      var new = console.line
      var count = 1
      if new != old {
        changed = LineRange(changed?.first ?? number, number)
        text.label = changed.map { GroupLabel(.linesEdited($0)) }
        new.append(.newline)
        count = new.count { $0 == .newline }
        text.yank(LineRange(line))
        text.replace(LineRange(line), with: new, count: count, keepsFirst: true)
        text.save.isDirty = true
        keep(EnteredLines(replaced: LineRange(line), text: new))
      }
      line = line + count
      number = number + 1
      text.currentLine = line - 1
    }
  }
}
