import TextBuffer

extension Editor {
  /// Runs a command that works on lines of the buffer.
  mutating func executeOnLines<Source: LineSource & ~Copyable>(
    _ parsed: ParsedCommand, _ addresses: ResolvedAddresses, reading source: inout Source
  ) throws(EditorError) {
    switch parsed.command {
    case .append(let text):
      try checkFault(parsed)
      append(try read(text, from: &source, at: addresses.second + 1), after: addresses.second)
    case .insert(let text):
      try checkFault(parsed)
      insert(
        try read(text, from: &source, at: max(addresses.second, 1)), before: addresses.second)
    case .change(let text):
      let lines = try range(addresses, orElse: currentLine, currentLine)
      try checkFault(parsed)
      change(lines, to: try read(text, from: &source, at: lines.first.value))
    case .delete:
      let lines = try range(addresses, orElse: currentLine, currentLine)
      try checkFault(parsed)
      beginChange()
      delete(lines)
    case .join:
      let lines = try range(addresses, orElse: currentLine, currentLine + 1)
      try checkFault(parsed)
      beginChange()
      label = GroupLabel(.joined(lines))
      if lines.count > 1 { join(lines) }
    case .yank:
      let lines = try range(addresses, orElse: currentLine, currentLine)
      try checkFault(parsed)
      yank(lines)
    case .put:
      try checkFault(parsed)
      beginChange()
      guard let text = cut?.text else { throw .nothingToPut }
      label = GroupLabel(.put(lines: text.newlineCount, after: addresses.second))
      put(text, after: addresses.second)
    case .copy(let target):
      let lines = try range(addresses, orElse: currentLine, currentLine)
      let line = try destination(target)
      try checkFault(parsed)
      beginChange()
      label = GroupLabel(.copied(lines, after: line))
      put(buffer.slice(buffer.byteRange(of: lines)), after: line)
    case .move(let target):
      let lines = try range(addresses, orElse: currentLine, currentLine)
      let line = try destination(target)
      guard line < lines.first.value || line >= lines.last.value else { throw .invalidDestination }
      try checkFault(parsed)
      beginChange()
      label = GroupLabel(.moved(lines, after: line))
      move(lines, after: line)
    default: preconditionFailure("not a command on lines: \(parsed.command)")
    }
  }

  /// The address behind `m` or `t`.
  private mutating func destination(_ target: Addresses) throws(EditorError) -> Int {
    let resolved = try resolve(target)
    if options.traditional && resolved.count == 0 { throw .parse(.destinationExpected) }
    return resolved.second
  }

  /// Answers the text of a command: that of the list, or the lines up to `.` or the end of the
  /// input. `line` is the number that its first line will have.
  ///
  /// Who gives up a line keeps those before it.
  ///
  /// - Throws: That a person has given up the first line, so that nothing is to be changed.
  private mutating func read<Source: LineSource & ~Copyable>(
    _ text: InputText, from source: inout Source, at line: Int
  ) throws(EditorError) -> [UInt8] {
    switch text {
    case .given(let bytes): return bytes
    case .toBeRead:
      var bytes: [UInt8] = []
      var line = line
      while true {
        switch source.next(into: &scratch, for: textPurpose(line: line)) {
        case .line where scratch == [.dot] && !source.lineIsLiteral: return bytes
        case .line:
          line += 1
          noteBytes(of: scratch)
          bytes += scratch
          bytes.append(.newline)
        case .end, .failed:
          lastError = .endOfInput
          return bytes
        case .interrupted:
          if isFriendly && bytes.isEmpty { throw .interrupted }
          return bytes
        }
      }
    }
  }

  /// Puts text after a line.
  private mutating func append(_ text: [UInt8], after line: Int) {
    beginChange()
    currentLine = line
    if !text.isEmpty { insertText(text, after: line) }
  }

  /// Puts text before a line, line 0 being like line 1.
  private mutating func insert(_ text: [UInt8], before line: Int) {
    beginChange()
    currentLine = line
    if !text.isEmpty { insertText(text, after: max(line - 1, 0)) }
  }

  /// Puts text in the place of lines.
  private mutating func change(_ lines: LineRange, to text: [UInt8]) {
    beginChange()
    delete(lines)
    if !text.isEmpty { insertText(text, after: lines.first.value - 1) }
  }

  /// Inserts whole lines and makes the last of them the current one.
  private mutating func insertText(_ text: [UInt8], after line: Int) {
    let count = text.count { $0 == .newline }
    replaceLines(from: line + 1, removing: 0, with: text, count: count)
    currentLine = line + count
    isModified = true
  }

  /// Removes lines into the cut buffer. The line behind them becomes the current one, or else the
  /// last.
  mutating func delete(_ lines: LineRange) {
    cut = .removed(
      replaceLines(from: lines.first.value, removing: lines.count, with: [], count: 0))
    currentLine = min(lines.first.value, lastLine)
    isModified = true
  }

  /// Copies lines into the cut buffer.
  mutating func yank(_ lines: LineRange) {
    let text = buffer
    cut = .copied(text.slice(text.byteRange(of: lines)))
  }

  /// Makes one line of several.
  private mutating func join(_ lines: LineRange) {
    let text = buffer
    let bytes = text.byteRange(of: lines)
    let byteCount = bytes.upperBound - bytes.lowerBound
    if byteCount <= 1 << 16 {
      var joined: [UInt8] = []
      joined.reserveCapacity(byteCount)
      text.forEachLine(in: lines) { _, line in
        joined.append(line, in: 0..<line.byteCount)
        return true
      }
      joined.append(.newline)
      cut = .removed(
        replaceLines(from: lines.first.value, removing: lines.count, with: joined, count: 1))
    } else {
      // Straight to where it stays, so that memory has it once only.
      var joined = PieceTable.Builder(from: text)
      text.forEachLine(in: lines) { _, line in
        joined.append(line)
        return true
      }
      joined.append([.newline])
      cut = .removed(
        replaceLines(
          from: lines.first.value, removing: lines.count, with: joined.finish(), count: 1))
    }
    currentLine = lines.first.value
    isModified = true
  }

  /// Puts copies of lines after a line.
  private mutating func put(_ text: PieceTable, after line: Int) {
    let count = text.lineCount
    // Short texts are written anew, so that the copies are lines of their own to marks.
    if text.byteCount <= 1 << 16 {
      replaceLines(from: line + 1, removing: 0, with: text.bytes, count: count)
    } else {
      replaceLines(from: line + 1, removing: 0, with: text, count: count)
    }
    currentLine = line + count
    isModified = true
  }

  /// Moves lines to after a line that is not one of them, or the last of them.
  private mutating func move(_ lines: LineRange, after line: Int) {
    let (first, last, count) = (lines.first.value, lines.last.value, lines.count)
    isModified = true
    activeLines?.moveLines(from: first, count: count, after: line)
    if line == first - 1 || line == last {
      currentLine = last
      return
    }
    let target = LineNumber(line < first ? line : line - count)
    document.edit {
      let text = $0.removeLines(lines).removed
      $0.insertLines(text, after: target)
    }
    marks.moveLines(lines, after: line)
    currentLine = line + (line < first ? count : 0)
    noteEdit()
  }

  /// The one edit: puts `count` lines in the place of others; marks and active lines follow.
  @discardableResult
  mutating func replaceLines(
    from first: Int, removing removed: Int, with text: [UInt8], count: Int
  ) -> Change {
    follow(from: first, removing: removed, inserting: count)
    return document.edit { $0.replaceLines(LineRange(first, first + removed - 1), with: text) }
  }

  /// The same with text that shares its structure.
  @discardableResult
  mutating func replaceLines(
    from first: Int, removing removed: Int, with text: PieceTable, count: Int
  ) -> Change {
    follow(from: first, removing: removed, inserting: count)
    return document.edit { $0.replaceLines(LineRange(first, first + removed - 1), with: text) }
  }

  /// Lets marks and active lines follow a replacement of lines.
  ///
  /// `shift` tells by how much the numbers differ from those in the buffer, because of changes that
  /// are followed already but not yet made.
  mutating func follow(
    from first: Int, removing removed: Int, inserting inserted: Int, shift: Int = 0
  ) {
    if marks.areUsed {
      marks.replaceLines(
        from: first, removing: removed, inserting: inserted, in: buffer, shift: shift)
    }
    changedLine = min(changedLine, first)
    activeLines?.replaceLines(from: first, removing: removed, inserting: inserted)
    noteEdit()
  }
}
