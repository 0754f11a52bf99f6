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

  /// What takes back, in some lines only, the newest group of which anything stands there.
  ///
  /// What a group did to a place stands as long as no group that stands has taken it back there, and the text
  /// has not become what it was before in another way. Groups that took something back are passed over.
  ///
  /// - Throws: `nothingToUndoHere`, `interrupted`, or `revertOverlaps` with a later group that changed the same lines.
  func lineUndo(in lines: LineRange) throws(EditorError) -> LineUndo {
    var trail = LineTrail(of: lines, in: document)
    while let stop = try trail.next() {
      if stop.standing.isEmpty || document.contextAfter(stop.id).takenBack != nil { continue }
      let reversals = try reversals(of: stop, before: trail.text).filter {
        buffer.slice(buffer.byteRange(of: $0.lines)) != $0.removed
      }
      let refined = Self.refined(reversals, in: buffer)
      if isChanged(by: refined) {
        return LineUndo(
          id: stop.id, reversals: refined,
          takenBack: TakenBack([stop.id], Self.places(of: reversals), isWhole: false))
      }
    }
    throw .nothingToUndoHere
  }

  /// The replacements that take back what stands of a group in some lines, one for each place.
  ///
  /// They are followed through all later groups, up to one that changed the same lines. What that changed,
  /// another may have changed back: from there on the texts are compared. These do not show moves: where lines
  /// are gone that may have been moved, it is only up to the next group that moved some.
  ///
  /// - Parameters:
  ///   - stop: The group.
  ///   - before: The text before it.
  /// - Throws: `revertOverlaps` with a later group that changed the same lines.
  /// - Returns: The replacements.
  private func reversals(
    of stop: LineTrail.Stop, before: PieceTable
  ) throws(EditorError) -> [Reversal] {
    var reversals = Self.reversals(of: stop, before: before)
    let start = before
    var then = before
    for change in document.changes(of: stop.id) { then.apply(change) }
    var later = history.path(to: stop.id).back[...]
    while let id = later.popLast() {
      let (before, known) = (then, reversals)
      let step = document.goOn(over: id, from: &then)
      if Self.shift(&reversals, past: step.hunks) { continue }
      reversals = known
      if comesBack(to: before, from: then, along: &later) {
        then = before
        continue
      }
      if case .moved(let lines, let target) = step {
        if Self.follow(&reversals, throughMoveOf: lines, after: target) { continue }
      }
      // Lines that were moved are known by their groups alone.
      if !stop.isMove {
        if let compared = compared(known, from: before, to: buffer, overMoves: true) {
          return compared
        }
        var (rest, next) = (later, then)
        goOn(to: &next, beforeMoveIn: &rest)
        // What is gone there may have come back after a move.
        let isSure = rest.isEmpty || isTakenBack(known, from: before)
        if !step.isMove,
          let compared = compared(known, from: before, to: next, overMoves: !isSure)
        {
          (reversals, later, then) = (compared, rest, next)
          continue
        }
      }
      guard let past = pastPairs(of: stop, before: start) else { throw .revertOverlaps(group(id)) }
      return past
    }
    return reversals
  }

  /// The replacements that take back what stands of a group, in the text after it.
  private static func reversals(of stop: LineTrail.Stop, before: PieceTable) -> [Reversal] {
    stop.standing.map {
      Reversal(lines: $0.new, removed: before.slice(before.byteRange(of: $0.old)), hunks: [($0, 0)])
    }
  }

  /// Drops the groups after which a text is again what it was before another one; false if there are none.
  private func comesBack(
    to text: PieceTable, from then: PieceTable, along later: inout ArraySlice<Int>
  ) -> Bool {
    var (next, rest) = (then, later)
    while let id = rest.popLast() {
      for change in document.changes(of: id) { next.apply(change) }
      if next == text {
        later = rest
        return true
      }
    }
    return false
  }

  /// The replacements that take back what stands of a group, followed past groups that were taken back; nil if
  /// others are in the way.
  private func pastPairs(of stop: LineTrail.Stop, before: PieceTable) -> [Reversal]? {
    var after = before
    for change in document.changes(of: stop.id) { after.apply(change) }
    let steps: [Step] = history.path(to: stop.id).back.reversed()
      .map { ($0, document.changes(of: $0)) }
    let hunks = stop.standing
    let found = try? follow(
      Self.reversals(of: stop, before: before), undoing: [], pathsTo: [history.current]
    ) { (start, ids) throws(EditorError) in
      try follow(start, from: after, along: steps, undoing: ids)
    }
    guard var reversals = found else { return nil }
    for index in reversals.indices {
      reversals[index].hunks.removeAll { !hunks.contains($0.hunk) }
    }
    return reversals
  }

  /// Goes on to the text before the next of some groups that moved lines, or after the last one of them.
  private func goOn(to text: inout PieceTable, beforeMoveIn later: inout ArraySlice<Int>) {
    while let id = later.last {
      var next = text
      if document.goOn(over: id, from: &next).isMove { return }
      text = next
      later.removeLast()
    }
  }

  /// Whether the text has all lines that replacements of an earlier one would put there, and none that they
  /// would remove.
  private func isTakenBack(_ reversals: [Reversal], from base: PieceTable) -> Bool {
    let present = Self.lines([LineRange(1, lastLine.value)], of: buffer)
    return reversals.allSatisfy { reversal in
      let all = LineRange(1, reversal.removed.newlineCount)
      return Self.lines([all], of: reversal.removed).isSubset(of: present)
        && Self.lines([reversal.lines], of: base).isDisjoint(with: present)
    }
  }

  /// The texts of some lines.
  fileprivate static func lines(_ ranges: [LineRange], of text: PieceTable) -> Set<[UInt8]> {
    Set(ranges.flatMap { $0.first.value..<$0.last.value + 1 }.map { text.line(LineNumber($0)) })
  }

  /// Renumbers reversals for the text after hunks, unless these overlap one of them.
  private static func shift(_ reversals: inout [Reversal], past hunks: [LineHunk]) -> Bool {
    hunks.reversed().allSatisfy { hunk in
      if hunk.old.count == 0 { split(&reversals, above: hunk.old.first) }
      return shift(&reversals, past: hunk)
    }
  }

  /// Renumbers reversals for the text after a move; false if it tore one of them apart.
  private static func follow(
    _ reversals: inout [Reversal], throughMoveOf lines: LineRange, after target: LineNumber
  ) -> Bool {
    for line in [lines.first, lines.last + 1, target + 1] { split(&reversals, above: line) }
    for index in reversals.indices {
      guard let place = place(of: reversals[index].lines, afterMoveOf: lines, below: target)
      else { return false }
      reversals[index].lines = place
    }
    reversals.sort { ($0.lines.first, $0.lines.last) < ($1.lines.first, $1.lines.last) }
    return true
  }

  /// The place of lines, or of a gap between two, after a move; nil if they are not together then.
  ///
  /// A gap beside moved lines is where the other line beside it stays.
  private static func place(
    of lines: LineRange, afterMoveOf moved: LineRange, below target: LineNumber
  ) -> LineRange? {
    let move = LineEdit.moved(moved, after: target)
    func line(_ line: LineNumber) -> LineNumber { move.line(after: line) ?? line }
    if lines.count == 0 {
      if lines.last == target { return nil }
      return lines.last == moved.last
        ? LineRange(line(lines.first), line(lines.first) - 1)
        : LineRange(line(lines.last) + 1, line(lines.last))
    }
    let isMoved = moved.contains(lines.first) && moved.contains(lines.last)
    let isApart = !moved.overlaps(lines) && (target < lines.first || lines.last <= target)
    return isMoved || isApart ? LineRange(line(lines.first), line(lines.last)) : nil
  }

  /// The replacements of one text where a later one has the same lines still; nil if there are conflicts.
  ///
  /// Lines that are gone, as taken back, may only have been moved: over moves that is a conflict.
  private func compared(
    _ reversals: [Reversal], from base: PieceTable, to text: PieceTable, overMoves: Bool = false
  ) -> [Reversal]? {
    var undone = base
    for reversal in reversals.reversed() {
      undone.replaceLines(reversal.lines, with: reversal.removed)
    }
    let merge = LineMerge(of: text, and: undone, from: base)
    let isClean = merge.regions.allSatisfy { region in
      switch region.kind {
      case .ours, .theirs: true
      case .both: !overMoves
      case .conflict: !overMoves && merge.hasTheirs(in: region)
      }
    }
    if !isClean { return nil }
    return merge.theirRegions.map { region in
      var (growth, hunks): (Int, [(hunk: LineHunk, offset: Int)]) = (0, [])
      for reversal in reversals
      where region.base.first <= reversal.lines.first && reversal.lines.last <= region.base.last {
        let start = reversal.lines.first - region.base.first + growth
        hunks += reversal.hunks.map { ($0.hunk, start + $0.offset) }
        growth += reversal.removed.newlineCount - reversal.lines.count
      }
      return Reversal(lines: region.ours, removed: merge.theirLines(of: region), hunks: hunks)
    }
  }

  /// Parts a replacement of lines by as many where lines are inserted between two of them.
  private static func split(_ reversals: inout [Reversal], above line: LineNumber) {
    guard
      let index = reversals.firstIndex(where: { $0.lines.first < line && line <= $0.lines.last }),
      reversals[index].removed.newlineCount == reversals[index].lines.count,
      let hunk = reversals[index].hunks.first?.hunk, hunk.old.count == reversals[index].lines.count
    else { return }
    let (lines, removed) = (reversals[index].lines, reversals[index].removed)
    let parts = [LineRange(lines.first, line - 1), LineRange(line, lines.last)].map { part in
      let (first, last) = (
        part.first.value - lines.first.value, part.last.value - lines.first.value
      )
      return Reversal(
        lines: part,
        removed: removed.slice(
          removed.byteRange(of: LineRange(LineNumber(first + 1), LineNumber(last + 1)))),
        hunks: [
          (
            LineHunk(
              old: LineRange(hunk.old.first + first, hunk.old.first + last),
              new: LineRange(hunk.new.first + first, hunk.new.first + last)), 0
          )
        ])
    }
    reversals.replaceSubrange(index...index, with: parts)
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
  ///
  /// - Throws: `interrupted`.
  mutating func reversals(
    of lines: LineRange, to id: Int
  ) throws(EditorError) -> [Reversal] {
    let then = try text(of: id)
    let hunks = try LineDifference.interruptible(from: then, to: buffer).hunks
    var tracked = TrackedLines(lines)
    let touched = tracked.goBack(over: .replaced(hunks), lineCount: lastLine.value)?.hunks ?? []
    return try whole(touched, of: hunks, since: id).map {
      Reversal(lines: $0.new, removed: then.slice(then.byteRange(of: $0.old)))
    }
  }

  /// Adds to some hunks, or parts of them, all others that share a line with them, which has been moved.
  ///
  /// - Parameters:
  ///   - chosen: The hunks or parts.
  ///   - hunks: All hunks from a revision to the present text, in order of their lines.
  ///   - id: The revision.
  /// - Throws: `interrupted`.
  /// - Returns: The hunks, in the same order.
  private mutating func whole(
    _ chosen: [LineHunk], of hunks: [LineHunk], since id: Int
  ) throws(EditorError) -> [LineHunk] {
    func index(_ line: LineNumber) -> Int? {
      let index = hunks.partitionPoint { $0.new.last < line }
      return index < hunks.count && hunks[index].new.contains(line) ? index : nil
    }
    // Which hunks have lines in common: one has them in the old text, another in the present one.
    var links: [Int: Set<Int>] = [:]
    for (old, hunk) in hunks.enumerated() where hunk.old.count > 0 {
      for line in hunk.old.first.value...hunk.old.last.value {
        if Interrupts.isInterrupted { throw .interrupted }
        guard let place = try? self.line(LineNumber(line), of: id), let new = index(place) else {
          continue
        }
        // A part of a hunk has lines of its own only as long as those stay in order.
        let isInPlace = place - hunk.new.first == line - hunk.old.first.value
        if new == old && (hunk.old.count != hunk.new.count || isInPlace) { continue }
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

extension LineMerge {
  /// Whether the first text has done in a region what the second one has, and more: all lines of the second are
  /// there, and none of those that it lacks.
  fileprivate func hasTheirs(in region: Region) -> Bool {
    let base = base.slice(base.byteRange(of: region.base))
    let ours = ours.slice(ours.byteRange(of: region.ours))
    let theirs = theirs.slice(theirs.byteRange(of: region.theirs))
    let more = LineDifference(from: theirs, to: ours).hunks
    if more.contains(where: { $0.old.count > 0 }) { return false }
    let gone = LineDifference(from: base, to: theirs).hunks.map(\.old)
    return EditedText.lines(gone, of: base)
      .isDisjoint(with: EditedText.lines(more.map(\.new), of: ours))
  }
}
