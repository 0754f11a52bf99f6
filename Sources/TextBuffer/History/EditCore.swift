import Synchronization

/// The text of a document, and its open transactions. Edits typed outside of `begin()` also belong
/// to one. `typing` keeps it open while the coalescing policy lets further edits join. Their bytes
/// are pending in `typing`, so the next key is added without a look at the tree.
@usableFromInline struct EditCore: Sendable {
  /// The text without the pending edit.
  @usableFromInline var text: PieceTable
  /// The edits of the innermost transaction, without the pending edit.
  private(set) var log = EditLog.nothing
  /// The logs of the transactions around it, outermost first; empty unless `begin()` has opened
  /// one.
  private var outerLogs: [EditLog] = []
  @usableFromInline var typing = TypingRun()
  /// The rules for grouping typed edits.
  @usableFromInline var coalescing = Coalescing.none
  /// Whether the text was read while typed edits were open. Copies share the mark, which only
  /// affects speed.
  private let readMark = ReadMark()
  /// Whether each typed edit goes into the tree at once, because the text was read between earlier
  /// ones.
  private var settlesAtOnce = false

  init(_ text: PieceTable) { self.text = text }

  /// Whether `begin()` has opened a transaction.
  var isInTransaction: Bool { !outerLogs.isEmpty }

  /// The number of bytes, with the pending ones.
  @inlinable var byteCount: Int {
    text.root.summary.byteCount - typing.removed + typing.inserted.count
  }

  /// The number of newlines, with the pending ones.
  @inlinable var newlineCount: Int {
    typing.isSettled ? text.root.summary.newlineCount : present.newlineCount
  }

  /// The text with the pending edit, as a value that later edits need not copy.
  @usableFromInline var present: PieceTable {
    if typing.isOpen { readMark.set() }
    return typing.isSettled ? text.withoutTail : settledCopy.text.withoutTail
  }

  /// The changes so far of typed edits that are open as one transaction.
  var typedChanges: [Change] {
    let copy = typing.isSettled ? self : settledCopy
    return copy.log.steps(to: copy.text).array
  }

  /// A copy with the pending edit made in the tree.
  private var settledCopy: EditCore {
    var copy = self
    copy.text = text.withoutTail
    copy.settle()
    return copy
  }

  /// The text at the start of the innermost transaction.
  @usableFromInline var startText: PieceTable { log.start(of: text) }

  /// The text at the start of the outermost transaction, opened by `begin()` or by typing.
  var committedText: PieceTable {
    let core = typing.isSettled ? self : settledCopy
    return core.outerLogs.reversed().reduce(core.startText) { $1.start(of: $0) }
  }

  mutating func addToLog(_ change: Change) {
    if case .nothing = log {
      log = EditLog(change)
    } else {
      log.append(EditLog(change), in: text)
    }
  }
}

/// Typing.
extension EditCore {
  /// Fast path: adds an edit to the pending one if the pending one ends where this one begins or
  /// ends; false, and nothing changed, otherwise. Keys, deletions in both directions and
  /// corrections before the caret are such edits.
  @inlinable @inline(__always)
  mutating func type(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, _ moment: EditMoment
  ) -> Bool {
    guard typing.isSoon(moment.time, coalescing),
      typing.type(lower, upper, bytes, treeCount: text.root.summary.byteCount)
    else { return false }
    typing.remember(moment)
    return true
  }

  /// Slow path: adds an edit to the typed ones if the policy lets it join; false, and nothing
  /// changed, otherwise.
  ///
  /// - Precondition: The range is in the text.
  @inline(__always)  // saves 1.5 % of typing
  mutating func join(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, _ moment: EditMoment
  ) -> Bool {
    guard typing.canTouch(lower, upper),
      typing.isJoined(lower, upper, bytes, time: moment.time, coalescing)
    else { return false }
    if !typing.merge(lower, upper, bytes) {
      settle()
      open(lower, upper, bytes)
    }
    return true
  }

  /// Makes an edit the pending one, or makes it in the tree if it inserts too many bytes. Opens the
  /// transaction if necessary.
  ///
  /// - Precondition: No edit is pending, and the range is in the text.
  mutating func open(_ lower: Int, _ upper: Int, _ bytes: RawSpan) {
    settlesAtOnce = readMark.take()
    typing.begin(at: lower)
    if !typing.merge(lower, upper, bytes) {
      typing.settle(replace(ByteOffset(lower)..<ByteOffset(upper), with: bytes).span)
    }
  }

  /// Ends an edit by the slow path.
  mutating func finish(_ lower: Int, _ upper: Int, _ bytes: RawSpan, _ moment: EditMoment) {
    typing.finish(lower, upper, bytes, moment, coalescing)
    if settlesAtOnce {
      settle()
      typing.isFast = false
    }
  }

  /// Makes the pending edit in the tree; its transaction stays open.
  mutating func settle() {
    if typing.isSettled { return }
    addToLog(replacePending())
    typing.settle()
  }

  /// Makes the pending edit in the tree, and closes its transaction; nil, and nothing changed, if
  /// the transaction has other edits.
  @inline(__always)  // saves 1.4 % of typing
  mutating func takePending() -> Change? {
    if typing.settled != nil || typing.isSettled { return nil }
    let change = replacePending()
    typing.close()
    return change
  }

  private mutating func replacePending() -> Change {
    let (start, end) = (typing.start, typing.start + typing.removed)
    var inserted = Fragment.empty
    if !typing.inserted.isEmpty {
      inserted = .piece(typing.inserted.store(in: &text.storage, after: &text.tail))
    }
    let removed = text.root.replace(start, end, with: inserted)
    return Change(offset: start, before: removed, after: inserted, storage: text.storage)
  }
}

/// Transactions.
extension EditCore {
  /// Opens a transaction, inside the innermost open one.
  @usableFromInline mutating func begin() {
    // The log is swapped: a copy would cost a count of references.
    outerLogs.append(.nothing)
    if case .nothing = log { return }
    swap(&log, &outerLogs[outerLogs.count - 1])
  }

  /// Ends the innermost transaction, which becomes part of the one around it.
  @usableFromInline mutating func commit() {
    guard var outer = outerLogs.popLast() else { preconditionFailure("no transaction is open") }
    if case .nothing = outer { return }
    swap(&log, &outer)
    log.append(outer, in: text)
  }

  /// Ends the innermost transaction and undoes its edits.
  @usableFromInline mutating func rollBack() {
    guard let outer = outerLogs.popLast() else { preconditionFailure("no transaction is open") }
    log.takeBack(&text)
    log = outer
  }

  /// Ends the outermost transaction, opened by `begin()` or by typing, and returns its log.
  mutating func takeLog() -> EditLog {
    if typing.isOpen {
      settle()
      typing.close()
    }
    var taken = EditLog.nothing
    swap(&taken, &log)
    return taken
  }
}

/// Moves between revisions.
extension EditCore {
  mutating func takeBack(in history: inout History<Change>) {
    let (id, revisions) = (history.current, history.revisions)
    if revisions.isRestored(id) { keepSteps(of: id, revisions) { $0.reversed().map(\.inverse) } }
    var index = revisions.stepCount(of: id)
    while index > 0 {
      index -= 1
      let (before, range) = revisions.withStep(index, of: id) { ($0.before, $0.rangeAfter) }
      text.restore(before, in: range)
    }
    history.moveToParent()
  }

  /// Goes to a child of the present revision.
  mutating func doAgain(_ id: Int, in history: inout History<Change>) {
    let revisions = history.revisions
    if revisions.isRestored(id) { keepSteps(of: id, revisions) { $0 } }
    for index in 0..<revisions.stepCount(of: id) {
      let (after, range) = revisions.withStep(index, of: id) { ($0.after, $0.rangeBefore) }
      text.restore(after, in: range)
    }
    history.moveToChild(id)
  }

  /// Keeps the bytes of the steps of a restored revision, which were made elsewhere. If they do not
  /// fit the text, the history is damaged and no longer has steps.
  private mutating func keepSteps(
    of id: Int, _ revisions: History<Change>.Revisions, as applied: ([Change]) -> [Change]
  ) {
    let steps = revisions[steps: id].array
    if applied(steps).fittedLength(text.byteCount) == nil { return revisions.fail() }
    for step in steps { text.storage = text.storage.joined(with: step.storage) }
  }
}

/// A flag that readers of a text set, possibly concurrently, and that its editor clears. The mark
/// is a hint: it needs no memory ordering, and losing it costs only time.
final class ReadMark: Sendable {
  private let isSet = Atomic<Bool>(false)

  /// Sets the mark. A set mark is not written again, so readers share the cache line.
  func set() {
    if !isSet.load(ordering: .relaxed) { isSet.store(true, ordering: .relaxed) }
  }

  /// Clears the mark, and returns whether it was set.
  func take() -> Bool {
    let wasSet = isSet.load(ordering: .relaxed)
    if wasSet { isSet.store(false, ordering: .relaxed) }
    return wasSet
  }
}

// MARK: - Editing

// The edits of a draft. They are outside of the generic `Draft`, so that they are compiled once.

extension EditCore {
  @usableFromInline mutating func replace(
    _ range: Range<ByteOffset>, with bytes: RawSpan
  ) -> Change {
    let change = text.replace(range, with: bytes)
    addToLog(change)
    return change
  }

  @usableFromInline mutating func replace(
    _ range: Range<ByteOffset>, with other: PieceTable
  ) -> Change {
    let change = text.replace(range, with: other)
    addToLog(change)
    return change
  }

  @usableFromInline mutating func apply(_ change: Change) {
    text.apply(change)
    addToLog(change)
  }

  @usableFromInline mutating func setText(
    _ newText: PieceTable, changed: Range<ByteOffset>?
  ) -> Change {
    let changed = changed ?? text.differentLines(from: newText)
    precondition(text.contains(changed), "range out of the text")
    let (lower, upper) = (changed.lowerBound.value, changed.upperBound.value)
    let newUpper = newText.byteCount - (text.byteCount - upper)
    precondition(newUpper >= lower, "the new text is too short")
    text.storage = text.storage.joined(with: newText.storage)
    let change = Change(
      offset: lower, before: Fragment(text.root.slice(lower, upper)),
      after: Fragment(newText.root.slice(lower, newUpper)), storage: text.storage)
    text.root = newText.root
    text.tail = text.tail ?? newText.tail
    addToLog(change)
    return change
  }
}
