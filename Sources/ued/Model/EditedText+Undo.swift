import TextBuffer

/// The state to which `u` goes back.
struct UndoPoint: Sendable {
  /// How to get there.
  enum Way: Sendable {
    /// To a revision.
    case revision(Int)
    /// By these changes: the state is no revision, since a group made by hand is open.
    case changes([Change])
  }

  var way: Way
  /// The current line there.
  var line: LineNumber
  /// Whether there was something to lose.
  var isModified: Bool
  /// The marks before and after what has changed since.
  var marksBefore: Marks
  var marksAfter: Marks
  /// Whether anything has changed since.
  var hasChanges = false
}

extension EditedText {
  /// Takes back all that changed since the undo point, or puts it back: `u` twice is nothing.
  ///
  /// In a global command this ends the visiting of lines.
  mutating func undo() throws(EditorError) {
    guard undoPoint?.hasChanges == true else { throw .nothingToUndo }
    let isSplit = endStep()
    guard let point = undoPoint else { throw .nothingToUndo }
    let line = currentLine
    let wayBack = go(point)
    activeLines?.removeAll()
    currentLine = point.line
    let wasModified = isModified
    save.isDirty = point.isModified
    undoPoint = UndoPoint(
      way: wayBack, line: line, isModified: wasModified,
      marksBefore: point.marksAfter, marksAfter: point.marksBefore, hasChanges: true)
    if isSplit { openStep() }
  }

  /// Goes to the undo point.
  ///
  /// - Returns: The way back.
  private mutating func go(_ point: UndoPoint) -> UndoPoint.Way {
    switch point.way {
    case .revision(let target):
      // A command that went on with the group before it is taken back alone.
      var target = target
      if let group = document.separateLatestEdit() {
        target = group
        label = nil
        describe(group)
        describe(document.history.current)
      }
      let here = document.history.current
      if here == target {
        // What was done came to nothing in the text, but not for the marks.
        marks.takeBack(from: point.marksAfter, to: point.marksBefore)
      } else {
        go(to: target, restoringMarks: false)
      }
      return .revision(here)
    case .changes(let changes):
      if changes.isEmpty { marks.takeBack(from: point.marksAfter, to: point.marksBefore) }
      document.begin()
      walk(changes) { document in document.edit { for change in changes { $0.apply(change) } } }
      didEdit()
      document.commit(time: SystemClock.now)
      return .changes(changes.inverse)
    }
  }

  /// Goes to another revision; `u` goes back. Where that is the present one nothing happens.
  mutating func jump(to id: Int) {
    if id == history.current { return }
    setUndoPoint(line: currentLine, isModified: isModified)
    undoPoint?.hasChanges = true
    go(to: id, restoringMarks: true)
    save.isDirty = document.isModified
    undoPoint?.marksAfter = marks
  }

  /// Moves to another revision.
  ///
  /// The marks follow their lines. If asked to, those that nothing has touched since are also set to
  /// what they were; `u` leaves that, since in ed only the lines go back.
  private mutating func go(to revision: Int, restoringMarks: Bool) {
    let (back, forward) = document.history.path(to: revision)
    for id in back {
      let marksNow = marks
      walk(document.changes(of: id).inverse) { $0.undo() }
      if restoringMarks {
        marks.restore(
          from: document.contextAfter(id).marks, to: document.contextBefore(id).marks,
          where: marksNow)
      }
    }
    for id in forward {
      let marksNow = marks
      walk(document.changes(of: id)) { $0.move(to: id) }
      if restoringMarks {
        marks.restore(
          from: document.contextBefore(id).marks, to: document.contextAfter(id).marks,
          where: marksNow)
      }
    }
    currentLine = LineNumber(Int(document.context.line))
  }

  /// Makes one step of a way through the history, which is these changes; the marks follow.
  private mutating func walk(
    _ changes: [Change], _ move: (inout Document<EditorContext>) -> Void
  ) {
    var old = buffer
    move(&document)
    guard marks.areUsed else { return }
    for change in changes {
      var new = old
      new.apply(change)
      let first = old.lineNumber(at: change.offset)
      marks.follow(
        from: old, to: new, LineRange(first, first + (change.removedNewlineCount - 1)),
        inserting: change.insertedNewlineCount)
      old = new
    }
    // A line that one change has put elsewhere may have been taken away by a later one.
    if changes.count > 1, let range = changes.rangeAfter, !range.isEmpty {
      let (first, last) = (
        old.lineNumber(at: range.lowerBound), old.lineNumber(at: range.upperBound - 1)
      )
      marks.findLost(in: old, LineRange(first, last))
    }
  }
}

extension [Change] {
  /// The changes that take these back.
  var inverse: [Change] { reversed().map(\.inverse) }
}
