import TextBuffer

/// The text being edited, and the state that has to keep in step with it: history, current line,
/// marks, cut buffer, undo point, open groups, save state.
struct EditedText: Sendable {
  /// The text and its history.
  var document: Document<EditorContext>
  /// The line addressed by `.`; 0 in an empty buffer.
  var currentLine = LineNumber.zero
  var marks = Marks()
  /// The cut buffer; nil when nothing has been cut.
  var cut: Cut?
  /// The undo point; nil when `u` has nothing to undo.
  var undoPoint: UndoPoint?
  /// The revision that the last move left; nil when there was no move.
  var leftRevision: Int?
  /// The lines that a running global command has yet to visit; nil when none runs.
  var activeLines: ActiveLines?
  /// Whether a NUL has been read: then a missing last newline stays missing.
  var isBinary = false
  /// Whether the missing last newline of the file stays missing, whatever the last line is now.
  var keepsMissingNewline = false
  /// Whether the lines end with CR LF in the file: the text has LF, and what is written CR LF.
  var usesCRLF = false
  /// Whether a text that is read loses the carriage returns of a file that has CR LF at all ends of lines.
  let hidesReturns: Bool
  /// Whether an empty text that goes back to a revision lacks the last newline if that did.
  var restoresMissingNewline = false
  /// The label of the open step; nil when its change describes itself.
  var label: GroupLabel?
  /// The first line changed by the open step.
  var changedLine = LineNumber(.max)
  /// What edits do to lines, to follow lines of other revisions.
  var lines = LineTracking()
  /// The open manual groups, outermost first.
  var openGroups: [ManualGroup] = []
  var save = SaveState()
  /// The text that the file has, if the history is restored: what is left of that if it turns out to be damaged.
  var textOnDisk: PieceTable?
  /// Whether a step is open.
  var isInStep = false
  /// Whether the open step has failed, and is to be rolled back.
  var isStepFailed = false
  /// Whether an interrupted command keeps what it has changed, as in ed.
  var keepsInterrupted = true
  /// Whether the command of a person that runs has changed the text.
  var hasEdits = false
  /// The rule by which consecutive steps become one group.
  let coalescing: Coalescing
  /// Whether the text is modified when it differs from the saved revision, instead of by ed's rules.
  let comparesWithSaved: Bool

  /// An empty text, for a person, for a strict run or for a plain script.
  init(forPerson isForPerson: Bool, isStrict: Bool = false) {
    hidesReturns = isForPerson || isStrict
    document = Document(
      PieceTable(),
      context: EditorContext(
        line: .zero, marks: Marks(), usesCRLF: false, label: GroupLabel(.opened(name: []))),
      date: SystemClock.now)
    // The groups of a script must not depend on the clock.
    coalescing = isForPerson ? .commandsOfPerson : .commands
    comparesWithSaved = isForPerson
  }

  /// The current text.
  var buffer: PieceTable { document.buffer }

  /// The tree of revisions.
  var history: History<Change> { document.history }

  /// The last line; 0 in an empty buffer. Every line has a newline.
  var lastLine: LineNumber { LineNumber(document.newlineCount) }

  /// Whether a global command runs.
  var isInGlobal: Bool { activeLines != nil }

  /// Whether there are unsaved changes: for a person a difference from the saved revision, for a script
  /// what ed counts as one.
  var isModified: Bool {
    comparesWithSaved && !isInGroup ? document.isModified : save.isDirty
  }

  /// Whether the last line of a binary text was read without a newline.
  var hasUnterminatedLine: Bool {
    isBinary && lastLine > .zero && marks[Marks.unterminatedLine] == lastLine
  }

  /// Whether the last line is written without a newline.
  var lacksLastNewline: Bool {
    keepsMissingNewline && !Self.endsWithEmptyLine(buffer) || hasUnterminatedLine
  }

  /// The marks of a revision with the present text. Of text that is not binary, too, they tell whether the
  /// file has no last newline.
  @inline(__always)  // A getter that is called copies the whole text: a tenth of a small command.
  var revisionMarks: Marks {
    if !keepsMissingNewline && (isBinary || !marks.areUsed) { return marks }
    return unterminatedMarks
  }

  private var unterminatedMarks: Marks {
    var marks = marks
    marks[Marks.unterminatedLine] = lacksLastNewline ? lastLine : nil
    return marks
  }

  /// The text as it would be written.
  var fileText: PieceTable { fileText(buffer, marks, usesCRLF: usesCRLF) }

  /// The text of a revision as it would be written.
  ///
  /// - Throws: `interrupted`.
  func fileText(of id: Int) throws(EditorError) -> PieceTable {
    fileText(of: id, try text(of: id))
  }

  /// Whether a text has no lines, or an empty last one, which would be lost without its newline.
  private static func endsWithEmptyLine(_ text: PieceTable) -> Bool {
    let last = LineNumber(text.newlineCount)
    if last == .zero { return true }
    let bytes = text.byteRange(of: LineRange(last))
    return bytes.upperBound - bytes.lowerBound == 1
  }

  /// The text of a revision as it would be written.
  func fileText(of id: Int, _ text: PieceTable) -> PieceTable {
    document.lendContextAfter(id) { fileText(text, $0.marks, usesCRLF: $0.usesCRLF) }
  }

  /// A text without its last newline if the file has none, and with the line ends of the file.
  private func fileText(_ text: PieceTable, _ marks: Marks, usesCRLF: Bool) -> PieceTable {
    let isUnterminated =
      keepsMissingNewline && !Self.endsWithEmptyLine(text)
      || isBinary && marks[Marks.unterminatedLine]?.value == text.newlineCount
    return text.inFile(lackingNewline: isUnterminated, usingCRLF: usesCRLF)
  }

  /// The text of a revision. What open groups have done belongs to none.
  ///
  /// - Throws: `interrupted`.
  func text(of id: Int) throws(EditorError) -> PieceTable {
    var text = document.committedBuffer
    let isThere = document.move(&text, from: history.current, to: id) { Interrupts.isInterrupted }
    guard isThere else { throw .interrupted }
    return text
  }

  /// Makes the text binary if an input line has a NUL.
  mutating func checkForNUL(in line: [UInt8]) {
    if !isBinary && line.contains(0) { isBinary = true }
  }

  /// Whether a revision exists and has not been dropped.
  func isRevision(_ id: Int) -> Bool {
    history.revisions.indices.contains(id) && !history[id].isDropped
  }

  /// The name and the description of a group; see ``Document/title(of:)``.
  func title(_ id: Int) -> String { document.title(of: id) }
}

/// What is known of the last save.
struct SaveState: Equatable, Sendable {
  /// A save that the history does not have yet, since the text was not a revision.
  enum Unrecorded: Equatable, Sendable {
    case none
    /// The text is the saved one.
    case current
    /// The text has changed since the save.
    case outdated
  }

  /// Ed's modified flag: set by edits, cleared by writes, restored by `u`.
  var isDirty = false
  var unrecorded = Unrecorded.none
  /// The text that was written, if it is no revision.
  var unrecordedText: PieceTable?
}

extension Document where Context == EditorContext {
  /// The name that the user has given a group, and what it did.
  func title(of id: Int) -> String {
    GroupNames.title(name: history[id].name, description: description(of: id))
  }

  /// What a group did, in words.
  func description(of id: Int) -> String {
    let context = contextAfter(id)
    if let label = context.label { return GroupNames.description(label) }
    guard let change = changes(of: id).first else { return GroupNames.firstText }
    return GroupNames.description(change, from: context.changedLine)
  }

  /// What a group did, in words, as UTF-8; none are made of what a store had.
  func descriptionBytes(of id: Int) -> ArraySlice<UInt8> {
    if case .stored(let description) = contextAfter(id).label?.kind { return description }
    return Array(description(of: id).utf8)[...]
  }

  /// What the user may call a group: by its name, its description, or both.
  func names(of id: Int) -> [String] {
    [history[id].name, description(of: id), title(of: id)].compactMap { $0 }
  }

  /// Turns the text of one revision into that of another.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - start: Its revision.
  ///   - target: The other revision.
  ///   - isOver: Asked now and then whether to stop on the way.
  /// - Returns: Whether the text is that of the other revision.
  @discardableResult
  func move(
    _ text: inout PieceTable, from start: Int, to target: Int, unless isOver: () -> Bool = { false }
  ) -> Bool {
    var forward: [Int] = []
    var (here, there) = (start, target)
    var count = 0
    func mayGoOn() -> Bool {
      count += 1
      return count & 255 != 0 || !isOver()
    }
    // A parent always has a smaller number than its children.
    while here != there {
      if !mayGoOn() { return false }
      if here > there {
        for change in changes(of: here).inverse { text.apply(change) }
        here = history[here].parent ?? 0
      } else {
        forward.append(there)
        there = history[there].parent ?? 0
      }
    }
    for id in forward.reversed() {
      if !mayGoOn() { return false }
      for change in changes(of: id) { text.apply(change) }
    }
    return true
  }
}
