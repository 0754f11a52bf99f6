import TextBuffer

extension PieceTable {
  /// The text with a newline at its end, as every text that is edited has one.
  var withLastNewline: PieceTable {
    if isEmpty || endsWithNewline { return self }
    var text = self
    text.insert([.newline], at: ByteOffset(byteCount))
    return text
  }

  /// The text without the newline at its end.
  var withoutLastNewline: PieceTable {
    endsWithNewline ? slice(ByteOffset(0)..<ByteOffset(byteCount - 1)) : self
  }

  /// Whether the last line has no newline; nil without lines.
  var lacksLastNewline: Bool? { isEmpty ? nil : !endsWithNewline }
}

extension PieceTable {
  /// Whether there are lines with a newline, and all of these end with CR LF.
  var endsWithReturns: Bool {
    let count = newlineCount
    guard count > 0, hasReturn(LineNumber(1)) else { return false }
    var hasReturns = true
    forEachLine(in: LineRange(1, count)) { _, line in
      hasReturns = line.byteCount > 0 && line[line.byteCount - 1] == .carriageReturn
      return hasReturns
    }
    return hasReturns
  }

  /// Whether a line ends with a carriage return.
  func hasReturn(_ line: LineNumber) -> Bool { self.line(line).last == .carriageReturn }
}

extension EditedText {
  /// Whether lines that take the place of others end with CR LF: those of the file do, and so do the lines beside them.
  func wantsReturns(at lines: LineRange) -> Bool {
    guard endsWithReturns else { return false }
    let other = lines.count > 0 ? lines.first : max(lines.first - 1, LineNumber(1))
    guard other <= lastLine, other > .zero else { return true }
    return buffer.hasReturn(other) || other == lastLine && lacksLastNewline
  }

  /// Gives a line that had no newline, and so no carriage return, one if it is not the last any more, and takes that of
  /// the last line.
  mutating func keepOpenEnd(_ oldLast: LineNumber) {
    guard endsWithReturns, keepsMissingNewline, lastLine > .zero else { return }
    for line in Set([min(oldLast, lastLine), lastLine]) where line > .zero {
      var bytes = buffer.line(line)
      if (line == lastLine) != (bytes.last == .carriageReturn) { continue }
      if line == lastLine { bytes.removeLast() } else { bytes.append(.carriageReturn) }
      replace(LineRange(line), with: bytes + [.newline], count: 1, keepsFirst: true)
    }
  }
}

/// The last newline of the file, which revisions of its text always have.
extension EditedText {
  /// Whether the file of a revision has no last newline.
  ///
  /// - Parameters:
  ///   - id: The revision.
  ///   - text: Its text.
  /// - Returns: Whether that is recorded with the revision.
  func isUnterminated(_ id: Int, _ text: PieceTable) -> Bool {
    !text.isEmpty
      && document.contextAfter(id).marks[Marks.unterminatedLine]?.value == text.newlineCount
  }

  /// Decides whether the last line is written without a newline, and whether that of the present revision is.
  mutating func setMissingNewline(_ isMissing: Bool) {
    keepsMissingNewline = isMissing && restoresMissingNewline
    if isBinary { marks[Marks.unterminatedLine] = isMissing ? lastLine : nil }
    if isInStep || isInGroup { return }
    let marks = revisionMarks
    document.updateContextAfter(history.current) { $0.marks = marks }
  }

  /// Gives a text that was empty, and so did not tell whether its last line has a newline, the end of a
  /// revision.
  mutating func restoreMissingNewline(of id: Int) {
    if restoresMissingNewline && isUnterminated(id, document.text(of: id)) {
      keepsMissingNewline = true
    }
  }

  /// Whether the file has no last newline once groups have been taken back; nil if they did not change that, or a
  /// later group did.
  func lacksLastNewline(without ids: Set<Int>) -> Bool? {
    func isMissing(_ context: EditorContext) -> Bool {
      context.marks[Marks.unterminatedLine] != nil
    }
    // The revision before may be of a run that did not tell; what the group found was noted with it.
    func hasChanged(_ id: Int) -> Bool {
      id > 0 && isMissing(document.contextBefore(id)) != isMissing(document.contextAfter(id))
    }
    guard restoresMissingNewline, ids.contains(where: hasChanged) else { return nil }
    var result: Bool?
    for id in history.path(to: 0).back where hasChanged(id) {
      if !ids.contains(id) { break }
      result = isMissing(document.contextBefore(id))
    }
    return result
  }

  /// The latest revision before the present one whose text has lines.
  var latestRevisionWithLines: Int? {
    history.path(to: 0).back.lazy.map { history[$0].parent ?? 0 }
      .first { document.contextAfter($0).line > .zero }
  }
}
