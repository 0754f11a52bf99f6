import TextBuffer

/// The state to which `u` goes back.
struct UndoPoint: Sendable {
  /// The revision to go to.
  var revision: Int
  /// The current line there.
  var line: Int
  /// Whether there was something to lose.
  var isModified: Bool
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
    undoPoint = UndoPoint(
      revision: document.history.current, line: currentLine, isModified: isModified)
    document.begin()
  }

  /// Ends what `beginChange` began: what has changed since is one revision.
  mutating func endChange() {
    if document.isInTransaction { document.commit() }
  }

  /// Takes back all that changed since the undo point, or puts it back: `u` twice is nothing.
  ///
  /// In a global command this ends the visiting of lines.
  mutating func undo() throws(EditorError) {
    guard var point = undoPoint, point.hasChanges else { throw .nothingToUndo }
    let isInGlobal = activeLines != nil
    endChange()
    let here = document.history.current
    let line = currentLine
    go(to: point.revision)
    activeLines?.removeAll()
    currentLine = point.line
    swap(&isModified, &point.isModified)
    undoPoint = UndoPoint(
      revision: here, line: line, isModified: point.isModified, hasChanges: true)
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
    if back.isEmpty && forward.isEmpty { marks.bringBackLost(in: buffer) }
  }

  /// Makes one step of a way through the history; the marks follow.
  private mutating func step(_ change: Change, _ move: (inout Document<LineNumber>) -> Void) {
    let old = buffer
    let offset = change.offset
    let isAtEnd = offset.value == old.byteCount
    let first = isAtEnd ? old.lineCount + 1 : old.lineNumber(at: offset).value
    move(&document)
    marks.follow(
      from: old, to: buffer, from: first, removing: change.removedNewlineCount,
      inserting: change.insertedNewlineCount)
  }
}
