import TextBuffer
import TextLines

/// The edits that commands consist of. Each keeps marks, active lines and the current line in step.
extension EditedText {
  // MARK: - Lines

  /// Inserts whole lines after a line; the last of them becomes the current line.
  mutating func insert(_ text: [UInt8], after line: LineNumber) {
    let count = text.count { $0 == .newline }
    replace(LineRange(line + 1, line), with: text, count: count)
    currentLine = line + count
  }

  /// Moves lines into the cut buffer. The line after them becomes the current line, or else the
  /// last.
  mutating func delete(_ lines: LineRange) {
    cut = .removed(replace(lines, with: [], count: 0))
    currentLine = min(lines.first, lastLine)
  }

  /// Moves lines into the cut buffer, and inserts new lines, whose last becomes the current line.
  mutating func change(_ lines: LineRange, to text: [UInt8]) {
    let count = text.count { $0 == .newline }
    cut = .removed(replace(lines, with: text, count: count))
    currentLine = lines.first + (count - 1)
  }

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
      // Building in place keeps the bytes in memory only once.
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
  }

  /// Inserts a copy of lines after a line; the last of them becomes the current line.
  mutating func insertCopy(of text: PieceTable, after line: LineNumber) {
    let count = text.lineCount
    let place = LineRange(line + 1, line)
    // Copying a short text gives the new lines identities of their own for marks.
    if text.byteCount <= Self.shortText {
      replace(place, with: text.bytes, count: count)
    } else {
      replace(place, with: text, count: count)
    }
    currentLine = line + count
  }

  /// Moves lines to below another line, or their own last one; the last moved becomes current.
  mutating func move(_ lines: LineRange, after line: LineNumber) {
    save.isDirty = true
    if line == lines.first - 1 || line == lines.last {
      activeLines?.move(lines, after: line)
      currentLine = lines.last
      return
    }
    note(.moved(lines, after: line))
    let target = line < lines.first ? line : line - lines.count
    document.edit {
      let text = $0.removeLines(lines).removed
      $0.insertLines(text, after: target)
    }
    currentLine = target + lines.count
  }

  /// The size limit in bytes for text that is copied instead of shared.
  private static let shortText = 1 << 16

  // MARK: - Replacement

  /// Replaces lines by the `count` lines of `text`. Line tracking takes them as changed
  /// in place if their number stays; with `keepsFirst`, always the first.
  @discardableResult
  mutating func replace(
    _ lines: LineRange, with text: [UInt8], count: Int, keepsFirst: Bool = false
  ) -> Change {
    note(.replaced(lines, by: count, keeping: keepsFirst ? 1 : 0))
    save.isDirty = true
    return document.edit { $0.replaceLines(lines, with: text) }
  }

  /// Replaces lines by the `count` lines of `text`, whose pieces are shared.
  @discardableResult
  mutating func replace(
    _ lines: LineRange, with text: PieceTable, count: Int, keepsFirst: Bool = false
  ) -> Change {
    note(.replaced(lines, by: count, keeping: keepsFirst ? 1 : 0))
    save.isDirty = true
    return document.edit { $0.replaceLines(lines, with: text) }
  }

  /// Turns the lines from `place` on into `block` by replacing the lines of `hunks`.
  mutating func replace(_ hunks: [LineHunk], at place: LineNumber, with block: PieceTable) {
    for hunk in hunks.reversed() {
      let lines = LineRange(
        place + (hunk.old.first.value - 1), place + (hunk.old.last.value - 1))
      replace(lines, with: block.slice(block.byteRange(of: hunk.new)).bytes, count: hunk.new.count)
    }
  }

  /// Replaces lines without noting an edit.
  mutating func replaceUntracked(_ lines: LineRange, with text: PieceTable) {
    document.edit { $0.replaceLines(lines, with: text) }
    didEdit()
    save.isDirty = true
  }

  /// Passes the next edit to the step, the marks and the active lines.
  mutating func note(_ edit: LineEdit) {
    lines.note(edit)
    for (mark, line) in marks.lines {
      let there = edit.replaces(line) ? nil : edit.line(after: line)
      marks[mark] = there
      if there != nil { continue }
      marks.lose(mark, identity: buffer.lineIdentity(line))
      let index = (undoPoint?.made.count ?? 0) + lines.step.count - 1
      undoPoint?.losses[mark] = UndoPoint.Loss(edit: index, line: line)
    }
    switch edit {
    case .replaced(let lines, let count, _):
      changedLine = min(changedLine, lines.first)
      activeLines?.replace(lines, inserting: count)
    case .split(let splits):
      changedLine = min(changedLine, splits[0].line)
      for split in splits.reversed() {
        activeLines?.replace(LineRange(split.line), inserting: split.count)
      }
    case .moved(let lines, let target): activeLines?.move(lines, after: target)
    // A global command makes these as a whole, so no line is active.
    case .removed, .gathered: break
    }
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
    note(.removed(lines))
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
    note(.gathered(Array(lines), below: before ? 0 : lastLine.value - lines.count))
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

// MARK: - Merge

/// A group of this text, as named in an error.
struct NamedGroup: Equatable, Sendable {
  var id: Int
  var title: String
}

/// Lines that two texts have changed in different ways.
struct MergeConflict: Equatable, Sendable {
  /// The lines in the present text; an empty range is a gap.
  var lines: LineRange
  /// The group that changed them here; nil if unknown.
  var ours: NamedGroup?
  /// The group that changed them there; nil if unknown, or not part of this history.
  var theirs: NamedGroup?
}

/// `merge`: joining this text with another one made from the same base.
extension EditedText {
  /// The latest common ancestor of the present revision and another.
  func commonAncestor(with id: Int) -> Int {
    history.path(to: id).back.last.map { history[$0].parent ?? 0 } ?? history.current
  }

  /// Makes this the merged text, with the names in conflict markers.
  mutating func join(_ merge: LineMerge, marking names: ConflictNames) {
    for region in merge.regions.reversed() {
      switch region.kind {
      case .ours, .both: continue
      case .theirs:
        let lines = merge.theirLines(of: region).bytes
        replace(region.ours, with: lines, count: region.theirs.count)
      case .conflict:
        let lines = names.marked(region, of: merge)
        replace(region.ours, with: lines, count: lines.count { $0 == .newline })
      }
      currentLine = min(max(region.ours.first, LineNumber(1)), lastLine)
    }
  }
}

extension EditedText {
  /// The first line that begins a conflict and is not in the saved text; nil without one.
  var firstConflict: LineNumber? {
    let text = buffer
    func lines(of text: PieceTable) -> [(number: LineNumber, bytes: [UInt8])] {
      text.ranges(of: "<<<<<<< ").compactMap { range in
        let number = text.lineNumber(at: range.lowerBound)
        let bytes = text.byteRange(of: LineRange(number))
        return bytes.lowerBound == range.lowerBound ? (number, text.bytes(in: bytes)) : nil
      }
    }
    guard let last = lines(of: text).last,
      text.firstRange(of: "\n>>>>>>> ", in: text.byteRange(of: LineRange(last.number, lastLine)))
        != nil
    else { return nil }
    var old = document.committedBuffer
    document.move(&old, from: history.current, to: history.saved ?? 0)
    let known = Set(lines(of: old).map(\.bytes))
    return lines(of: text).first { !known.contains($0.bytes) }?.number
  }
}

/// The names of the three texts of a merge in conflict markers.
struct ConflictNames: Equatable, Sendable {
  var ours: String
  var base: String
  var theirs: String

  /// A conflict as `diff3 -m` writes it.
  func marked(_ region: LineMerge.Region, of merge: LineMerge) -> [UInt8] {
    func lines(_ range: LineRange, _ text: PieceTable) -> [UInt8] {
      text.bytes(in: text.byteRange(of: range))
    }
    return Array("<<<<<<< \(ours)\n".utf8) + lines(region.ours, merge.ours)
      + Array("||||||| \(base)\n".utf8) + lines(region.base, merge.base)
      + Array("=======\n".utf8) + lines(region.theirs, merge.theirs)
      + Array(">>>>>>> \(theirs)\n".utf8)
  }
}

extension LineMerge {
  /// The regions that only the second text has changed.
  var theirRegions: [Region] { regions.filter { $0.kind == .theirs } }

  /// The lines of each conflict in the merged text, with its four markers.
  var markedLines: [LineRange] {
    var (lines, growth) = ([LineRange](), 0)
    for region in regions where region.kind == .theirs || region.kind == .conflict {
      var count = region.theirs.count
      if region.kind == .conflict {
        count += region.ours.count + region.base.count + 4
        let first = region.ours.first + growth
        lines.append(LineRange(first, first + (count - 1)))
      }
      growth += count - region.ours.count
    }
    return lines
  }

  func theirLines(of region: Region) -> PieceTable {
    theirs.slice(theirs.byteRange(of: region.theirs))
  }
}

// MARK: - Export

/// The texts of many revisions, one after the other.
extension EditedText {
  /// The revisions from the first to the current one.
  var pathToCurrent: [Int] { [0] + history.path(to: 0).back.reversed() }

  /// All revisions, parents before children, and each branch to its end before the next one.
  var revisionsByBranch: [Int] {
    var (found, ahead) = ([Int](), [0])
    while let id = ahead.popLast() {
      found.append(id)
      ahead += history.children(of: id)
    }
    return found
  }

  /// Visits the texts of revisions as they would be written, until `body` returns false. One text
  /// moves from revision to revision, so no other text is kept.
  ///
  /// - Complexity: O(log *p*) for each change on the way, for *p* pieces.
  func forEachFileText(of ids: [Int], _ body: (Int, PieceTable) -> Bool) {
    var (text, here) = (document.committedBuffer, history.current)
    for id in ids {
      document.move(&text, from: here, to: id)
      here = id
      if !body(id, fileText(of: id, isUnterminated(id, text) ? text.withoutLastNewline : text)) {
        return
      }
    }
  }
}
