import TextBuffer

/// The commands that put, take and move lines: `a c i j m t x`, and `edit`.
extension Editor {
  // MARK: - Text that is entered

  mutating func append(_ input: InputText, after line: LineNumber) throws(EditorError) {
    let new = try read(input, at: line + 1)
    try perform {
      $0.text.currentLine = line
      if !new.isEmpty { $0.text.insert(new, after: line) }
    }
  }

  /// Puts text before a line, line 0 being like line 1.
  mutating func insert(_ input: InputText, before line: LineNumber) throws(EditorError) {
    let new = try read(input, at: max(line, LineNumber(1)))
    try perform {
      $0.text.currentLine = line
      if !new.isEmpty { $0.text.insert(new, after: max(line - 1, .zero)) }
    }
  }

  mutating func change(_ lines: LineRange, to input: InputText) throws(EditorError) {
    let new = try read(input, at: lines.first)
    try perform {
      $0.text.delete(lines)
      if !new.isEmpty { $0.text.insert(new, after: lines.first - 1) }
    }
  }

  /// The text of a command: that of the list, or the lines up to `.` or the end of the input. `line`
  /// is the number that its first line will have.
  ///
  /// An interrupt keeps the lines before it.
  ///
  /// - Throws: That a person has given up the first line, so that nothing is to be changed.
  private mutating func read(
    _ input: InputText, at line: LineNumber
  ) throws(EditorError) -> [UInt8] {
    if case .given(let bytes) = input { return bytes }
    var bytes: [UInt8] = []
    var line = line
    while true {
      switch console.read(LineRequest(kind: .text, line: line)) {
      case .line where console.line == [.dot] && !console.lineIsLiteral: return bytes
      case .line:
        line = line + 1
        text.noteBytes(of: console.line)
        bytes += console.line
        bytes.append(.newline)
      case .end, .failed:
        console.lastError = .endOfInput
        return bytes
      case .interrupted:
        if options.isFriendly && bytes.isEmpty { throw .interrupted }
        return bytes
      }
    }
  }

  /// Reads one more line that belongs to a command into the console's line.
  mutating func readReply(_ request: LineRequest = LineRequest(kind: .continuation))
    throws(EditorError)
  {
    try console.readReply(request)
    text.noteBytes(of: console.line)
  }

  /// A line with those that escaped newlines join to it. The backslashes go.
  mutating func extended(
    _ line: [UInt8], keepingNewlines: Bool
  ) throws(EditorError) -> [UInt8] {
    var text = line
    while text.endsWithEscape {
      text.removeLast()
      if keepingNewlines { text.append(.newline) }
      try readReply()
      text += console.line
      // An empty line ends the text, whatever stands before it.
      if console.line.isEmpty { return text }
    }
    return text
  }

  // MARK: - Lines of the text

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

  /// The address behind `m` or `t`.
  private mutating func destination(_ target: Addresses) throws(EditorError) -> LineNumber {
    let resolved = try resolve(target)
    if options.traditional && resolved.count == 0 { throw .parse(.destinationExpected) }
    return resolved.second
  }

  // MARK: - Lines that are edited where they are

  /// Shows each line of a range, ready to be changed, and stores what becomes of it.
  ///
  /// Whoever gives up a line leaves it as it was, and ends the command; the lines before it stay as
  /// they have been stored. All of it is one group.
  ///
  /// - Throws: When a line can't be edited, or nobody is there to do it.
  mutating func edit(_ lines: LineRange) throws(EditorError) {
    guard console.editsLines else { throw .needsTerminal(.edit) }
    try perform { (editor) throws(EditorError) in try editor.editEach(of: lines) }
  }

  private mutating func editEach(of lines: LineRange) throws(EditorError) {
    var line = lines.first
    var number = lines.first
    /// The first and the last line that became another one, as they were numbered at the start.
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
        text.replace(LineRange(line), with: new, count: count)
        text.save.isDirty = true
      }
      line = line + count
      number = number + 1
      text.currentLine = line - 1
    }
  }
}
