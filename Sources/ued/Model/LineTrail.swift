import TextBuffer

/// The groups that touched some lines, from the newest one back.
///
/// The lines are followed to where they were before each group: through moves and replacements. A line that
/// a group put back is the one that was there before the group which that takes back, and goes on as that
/// one; what was in its place meanwhile is not followed.
struct LineTrail {
  /// A group that touched the lines.
  struct Stop {
    var id: Int
    /// What of it touched them.
    var touched: [LineHunk]
    /// What of that has not been taken back by a group which has not been taken back itself.
    var standing: [LineHunk]
    /// Whether it moved them.
    var isMove: Bool
  }

  /// What later groups have taken back of a group.
  private struct Undoing {
    /// Whether it is all of it.
    var isWhole = false
    var places: [TakenBack.Place] = []
  }

  /// Lines that a group put back.
  private struct Restored {
    /// The groups before which they were there, in ascending order.
    var groups: [Int]
    /// The lines that have not been found there.
    var lines: PieceTable
  }

  private let document: Document<EditorContext>
  /// The revision whose text the lines are followed in now.
  private var revision: Int
  /// The text in which the lines are now.
  private(set) var text: PieceTable
  private var tracked: TrackedLines
  private var undoings: [Int: Undoing] = [:]
  private var restored: [Restored] = []

  /// The trail of lines of the present text.
  init(of lines: LineRange, in document: Document<EditorContext>) {
    self.document = document
    revision = document.history.current
    tracked = TrackedLines(lines)
    text = document.committedBuffer
    if document.isInTransaction {
      let present = document.buffer
      let open = LineStep.replaced(LineDifference(from: text, to: present).hunks)
      _ = tracked.goBack(over: open, lineCount: present.lineCount)
    }
  }

  /// Goes back over the next group that touched the lines; nil if there is none.
  ///
  /// - Throws: `interrupted`.
  mutating func next() throws(EditorError) -> Stop? {
    while !tracked.isEmpty || !restored.isEmpty, let parent = document.history[revision].parent {
      if Interrupts.isInterrupted { throw .interrupted }
      let id = revision
      revision = parent
      let after = text
      let step = document.goBack(over: id, from: &text)
      let (lines, undoing) = (tracked, undoings.removeValue(forKey: id))
      let part = tracked.goBack(over: step, lineCount: after.lineCount)
      var touched = part?.hunks ?? []
      let taken = document.contextAfter(id).takenBack
      if case .replaced(let hunks) = part {
        // What was taken back, and what did that, are passed over: other lines are not followed.
        let gone =
          taken != nil
          ? hunks : undoing.map { Self.difference(hunks, Self.rest(of: hunks, without: $0)) } ?? []
        for hunk in gone where hunk.old.count != hunk.new.count { tracked.remove(hunk.old) }
      }
      let found = findRestored(by: id, step)
      if !found.isEmpty {
        touched = Self.join(touched, step.hunks, found)
        for range in found { tracked.insert(range) }
      }
      if let taken {
        let isStanding = undoing.map { !Self.rest(of: step.hunks, without: $0).isEmpty } ?? true
        if isStanding { note(taken) }
        if case .replaced(let hunks) = step { leave(lines, of: after, at: hunks, to: taken.groups) }
      }
      if touched.isEmpty { continue }
      let standing = undoing.map { Self.rest(of: touched, without: $0) } ?? touched
      return Stop(id: id, touched: touched, standing: standing, isMove: step.isMove)
    }
    return nil
  }

  /// Notes what a group that stands took back.
  private mutating func note(_ taken: TakenBack) {
    for group in taken.groups {
      undoings[group, default: Undoing()].isWhole =
        undoings[group]?.isWhole ?? false || taken.isWhole
      undoings[group]?.places += taken.places
    }
  }

  /// Leaves lines that a group put back to the groups before which they were there.
  private mutating func leave(
    _ lines: TrackedLines, of text: PieceTable, at hunks: [LineHunk], to groups: [Int]
  ) {
    var put = PieceTable.Builder(from: text)
    var isEmpty = true
    for hunk in hunks {
      for range in lines.lines where range.overlaps(hunk.new) {
        let part = LineRange(max(range.first, hunk.new.first), min(range.last, hunk.new.last))
        put.append(text.slice(text.byteRange(of: part)))
        isEmpty = false
      }
    }
    if !isEmpty { restored.append(Restored(groups: groups, lines: put.finish())) }
  }

  /// Finds lines that were put back among those that a group removed.
  ///
  /// - Returns: Where they were before it.
  private mutating func findRestored(by id: Int, _ step: LineStep) -> [LineRange] {
    var found: [LineRange] = []
    for index in restored.indices where restored[index].groups.contains(id) {
      for hunk in step.hunks where hunk.old.count > 0 && !restored[index].lines.isEmpty {
        let lines = restored[index].lines
        var (next, missing) = (hunk.old.first, PieceTable.Builder(from: lines))
        for other in LineDifference(from: lines, to: text.slice(text.byteRange(of: hunk.old))).hunks
        {
          let first = hunk.old.first + (other.new.first.value - 1)
          if next < first { found.append(LineRange(next, first - 1)) }
          next = first + other.new.count
          missing.append(lines.slice(lines.byteRange(of: other.old)))
        }
        if next <= hunk.old.last { found.append(LineRange(next, hunk.old.last)) }
        restored[index].lines = missing.finish()
      }
    }
    restored.removeAll { $0.lines.isEmpty || $0.groups[0] >= id }
    return found
  }

  private static func difference(_ hunks: [LineHunk], _ others: [LineHunk]) -> [LineHunk] {
    hunks.filter { !others.contains($0) }
  }

  /// Adds to the hunks, or parts of them, that touched lines what removed others.
  private static func join(
    _ touched: [LineHunk], _ hunks: [LineHunk], _ removed: [LineRange]
  ) -> [LineHunk] {
    hunks.flatMap { hunk in
      if hunk.old.count != hunk.new.count {
        return touched.contains(hunk) || removed.contains { $0.overlaps(hunk.old) } ? [hunk] : []
      }
      var lines = TrackedLines(LineRange(1, 0))
      for part in touched where part.old.overlaps(hunk.old) { lines.insert(part.old) }
      for range in removed where range.overlaps(hunk.old) {
        lines.insert(
          LineRange(max(range.first, hunk.old.first), min(range.last, hunk.old.last)))
      }
      let shift = hunk.new.first - hunk.old.first
      return lines.lines.map {
        LineHunk(old: $0, new: LineRange($0.first + shift, $0.last + shift))
      }
    }
  }

  /// What of a group has not been taken back.
  private static func rest(of hunks: [LineHunk], without undoing: Undoing) -> [LineHunk] {
    if undoing.isWhole { return [] }
    return hunks.flatMap { hunk in
      guard hunk.old.count == hunk.new.count else {
        let isUndone = undoing.places.contains {
          $0.undone.first <= hunk.new.first && hunk.new.last <= $0.undone.last
        }
        return isUndone ? [] : [hunk]
      }
      var rest: [LineHunk] = []
      var (line, shift) = (hunk.new.first, hunk.old.first - hunk.new.first)
      func keep(upTo last: LineNumber) {
        if line > last { return }
        rest.append(
          LineHunk(old: LineRange(line + shift, last + shift), new: LineRange(line, last)))
      }
      let undone = undoing.places.map(\.undone).sorted { $0.first < $1.first }
      for range in undone where range.count > 0 && range.last >= line {
        keep(upTo: min(range.first - 1, hunk.new.last))
        line = max(line, range.last + 1)
      }
      keep(upTo: hunk.new.last)
      return rest
    }
  }
}

extension LineStep {
  /// Whether lines were moved.
  var isMove: Bool { if case .moved = self { true } else { false } }
}

extension LineRange {
  /// Whether some line is in both.
  func overlaps(_ other: LineRange) -> Bool {
    count > 0 && other.count > 0 && first <= other.last && other.first <= last
  }
}
