import TextBuffer

/// The text being edited, and all that has to keep in step with it: history, current line, marks, cut
/// buffer, the point to which `u` goes back, open groups, and what is saved.
///
/// What ed calls clearing its undo stack is `beginStep` here: `u` goes back to the state of that
/// moment.
struct EditedText: Sendable {
  /// The text and its history.
  var document: Document<EditorContext>
  /// The line that `.` stands for; 0 in an empty buffer.
  var currentLine = LineNumber.zero
  /// The lines that marks stand on.
  var marks = Marks()
  /// The lines that `x` puts; nil when there are none.
  var cut: Cut?
  /// Where `u` goes; nil where ed has nothing to undo, whatever has changed.
  var undoPoint: UndoPoint?
  /// The lines that a running global command has still to visit; nil when none runs.
  var activeLines: ActiveLines?
  /// Whether a NUL has been read: then no newline is added to a last line that has none.
  var isBinary = false
  /// What the open step does, where its change alone does not tell.
  var label: GroupLabel?
  /// The first line that the open step has changed so far.
  var changedLine = LineNumber(.max)
  /// The groups that `begin` has opened, outermost first.
  var openGroups: [ManualGroup] = []
  /// What is known of the last save.
  var save = SaveState()
  /// Whether a step is open, to which all edits belong.
  var isInStep = false
  /// Whether an interrupt leaves what the running command has done, as in ed.
  var keepsInterrupted = true
  /// When two steps are one group.
  let coalescing: Coalescing
  /// Whether the text counts as modified when it is not what was saved, instead of by ed's rules.
  private let comparesWithSaved: Bool

  /// An empty text, for a person or for scripts.
  init(forPerson isForPerson: Bool) {
    document = Document(
      PieceTable(), context: EditorContext(line: .zero, marks: Marks()), name: "Opened nothing",
      time: SystemClock.now)
    // What a script does must not depend on the clock.
    coalescing = isForPerson ? .commandsOfPerson : .commands
    comparesWithSaved = isForPerson
  }

  /// The text itself.
  var buffer: PieceTable { document.buffer }

  /// The tree of revisions.
  var history: History<Change> { document.history }

  /// The last line, each of which has its newline; 0 in an empty buffer.
  var lastLine: LineNumber { LineNumber(document.newlineCount) }

  /// Whether a global command runs.
  var isInGlobal: Bool { activeLines != nil }

  /// Whether there is something to lose. A person is asked about every text that is not what was
  /// saved; a script gets ed's opinion.
  var isModified: Bool {
    comparesWithSaved && !isInGroup ? document.isModified : save.isDirty
  }

  /// Whether the last line came without a newline.
  var hasUnterminatedLine: Bool {
    lastLine > .zero && marks[Marks.unterminatedLine] == lastLine
  }

  /// The text as it would be written.
  var fileText: PieceTable { fileText(buffer, marks) }

  /// The text of a revision as it would be written.
  func fileText(of id: Int) -> PieceTable {
    fileText(text(of: id), document.contextAfter(id).marks)
  }

  /// A text without its last newline, where the file has none.
  private func fileText(_ text: PieceTable, _ marks: Marks) -> PieceTable {
    guard isBinary, !text.isEmpty, marks[Marks.unterminatedLine]?.value == text.newlineCount else {
      return text
    }
    return text.slice(ByteOffset(0)..<ByteOffset(text.byteCount - 1))
  }

  /// The text of a revision.
  func text(of id: Int) -> PieceTable {
    var text = buffer
    let (back, forward) = history.path(to: id)
    for revision in back {
      for change in document.changes(of: revision).inverse { text.apply(change) }
    }
    for revision in forward {
      for change in document.changes(of: revision) { text.apply(change) }
    }
    return text
  }

  /// Lets a line of the script make the text binary, if there is a NUL in it.
  mutating func noteBytes(of line: [UInt8]) {
    if !isBinary && line.contains(0) { isBinary = true }
  }

  /// Whether there is a revision with a number.
  func isRevision(_ id: Int) -> Bool {
    history.revisions.indices.contains(id) && !history[id].isDropped
  }

  /// What a group is called: the name that the user gave it, or the one that it gives itself.
  func name(_ id: Int) -> String { document.name(of: id) }
}

/// What is known of the last save of a text.
struct SaveState: Equatable, Sendable {
  /// A save that the history does not know of yet, since the text was no revision then.
  enum Unrecorded: Equatable, Sendable {
    case none
    /// The text is still what was saved.
    case current
    /// The text has changed since.
    case outdated
  }

  /// Whether there is something to lose, as ed sees it: set by edits, cleared by writing, and put back
  /// by `u`.
  var isDirty = false
  var unrecorded = Unrecorded.none
}

extension Document where Context == EditorContext {
  /// What a group is called: the name that the user gave it, or the one that it gives itself.
  func name(of id: Int) -> String {
    if let name = history[id].name { return name }
    let context = contextAfter(id)
    if let label = context.label { return GroupNames.name(label) }
    guard let change = changes(of: id).first else { return "" }
    return GroupNames.name(change, from: LineNumber(Int(context.changedLine)))
  }
}
