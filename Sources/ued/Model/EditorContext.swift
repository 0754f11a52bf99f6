import TextBuffer

/// What is restored together with the text.
struct EditorContext: Sendable {
  /// The current line.
  var line: Int32
  /// After a group: the first line that it changed, so that it can describe itself.
  var changedLine: Int32 = 0
  /// The lines that marks stand on.
  var marks = Marks()
  /// After a group: what it did, where the change itself does not tell.
  var label: GroupLabel?

  init(
    line: LineNumber, marks: Marks, changedLine: LineNumber = .zero, label: GroupLabel? = nil
  ) {
    self.line = Int32(clamping: line.value)
    self.marks = marks
    self.changedLine = Int32(clamping: changedLine.value)
    self.label = label
  }
}
