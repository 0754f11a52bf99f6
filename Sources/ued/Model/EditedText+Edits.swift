import TextBuffer

/// The edits that commands consist of. Each keeps marks, active lines and the current line in step.
extension EditedText {
  // MARK: - Lines

  /// Inserts whole lines after a line; the last of them becomes the current line.
  mutating func insert(_ text: [UInt8], after line: LineNumber) {
    let count = text.count { $0 == .newline }
    replace(LineRange(line + 1, line), with: text, count: count)
    currentLine = line + count
    save.isDirty = true
  }

  /// Moves lines into the cut buffer. The line behind them becomes the current line, or else the last.
  mutating func delete(_ lines: LineRange) {
    cut = .removed(replace(lines, with: [], count: 0))
    currentLine = min(lines.first, lastLine)
    save.isDirty = true
  }

  /// Moves lines into the cut buffer, and inserts others in their place; the last of these becomes the current line.
  mutating func change(_ lines: LineRange, to text: [UInt8]) {
    let count = text.count { $0 == .newline }
    // The old lines go, with their marks, before the new ones come: these are not the old ones changed in place.
    note(lines, replacedBy: 0)
    note(LineRange(lines.first, lines.first - 1), replacedBy: count)
    cut = .removed(document.edit { $0.replaceLines(lines, with: text) })
    currentLine = lines.first + (count - 1)
    save.isDirty = true
  }

  /// Copies lines into the cut buffer.
  mutating func yank(_ lines: LineRange) {
    cut = .copied(slice(lines))
  }

  /// Some lines as a separate text, which shares its pieces with this one.
  func slice(_ lines: LineRange) -> PieceTable {
    let text = buffer
    return text.slice(text.byteRange(of: lines))
  }

  /// Joins lines into one; the old lines go to the cut buffer.
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
      cut = .removed(replace(lines, with: joined, count: 1, keepsFirst: true))
    } else {
      // Built in place, so that the bytes are in memory only once.
      var joined = PieceTable.Builder(from: text)
      text.forEachLine(in: lines) { _, line in
        joined.append(line)
        return true
      }
      joined.append([.newline])
      cut = .removed(
        replace(lines, with: joined.finish(), count: 1, keepsFirst: true))
    }
    currentLine = lines.first
    save.isDirty = true
  }

  /// Inserts a copy of lines after a line; the last of them becomes the current line.
  mutating func insertCopy(of text: PieceTable, after line: LineNumber) {
    let count = text.lineCount
    let place = LineRange(line + 1, line)
    // Short texts are copied, which gives the new lines identities of their own for marks.
    if text.byteCount <= Self.shortText {
      replace(place, with: text.bytes, count: count)
    } else {
      replace(place, with: text, count: count)
    }
    currentLine = line + count
    save.isDirty = true
  }

  /// Moves lines to after a line that is outside them, or the last of them; the last moved line becomes
  /// the current line.
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
    undoPoint?.trail?.note(.moved(lines, after: line))
    self.lines.note(.moved(lines, after: line))
    currentLine = target + lines.count
    didEdit()
  }

  /// The size in bytes up to which text is copied rather than shared.
  private static let shortText = 1 << 16

  // MARK: - Replacement

  /// Replaces lines by the `count` lines of `text`. The caller sets `save.isDirty`.
  ///
  /// As many lines as before are these, changed in place; with `keepsFirst` the first one is in any case.
  @discardableResult
  mutating func replace(
    _ lines: LineRange, with text: [UInt8], count: Int, keepsFirst: Bool = false
  ) -> Change {
    note(lines, replacedBy: count, keepsFirst: keepsFirst)
    return document.edit { $0.replaceLines(lines, with: text) }
  }

  /// Replaces lines by the `count` lines of `text`, whose pieces are shared. The caller sets
  /// `save.isDirty`.
  @discardableResult
  mutating func replace(
    _ lines: LineRange, with text: PieceTable, count: Int, keepsFirst: Bool = false
  ) -> Change {
    note(lines, replacedBy: count, keepsFirst: keepsFirst)
    return document.edit { $0.replaceLines(lines, with: text) }
  }

  /// Keeps marks, active lines and the trails of lines in step with a replacement that is about to be made.
  private mutating func note(
    _ lines: LineRange, replacedBy count: Int, keepsFirst: Bool = false
  ) {
    track(lines, inserting: count)
    self.lines.noteReplacement(of: lines, by: count, keepsFirst: keepsFirst)
  }

  /// Replaces what has to be replaced to make another block of the lines from `place` on.
  mutating func replace(_ hunks: [LineHunk], at place: LineNumber, with block: PieceTable) {
    for hunk in hunks.reversed() {
      let lines = LineRange(
        place + (hunk.old.first.value - 1), place + (hunk.old.last.value - 1))
      replace(lines, with: block.slice(block.byteRange(of: hunk.new)).bytes, count: hunk.new.count)
      save.isDirty = true
    }
  }

  /// Replaces lines without updating marks and active lines.
  mutating func replaceUntracked(_ lines: LineRange, with text: PieceTable) {
    document.edit { $0.replaceLines(lines, with: text) }
    didEdit()
    save.isDirty = true
  }

  /// Updates marks and active lines for a replacement of lines by `inserted` others.
  ///
  /// `shift` is the difference between `lines` and their numbers in the buffer, due to replacements that
  /// have been tracked but not yet made.
  mutating func track(_ lines: LineRange, inserting inserted: Int, shift: Int = 0) {
    undoPoint?.trail?.noteReplacement(of: lines, by: inserted, marks)
    if marks.areUsed { marks.follow(lines, inserting: inserted, from: buffer, shift: shift) }
    changedLine = min(changedLine, lines.first)
    activeLines?.replace(lines, inserting: inserted)
    didEdit()
  }

  /// Records that the text has changed since the undo point and the last save.
  mutating func didEdit() {
    undoPoint?.hasChanges = true
    hasEdits = true
    if save.unrecorded == .current { save.unrecorded = .outdated }
  }

  // MARK: - Many lines in one pass

  /// Deletes lines, given in ascending order; the last of them goes to the cut buffer.
  mutating func delete(eachOf lines: [LineNumber]) {
    let old = buffer
    var builder = Self.builder(from: old)
    let span = LineRange(lines[0], lines[lines.count - 1])
    Self.keep(span, of: old, without: lines, in: &builder)
    yank(LineRange(span.last))
    self.lines.note(.removed(lines))
    undoPoint?.trail?.note(.removed(lines))
    replaceUntracked(span, with: builder.finish())
    currentLine = min(span.last - (lines.count - 1), lastLine)
  }

  /// Moves lines, in the order given, to the start or to the end of the text.
  mutating func gather(_ lines: some Collection<LineNumber>, before: Bool) {
    let old = buffer
    let ascending = lines.sorted()
    var builder = Self.builder(from: old)
    let all = LineRange(LineNumber(1), lastLine)
    if !before { Self.keep(all, of: old, without: ascending, in: &builder) }
    for line in lines { builder.keep(old.byteRange(of: LineRange(line))) }
    if before { Self.keep(all, of: old, without: ascending, in: &builder) }
    let edit = LineEdit.gathered(Array(lines), below: before ? 0 : lastLine.value - lines.count)
    self.lines.note(edit)
    undoPoint?.trail?.note(edit)
    replaceUntracked(all, with: builder.finish())
    currentLine = before ? LineNumber(1) : lastLine
  }

  /// A builder of a text that keeps most of `old`.
  static func builder(from old: PieceTable) -> PieceTable.Builder {
    PieceTable.Builder(from: old, copyingBelow: Memory.leastShared(of: old.byteCount))
  }

  /// Adds a range of lines to a builder, except for the excluded ones.
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
