import TextBuffer

/// A group that `begin` has opened, and the state at its beginning.
struct ManualGroup: Sendable {
  var name: String?
  /// The text at its beginning.
  var text: PieceTable
  var line: LineNumber
  var marks: Marks
  var isBinary: Bool
  /// What is known of the last save where the text is as at its beginning.
  var save: SaveState
}

/// Groups made by hand, and names: `begin`, `end`, `abort`, `name`, `checkpoint`.
extension EditedText {
  /// Whether a group made by hand is open.
  var isInGroup: Bool { !openGroups.isEmpty }

  /// Throws while a group is open: the words that walk the history would leave it.
  func refuseInGroup() throws(EditorError) {
    if isInGroup { throw .groupIsOpen }
  }

  /// Opens a group: all that changes until the matching `end` is one step of undo.
  mutating func beginGroup(_ name: [UInt8]) {
    updateContext()
    openGroups.append(
      ManualGroup(
        name: Self.text(name), text: buffer, line: currentLine, marks: marks, isBinary: isBinary,
        save: SaveState(isDirty: isModified, unrecorded: save.unrecorded)))
    document.begin()
    undoPoint = nil
  }

  /// Closes the group opened last.
  mutating func endGroup() throws(EditorError) {
    guard let group = openGroups.popLast() else { throw .noOpenGroup }
    updateContext()
    let id = document.commit(group.name, time: SystemClock.now)
    if !isInGroup { document.closeGroup() }
    undoPoint = nil
    label = nil
    describe(id)
    recordSave()
  }

  /// Gives up the group opened last: the text is as it was at its beginning.
  mutating func abortGroup() throws(EditorError) {
    guard let group = openGroups.popLast() else { throw .noOpenGroup }
    document.rollBack()
    if !isInGroup { document.closeGroup() }
    currentLine = group.line
    marks = group.marks
    save = group.save
    isBinary = group.isBinary
    undoPoint = nil
    recordSave()
  }

  /// Gives up all open groups.
  mutating func abortAllGroups() {
    while isInGroup { try? abortGroup() }
  }

  /// Closes all open groups.
  mutating func endAllGroups() {
    while isInGroup { try? endGroup() }
  }

  /// Names the open group, or else the latest one.
  mutating func setName(_ name: [UInt8]) throws(EditorError) {
    guard let text = Self.text(name) else { throw .missingArgument }
    if isInGroup {
      openGroups[openGroups.count - 1].name = text
    } else {
      document.setName(text, of: history.current)
    }
  }

  /// Marks the present revision as one to return to, and names it.
  mutating func setCheckpoint(_ name: [UInt8]) throws(EditorError) {
    try refuseInGroup()
    if let text = Self.text(name) { document.setName(text, of: history.current) }
    document.setCheckpoint(true, of: history.current)
  }

  /// An argument as text; nil when it is empty.
  private static func text(_ argument: [UInt8]) -> String? {
    argument.isEmpty ? nil : GroupNames.readable(argument)
  }
}
