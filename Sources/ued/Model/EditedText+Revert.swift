import TextBuffer

/// `revert`: undoing one older group while keeping all later ones.
extension EditedText {
  /// One replacement to make so that a group is reverted.
  struct Reversal {
    /// The lines that the group inserted, as numbered in the current text.
    var lines: LineRange
    /// The lines that the group removed.
    var removed: PieceTable
    /// What of the group is here: its hunks, and at which of the removed lines each begins.
    var hunks: [(hunk: LineHunk, offset: Int)] = []
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
      guard Self.shift(&reversals, past: document.changes(of: id), of: &then) else {
        throw .revertOverlaps(by: id, named: title(id))
      }
    }
    return reversals.filter { then.slice(then.byteRange(of: $0.lines)) != $0.removed }
  }

  /// Reverts groups.
  mutating func revert(_ reversals: [Reversal]) {
    if let (lines, target) = Self.move(by: reversals, in: buffer) {
      move(lines, after: target)
    } else {
      var places: [LineRange] = []
      for reversal in reversals.reversed() {
        let count = reversal.removed.newlineCount
        replace(reversal.lines, with: reversal.removed, count: count)
        let growth = count - reversal.lines.count
        places = places.map { LineRange($0.first + growth, $0.last + growth) }
        places.append(LineRange(reversal.lines.first, reversal.lines.last + growth))
      }
      // A line may have moved from one replaced range to another: find its marks by its identity.
      for place in places.reversed() { marks.recoverLost(in: buffer, place) }
    }
    if let first = reversals.first {
      currentLine = min(
        first.lines.first + (max(first.removed.newlineCount, 1) - 1), lastLine)
    }
    save.isDirty = true
  }

  /// The move that replacements consist of, if they are one: what one of them removes the other inserts.
  private static func move(
    by reversals: [Reversal], in text: PieceTable
  ) -> (lines: LineRange, target: LineNumber)? {
    guard reversals.count == 2 else { return nil }
    for (source, target) in [(reversals[0], reversals[1]), (reversals[1], reversals[0])]
    where source.removed.isEmpty && target.lines.count == 0 {
      if text.slice(text.byteRange(of: source.lines)) == target.removed {
        return (source.lines, target.lines.last)
      }
    }
    return nil
  }

  /// Adds the reversal of a hunk to those of earlier groups; what it touches of them becomes one with it.
  ///
  /// - Parameters:
  ///   - hunk: The hunk. Those below it in the text have been added already.
  ///   - text: The text before it.
  ///   - reversals: The reversals, in order of their lines.
  static func add(
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
    var hunks: [(hunk: LineHunk, offset: Int)] = []
    var count = 0
    for reversal in touched {
      count += max(reversal.lines.first - next, 0)
      keepLines(below: reversal.lines.first)
      hunks += reversal.hunks.map { ($0.hunk, $0.offset + count) }
      count += reversal.removed.newlineCount
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
      with: [
        Reversal(
          lines: LineRange(start, end + growth), removed: removed.finish(),
          hunks: hunks + [(hunk, first - start)])
      ])
  }

  /// Renumbers reversals for the text after later changes, and makes these.
  ///
  /// - Returns: False if a change overlaps one of them, or inserts lines where one only removed some; not all
  ///   changes have been made then.
  static func shift(
    _ reversals: inout [Reversal], past changes: [Change], of text: inout PieceTable
  ) -> Bool {
    for change in changes {
      for hunk in LineDifference(of: change, in: text).hunks.reversed() {
        if !shift(&reversals, past: hunk) { return false }
      }
      text.apply(change)
    }
    return true
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
