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
    while let stop = trail.next() {
      if stop.standing.isEmpty || document.contextAfter(stop.id).takenBack != nil { continue }
      let reversals = try reversals(of: stop, before: trail.text)
      let refined = Self.refined(reversals, in: buffer)
      if !refined.isEmpty {
        return LineUndo(
          id: stop.id, reversals: refined,
          takenBack: TakenBack([stop.id], Self.places(of: reversals), isWhole: false))
      }
    }
    throw .nothingToUndoHere
  }

  /// The replacements that take back what stands of a group in some lines, one for each place.
  ///
  /// - Parameters:
  ///   - stop: The group.
  ///   - before: The text before it.
  /// - Throws: `revertOverlaps` with a later group that changed the same lines.
  /// - Returns: The replacements.
  private func reversals(
    of stop: LineTrail.Stop, before: PieceTable
  ) throws(EditorError) -> [Reversal] {
    var after = before
    for change in document.changes(of: stop.id) { after.apply(change) }
    do throws(EditorError) {
      return try followed(stop, from: before, after)
    } catch {
      // Lines that were moved are known by their groups alone.
      if stop.isMove { throw error }
      // What one group changed, another may have changed back.
      var undone = after
      for hunk in stop.standing.reversed() {
        undone.replaceLines(hunk.new, with: before.slice(before.byteRange(of: hunk.old)))
      }
      let merge = LineMerge(of: buffer, and: undone, from: after)
      if !merge.conflicts.isEmpty { throw error }
      return merge.theirRegions.map { region in
        Reversal(
          lines: region.ours, removed: merge.theirLines(of: region),
          hunks: stop.standing.filter { $0.new == region.base }.map { ($0, 0) })
      }
    }
  }

  /// The replacements that take back what stands of a group, followed through all later groups.
  private func followed(
    _ stop: LineTrail.Stop, from before: PieceTable, _ after: PieceTable
  ) throws(EditorError) -> [Reversal] {
    var reversals = stop.standing.map {
      Reversal(lines: $0.new, removed: before.slice(before.byteRange(of: $0.old)), hunks: [($0, 0)])
    }
    var then = after
    for id in history.path(to: stop.id).back.reversed() {
      let (changes, before) = (document.changes(of: id), then)
      for change in changes { then.apply(change) }
      for hunk in LineStep(of: changes, from: before, to: then).hunks.reversed() {
        guard Self.shift(&reversals, past: hunk) else {
          throw .revertOverlaps(group(id))
        }
      }
    }
    return reversals
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
  /// A line that has been moved here or away since goes back to where it was, with all that stands between
  /// there and unchanged lines.
  mutating func reversals(of lines: LineRange, to id: Int) -> [Reversal] {
    let then = text(of: id)
    let hunks = LineDifference(from: then, to: buffer).hunks
    var tracked = TrackedLines(lines)
    let touched = tracked.goBack(over: .replaced(hunks), lineCount: lastLine.value)?.hunks ?? []
    return whole(touched, of: hunks, since: id).map {
      Reversal(lines: $0.new, removed: then.slice(then.byteRange(of: $0.old)))
    }
  }

  /// Adds to some hunks, or parts of them, all others that share a line with them, which has been moved.
  ///
  /// - Parameters:
  ///   - chosen: The hunks or parts.
  ///   - hunks: All hunks from a revision to the present text, in order of their lines.
  ///   - id: The revision.
  /// - Returns: The hunks, in the same order.
  private mutating func whole(
    _ chosen: [LineHunk], of hunks: [LineHunk], since id: Int
  ) -> [LineHunk] {
    func index(_ line: LineNumber) -> Int? {
      let index = hunks.partitionPoint { $0.new.last < line }
      return index < hunks.count && hunks[index].new.contains(line) ? index : nil
    }
    // Which hunks have lines in common: one has them in the old text, another in the present one.
    var links: [Int: Set<Int>] = [:]
    for (old, hunk) in hunks.enumerated() where hunk.old.count > 0 {
      for line in hunk.old.first.value...hunk.old.last.value {
        let place = try? self.line(LineNumber(line), of: id)
        guard let new = place.flatMap(index), new != old else { continue }
        links[old, default: []].insert(new)
        links[new, default: []].insert(old)
      }
    }
    if links.isEmpty { return chosen }
    var parts = [[LineHunk]](repeating: [], count: hunks.count)
    var hunk = 0
    for part in chosen {
      while !Self.isPart(part, of: hunks[hunk]) { hunk += 1 }
      parts[hunk].append(part)
    }
    var waiting = hunks.indices.filter { !parts[$0].isEmpty && links[$0] != nil }
    var found = Set(waiting)
    while let next = waiting.popLast() {
      waiting += (links[next] ?? []).filter { found.insert($0).inserted }
    }
    return hunks.indices.flatMap { found.contains($0) ? [hunks[$0]] : parts[$0] }
  }

  private static func isPart(_ part: LineHunk, of hunk: LineHunk) -> Bool {
    part == hunk
      || part.new.count > 0 && hunk.new.contains(part.new.first)
        && hunk.old.contains(part.old.first)
  }
}
