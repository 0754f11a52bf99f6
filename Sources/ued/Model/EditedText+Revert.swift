import TextBuffer

/// `revert`: undoing one older group while keeping all later ones.
extension EditedText {
  /// One replacement to make so that a group is reverted.
  struct Reversal {
    /// The lines that the group inserted, as numbered in the current text.
    fileprivate var lines: LineRange
    /// The lines that the group removed.
    fileprivate var removed: PieceTable
  }

  /// The replacements that revert one group and keep all later ones.
  ///
  /// The group and the later ones are compared by line, so commands that touched many places conflict
  /// only where they touched the same lines.
  ///
  /// - Throws: `revertOverlaps` with the first later group that changed the same lines.
  func reversals(of id: Int) throws(EditorError) -> [Reversal] {
    let changes = document.changes(of: id)
    guard !changes.isEmpty else { throw .nothingToRevert(id) }
    let (later, forward) = history.path(to: id)
    guard forward.isEmpty else { throw .notInText(id) }
    // The text before the group; the later groups are applied to it one by one.
    var then = text(of: history[id].parent ?? 0)
    let before = then
    for change in changes { then.apply(change) }
    let difference =
      changes.count == 1
      ? LineDifference(of: changes[0], in: before) : LineDifference(from: before, to: then)
    var reversals = difference.hunks.map { hunk in
      Reversal(lines: hunk.new, removed: before.slice(before.byteRange(of: hunk.old)))
    }
    for later in later.reversed() {
      for change in document.changes(of: later) {
        for hunk in LineDifference(of: change, in: then).hunks.reversed() {
          guard Self.shift(&reversals, past: hunk) else {
            throw .revertOverlaps(id, by: later, named: title(later))
          }
        }
        then.apply(change)
      }
    }
    return reversals
  }

  /// Reverts a group.
  mutating func revert(_ reversals: [Reversal]) {
    let (old, oldMarks) = (buffer, marks)
    for reversal in reversals.reversed() {
      replace(
        reversal.lines, with: reversal.removed, count: reversal.removed.newlineCount)
    }
    if let first = reversals.first, let last = reversals.last {
      let lines = LineRange(first.lines.first, last.lines.last)
      currentLine = min(lines.first + (max(first.removed.newlineCount, 1) - 1), lastLine)
      // A line may have moved from one replaced range to another: find marks by line identity.
      marks = oldMarks
      marks.follow(
        lines, inserting: lines.count + lastLine.value - old.newlineCount, from: old, to: buffer)
    }
    save.isDirty = true
  }

  /// Renumbers reversals for the text after a later hunk.
  ///
  /// - Returns: False if the hunk overlaps one of them, or inserts lines where one only removed some.
  private static func shift(_ reversals: inout [Reversal], past hunk: LineHunk) -> Bool {
    let (first, last) = (hunk.old.first, hunk.old.last)
    let shift = hunk.new.count - hunk.old.count
    for index in reversals.indices {
      let (start, end) = (reversals[index].lines.first, reversals[index].lines.last)
      if first == start && last < first && end < start { return false }
      if last < start {
        reversals[index].lines = LineRange(start + shift, end + shift)
      } else if first <= end {
        return false
      }
    }
    return true
  }
}
