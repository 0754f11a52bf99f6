import TextBuffer
import TextLines

/// The text being edited, and the state kept in step with it.
struct EditedText: Sendable {
  /// The text and its history.
  var document: Document<EditorContext>
  /// The line addressed by `.`; 0 in an empty buffer.
  var currentLine = LineNumber.zero
  var marks = Marks()
  /// The cut buffer; nil if nothing has been cut.
  var cut: Cut?
  /// The lines that were in the cut buffer when `e` emptied it.
  var earlierCut: PieceTable?
  /// The undo point; nil if `u` has nothing to undo.
  var undoPoint: UndoPoint?
  /// The revision that the last move left; nil without a move.
  var leftRevision: Int?
  /// The lines that a running global command has yet to visit; nil if none runs.
  var activeLines: ActiveLines?
  /// Whether a NUL has been read.
  var isBinary = false
  var lastNewline: LastNewline
  /// Whether the lines end with CR LF in the file. The text has LF; writing adds the CR.
  var usesCRLF = false
  /// Whether the text omits the carriage returns of a file that ends all lines with CR LF.
  let hidesReturns: Bool
  /// A known line without a carriage return: its number, and its number counted from the end.
  private var bareLine = (fromTop: 1, fromEnd: 1)
  /// The label of the open step; nil if its change describes itself.
  var label: GroupLabel?
  /// The first line changed by the open step.
  var changedLine = LineNumber(.max)
  /// The line edits and the weave, which track lines across revisions.
  var lines = LineTracking()
  /// The open manual groups, outermost first.
  var openGroups: [ManualGroup] = []
  var save = SaveState()
  /// With a restored history: the text of the file, kept in case the history proves damaged.
  var textOnDisk: PieceTable?
  /// Whether a step is open.
  var isInStep = false
  /// Whether the open step has failed and must be rolled back.
  var isStepFailed = false
  /// Whether an interrupted command keeps its changes, as in ed.
  var keepsInterrupted = true
  /// Whether a person's running command has changed the text.
  var hasEdits = false
  /// Whether `isModified` compares with the saved revision, instead of following ed's rules.
  let comparesWithSaved: Bool

  /// An empty text.
  init(_ conduct: Conduct) {
    hidesReturns = !conduct.followsEd
    lastNewline = conduct.treatsDoubtsAsErrors ? .present : .ofLine
    document = Document(
      PieceTable(),
      context: EditorContext(
        line: .zero, marks: Marks(), usesCRLF: false, label: GroupLabel(.opened(name: []))),
      date: SystemClock.now)
    comparesWithSaved = conduct.asksFirst
  }

  var buffer: PieceTable { document.buffer }

  /// The tree of revisions.
  var history: History<Change> { document.history }

  /// The last line; 0 in an empty buffer. Every line has a newline.
  var lastLine: LineNumber { LineNumber(document.newlineCount) }

  var isInGlobal: Bool { activeLines != nil }

  /// Whether there are unsaved changes, by ed's rules; for a person outside of groups, since the
  /// saved revision.
  var isModified: Bool {
    comparesWithSaved && !isInGroup ? document.isModified : save.isDirty
  }

  /// The text as it would be written.
  var fileText: PieceTable { fileText(buffer, marks, usesCRLF: usesCRLF) }

  /// The text of a revision as it would be written; throws `interrupted`.
  func fileText(of id: Int) throws(EditorError) -> PieceTable {
    fileText(of: id, try text(of: id))
  }

  /// The text of a revision as it would be written.
  func fileText(of id: Int, _ text: PieceTable) -> PieceTable {
    document.lendContextAfter(id) { fileText(text, $0.marks, usesCRLF: $0.usesCRLF) }
  }

  /// A text with the line ends of the file, and without the last newline if the file lacks it.
  private func fileText(_ text: PieceTable, _ marks: Marks, usesCRLF: Bool) -> PieceTable {
    text.inFile(lackingNewline: lacksLastNewline(text, marks), usingCRLF: usesCRLF)
  }

  /// The text of a revision; throws `interrupted`. Changes in open groups belong to no revision.
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

struct SaveState: Equatable, Sendable {
  /// A save that the history can't record yet, since the text is not a revision.
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
  /// The written text, if it is not a revision.
  var unrecordedText: PieceTable?
}

extension Document where Context == EditorContext {
  /// The user's name for a group, and its description.
  func title(of id: Int) -> String {
    GroupNames.title(name: history[id].name, description: description(of: id))
  }

  /// The description of a group in words.
  func description(of id: Int) -> String {
    let context = contextAfter(id)
    if let label = context.label { return GroupNames.description(label) }
    guard let change = changes(of: id).first else {
      return id == 0
        ? GroupNames.firstText
        : GroupNames.description(GroupLabel(.lineEndsChanged(usesCRLF: context.usesCRLF)))
    }
    return GroupNames.description(change, from: context.changedLine)
  }

  /// The description of a group in UTF-8; a stored description is not built again.
  func descriptionBytes(of id: Int) -> ArraySlice<UInt8> {
    if case .stored(let description) = contextAfter(id).label?.kind { return description }
    return Array(description(of: id).utf8)[...]
  }

  /// The names by which a user may refer to a group: its name, its description, or both.
  func names(of id: Int) -> [String] {
    [history[id].name, description(of: id), title(of: id)].compactMap { $0 }
  }

  /// Turns the text of one revision into another's; returns false if `shouldStop`, called now and then,
  /// stops the move.
  @discardableResult
  func move(
    _ text: inout PieceTable, from start: Int, to target: Int,
    unless shouldStop: () -> Bool = { false }
  ) -> Bool {
    var forward: [Int] = []
    var (here, there) = (start, target)
    var count = 0
    func mayGoOn() -> Bool {
      count += 1
      return count & 255 != 0 || !shouldStop()
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

/// Editor state that undo restores along with the text.
struct EditorContext: Sendable {
  var marks: Marks
  /// Whether the lines end with CR LF in the file, where the text has LF.
  var usesCRLF: Bool
  /// After a group: its label; nil if its change describes itself.
  var label: GroupLabel?
  /// After a group: details for the weave, besides the group's changes.
  var details = Weave.Details()
  /// Line numbers in 4 bytes to save memory: each revision has two contexts.
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

  var line: LineNumber { LineNumber(Int(storedLine)) }

  /// After a group: the first line that it changed.
  var changedLine: LineNumber {
    get { LineNumber(Int(storedChangedLine)) }
    set { storedChangedLine = Int32(clamping: newValue.value) }
  }
}

/// The cut buffer: the lines that `x` inserts.
enum Cut: Sendable {
  /// Lines copied from the text.
  case copied(PieceTable)
  /// Lines that a change removed, extracted at the first use.
  case removed(Change)

  var text: PieceTable {
    switch self {
    case .copied(let text): text
    case .removed(let change): change.removed
    }
  }
}

// MARK: - Steps

/// Steps: the unit that `u` undoes, recorded as a group of the history or coalesced into one.
/// `Editor.perform` begins and ends steps; `u` and `e` inside a global command split its step in
/// two.
extension EditedText {
  /// Closes the latest group after a long pause: seconds between two commands of a person.
  mutating func closeGroup(afterPause pause: Double) {
    if pause > Self.longPause && !document.isInTransaction { document.closeGroup() }
  }

  private static let longPause = 10.0

  /// Begins a step and sets the undo point, unless a step is open; returns whether it has begun.
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
  /// Returns whether a step was open.
  @discardableResult
  mutating func endStep() -> Bool {
    guard isInStep else { return false }
    fitLineEnds()
    isInStep = false
    let edits = lines.endStep()
    // Assigning to an empty list avoids a copy.
    if let made = undoPoint?.made { undoPoint?.made = made.isEmpty ? edits : made + edits }
    let before = document.history.current
    let changesEnds = usesCRLF != document.context.usesCRLF
    let isPlain =
      label == nil && !changesEnds && document.lendContextAfter(before) { $0.label == nil }
    document.context = context(changedLine: changedLine, label: label)
    let done = document.commitNow(
      date: SystemClock.now, coalescing: isPlain ? .commands : .none, keepsEmpty: changesEnds)
    // If the step cancels out the group before it, the group's revision is gone. Close that,
    // or the next command could restore it.
    if let done, done < before { document.closeGroup() }
    let id = done.flatMap { $0 < before ? nil : $0 }
    // A coalesced group is named after its combined change.
    if id == before { describe(id) }
    if !isInGroup { recordLineEdits(of: id, after: before) }
    if isInGroup {
      nameStep()
      undoPoint?.route = .changes(document.latestChanges.inverse)
      undoPoint?.made = edits
      undoPoint?.undone = []
    }
    recordSave()
    return true
  }

  /// Adds the latest step to the steps of the open group, if it changed anything.
  private mutating func nameStep() {
    guard let change = document.latestChanges.first else { return }
    let group = openGroups.count - 1
    if !openGroups[group].steps.namesNext { return openGroups[group].steps.add("") }
    let name =
      label.map { GroupNames.description($0) }
      ?? GroupNames.description(change, from: buffer.lineNumber(at: change.offset))
    openGroups[group].steps.add(name)
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
    lines.step = []
    label = nil
  }

  mutating func setUndoPoint(line: LineNumber, isModified: Bool) {
    undoPoint = UndoPoint(
      route: .revision(document.history.current), line: line, isModified: isModified,
      usesCRLF: usesCRLF)
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
    // The text at the beginning of an open group is now unsaved.
    for index in openGroups.indices {
      let isSame = openGroups[index].text == buffer
      openGroups[index].save = SaveState(
        isDirty: !isSame, unrecorded: isSame ? .current : .outdated, unrecordedText: written)
    }
    recordSave()
  }

  /// Takes `didSave` back, given the text before it. Newer groups of other runs stay: they are in the
  /// store.
  mutating func takeBackSave(to unsaved: EditedText) {
    (save, textOnDisk) = (unsaved.save, unsaved.textOnDisk)
    for (index, group) in unsaved.openGroups.enumerated() { openGroups[index].save = group.save }
    let history = unsaved.history
    if save.unrecorded == .none, !document.isInTransaction {
      document.takeBackSave(to: history.saved, history[history.current].wasSaved)
    }
  }

  /// Notes that the file now differs from the text, or has only a part of it.
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
    let revision: Int
    let lastLine: LineNumber
    fileprivate var currentLine: LineNumber
    fileprivate var marks: Marks
    fileprivate var isDirty: Bool
    fileprivate var form: FileForm
    fileprivate var cut: Cut?
    fileprivate var undoPoint: UndoPoint?
  }

  /// The current state, taken between two commands.
  var snapshot: Snapshot {
    Snapshot(
      revision: history.current, lastLine: lastLine, currentLine: currentLine, marks: marks,
      isDirty: save.isDirty,
      form: form, cut: cut, undoPoint: undoPoint)
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
    form = start.form
    cut = start.cut
    undoPoint = start.undoPoint
    hasEdits = false
    updateContext()
  }

  // MARK: - New histories

  /// Begins a new history, labelled with the name of a file or with a command. Its first revision
  /// is `first`, which must have as many lines as the current text; by default, the current text.
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

  /// Begins a new history after the restored one has proved damaged, with the text of the file;
  /// unsaved changes become a group.
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

// MARK: - Groups

/// A group opened by `begin`, with the editor state that `abort` restores.
struct ManualGroup: Sendable {
  var name: String?
  var text: PieceTable
  var line: LineNumber
  var marks: Marks
  var form: FileForm
  /// The save state of `text`.
  var save: SaveState
  /// The number of open line edits noted before the group.
  var lineEditCount: Int
  /// The steps of the group so far.
  var steps = StepNames()
}

/// The descriptions of the first steps in a manual group.
struct StepNames: Sendable {
  private var first: [String] = []
  private(set) var count = 0
  /// The description of the last step undone by `u`.
  private var undone = ""

  /// The number of steps that are described.
  private static let limit = 8

  /// The description of all steps; nil without steps.
  var description: String? {
    count == 0 ? nil : GroupNames.description(ofSteps: first, count: count)
  }

  /// Whether the description of the next step is kept.
  var namesNext: Bool { count < Self.limit }

  mutating func add(_ description: String) {
    if namesNext { first.append(description) }
    count += 1
  }

  /// Adds the steps of an inner group: by its name if it has one.
  mutating func add(_ inner: StepNames, named name: String?) {
    if let name, inner.count > 0 { return add(name) }
    if namesNext { first += inner.first.prefix(Self.limit - count) }
    count += inner.count
  }

  /// Follows `u`, which undoes the last step, or redoes the step that it has undone.
  mutating func toggleLast(isRedo: Bool) {
    if isRedo {
      add(undone)
    } else if count > 0 {
      undone = first.count == count ? first.removeLast() : ""
      count -= 1
    }
  }
}

/// Manual groups and names: `begin`, `end`, `abort`, `name`.
extension EditedText {
  var isInGroup: Bool { !openGroups.isEmpty }

  /// Throws while a manual group is open: a move to another revision would leave the group.
  func refuseInGroup() throws(EditorError) {
    if isInGroup { throw .groupIsOpen }
  }

  /// Opens a group: all edits until the matching `end` are undone together.
  mutating func beginGroup(_ name: [UInt8]) {
    updateContext()
    if !isInGroup { lines.beginStep(isInGroup: false) }
    openGroups.append(
      ManualGroup(
        name: Self.text(name), text: buffer, line: currentLine, marks: marks, form: form,
        save: SaveState(
          isDirty: isModified, unrecorded: save.unrecorded, unrecordedText: save.unrecordedText),
        lineEditCount: lines.open.count))
    document.begin()
    undoPoint = nil
  }

  mutating func endGroup() throws(EditorError) {
    guard let group = openGroups.popLast() else { throw .noOpenGroup }
    updateContext()
    let id = document.commit(
      group.name, date: SystemClock.now, keepsEmpty: group.form.usesCRLF != usesCRLF)
    if !isInGroup { document.closeGroup() }
    undoPoint = nil
    label = group.steps.description.map { GroupLabel(.stored(description: Array($0.utf8)[...])) }
    describe(id)
    if isInGroup {
      openGroups[openGroups.count - 1].steps.add(group.steps, named: group.name)
    } else {
      recordLineEdits(of: id)
    }
    recordSave()
  }

  mutating func abortGroup() throws(EditorError) {
    guard let group = openGroups.popLast() else { throw .noOpenGroup }
    document.rollBack()
    lines.rollBack(to: group.lineEditCount)
    if !isInGroup { document.closeGroup() }
    currentLine = group.line
    marks = group.marks
    save = group.save
    form = group.form
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

  /// Names the innermost open group or, without one, the current revision. Later edits do not join
  /// a named revision.
  mutating func setName(_ name: [UInt8]) throws(EditorError) {
    try setName(name, of: history.current)
  }

  /// Names a revision, or the innermost open group.
  mutating func setName(_ name: [UInt8], of id: Int) throws(EditorError) {
    guard let text = Self.text(name) else { throw .missingArgument("name") }
    if isInGroup {
      openGroups[openGroups.count - 1].name = text
    } else {
      document.setName(text, of: id)
    }
  }

  /// An argument as text; nil when it is empty.
  private static func text(_ argument: [UInt8]) -> String? {
    argument.isEmpty ? nil : GroupNames.readable(argument)
  }
}

// MARK: - Line ends

/// Properties of a file that the lines of its text do not show.
struct FileForm: Sendable {
  fileprivate var isBinary: Bool
  fileprivate var lastNewline: LastNewline
  fileprivate(set) var usesCRLF: Bool
}

extension EditedText {
  fileprivate(set) var form: FileForm {
    get {
      FileForm(isBinary: isBinary, lastNewline: lastNewline, usesCRLF: usesCRLF)
    }
    set {
      (isBinary, lastNewline, usesCRLF) = (
        newValue.isBinary, newValue.lastNewline, newValue.usesCRLF
      )
    }
  }

  /// The text with the line ends of its file, but always with a last newline.
  var wholeFileText: PieceTable { buffer.inFile(lackingNewline: false, usingCRLF: usesCRLF) }

  /// Whether a plain script sees the carriage returns of a file whose lines all end with CR LF.
  /// Stored histories never contain such carriage returns.
  var showsReturns: Bool { !hidesReturns && !usesCRLF && buffer.usesCRLF }

  /// Gives the text the line ends that it would have if its file were read. Hides the carriage
  /// returns once all lines end with CR LF; a last line without a newline does not count. Shows them
  /// once such a last line ends with CR.
  ///
  /// - Complexity: O(log *n*), for *n* lines, unless the known line without a carriage return is
  ///   gone, or the line ends change.
  mutating func fitLineEnds() {
    guard hidesReturns, lastLine > .zero else { return }
    let (isOpen, all) = (lacksLastNewline, LineRange(LineNumber(1), lastLine))
    let buffer = isOpen ? buffer.withoutLastNewline : buffer
    let last = buffer.newlineCount
    let endsWithReturn = isOpen && buffer.hasReturn(lastLine)
    if usesCRLF && endsWithReturn && last > 0 {
      replaceUntracked(all, with: buffer.withCRLF.withLastNewline)
      usesCRLF = false
    }
    if usesCRLF || endsWithReturn || last == 0 { return }
    // Edits above or below the line preserve one of these numbers.
    for number in [bareLine.fromTop, lastLine.value + 1 - bareLine.fromEnd]
    where number >= 1 && number <= last && !buffer.hasReturn(LineNumber(number)) {
      return bareLine = (number, lastLine.value + 1 - number)
    }
    if let number = buffer.firstLineWithoutReturn?.value {
      return bareLine = (number, lastLine.value + 1 - number)
    }
    guard let bare = buffer.withoutCRLF else { return }
    replaceUntracked(all, with: bare.withLastNewline)
    usesCRLF = true
  }

  /// The text of a revision with the line ends of the present text; throws `interrupted`.
  func comparableText(of id: Int) throws(EditorError) -> PieceTable {
    let text = try text(of: id)
    if usesCRLF { return text.withoutCRLF ?? text }
    return document.contextAfter(id).usesCRLF && buffer.hasReturns ? text.withCRLF : text
  }

  /// Whether to treat a file as CR LF: all its lines end so or, if the present text uses CR LF,
  /// some do.
  func usesCRLF(in file: PieceTable) -> Bool {
    hidesReturns && (file.usesCRLF || usesCRLF && file.hasReturns)
  }

  /// The lines of a file as they are merged: with a last newline, and without the CRs of a CR LF
  /// file.
  func mergeable(_ file: PieceTable) -> PieceTable {
    usesCRLF(in: file) ? file.withLastNewline.withoutCRLF ?? file : file.withLastNewline
  }

  /// Entered lines, with the line ends of the text.
  func comparable(_ lines: [UInt8]) -> [UInt8] { usesCRLF ? lines.withoutCRLF : lines }

  /// Text from a file or a command, with the line ends of the present text.
  func comparable(_ read: PieceTable) -> PieceTable {
    let text = read.withLastNewline
    return usesCRLF ? text.withoutCRLF ?? text : text
  }
}

// MARK: - Last newline

/// The rule that decides whether a file lacks its last newline. The text in memory always has it.
enum LastNewline: Sendable {
  /// As in ed: missing if the text is binary, and its last line is marked as read without a
  /// newline.
  case ofLine
  /// In a strict run: present or missing, whatever the last line is now.
  case present, missing

  /// Makes the newline missing or present in a strict run.
  mutating func setMissing(_ isMissing: Bool) {
    if self != .ofLine { self = isMissing ? .missing : .present }
  }
}

extension EditedText {
  /// Whether the last line of a binary text was read without a newline.
  var hasUnterminatedLine: Bool { isBinary && marks.isLastLineUnterminated(of: buffer) }

  /// Whether the last line is written without a newline.
  var lacksLastNewline: Bool { lacksLastNewline(buffer, marks) }

  /// Whether the last line of a text with these marks is written without a newline. An empty last
  /// line keeps it, or the line would be lost.
  private func lacksLastNewline(_ text: PieceTable, _ marks: Marks) -> Bool {
    if lastNewline == .ofLine { return isBinary && marks.isLastLineUnterminated(of: text) }
    guard lastNewline == .missing, text.newlineCount > 0 else { return false }
    return text.byteRange(of: LineRange(LineNumber(text.newlineCount))).count > 1
  }

  /// The marks to store with a revision of the present text. They record a missing last newline
  /// even if the text is not binary.
  @inline(__always)  // A call copies the `EditedText`: a tenth of a small command's time.
  var revisionMarks: Marks {
    if lastNewline == .ofLine && isBinary || lastNewline != .missing && !marks.areUsed {
      return marks
    }
    var marks = marks
    marks[Marks.unterminatedLine] = lacksLastNewline ? lastLine : nil
    return marks
  }

  /// Whether a revision, which has the given text, records a missing last newline.
  func isUnterminated(_ id: Int, _ text: PieceTable) -> Bool {
    document.contextAfter(id).marks.isLastLineUnterminated(of: text)
  }

  /// Sets whether the last line is written without a newline, in the text and in the present
  /// revision.
  mutating func setMissingNewline(_ isMissing: Bool) {
    lastNewline.setMissing(isMissing)
    if isBinary { marks[Marks.unterminatedLine] = isMissing ? lastLine : nil }
    if isInStep || isInGroup { return }
    let marks = revisionMarks
    document.updateContextAfter(history.current) { $0.marks = marks }
  }

  /// Whether the file lacks its last newline after groups are undone; nil if they did not change
  /// that, or a later group did.
  func lacksLastNewline(without ids: Set<Int>) -> Bool? {
    lastNewline == .ofLine
      ? nil : fact({ $0.marks[Marks.unterminatedLine] != nil }, without: ids)
  }

  /// Whether the lines end with CR LF in the file after groups are undone; nil as above.
  func usesCRLF(without ids: Set<Int>) -> Bool? { fact(\.usesCRLF, without: ids) }

  /// A fact about the file after groups are undone; nil if they did not change it, or later groups
  /// changed it again.
  private func fact(_ isTrue: (EditorContext) -> Bool, without ids: Set<Int>) -> Bool? {
    // The parent revision may come from a run that did not record the fact, so compare the two
    // contexts of the group.
    func hasChanged(_ id: Int) -> Bool {
      id > 0 && isTrue(document.contextBefore(id)) != isTrue(document.contextAfter(id))
    }
    guard ids.contains(where: hasChanged) else { return nil }
    let present = isTrue(document.contextAfter(history.current))
    var result: Bool?
    for id in history.path(to: 0).back where hasChanged(id) {
      if ids.contains(id) {
        // Later groups may have changed it and changed it back.
        if result == nil && isTrue(document.contextAfter(id)) != present { return nil }
        result = isTrue(document.contextBefore(id))
      } else if result != nil {
        break
      }
    }
    return result
  }

  /// The latest revision before the present one whose text has lines.
  var latestRevisionWithLines: Int? {
    history.path(to: 0).back.lazy.map { history[$0].parent ?? 0 }
      .first { hasLines($0) }
  }

  func hasLines(_ id: Int) -> Bool { document.contextAfter(id).line > .zero }
}
