import TextBuffer

/// Taking back one older group under all later ones.
extension EditedText {
  /// A replacement of lines, as a group made it, moved to where it is in a later text.
  struct Part {
    /// The lines it put there, as they are numbered now.
    fileprivate var lines: LineRange
    /// What it took out.
    fileprivate var removed: PieceTable
  }

  /// What has to be replaced so that what one group did is taken back, and all later ones stay.
  ///
  /// What the group did is compared line by line, and so is what came later, so that commands which
  /// touched many places get in each other's way only where they touched the same ones.
  ///
  /// - Throws: Which later group changed the same lines.
  func partsToRevert(_ id: Int) throws(EditorError) -> [Part] {
    let changes = document.changes(of: id)
    guard !changes.isEmpty else { throw .nothingToRevert(id) }
    let (later, forward) = history.path(to: id)
    guard forward.isEmpty else { throw .notInText(id) }
    // The text as it was then, which follows the groups made since.
    var then = text(of: history[id].parent ?? 0)
    let before = then
    for change in changes { then.apply(change) }
    let difference =
      changes.count == 1
      ? LineDifference(of: changes[0], in: before) : LineDifference(from: before, to: then)
    var parts = difference.hunks.map { hunk in
      Part(lines: hunk.new, removed: before.slice(before.byteRange(of: hunk.old)))
    }
    for later in later.reversed() {
      for change in document.changes(of: later) {
        for hunk in LineDifference(of: change, in: then).hunks.reversed() {
          guard Self.shift(&parts, past: hunk) else {
            throw .revertOverlaps(id, by: later, named: name(later))
          }
        }
        then.apply(change)
      }
    }
    return parts
  }

  /// Puts back what a group took out.
  mutating func revert(_ parts: [Part]) {
    let (old, oldMarks) = (buffer, marks)
    for part in parts.reversed() {
      replace(part.lines, with: part.removed, count: part.removed.newlineCount)
    }
    if let first = parts.first, let last = parts.last {
      let lines = LineRange(first.lines.first, last.lines.last)
      currentLine = min(lines.first + (max(first.removed.newlineCount, 1) - 1), lastLine)
      // Lines may have gone from one part to another.
      marks = oldMarks
      marks.follow(
        from: old, to: buffer, lines,
        inserting: lines.count + lastLine.value - old.newlineCount)
    }
    save.isDirty = true
  }

  /// Moves parts to where they are after a later hunk.
  ///
  /// - Returns: False when the hunk touches one of them, or puts lines just where one took some out.
  private static func shift(_ parts: inout [Part], past hunk: LineHunk) -> Bool {
    let (first, last) = (hunk.old.first, hunk.old.last)
    let shift = hunk.new.count - hunk.old.count
    for index in parts.indices {
      let (start, end) = (parts[index].lines.first, parts[index].lines.last)
      if first == start && last < first && end < start { return false }
      if last < start {
        parts[index].lines = LineRange(start + shift, end + shift)
      } else if first <= end {
        return false
      }
    }
    return true
  }
}
