import TextBuffer

/// Steps: the unit that `u` undoes, recorded as a group of the history or coalesced into one.
///
/// `Editor.perform` begins and ends steps; `u` and `e` inside a global command split its step in two.
extension EditedText {
  /// Begins a step and sets the undo point, unless a step is open already.
  ///
  /// - Returns: Whether a step has begun.
  mutating func beginStep() -> Bool {
    if isInStep { return false }
    marks.dropLost()
    setUndoPoint(line: currentLine, isModified: isModified)
    openStep()
    return true
  }

  /// Opens a step without a new undo point.
  mutating func openStep() {
    updateContext()
    document.begin()
    lines.beginStep(isInGroup: isInGroup)
    isInStep = true
    label = nil
    changedLine = LineNumber(.max)
  }

  /// Ends the open step: commits its changes as a group, or coalesces them into the group before.
  ///
  /// - Returns: Whether a step was open.
  @discardableResult
  mutating func endStep() -> Bool {
    guard isInStep else { return false }
    isInStep = false
    let before = document.history.current
    let isPlain = label == nil && document.lendContextAfter(before) { $0.label == nil }
    document.context = context(changedLine: changedLine, label: label)
    let done = document.commitNow(
      date: SystemClock.now, coalescing: isPlain ? coalescing : .none)
    // None when the group came to nothing together with the one before.
    let id = done.flatMap { $0 < before ? nil : $0 }
    // A coalesced group is named after its combined change.
    if id == before { describe(id) }
    if !isInGroup { recordLineEdits(of: id, after: before) }
    if isInGroup {
      undoPoint?.route = .changes(document.latestChanges.inverse)
      undoPoint?.lineEdits = LineTracking.Mark(count: lines.stepStart)
    }
    recordSave()
    return true
  }

  /// Rolls back the open step, if one is open.
  mutating func rollBackStep() {
    guard isInStep else { return }
    isInStep = false
    isStepFailed = false
    document.rollBack()
    (currentLine, marks) = (document.context.line, document.context.marks)
    usesCRLF = document.context.usesCRLF
    if let undoPoint, !isInGlobal { save.isDirty = undoPoint.isModified }
    undoPoint?.hasChanges = false
    hasEdits = false
    lines.rollBack(to: lines.stepStart)
    label = nil
  }

  /// Makes the current revision the undo point.
  mutating func setUndoPoint(line: LineNumber, isModified: Bool) {
    undoPoint = UndoPoint(
      route: .revision(document.history.current), line: line, isModified: isModified)
  }

  /// Labels a group by its combined change.
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
      $0.changedLine = line
      $0.label = label
    }
  }

  /// The editor state that belongs to the present text.
  @inline(__always)  // See revisionMarks.
  func context(changedLine: LineNumber = .zero, label: GroupLabel? = nil) -> EditorContext {
    EditorContext(
      line: currentLine, marks: revisionMarks, usesCRLF: usesCRLF, changedLine: changedLine,
      label: label)
  }

  /// Passes the current line and the marks to the document, which restores them on undo.
  mutating func updateContext() {
    document.context = context()
  }

  // MARK: - Saves

  /// Records that the whole text has been written to a file.
  mutating func didSave() {
    let written = isInGroup ? fileText : nil
    save = SaveState(isDirty: false, unrecorded: .current, unrecordedText: written)
    if textOnDisk != nil { textOnDisk = buffer }
    // The text at the beginning of an open group is no longer the saved one.
    for index in openGroups.indices {
      let isSame = openGroups[index].text == buffer
      openGroups[index].save = SaveState(
        isDirty: !isSame, unrecorded: isSame ? .current : .outdated, unrecordedText: written)
    }
    recordSave()
  }

  /// Notes that the file has been replaced by another text than this one, such as a part of it.
  mutating func didSavePart() {
    save = SaveState(isDirty: true, unrecorded: .outdated)
    recordSave()
  }

  /// Passes an unrecorded save to the history, once the text is a revision.
  mutating func recordSave() {
    guard save.unrecorded != .none, !document.isInTransaction else { return }
    if save.unrecorded == .current { document.markSaved() } else { document.markUnsaved() }
    (save.unrecorded, save.unrecordedText) = (.none, nil)
  }

  // MARK: - Interrupted commands

  /// The editor state before a command.
  struct Snapshot {
    fileprivate var revision: Int
    fileprivate var currentLine: LineNumber
    fileprivate var marks: Marks
    fileprivate var isDirty: Bool
    fileprivate var isBinary: Bool
    fileprivate var keepsMissingNewline: Bool
    fileprivate var usesCRLF: Bool
    fileprivate var cut: Cut?
    fileprivate var undoPoint: UndoPoint?
  }

  /// The current state, to be taken between two commands.
  var snapshot: Snapshot {
    Snapshot(
      revision: history.current, currentLine: currentLine, marks: marks, isDirty: save.isDirty,
      isBinary: isBinary, keepsMissingNewline: keepsMissingNewline,
      usesCRLF: usesCRLF, cut: cut, undoPoint: undoPoint)
  }

  /// Restores the state before an interrupted command.
  mutating func restore(_ start: Snapshot) {
    // A command list may have committed revisions before the interrupt.
    if !document.isInTransaction && history.current != start.revision {
      document.move(to: start.revision)
    }
    currentLine = start.currentLine
    marks = start.marks
    save.isDirty = start.isDirty
    isBinary = start.isBinary
    keepsMissingNewline = start.keepsMissingNewline
    usesCRLF = start.usesCRLF
    cut = start.cut
    undoPoint = start.undoPoint
    hasEdits = false
    updateContext()
  }

  // MARK: - New histories

  /// Begins a new history.
  ///
  /// - Parameters:
  ///   - name: The name of the file that was opened, or the command.
  ///   - first: The text of its first revision, with as many lines as the current text; nil for that.
  mutating func startHistory(opening name: [UInt8], with first: PieceTable? = nil) {
    undoPoint = nil
    leftRevision = nil
    textOnDisk = nil
    lines = LineTracking()
    document = Document(
      first ?? buffer,
      context: context(label: GroupLabel(.opened(name: name))),
      date: SystemClock.now)
  }

  /// Begins a new history after the restored one has turned out to be damaged. It has the text that the file has
  /// and, if there are unsaved changes, the present one.
  mutating func replaceDamagedHistory(of name: [UInt8]) {
    endAllGroups()
    let (present, saved) = (buffer, textOnDisk)
    undoPoint = nil
    textOnDisk = nil
    lines = LineTracking()
    document = Document(
      saved ?? present,
      context: context(label: GroupLabel(.opened(name: name))),
      date: SystemClock.now)
    document.trackChanges()
    guard let saved else { return document.markUnsaved() }
    document.edit(date: SystemClock.now) { $0.replaceWhatDiffers(from: saved, to: present) }
    if history.current > 0 { describe(history.current) }
  }
}
