import TextBuffer

/// Groups made by hand, and names: `begin`, `end`, `abort`, `name`, `checkpoint`.
extension Editor {
  /// A group that is open, and the state at its beginning.
  struct OpenGroup: Sendable {
    var name: String?
    /// The text at its beginning.
    var text: PieceTable
    var line: Int
    var marks: Marks
    var isModified: Bool
    var isBinary: Bool
    /// Whether the text was saved in an outer group just as it was here.
    var isSavedUnrecorded: Bool
    /// Whether the text has been saved since.
    var hasSaved = false
  }

  /// Whether a group made by hand is open.
  var isInGroup: Bool { !openGroups.isEmpty }

  /// Throws while a group is open: the words that walk the history would leave it.
  func refuseInGroup() throws(EditorError) {
    if isInGroup { throw .groupIsOpen }
  }

  /// Opens a group: all that changes until the matching `end` is one step of undo.
  mutating func beginGroup(_ name: [UInt8]) {
    noteContext()
    openGroups.append(
      OpenGroup(
        name: Self.text(name), text: buffer, line: currentLine, marks: marks,
        isModified: isModified,
        isBinary: isBinary, isSavedUnrecorded: isSavedUnrecorded))
    document.begin()
    undoPoint = nil
  }

  /// Closes the group opened last.
  mutating func endGroup() throws(EditorError) {
    guard let group = openGroups.popLast() else { throw .noOpenGroup }
    noteContext()
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
    isModified = group.isModified || group.hasSaved
    isBinary = group.isBinary
    undoPoint = nil
    isSavedUnrecorded = group.isSavedUnrecorded && !group.hasSaved
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
