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

  /// The text as it is written.
  ///
  /// - Parameters:
  ///   - lacksNewline: Whether the last line has no newline in the file, and so no carriage return.
  ///   - usesCRLF: Whether the other lines end with CR LF there.
  /// - Returns: The bytes of the file.
  func inFile(lackingNewline lacksNewline: Bool, usingCRLF usesCRLF: Bool) -> PieceTable {
    let text = lacksNewline ? withoutLastNewline : self
    return usesCRLF ? text.withCRLF : text
  }

  /// Whether the last line has no newline; nil without lines.
  var lacksLastNewline: Bool? { isEmpty ? nil : !endsWithNewline }
}

/// Lines that end with CR LF in a file.
extension PieceTable {
  /// Parts of fewer bytes are copied when line ends are replaced: a piece takes as much memory.
  private static let smallPart = 256

  /// Whether there are lines with a newline, and all of these end with CR LF, and a last line without not with CR.
  var usesCRLF: Bool {
    let last = newlineCount == lineCount ? [] : line(LineNumber(lineCount))
    return newlineCount > 0 && last.last != .carriageReturn
      && !hasLine { $0.byteCount == 0 || $0[$0.byteCount - 1] != .carriageReturn }
  }

  /// Whether a line with a newline ends with CR LF.
  var hasReturns: Bool {
    hasLine { $0.byteCount > 0 && $0[$0.byteCount - 1] == .carriageReturn }
  }

  /// The text with a carriage return before each newline.
  var withCRLF: PieceTable {
    var builder = Builder(from: self, copyingBelow: Self.smallPart)
    var end = ByteOffset(0)
    _ = hasLine { line in
      builder.keep(end..<end + line.byteCount)
      builder.append([.carriageReturn, .newline])
      end = end + (line.byteCount + 1)
      return false
    }
    builder.keep(end..<ByteOffset(byteCount))
    return builder.finish()
  }

  /// The text with each CR LF replaced by LF; nil when memory is too short for its pieces.
  var withoutCRLF: PieceTable? {
    var builder = Builder(
      from: self, copyingBelow: max(Self.smallPart, Memory.leastShared(of: byteCount)))
    var (start, end, count) = (ByteOffset(0), ByteOffset(0), 0)
    let isShort = hasLine { line in
      end = end + (line.byteCount + 1)
      if line.byteCount > 0, line[line.byteCount - 1] == .carriageReturn {
        builder.keep(start..<end - 2)
        start = end - 1
      }
      count += 1
      return count & 4095 == 0 && Memory.isShort(for: builder.pieceCount * 4)
    }
    if isShort { return nil }
    builder.keep(start..<ByteOffset(byteCount))
    return builder.finish()
  }

  /// Whether a line with a newline is as asked for.
  private func hasLine(where isWanted: (RawSpan) -> Bool) -> Bool {
    var isFound = false
    if newlineCount > 0 {
      forEachLine(in: LineRange(1, newlineCount)) { _, line in
        isFound = isWanted(line)
        return !isFound
      }
    }
    return isFound
  }
}

extension EditedText {
  /// The text as its file has it, but with a newline at its end.
  var wholeFileText: PieceTable { buffer.inFile(lackingNewline: false, usingCRLF: usesCRLF) }

  /// The text with the carriage returns of its file.
  var withReturns: PieceTable {
    buffer.inFile(lackingNewline: lacksLastNewline, usingCRLF: usesCRLF).withLastNewline
  }

  /// Gives the text the carriage returns of its file, in the open step or before it has a history.
  mutating func showReturns() {
    let (line, shown) = (currentLine, withReturns)
    if isInStep {
      label = GroupLabel(.carriageReturnsShown)
      replace(LineRange(LineNumber(1), lastLine), with: shown, count: lastLine.value)
    } else {
      let context = EditorContext(
        line: line, marks: marks, label: document.contextAfter(0).label)
      document = Document(shown, context: context, date: SystemClock.now)
    }
    (currentLine, usesCRLF) = (line, false)
  }

  /// The text of a revision with the line ends of the present text.
  ///
  /// - Throws: `interrupted`.
  func comparableText(of id: Int) throws(EditorError) -> PieceTable {
    let text = try text(of: id)
    if document.contextAfter(id).usesCRLF == usesCRLF { return text }
    return usesCRLF ? text.withoutCRLF ?? text : text.withCRLF
  }

  /// A text that was read, with the line ends of the present text.
  func comparable(_ read: PieceTable) -> PieceTable {
    let text = read.withLastNewline
    return usesCRLF ? text.withoutCRLF ?? text : text
  }
}

extension [UInt8] {
  /// Lines with each CR LF replaced by LF.
  var withoutCRLF: [UInt8] {
    var lines: [UInt8] = []
    for byte in self {
      if byte == .newline && lines.last == .carriageReturn { lines.removeLast() }
      lines.append(byte)
    }
    return lines
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
