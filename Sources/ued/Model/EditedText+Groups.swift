import TextBuffer

/// A group opened by `begin`, with the editor state that `abort` restores.
struct ManualGroup: Sendable {
  var name: String?
  var text: PieceTable
  var line: LineNumber
  var marks: Marks
  var isBinary: Bool
  var keepsMissingNewline: Bool
  var usesCRLF: Bool
  /// The save state of `text`.
  var save: SaveState
  /// The number of edits of lines that were noted before it.
  var lineEditCount: Int
}

/// Manual groups and names: `begin`, `end`, `abort`, `name`.
extension EditedText {
  /// Whether a manual group is open.
  var isInGroup: Bool { !openGroups.isEmpty }

  /// Throws while a manual group is open, which a move to another revision would leave.
  func refuseInGroup() throws(EditorError) {
    if isInGroup { throw .groupIsOpen }
  }

  /// Opens a group: all edits until the matching `end` are undone together.
  mutating func beginGroup(_ name: [UInt8]) {
    updateContext()
    if !isInGroup { lines.beginStep(isInGroup: false) }
    openGroups.append(
      ManualGroup(
        name: Self.text(name), text: buffer, line: currentLine, marks: marks, isBinary: isBinary,
        keepsMissingNewline: keepsMissingNewline, usesCRLF: usesCRLF,
        save: SaveState(
          isDirty: isModified, unrecorded: save.unrecorded, unrecordedText: save.unrecordedText),
        lineEditCount: lines.open.count))
    document.begin()
    undoPoint = nil
  }

  /// Commits the innermost open group.
  mutating func endGroup() throws(EditorError) {
    guard let group = openGroups.popLast() else { throw .noOpenGroup }
    updateContext()
    let id = document.commit(group.name, date: SystemClock.now)?.to
    if !isInGroup { document.closeGroup() }
    undoPoint = nil
    label = nil
    describe(id)
    if !isInGroup { recordLineEdits(of: id) }
    recordSave()
  }

  /// Rolls back the innermost open group.
  mutating func abortGroup() throws(EditorError) {
    guard let group = openGroups.popLast() else { throw .noOpenGroup }
    document.rollBack()
    lines.rollBack(to: group.lineEditCount)
    if !isInGroup { document.closeGroup() }
    currentLine = group.line
    marks = group.marks
    save = group.save
    isBinary = group.isBinary
    keepsMissingNewline = group.keepsMissingNewline
    usesCRLF = group.usesCRLF
    undoPoint = nil
    recordSave()
  }

  /// Rolls back all open groups.
  mutating func abortAllGroups() {
    while isInGroup { try? abortGroup() }
  }

  /// Commits all open groups.
  mutating func endAllGroups() {
    while isInGroup { try? endGroup() }
  }

  /// Names the open group, or else the current revision, which later edits do not join.
  mutating func setName(_ name: [UInt8]) throws(EditorError) {
    guard let text = Self.text(name) else { throw .missingArgument(.name) }
    if isInGroup {
      openGroups[openGroups.count - 1].name = text
    } else {
      document.setName(text, of: history.current)
    }
  }

  /// An argument as text; nil when it is empty.
  private static func text(_ argument: [UInt8]) -> String? {
    argument.isEmpty ? nil : GroupNames.readable(argument)
  }
}
