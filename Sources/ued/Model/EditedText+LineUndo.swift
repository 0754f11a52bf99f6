import TextBuffer

/// Undo and revert of some lines only.
extension EditedText {
  /// What takes a group back in some lines.
  struct LineUndo {
    /// The group.
    var id: Int
    var reversals: [Reversal]
    /// What is taken back of it, and where.
    var takenBack: TakenBack
  }

  /// What takes back the newest group that touched some lines, there only.
  ///
  /// Groups that took something back there are passed over, and with them what they took back.
  ///
  /// - Throws: `nothingToUndoHere`, or `revertOverlaps` with a later group that changed the same lines.
  func lineUndo(in lines: LineRange) throws(EditorError) -> LineUndo {
    var trail = LineTrail(of: lines, in: document)
    var passed: [Int: [LineHunk]] = [:]
    while let stop = trail.next() {
      if !stop.standing.isEmpty, document.contextAfter(stop.id).takenBack == nil {
        let reversals = try reversals(of: stop, before: trail.text, passing: passed)
        let undo = LineUndo(
          id: stop.id, reversals: Self.refined(reversals, in: buffer),
          takenBack: TakenBack([stop.id], Self.places(of: reversals), isWhole: false))
        if !undo.reversals.isEmpty { return undo }
      }
      passed[stop.id] = stop.touched
    }
    throw .nothingToUndoHere
  }

  /// The replacements that take back what stands of a group in some lines, one for each place.
  ///
  /// - Parameters:
  ///   - stop: The group.
  ///   - text: The text before it.
  ///   - passed: What later groups did to the lines that has been taken back, and so is no conflict.
  /// - Throws: `revertOverlaps` with a later group that changed the same lines.
  /// - Returns: The replacements.
  private func reversals(
    of stop: LineTrail.Stop, before text: PieceTable, passing passed: [Int: [LineHunk]]
  ) throws(EditorError) -> [Reversal] {
    do throws(EditorError) {
      return try reversals(of: stop, before: text, composing: [:])
    } catch {
      guard case .revertOverlaps(let id, _) = error, passed[id] != nil else { throw error }
    }
    return try reversals(of: stop, before: text, composing: paired(passed))
  }

  /// Those of some groups that come to nothing together: those that have been taken back, with those that
  /// did that.
  private func paired(_ groups: [Int: [LineHunk]]) -> [Int: [LineHunk]] {
    var paired = groups
    while true {
      let taken = Set(paired.keys.flatMap { document.contextAfter($0).takenBack?.groups ?? [] })
      let rest = paired.filter { id, _ in
        document.contextAfter(id).takenBack.map { $0.groups.allSatisfy { paired[$0] != nil } }
          ?? taken.contains(id)
      }
      if rest.count == paired.count { return paired }
      paired = rest
    }
  }

  /// The replacements that take back a group and what later groups did in some places.
  private func reversals(
    of stop: LineTrail.Stop, before text: PieceTable, composing others: [Int: [LineHunk]]
  ) throws(EditorError) -> [Reversal] {
    var reversals = stop.standing.map {
      Reversal(lines: $0.new, removed: text.slice(text.byteRange(of: $0.old)), hunks: [($0, 0)])
    }
    var then = text
    for change in document.changes(of: stop.id) { then.apply(change) }
    for id in history.path(to: stop.id).back.reversed() {
      let (changes, before) = (document.changes(of: id), then)
      for change in changes { then.apply(change) }
      for hunk in LineStep(of: changes, from: before, to: then).hunks.reversed() {
        if others[id]?.contains(hunk) ?? false {
          Self.add(hunk, of: before, to: &reversals, isOwn: false)
        } else if !Self.shift(&reversals, past: hunk) {
          guard let other = others[id], Self.covers(other, hunk, in: reversals) else {
            throw .revertOverlaps(by: id, named: title(id))
          }
        }
      }
    }
    return reversals
  }

  /// Whether all that a hunk did to the lines of reversals is among others, which come to nothing with
  /// what took them back. It has to replace lines by as many.
  private static func covers(
    _ others: [LineHunk], _ hunk: LineHunk, in reversals: [Reversal]
  ) -> Bool {
    if hunk.old.count != hunk.new.count { return false }
    return reversals.allSatisfy { reversal in
      let first = max(reversal.lines.first, hunk.old.first).value
      let last = min(reversal.lines.last, hunk.old.last).value
      return first > last
        || (first...last).allSatisfy { line in
          others.contains { $0.old.contains(LineNumber(line)) }
        }
    }
  }

  /// The replacements without what they would replace by the same.
  private static func refined(_ reversals: [Reversal], in text: PieceTable) -> [Reversal] {
    reversals.flatMap { reversal in
      let present = text.slice(text.byteRange(of: reversal.lines))
      if present == reversal.removed { return [Reversal]() }
      if present.isEmpty || reversal.removed.isEmpty { return [reversal] }
      let shift = reversal.lines.first.value - 1
      return LineDifference(from: present, to: reversal.removed).hunks.map { hunk in
        Reversal(
          lines: LineRange(hunk.old.first + shift, hunk.old.last + shift),
          removed: reversal.removed.slice(reversal.removed.byteRange(of: hunk.new)))
      }
    }
  }

  /// Where replacements take a group back.
  static func places(of reversals: [Reversal]) -> [TakenBack.Place] {
    var growth = 0
    return reversals.flatMap { reversal in
      let count = reversal.removed.newlineCount
      let first = reversal.lines.first + growth
      growth += count - reversal.lines.count
      return reversal.hunks.map { hunk, offset in
        let start = first + offset
        let restored = LineRange(start, start + (hunk.old.count - 1))
        return TakenBack.Place(old: hunk.old, undone: hunk.new, restored: restored)
      }
    }
  }

  // MARK: - Revert

  /// The replacements that give some lines back as they were at a revision, in order of their lines.
  ///
  /// What has been moved there or away since goes back to where it was.
  func reversals(of lines: LineRange, to id: Int) -> [Reversal] {
    let (back, forward) = history.path(to: id)
    let then = text(of: id)
    var (text, composed) = (then, [Reversal]())
    var steps: [(step: LineStep, before: Int, after: Int)] = []
    func go(_ changes: [Change]) {
      let before = text
      for change in changes { text.apply(change) }
      let step = LineStep(of: changes, from: before, to: text)
      for hunk in step.hunks.reversed() { Self.add(hunk, of: before, to: &composed) }
      steps.append((step, before.lineCount, text.lineCount))
    }
    for group in forward.reversed() { go(document.changes(of: group).inverse) }
    for group in back.reversed() { go(document.changes(of: group)) }
    var growth = 0
    let hunks = Self.refined(composed, in: text).map { reversal in
      let first = reversal.lines.first + growth
      let count = reversal.removed.newlineCount
      growth += count - reversal.lines.count
      return LineHunk(old: LineRange(first, first + (count - 1)), new: reversal.lines)
    }
    return Self.touched(lines, by: hunks, steps, text.lineCount).map {
      Reversal(lines: $0.new, removed: then.slice(then.byteRange(of: $0.old)))
    }
  }

  /// Those hunks that touched some lines, or moved what did.
  private static func touched(
    _ lines: LineRange, by hunks: [LineHunk],
    _ steps: [(step: LineStep, before: Int, after: Int)], _ lineCount: Int
  ) -> [LineHunk] {
    var tracked = TrackedLines(lines)
    let touched = tracked.goBack(over: .replaced(hunks), lineCount: lineCount)?.hunks ?? []
    let hasMoves = steps.contains { if case .moved = $0.step { true } else { false } }
    if !hasMoves { return touched }
    var chosen = touched
    while true {
      // Where the lines were at the revision, and where the lines of then are now.
      var (then, now) = (TrackedLines(lines), TrackedLines(LineRange(1, 0)))
      for hunk in chosen {
        then.insert(hunk.new)
        now.insert(hunk.old)
      }
      for (step, _, after) in steps.reversed() { _ = then.goBack(over: step, lineCount: after) }
      for (step, before, _) in steps { _ = now.goBack(over: step.inverse, lineCount: before) }
      let next = hunks.flatMap { hunk in
        let parts = touched.filter { $0 == hunk || $0.new.overlaps(hunk.new) }
        let isMoved = then.overlaps(hunk.old) || now.overlaps(hunk.new)
        return parts.isEmpty && isMoved ? [hunk] : parts
      }
      if next == chosen { return chosen }
      chosen = next
    }
  }
}

extension TrackedLines {
  /// Whether one of the lines is among these.
  fileprivate func overlaps(_ lines: LineRange) -> Bool {
    self.lines.contains { $0.overlaps(lines) }
  }
}
