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

  /// A group on the way from one text to another, and what it changes on that way.
  typealias Step = (id: Int, changes: [Change])

  /// The replacements that revert some groups and keep all others.
  ///
  /// The groups and the later ones are compared by line, so commands that touched many places conflict
  /// only where they touched the same lines. Groups that were taken back are in the way of nothing.
  ///
  /// - Parameter ids: The groups, which the text has.
  /// - Throws: `revertOverlaps` with the first other group that changed the same lines later.
  /// - Returns: The replacements, in order of their lines.
  func reversals(of ids: Set<Int>) throws(EditorError) -> [Reversal] {
    try follow([], undoing: ids, pathsTo: [history.current]) { (start, ids) throws(EditorError) in
      guard let oldest = ids.min() else { return [] }
      let base = history[oldest].parent ?? 0
      let steps = history.path(to: base).back.reversed().map { ($0, document.changes(of: $0)) }
      return try follow(start, from: try text(of: base), along: steps, undoing: ids)
    }
  }

  /// Follows replacements past groups. One that is in the way, but was taken back since, is undone
  /// together with those that did so.
  ///
  /// - Parameters:
  ///   - start: The replacements.
  ///   - ids: Groups that are to be undone on the way.
  ///   - targets: The revisions whose paths have all groups on the way.
  ///   - walk: Follows replacements past all groups, and undoes some.
  /// - Throws: `revertOverlaps` with the first group that is in the way.
  /// - Returns: The replacements in the present text, in order of their lines.
  func follow(
    _ start: [Reversal], undoing ids: Set<Int>, pathsTo targets: [Int],
    _ walk: ([Reversal], Set<Int>) throws(EditorError) -> [Reversal]
  ) throws(EditorError) -> [Reversal] {
    var undone = ids
    var known: [Reversions]?
    while true {
      do throws(EditorError) {
        return try walk(start, undone)
      } catch {
        guard case .revertOverlaps(let other) = error, !undone.contains(other.id) else {
          throw error
        }
        let paths =
          known ?? targets.map { Reversions(on: groups(from: 0, to: $0).reversed(), of: document) }
        known = paths
        guard let pair = paths.lazy.compactMap({ $0.pair(of: other.id) }).first,
          pair.isDisjoint(with: ids), (try? walk([], pair))?.isEmpty == true
        else { throw error }
        undone.formUnion(pair)
      }
    }
  }

  /// Follows replacements through a text past groups, and undoes some of these.
  ///
  /// - Parameters:
  ///   - start: The replacements, in order of their lines.
  ///   - text: The text that they are for.
  ///   - steps: The groups that make the present text of it.
  ///   - ids: Those that are undone.
  /// - Throws: `revertOverlaps` with the first other group that changed the same lines.
  /// - Returns: The replacements in the present text, in order of their lines.
  func follow(
    _ start: [Reversal], from text: PieceTable, along steps: [Step], undoing ids: Set<Int>
  ) throws(EditorError) -> [Reversal] {
    var (reversals, then, rest) = (start, text, steps[...])
    while let step = rest.first {
      if ids.contains(step.id) {
        let groups = rest.prefix { ids.contains($0.id) }
        rest = rest.dropFirst(groups.count)
        let (changes, before) = (groups.flatMap(\.changes), then)
        for change in changes { then.apply(change) }
        let difference =
          changes.count == 1
          ? LineDifference(of: changes[0], in: before)
          : try LineDifference.interruptible(from: before, to: then)
        if reversals.isEmpty, let all = Self.reversals(ofApart: difference.hunks, in: before) {
          reversals = all
        } else {
          for hunk in difference.hunks.reversed() {
            if Interrupts.isInterrupted { throw .interrupted }
            Self.add(hunk, of: before, to: &reversals)
          }
        }
        // What they have taken back themselves is in the way of no other group.
        if start.isEmpty {
          reversals.removeAll { then.slice(then.byteRange(of: $0.lines)) == $0.removed }
        }
        continue
      }
      rest = rest.dropFirst()
      guard Self.shift(&reversals, past: step.changes, of: &then) else {
        throw .revertOverlaps(group(step.id))
      }
    }
    return reversals.filter { then.slice(then.byteRange(of: $0.lines)) != $0.removed }
  }

  /// Whether replacements change the text; to move lines past what has been removed since does not.
  func isChanged(by reversals: [Reversal]) -> Bool {
    var text = buffer
    for reversal in reversals.reversed() {
      text.replaceLines(reversal.lines, with: reversal.removed)
    }
    return text != buffer
  }

  /// Reverts groups.
  mutating func revert(_ reversals: [Reversal]) {
    if buffer.isEmpty, let id = latestRevisionWithLines { restoreMissingNewline(of: id) }
    if let (lines, target) = Self.move(by: reversals, in: buffer) {
      move(lines, after: target)
    } else {
      for reversal in reversals.reversed() {
        replace(reversal.lines, with: reversal.removed, count: reversal.removed.newlineCount)
      }
      // A line may have moved from one replaced range to another: find its marks by its identity.
      var shift = 0
      for reversal in reversals where marks.areUsed {
        let growth = reversal.removed.newlineCount - reversal.lines.count
        let place = LineRange(
          reversal.lines.first + shift, reversal.lines.last + (shift + growth))
        marks.recoverLost(in: buffer, place)
        shift += growth
      }
      undoPoint?.trail = nil
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

  /// The reversals of hunks, one for each; nil if two of them touch.
  private static func reversals(ofApart hunks: [LineHunk], in text: PieceTable) -> [Reversal]? {
    for (above, below) in zip(hunks, hunks.dropFirst())
    where below.old.first <= above.old.last + 1 { return nil }
    return hunks.map {
      Reversal(lines: $0.new, removed: text.slice(text.byteRange(of: $0.old)), hunks: [($0, 0)])
    }
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
