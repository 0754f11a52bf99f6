import TextBuffer

/// Steps: what `u` takes back at once, and a group of the history or a part of one.
///
/// `Editor.perform` begins and ends them; only `u` and `e` in a global command split its step.
extension EditedText {
  /// Begins a step, and makes the present state the one to which `u` goes back. While a step is open
  /// nothing happens: what follows belongs to that.
  ///
  /// - Returns: Whether a step has begun.
  mutating func beginStep() -> Bool {
    if isInStep { return false }
    marks.forgetLost()
    setUndoPoint(line: currentLine, isModified: isModified)
    openStep()
    return true
  }

  /// Lets all edits until `endStep` be one step.
  mutating func openStep() {
    updateContext()
    document.begin()
    isInStep = true
    label = nil
    changedLine = LineNumber(.max)
  }

  /// Ends the open step: what it changed is a group, or, where it goes on with the group before, a part
  /// of that.
  ///
  /// - Returns: Whether one was open.
  @discardableResult
  mutating func endStep() -> Bool {
    guard isInStep else { return false }
    isInStep = false
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
    return true
  }

  /// Gives up the open step: the text is as it was before.
  mutating func rollBackStep() {
    isInStep = false
    document.rollBack()
    label = nil
  }

  /// Makes the present state the one to which `u` goes back.
  mutating func setUndoPoint(line: LineNumber, isModified: Bool) {
    undoPoint = UndoPoint(
      way: .revision(document.history.current), line: line, isModified: isModified,
      marksBefore: marks, marksAfter: marks)
  }

  /// Describes a group by what it changed in all.
  mutating func describe(_ id: Int?) {
    guard let id else { return }
    let changes = document.changes(of: id)
    guard let range = changes.rangeAfter else { return }
    let text = buffer
    let line = text.lineNumber(at: range.lowerBound)
    var label = label
    if label == nil && changes.count > 1 {
      let inserted = text.lineNumber(at: range.upperBound) - line
      let growth = changes.reduce(0) { $0 + $1.insertedNewlineCount - $1.removedNewlineCount }
      label = GroupLabel(.replaced(LineRange(line, line + (inserted - growth - 1)), by: inserted))
    }
    document.updateContextAfter(id) {
      $0.changedLine = Int32(clamping: line.value)
      $0.label = label
    }
  }

  /// Tells the document what is restored with the text as it is now.
  mutating func updateContext() {
    document.context = EditorContext(line: currentLine, marks: marks)
  }

  // MARK: - Saves

  /// Notes that all of the text is in a file.
  mutating func didSave() {
    save = SaveState(isDirty: false, unrecorded: .current)
    // Where a group began, the text is not what was saved from now on.
    for index in openGroups.indices {
      openGroups[index].save = SaveState(isDirty: true, unrecorded: .outdated)
    }
    recordSave()
  }

  /// Tells the history of a save, once the text is a revision.
  mutating func recordSave() {
    guard save.unrecorded != .none, !document.isInTransaction else { return }
    if save.unrecorded == .current { document.markSaved() } else { document.markUnsaved() }
    save.unrecorded = .none
  }

  // MARK: - Giving up a command

  /// The state between two commands.
  struct Snapshot {
    fileprivate var revision: Int
    fileprivate var currentLine: LineNumber
    fileprivate var marks: Marks
    fileprivate var isDirty: Bool
    fileprivate var isBinary: Bool
    fileprivate var cut: Cut?
    fileprivate var undoPoint: UndoPoint?
  }

  /// The state now, between two commands.
  var snapshot: Snapshot {
    Snapshot(
      revision: history.current, currentLine: currentLine, marks: marks, isDirty: save.isDirty,
      isBinary: isBinary, cut: cut, undoPoint: undoPoint)
  }

  /// Puts back the state before a command that was interrupted.
  mutating func restore(_ start: Snapshot) {
    // A command list may have made revisions on its way.
    if !document.isInTransaction && history.current != start.revision {
      document.move(to: start.revision)
    }
    currentLine = start.currentLine
    marks = start.marks
    save.isDirty = start.isDirty
    isBinary = start.isBinary
    cut = start.cut
    undoPoint = start.undoPoint
    updateContext()
  }

  // MARK: - Other texts

  /// Begins a new history with the present text, which is called `name`.
  mutating func startHistory(named name: String) {
    endStep()
    undoPoint = nil
    updateContext()
    document = Document(
      buffer, context: document.context, name: name, time: SystemClock.now)
  }
}
