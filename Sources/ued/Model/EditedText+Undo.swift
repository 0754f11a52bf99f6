import TextBuffer

/// The undo point: the state that `u` restores.
struct UndoPoint: Sendable {
  /// How `u` gets to the undo point.
  enum Route: Sendable {
    /// By moving to a revision.
    case revision(Int)
    /// By applying changes: in an open manual group the undo point is not a revision.
    case changes([Change])
  }

  var route: Route
  var line: LineNumber
  var isModified: Bool
  /// How marks follow `u`; nil if they follow the identities of lines, as after a jump.
  var trail: MarkTrail? = MarkTrail()
  /// In a manual group: what edits of lines it leaves.
  var lineEdits = LineTracking.Mark(count: 0)
  /// Whether anything has changed since the undo point.
  var hasChanges = false
  /// Whether `u` was the last to change it, and so does again what it has undone.
  var isRedo = false
}

extension EditedText {
  /// The revision that the last move left, if neither `undo` nor `redo` leads back there.
  var wayBack: Int? {
    guard let left = leftRevision, isRevision(left), history[history.current].preferredChild == nil
    else { return nil }
    var id = history.current
    // A parent has a smaller number.
    while id > left { id = history[id].parent ?? 0 }
    return id == left ? nil : left
  }

  /// Runs `u`: goes to the undo point, and makes the state left behind the new undo point.
  ///
  /// In a global command no further lines are visited.
  ///
  /// - Returns: The revision left behind, which is the current one still if only a part of it was undone;
  ///   and whether `u` did again what it had undone.
  @discardableResult
  mutating func undo() throws(EditorError) -> (start: Int, isRedo: Bool) {
    guard undoPoint?.hasChanges == true else { throw .nothingToUndo }
    let isSplit = endStep()
    guard let point = undoPoint else { throw .nothingToUndo }
    let line = currentLine
    let lineEdits = lines.goBack(to: point.lineEdits, if: isInGroup)
    let (oldMarks, oldText) = (marks, marks.areUsed ? buffer : PieceTable())
    let routeBack = follow(point)
    var trail = point.trail
    trail?.goBack(&marks)
    // The trail knows them if `u` comes next, and their lines if something else goes there.
    marks.identifyLost(oldMarks, in: oldText)
    activeLines?.removeAll()
    currentLine = point.line
    let wasModified = isModified
    save.isDirty = point.isModified
    undoPoint = UndoPoint(
      route: routeBack, line: line, isModified: wasModified, trail: trail, lineEdits: lineEdits,
      hasChanges: true, isRedo: !point.isRedo)
    if isSplit { openStep() }
    if case .revision(let start) = routeBack {
      if start != history.current { leftRevision = start }
      return (start, point.isRedo)
    }
    return (history.current, point.isRedo)
  }

  /// Restores the text of an undo point, and moves the marks that have no trail.
  ///
  /// - Returns: The route back.
  private mutating func follow(_ point: UndoPoint) -> UndoPoint.Route {
    switch point.route {
    case .revision(let target):
      // A command that was coalesced into the group before it is undone alone.
      var target = target
      let joined = document.history.current
      if let group = document.separateLatestEdit() {
        lines.forget(joined)
        if document.history.current != joined {
          recordLineEdits(of: document.history.current)
        }
        target = group
        label = nil
        describe(group)
        describe(document.history.current)
      }
      let here = document.history.current
      if here != target {
        go(to: target, restoringMarks: false, followingMarks: point.trail == nil)
      }
      return .revision(here)
    case .changes(let changes):
      document.begin()
      walk(changes, followingMarks: point.trail == nil) { document in
        document.edit { for change in changes { $0.apply(change) } }
      }
      didEdit()
      document.commit(date: SystemClock.now)
      return .changes(changes.inverse)
    }
  }

  /// Reads all of the history that is still stored alone, so that the store can be closed.
  func readHistory() {
    for id in history.revisions.indices {
      _ = document.changes(of: id)
      _ = document.contextAfter(id)
    }
  }

  /// The number of revisions from which on a move is made so that it can be given up.
  private static let longWay = 1000

  /// Moves to another revision, unless it is the current one; `u` moves back.
  ///
  /// - Throws: `historyDamaged` if the history can't be read, `interrupted`; the text is then as before.
  mutating func jump(to id: Int) throws(EditorError) {
    if id == history.current { return }
    guard isRevision(id) else { throw .historyDamaged }
    let (back, forward) = history.path(to: id)
    for (count, id) in (back + forward).enumerated() {
      if count & 255 == 255 && Interrupts.isInterrupted { throw .interrupted }
      _ = document.changes(of: id)
    }
    if history.isDamaged { throw .historyDamaged }
    // A copy makes the first change of the history slow.
    let old = back.count + forward.count > Self.longWay ? self : nil
    setUndoPoint(line: currentLine, isModified: isModified)
    undoPoint?.hasChanges = true
    undoPoint?.trail = nil
    leftRevision = history.current
    let isThere = go(to: id, restoringMarks: true, followingMarks: true) {
      old != nil && Interrupts.isInterrupted
    }
    if let old, !isThere {
      self = old
      throw .interrupted
    }
    if restoresMissingNewline { keepsMissingNewline = isUnterminated(id, buffer) }
    save.isDirty = document.isModified
  }

  /// Moves to another revision.
  ///
  /// With `followingMarks`, marks follow the identities of their lines. `restoringMarks` also resets marks not
  /// set since a group to their state at its other end; `u` does not do that, since in ed it only restores
  /// lines.
  ///
  /// - Parameters:
  ///   - revision: The revision.
  ///   - restoringMarks: See above.
  ///   - followingMarks: See above.
  ///   - isOver: Asked now and then whether to stop on the way.
  /// - Returns: Whether it is there.
  @discardableResult
  private mutating func go(
    to revision: Int, restoringMarks: Bool, followingMarks: Bool,
    unless isOver: () -> Bool = { false }
  ) -> Bool {
    let (back, forward) = history.path(to: revision)
    for (count, id) in (back + forward).enumerated() {
      if count & 255 == 255 && isOver() { return false }
      let marksNow = marks
      let isBack = id == history.current
      if isBack {
        walk(document.changes(of: id).inverse, followingMarks: followingMarks) { $0.undo() }
      } else {
        walk(document.changes(of: id), followingMarks: followingMarks) { $0.move(to: id) }
      }
      if !restoringMarks { continue }
      let (before, after) = (document.contextBefore(id).marks, document.contextAfter(id).marks)
      marks.restore(from: isBack ? after : before, to: isBack ? before : after, where: marksNow)
    }
    currentLine = document.context.line
    usesCRLF = document.context.usesCRLF
    return true
  }

  /// Moves the document by some changes, and with it the marks if they follow the identities of lines.
  private mutating func walk(
    _ changes: [Change], followingMarks: Bool, _ move: (inout Document<EditorContext>) -> Void
  ) {
    var old = buffer
    move(&document)
    guard followingMarks, marks.areUsed else { return }
    for change in changes {
      var new = old
      new.apply(change)
      let first = old.lineNumber(at: change.offset)
      marks.follow(
        LineRange(first, first + (change.removedNewlineCount - 1)),
        inserting: change.insertedNewlineCount, from: old, to: new)
      old = new
    }
    // A line that one change removed may have been inserted elsewhere by a later one.
    if changes.count > 1, let range = changes.rangeAfter, !range.isEmpty {
      let (first, last) = (
        old.lineNumber(at: range.lowerBound), old.lineNumber(at: range.upperBound - 1)
      )
      marks.recoverLost(in: old, LineRange(first, last))
    }
  }
}

extension [Change] {
  /// The changes that undo these.
  var inverse: [Change] { reversed().map(\.inverse) }
}
