import TextBuffer

/// The edits that commands consist of. Marks, the lines of a global command and the current line follow.
extension EditedText {
  // MARK: - Lines

  /// Inserts whole lines after a line and makes the last of them the current one.
  mutating func insert(_ text: [UInt8], after line: LineNumber) {
    let count = text.count { $0 == .newline }
    replace(LineRange(line + 1, line), with: text, count: count)
    currentLine = line + count
    save.isDirty = true
  }

  /// Removes lines into the cut buffer. The line behind them becomes the current one, or else the
  /// last.
  mutating func delete(_ lines: LineRange) {
    cut = .removed(replace(lines, with: [], count: 0))
    currentLine = min(lines.first, lastLine)
    save.isDirty = true
  }

  /// Copies lines into the cut buffer.
  mutating func yank(_ lines: LineRange) {
    cut = .copied(slice(lines))
  }

  /// Lines as a text of their own, which shares its structure with this one.
  func slice(_ lines: LineRange) -> PieceTable {
    let text = buffer
    return text.slice(text.byteRange(of: lines))
  }

  /// Makes one line of several; the old ones go to the cut buffer.
  mutating func join(_ lines: LineRange) {
    let text = buffer
    let bytes = text.byteRange(of: lines)
    if bytes.upperBound - bytes.lowerBound <= Self.shortText {
      var joined: [UInt8] = []
      joined.reserveCapacity(bytes.upperBound - bytes.lowerBound)
      text.forEachLine(in: lines) { _, line in
        joined.append(line, in: 0..<line.byteCount)
        return true
      }
      joined.append(.newline)
      cut = .removed(replace(lines, with: joined, count: 1))
    } else {
      // Straight to where it stays, so that memory has it once only.
      var joined = PieceTable.Builder(from: text)
      text.forEachLine(in: lines) { _, line in
        joined.append(line)
        return true
      }
      joined.append([.newline])
      cut = .removed(replace(lines, with: joined.finish(), count: 1))
    }
    currentLine = lines.first
    save.isDirty = true
  }

  /// Inserts copies of lines after a line and makes the last of them the current one.
  mutating func insertCopy(of text: PieceTable, after line: LineNumber) {
    let count = text.lineCount
    let place = LineRange(line + 1, line)
    // Short texts are written anew, so that the copies are lines of their own to marks.
    if text.byteCount <= Self.shortText {
      replace(place, with: text.bytes, count: count)
    } else {
      replace(place, with: text, count: count)
    }
    currentLine = line + count
    save.isDirty = true
  }

  /// Moves lines to after a line that is not one of them, or the last of them; the last one becomes
  /// the current one.
  mutating func move(_ lines: LineRange, after line: LineNumber) {
    save.isDirty = true
    activeLines?.move(lines, after: line)
    if line == lines.first - 1 || line == lines.last {
      currentLine = lines.last
      return
    }
    let target = line < lines.first ? line : line - lines.count
    document.edit {
      let text = $0.removeLines(lines).removed
      $0.insertLines(text, after: target)
    }
    marks.move(lines, after: line)
    currentLine = target + lines.count
    didEdit()
  }

  /// Texts of up to this many bytes are copied rather than shared.
  private static let shortText = 1 << 16

  // MARK: - The one edit

  /// Replaces lines by `count` others. Whether there is something to lose then is for the caller to
  /// say.
  @discardableResult
  mutating func replace(_ lines: LineRange, with text: [UInt8], count: Int) -> Change {
    follow(lines, inserting: count)
    return document.edit { $0.replaceLines(lines, with: text) }
  }

  /// Replaces lines by `count` others, with which the text then shares its structure.
  @discardableResult
  mutating func replace(_ lines: LineRange, with text: PieceTable, count: Int) -> Change {
    follow(lines, inserting: count)
    return document.edit { $0.replaceLines(lines, with: text) }
  }

  /// Replaces lines by others, of which nobody follows single ones.
  mutating func replaceUnfollowed(_ lines: LineRange, with text: PieceTable) {
    document.edit { $0.replaceLines(lines, with: text) }
    didEdit()
    save.isDirty = true
  }

  /// Lets marks and active lines follow a replacement of lines by `inserted` others.
  ///
  /// `shift` tells by how much the numbers differ from those in the buffer, because of changes that
  /// are followed already but not yet made.
  mutating func follow(_ lines: LineRange, inserting inserted: Int, shift: Int = 0) {
    if marks.areUsed { marks.replace(lines, inserting: inserted, in: buffer, shift: shift) }
    changedLine = min(changedLine, lines.first)
    activeLines?.replace(lines, inserting: inserted)
    didEdit()
  }

  /// Notes that the text is no longer what it was.
  mutating func didEdit() {
    undoPoint?.hasChanges = true
    if save.unrecorded == .current { save.unrecorded = .outdated }
  }

  // MARK: - Many lines in one pass

  /// Removes single lines, which ascend; the last of them goes to the cut buffer.
  mutating func delete(eachOf lines: [LineNumber]) {
    let old = buffer
    var builder = PieceTable.Builder(
      from: old, copyingBelow: Memory.leastShared(of: old.byteCount))
    let span = LineRange(lines[0], lines[lines.count - 1])
    Self.keep(span, of: old, without: lines, in: &builder)
    yank(LineRange(span.last))
    replaceUnfollowed(span, with: builder.finish())
    currentLine = min(span.last - (lines.count - 1), lastLine)
  }

  /// Moves single lines, in the order given, to the start or to the end of the text.
  mutating func gather(_ lines: some Collection<LineNumber>, before: Bool) {
    let old = buffer
    let ascending = lines.sorted()
    var builder = PieceTable.Builder(
      from: old, copyingBelow: Memory.leastShared(of: old.byteCount))
    let all = LineRange(LineNumber(1), lastLine)
    if !before { Self.keep(all, of: old, without: ascending, in: &builder) }
    for line in lines { builder.keep(old.byteRange(of: LineRange(line))) }
    if before { Self.keep(all, of: old, without: ascending, in: &builder) }
    replaceUnfollowed(all, with: builder.finish())
    currentLine = before ? LineNumber(1) : lastLine
  }

  /// Keeps a range of lines but for some of them.
  private static func keep(
    _ lines: LineRange, of text: PieceTable, without excluded: [LineNumber],
    in builder: inout PieceTable.Builder
  ) {
    var next = lines.first
    for line in excluded {
      if next < line { builder.keep(text.byteRange(of: LineRange(next, line - 1))) }
      next = line + 1
    }
    if next <= lines.last {
      builder.keep(text.byteRange(of: LineRange(next, lines.last)))
    }
  }
}
