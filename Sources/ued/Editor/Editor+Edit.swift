import TextBuffer

/// Editing lines where they are: `edit`.
extension Editor {
  /// Shows each line of a range, ready to be changed, and stores what becomes of it.
  ///
  /// Whoever gives up a line leaves it as it was, and ends the command; the lines before it stay as
  /// they have been stored. All of it is one group.
  ///
  /// - Throws: When a line can't be edited, or nobody is there to do it.
  mutating func editLines<Source: LineSource & ~Copyable>(
    _ addresses: ResolvedAddresses, reading source: inout Source
  ) throws(EditorError) {
    let lines = try range(addresses, orElse: currentLine, currentLine)
    guard source.editsLines else { throw .needsTerminal(.edit) }
    beginChange()
    var line = lines.first.value
    /// The first and the last line that became another one, as they were numbered at the start.
    var changed: LineRange?
    for number in lines.first.value...lines.last.value {
      currentLine = line
      let old = buffer.line(LineNumber(line))
      guard TerminalLines.canEdit(old) else { throw .lineCantBeEdited(line) }
      let purpose = LinePurpose(
        kind: .edit, prompt: textPurpose(line: line).prompt, draft: old)
      let status = source.next(into: &scratch, for: purpose)
      guard status == .line else { break }
      var count = 1
      if scratch != old {
        changed = LineRange(changed?.first.value ?? number, number)
        label = changed.map { GroupLabel(.linesEdited($0)) }
        scratch.append(.newline)
        count = scratch.count { $0 == .newline }
        yank(LineRange(line, line))
        replaceLines(from: line, removing: 1, with: scratch, count: count)
        isModified = true
      }
      line += count
      currentLine = line - 1
    }
  }
}
