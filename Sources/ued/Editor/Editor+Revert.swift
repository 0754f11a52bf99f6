import TextBuffer

/// Taking back one older group under all later ones.
extension Editor {
  /// A replacement of lines, as a group made it, moved to where it is in a later text.
  private struct Part {
    /// The lines it put there, as they are numbered now.
    var lines: LineRange
    /// What it took out.
    var removed: PieceTable
  }

  /// Takes back what one group did and keeps all later ones.
  ///
  /// What the group did is looked at line by line, and so is what came later, so that commands which
  /// touched many places get in each other's way only where they touched the same ones.
  ///
  /// - Throws: Which later group changed the same lines; nothing has changed then.
  mutating func revert(_ argument: [UInt8]) throws(EditorError) {
    try refuseInGroup()
    let id = try revision(argument)
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
    let name = name(id)
    beginChange()
    let (old, oldMarks) = (buffer, marks)
    for part in parts.reversed() {
      replaceLines(
        from: part.lines.first.value, removing: part.lines.count, with: part.removed,
        count: part.removed.newlineCount)
    }
    if let first = parts.first, let last = parts.last {
      let start = first.lines.first.value
      let count = last.lines.last.value + 1 - start
      currentLine = min(start + max(first.removed.newlineCount, 1) - 1, lastLine)
      // Lines may have gone from one part to another.
      marks = oldMarks
      marks.follow(
        from: old, to: buffer, from: start, removing: count,
        inserting: count + lastLine - old.newlineCount)
    }
    isModified = true
    label = GroupLabel(.reverted(name: name))
  }

  /// Moves parts to where they are after a later hunk.
  ///
  /// - Returns: False when the hunk touches one of them, or puts lines just where one took some out.
  private static func shift(_ parts: inout [Part], past hunk: LineHunk) -> Bool {
    let (first, last) = (hunk.old.first.value, hunk.old.last.value)
    let shift = hunk.new.count - hunk.old.count
    for index in parts.indices {
      let (start, end) = (parts[index].lines.first.value, parts[index].lines.last.value)
      if first == start && last < first && end < start { return false }
      if last < start {
        parts[index].lines = LineRange(start + shift, end + shift)
      } else if first <= end {
        return false
      }
    }
    return true
  }

  /// The text of a revision.
  func text(of id: Int) -> PieceTable {
    var text = buffer
    let (back, forward) = history.path(to: id)
    for revision in back {
      for change in document.changes(of: revision).inverse { text.apply(change) }
    }
    for revision in forward {
      for change in document.changes(of: revision) { text.apply(change) }
    }
    return text
  }
}
