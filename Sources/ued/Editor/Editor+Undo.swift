import TextBuffer

/// The state to which `u` goes back.
struct UndoPoint: Sendable {
  /// The revision to go to.
  var revision: Int
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
    document.begin()
  }

  /// Makes the present state the one to which `u` goes back.
  mutating func setUndoPoint(line: Int, isModified: Bool) {
    undoPoint = UndoPoint(
      revision: document.history.current, line: line, isModified: isModified,
      marksBefore: marks, marksAfter: marks)
  }

  /// Ends what `beginChange` began: what has changed since is one revision.
  mutating func endChange() {
    guard document.isInTransaction else { return }
    document.commit()
    undoPoint?.marksAfter = marks
  }

  /// Takes back all that changed since the undo point, or puts it back: `u` twice is nothing.
  ///
  /// In a global command this ends the visiting of lines.
  mutating func undo() throws(EditorError) {
    guard var point = undoPoint, point.hasChanges else { throw .nothingToUndo }
    let isInGlobal = activeLines != nil
    endChange()
    point.marksAfter = undoPoint?.marksAfter ?? marks
    let here = document.history.current
    let line = currentLine
    if here == point.revision {
      // What was done came to nothing in the text, but not for the marks.
      marks.takeBack(from: point.marksAfter, to: point.marksBefore)
    } else {
      go(to: point.revision)
    }
    activeLines?.removeAll()
    currentLine = point.line
    swap(&isModified, &point.isModified)
    undoPoint = UndoPoint(
      revision: here, line: line, isModified: point.isModified,
      marksBefore: point.marksAfter, marksAfter: point.marksBefore, hasChanges: true)
    if isInGlobal { document.begin() }
  }

  /// Moves to another revision; the marks follow.
  private mutating func go(to revision: Int) {
    let (back, forward) = document.history.path(to: revision)
    for id in back {
      if let change = document.change(of: id) { step(change.inverse) { $0.undo() } }
    }
    for id in forward {
      if let change = document.change(of: id) { step(change) { $0.move(to: id) } }
    }
  }

  /// Makes one step of a way through the history; the marks follow.
  private mutating func step(_ change: Change, _ move: (inout Document<LineNumber>) -> Void) {
    let old = buffer
    let first = old.lineNumber(at: change.offset).value
    move(&document)
    marks.follow(
      from: old, to: buffer, from: first, removing: change.removedNewlineCount,
      inserting: change.insertedNewlineCount)
  }
}
