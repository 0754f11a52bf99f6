import TextBuffer

/// The groups that touched some lines, from the newest one back.
///
/// The lines are followed to where they were before each group: through moves and replacements, and from
/// where they were put back to where they had been removed.
struct LineTrail {
  /// A group that touched the lines.
  struct Stop {
    var id: Int
    /// What of it touched them.
    var touched: [LineHunk]
    /// What of that has not been taken back.
    var standing: [LineHunk]
    /// Whether it moved them.
    var isMove: Bool
  }

  /// What later groups have taken back of a group.
  private struct Undoing {
    /// Whether it is all of it.
    var isWhole = false
    var places: [TakenBack.Place] = []
    /// Lines that were put back, where they were before the group.
    var lines: [LineRange] = []
  }

  private let document: Document<EditorContext>
  private var path: ArraySlice<Int>
  /// The text in which the lines are now.
  private(set) var text: PieceTable
  private var tracked: TrackedLines
  private var undoings: [Int: Undoing] = [:]

  /// The trail of lines of the present text.
  init(of lines: LineRange, in document: Document<EditorContext>) {
    self.document = document
    path = document.history.path(to: 0).back[...]
    tracked = TrackedLines(lines)
    text = document.committedBuffer
    if document.isInTransaction {
      let present = document.buffer
      let open = LineStep.replaced(LineDifference(from: text, to: present).hunks)
      _ = tracked.goBack(over: open, lineCount: present.lineCount)
    }
  }

  /// Goes back over the next group that touched the lines; nil if there is none.
  mutating func next() -> Stop? {
    while !tracked.isEmpty || !undoings.isEmpty, let id = path.popFirst() {
      let after = text
      let changes = document.changes(of: id)
      for change in changes.inverse { text.apply(change) }
      let step = LineStep(of: changes, from: text, to: after)
      let (lines, undoing) = (tracked, undoings.removeValue(forKey: id))
      let part = tracked.goBack(over: step, lineCount: after.lineCount)
      var touched = part?.hunks ?? []
      let taken = document.contextAfter(id).takenBack
      if case .replaced(let hunks) = part {
        // What was taken back, and what did that, are passed over: other lines are not followed.
        let gone =
          taken?.isExact ?? false
          ? hunks : undoing.map { Self.difference(hunks, Self.rest(of: hunks, without: $0)) } ?? []
        for hunk in gone where hunk.old.count != hunk.new.count { tracked.remove(hunk.old) }
      }
      if let put = undoing?.lines.filter({ $0.last.value <= text.lineCount }), !put.isEmpty {
        touched = Self.join(
          touched, step.hunks.filter { hunk in put.contains { $0.overlaps(hunk.old) } })
        for range in put { tracked.insert(range) }
      }
      if let taken {
        let isStanding = undoing.map { !Self.rest(of: step.hunks, without: $0).isEmpty } ?? true
        note(taken, isStanding: isStanding, lines)
      }
      if touched.isEmpty { continue }
      let standing = undoing.map { Self.rest(of: touched, without: $0) } ?? touched
      let isMove = if case .moved = part { true } else { false }
      return Stop(id: id, touched: touched, standing: standing, isMove: isMove)
    }
    return nil
  }

  /// Notes what a group took back, if it has not been taken back itself, and where lines were that it put
  /// back.
  private mutating func note(_ taken: TakenBack, isStanding: Bool, _ lines: TrackedLines) {
    for group in taken.groups {
      var undoing = undoings[group] ?? Undoing()
      if isStanding {
        undoing.isWhole = undoing.isWhole || taken.isWhole
        undoing.places += taken.places
      }
      for place in taken.places where place.old.count == place.restored.count {
        let shift = place.old.first - place.restored.first
        for range in lines.lines {
          let part = LineRange(
            max(range.first, place.restored.first), min(range.last, place.restored.last))
          if part.count > 0 {
            undoing.lines.append(LineRange(part.first + shift, part.last + shift))
          }
        }
      }
      undoings[group] = undoing
    }
  }

  private static func difference(_ hunks: [LineHunk], _ others: [LineHunk]) -> [LineHunk] {
    hunks.filter { !others.contains($0) }
  }

  /// Hunks that touched lines, and those that removed others, in ascending order.
  private static func join(_ hunks: [LineHunk], _ others: [LineHunk]) -> [LineHunk] {
    let more = others.filter { $0.old.count != $0.new.count && !hunks.contains($0) }
    return more.isEmpty ? hunks : (hunks + more).sorted { $0.old.first < $1.old.first }
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

extension LineRange {
  /// Whether some line is in both.
  func overlaps(_ other: LineRange) -> Bool {
    count > 0 && other.count > 0 && first <= other.last && other.first <= last
  }
}
