import TextBuffer

/// Editor state that undo restores along with the text.
struct EditorContext: Sendable {
  var marks: Marks
  /// Whether the lines end with CR LF in the file, where the text has LF.
  var usesCRLF: Bool
  /// After a group: its label; nil when its change describes itself.
  var label: GroupLabel?
  /// After a group: what the weave has to know besides its changes.
  var details = Weave.Details()
  /// Line numbers in 4 bytes: there are two contexts for each revision.
  private var storedLine, storedChangedLine: Int32

  init(
    line: LineNumber, marks: Marks, usesCRLF: Bool = false, changedLine: LineNumber = .zero,
    label: GroupLabel? = nil
  ) {
    self.usesCRLF = usesCRLF
    storedLine = Int32(clamping: line.value)
    self.marks = marks
    storedChangedLine = Int32(clamping: changedLine.value)
    self.label = label
  }

  /// The current line.
  var line: LineNumber { LineNumber(Int(storedLine)) }

  /// After a group: the first line that it changed.
  var changedLine: LineNumber {
    get { LineNumber(Int(storedChangedLine)) }
    set { storedChangedLine = Int32(clamping: newValue.value) }
  }
}
