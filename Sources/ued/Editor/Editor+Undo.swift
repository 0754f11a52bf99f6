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
  var line: Int
  /// Whether there was something to lose.
  var isModified: Bool
  /// The marks before and after what has changed since.
  var marksBefore: Marks
  var marksAfter: Marks
  /// Whether anything has changed since.
  var hasChanges = false
}

extension Editor {
  /// Notes the state before a command that changes the text: `u` goes back to here.
  ///
  /// In a global command the state is that of its beginning.
  mutating func beginChange() {
    guard activeLines == nil else { return }
    marks.forgetLost()
    setUndoPoint(line: currentLine, isModified: isModified)
    openTransaction()
  }

  /// Makes the present state the one to which `u` goes back.
  mutating func setUndoPoint(line: Int, isModified: Bool) {
    undoPoint = UndoPoint(
      way: .revision(document.history.current), line: line, isModified: isModified,
      marksBefore: marks, marksAfter: marks)
  }

  /// Lets all edits until `endChange` be one step.
  mutating func openTransaction() {
    noteContext()
    document.begin()
    hasTransaction = true
    label = nil
    changedLine = .max
  }

  /// Ends what `beginChange` began: what has changed since is one step of undo, or, where it goes on
  /// with the step before, a part of that.
  mutating func endChange() {
    guard hasTransaction else { return }
    hasTransaction = false
    let before = document.history.current
    let isPlain = label == nil && document.contextAfter(before).label == nil
    document.context = EditorContext(
      line: currentLine, marks: marks, changedLine: changedLine, label: label)
    let id = document.commit(
      time: SystemClock.now, coalescing: isPlain ? coalescing : .none)
    // What is two commands is described as what they come to.
    if id == before { describe(id) }
    undoPoint?.marksAfter = marks
    if isInGroup { undoPoint?.way = .changes(document.latestChanges.inverse) }
    recordSave()
  }

  /// Notes that the text is no longer what it was.
  mutating func noteEdit() {
    undoPoint?.hasChanges = true
    isSavedUnrecorded = false
  }

  /// Notes that all of the text is in a file.
  mutating func noteSave() {
    isModified = false
    wasSavedUnrecorded = true
    isSavedUnrecorded = true
    for index in openGroups.indices { openGroups[index].hasSaved = true }
    recordSave()
  }

  /// Tells the history of a save, once the text is a revision.
  mutating func recordSave() {
    guard wasSavedUnrecorded, !document.isInTransaction else { return }
    if isSavedUnrecorded { document.markSaved() } else { document.markUnsaved() }
    wasSavedUnrecorded = false
    isSavedUnrecorded = false
  }

  /// Lets a revision know what it did.
  mutating func describe(_ id: Int?) {
    guard let id else { return }
    let changes = document.changes(of: id)
    guard let range = changes.rangeAfter else { return }
    let text = buffer
    let line = text.lineNumber(at: range.lowerBound).value
    var label = label
    if label == nil && changes.count > 1 {
      let inserted = text.lineNumber(at: range.upperBound).value - line
      let growth = changes.reduce(0) { $0 + $1.insertedNewlineCount - $1.removedNewlineCount }
      label = GroupLabel(.replaced(LineRange(line, line + inserted - growth - 1), by: inserted))
    }
    document.updateContextAfter(id) {
      $0.changedLine = Int32(clamping: line)
      $0.label = label
    }
  }

  /// Tells the document what is restored with the text as it is now.
  mutating func noteContext() {
    document.context = EditorContext(line: currentLine, marks: marks)
  }

  /// Takes back all that changed since the undo point, or puts it back: `u` twice is nothing.
  ///
  /// In a global command this ends the visiting of lines.
  mutating func undo() throws(EditorError) {
    guard undoPoint?.hasChanges == true else { throw .nothingToUndo }
    let isInGlobal = activeLines != nil
    endChange()
    guard var point = undoPoint else { throw .nothingToUndo }
    let line = currentLine
    let wayBack = go(point)
    activeLines?.removeAll()
    currentLine = point.line
    swap(&isModified, &point.isModified)
    undoPoint = UndoPoint(
      way: wayBack, line: line, isModified: point.isModified,
      marksBefore: point.marksAfter, marksAfter: point.marksBefore, hasChanges: true)
    if isInGlobal { openTransaction() }
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
      noteEdit()
      document.commit(time: SystemClock.now)
      return .changes(changes.inverse)
    }
  }

  /// Moves to another revision.
  ///
  /// The marks follow their lines. If asked to, those that nothing has touched since are also set to
  /// what they were; `u` leaves that, since in ed only the lines go back.
  mutating func go(to revision: Int, restoringMarks: Bool) {
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
    currentLine = Int(document.context.line)
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
      marks.follow(
        from: old, to: new, from: old.lineNumber(at: change.offset).value,
        removing: change.removedNewlineCount, inserting: change.insertedNewlineCount)
      old = new
    }
    // A line that one change has put elsewhere may have been taken away by a later one.
    if changes.count > 1, let range = changes.rangeAfter, !range.isEmpty {
      marks.findLost(
        in: old,
        LineRange(
          old.lineNumber(at: range.lowerBound).value, old.lineNumber(at: range.upperBound - 1).value
        ))
    }
  }
}

extension [Change] {
  /// The changes that take these back.
  var inverse: [Change] { reversed().map(\.inverse) }
}
