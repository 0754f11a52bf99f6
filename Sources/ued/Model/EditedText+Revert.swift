import TextBuffer

/// `revert`: undoing one older group while keeping all later ones.
extension EditedText {
  /// One replacement to make so that a group is reverted.
  struct Reversal {
    /// The lines that the group inserted, as numbered in the current text.
    var lines: LineRange
    /// The lines that the group removed.
    var removed: PieceTable
  }

  /// The replacements that revert some groups and keep all others.
  ///
  /// The groups and the later ones are compared by line, so commands that touched many places conflict
  /// only where they touched the same lines.
  ///
  /// - Parameter ids: The groups, which the text has.
  /// - Throws: `revertOverlaps` with the first other group that changed the same lines later.
  /// - Returns: The replacements, in order of their lines.
  func reversals(of ids: Set<Int>) throws(EditorError) -> [Reversal] {
    guard let oldest = ids.min() else { return [] }
    let path = history.path(to: history[oldest].parent ?? 0).back.reversed() as [Int]
    // The text before the groups; all changes since are applied to it one by one.
    var then = text(of: history[oldest].parent ?? 0)
    var reversals: [Reversal] = []
    var rest = path[...]
    while let id = rest.first {
      if ids.contains(id) {
        let groups = rest.prefix { ids.contains($0) }
        rest = rest.dropFirst(groups.count)
        let (changes, before) = (groups.flatMap { document.changes(of: $0) }, then)
        for change in changes { then.apply(change) }
        let difference =
          changes.count == 1
          ? LineDifference(of: changes[0], in: before) : LineDifference(from: before, to: then)
        for hunk in difference.hunks.reversed() { Self.add(hunk, of: before, to: &reversals) }
        // What they have taken back themselves is in the way of no other group.
        reversals.removeAll { then.slice(then.byteRange(of: $0.lines)) == $0.removed }
        continue
      }
      rest = rest.dropFirst()
      for change in document.changes(of: id) {
        for hunk in LineDifference(of: change, in: then).hunks.reversed() {
          guard Self.shift(&reversals, past: hunk) else {
            throw .revertOverlaps(by: id, named: title(id))
          }
        }
        then.apply(change)
      }
    }
    return reversals.filter { then.slice(then.byteRange(of: $0.lines)) != $0.removed }
  }

  /// Reverts groups.
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

  /// Adds the reversal of a hunk to those of earlier groups; what it touches of them becomes one with it.
  ///
  /// - Parameters:
  ///   - hunk: The hunk. Those below it in the text have been added already.
  ///   - text: The text before it.
  ///   - reversals: The reversals, in order of their lines.
  private static func add(
    _ hunk: LineHunk, of text: PieceTable, to reversals: inout [Reversal]
  ) {
    let (first, last) = (hunk.old.first, hunk.old.last)
    let lower = reversals.firstIndex { $0.lines.last + 1 >= first } ?? reversals.count
    let upper = reversals[lower...].firstIndex { $0.lines.first > last + 1 } ?? reversals.count
    let touched = reversals[lower..<upper]
    let start = min(first, touched.first?.lines.first ?? first)
    let end = max(last, touched.last?.lines.last ?? last)
    var removed = PieceTable.Builder(from: text)
    var next = start
    func keepLines(below line: LineNumber) {
      if next < line { removed.append(text.slice(text.byteRange(of: LineRange(next, line - 1)))) }
    }
    for reversal in touched {
      keepLines(below: reversal.lines.first)
      removed.append(reversal.removed)
      next = reversal.lines.last + 1
    }
    keepLines(below: end + 1)
    let growth = hunk.new.count - hunk.old.count
    for index in reversals.indices[upper...] {
      let lines = reversals[index].lines
      reversals[index].lines = LineRange(lines.first + growth, lines.last + growth)
    }
    reversals.replaceSubrange(
      lower..<upper,
      with: [Reversal(lines: LineRange(start, end + growth), removed: removed.finish())])
  }

  /// Renumbers reversals for the text after a later hunk.
  ///
  /// - Returns: False if the hunk overlaps one of them, or inserts lines where one only removed some.
  static func shift(_ reversals: inout [Reversal], past hunk: LineHunk) -> Bool {
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
