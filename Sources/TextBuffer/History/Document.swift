/// A text and its history in step.
///
/// Every edit is a transaction, and every transaction a revision that can be returned to:
///
///     var document = Document(TextBuffer("one\ntwo\n"))
///     document.edit("Delete line 1") { draft in draft.removeLines(LineRange(1, 1)) }
///     document.undo()
///
/// A context is what should come back together with the text, a selection for example.
public struct Document<Context: Sendable>: Sendable {
  @usableFromInline var draft: Draft<Context>
  @usableFromInline var ownHistory: History<Change>
  @usableFromInline var contexts: [Frame]
  /// The context at the start of the open group.
  @usableFromInline var groupContext: Context

  /// What the latest `edit(_:time:coalescing:_:)` did by itself, before it was joined with the
  /// revision that it belongs to; nil when it changed nothing, and after an undo or any other move.
  public private(set) var latestChange: Change?
  /// Whether the next edit may still join the present revision.
  @usableFromInline var canJoin = false
  /// The revision that the latest edit joined, as it was before.
  private var unjoined: Unjoined?
  /// The state at the beginning of each open transaction, outermost first.
  private var transactions: [(log: EditLog, context: Context)] = []

  /// Which of the edits made by `replace(_:with:time:)` are one group.
  ///
  /// Setting it closes the open group.
  public var coalescing: Coalescing {
    get { draft.core.coalescing }
    set {
      closeGroup()
      draft.core.coalescing = newValue
    }
  }

  /// A revision before an edit joined it.
  private struct Unjoined: Sendable {
    var change: Change
    /// What the edit did.
    var latest: Change
    /// The present revision since then.
    var current: Int
    var name: String?
    var time: Double
    var before: Context
    var after: Context
    /// Whether it came to nothing by the edit, and left the tree.
    var isGone = false
    /// Whether it is to stay as the edit made it.
    var isKept = false
  }

  /// The contexts on both sides of a revision.
  @usableFromInline struct Frame: Sendable {
    @usableFromInline var before: Context
    @usableFromInline var after: Context

    @inlinable init(before: Context, after: Context) {
      self.before = before
      self.after = after
    }
  }

  /// A document whose revision 0 is `buffer`.
  ///
  /// - Parameters:
  ///   - buffer: The text.
  ///   - context: What is restored with it.
  ///   - coalescing: Which of the edits made by `replace(_:with:time:)` are one group.
  ///   - name: What revision 0 is called.
  ///   - time: When it came to be.
  public init(
    _ buffer: TextBuffer, context: Context, coalescing: Coalescing = .none, name: String? = nil,
    time: Double = 0
  ) {
    draft = Draft(buffer, context: context)
    draft.core.coalescing = coalescing
    ownHistory = History(name: name, time: time)
    contexts = [Frame(before: context, after: context)]
    groupContext = context
  }

  /// The text.
  ///
  /// While a group is open this costs an edit of a copy; `settle()` first is cheaper when the text
  /// is looked at often.
  public var buffer: TextBuffer { draft.buffer }

  /// The number of bytes of the text.
  public var byteCount: Int { draft.core.byteCount }

  /// All revisions of the text; the open group is not yet one.
  public var history: History<Change> { ownHistory }

  /// How many revisions can be undone at most; nil for all.
  public var levelLimit: Int? {
    get { ownHistory.levelLimit }
    set { ownHistory.levelLimit = newValue }
  }

  /// Told before and after every change of the present revision.
  public var observer: (@Sendable (History<Change>.Event) -> Void)? {
    get { ownHistory.observer }
    set { ownHistory.observer = newValue }
  }

  /// What is restored with the text; setting it records nothing.
  public var context: Context {
    get { draft.context }
    set { draft.context = newValue }
  }

  /// Makes one transaction.
  ///
  /// The context before and after it is kept with its revision. When the text is the same in the
  /// end nothing is recorded; the context is then what `body` made of it.
  ///
  /// - Parameters:
  ///   - name: What the revision is called.
  ///   - time: When it was made.
  ///   - coalescing: Whether it can join the revision of the edit just before, which then gets
  ///     `name` if there is one. A revision that was saved, named, marked, left or moved to, is
  ///     never joined.
  ///   - body: Edits the text.
  /// - Throws: What `body` throws; text, context and history are then as before.
  /// - Returns: What `body` returns.
  public mutating func edit<R, E>(
    _ name: String? = nil, time: Double = 0, coalescing: Coalescing = .none,
    _ body: (inout Draft<Context>) throws(E) -> R
  ) throws(E) -> R {
    if isInTransaction { return try draft.edit(body) }
    recordGroup()
    let before = draft.context
    do {
      let result = try body(&draft)
      finish(name, time: time, coalescing, before: before)
      return result
    } catch {
      draft.core.rollBack()
      draft.context = before
      throw error
    }
  }

  /// Whether a transaction is open that `begin` has opened.
  public var isInTransaction: Bool { !transactions.isEmpty }

  /// Opens a transaction that goes on until `commit` or `rollBack`: every edit until then is a part
  /// of it, and records nothing by itself. Transactions can be in transactions.
  public mutating func begin() {
    if !isInTransaction { recordGroup() }
    transactions.append((draft.core.log, draft.context))
    draft.core.log = .nothing
  }

  /// Ends the transaction opened last. The outermost one is recorded, if it did anything; what an
  /// inner one did belongs to the outer one.
  ///
  /// - Parameters:
  ///   - name: What the revision is called.
  ///   - time: When it was made.
  ///   - coalescing: Whether it can join the revision of the edit just before.
  /// - Precondition: One is open.
  /// - Returns: The revision that has what it did; nil for an inner one, and when the text is the
  ///   same as before.
  @discardableResult
  public mutating func commit(
    _ name: String? = nil, time: Double = 0, coalescing: Coalescing = .none
  ) -> Int? {
    guard let start = transactions.popLast() else { preconditionFailure("no transaction is open") }
    if isInTransaction {
      latestChange = draft.core.log.change(in: draft.core.text)
      draft.core.log = start.log.followed(by: draft.core.log, in: draft.core.text)
      return nil
    }
    finish(name, time: time, coalescing, before: start.context)
    let isRecorded = latestChange != nil && unjoined?.isGone != true
    return isRecorded ? ownHistory.current : nil
  }

  /// Ends the transaction opened last; text and context are as they were when it began.
  ///
  /// - Precondition: One is open.
  public mutating func rollBack() {
    guard let start = transactions.popLast() else { preconditionFailure("no transaction is open") }
    draft.core.rollBack()
    draft.core.log = start.log
    draft.context = start.context
    latestChange = nil
  }

  /// Makes the text before the latest edit a revision, if the edit joined another.
  ///
  /// The edit then is a revision of its own, after that. But when what both made has been saved,
  /// named or marked since, it stays as it is, and the text before the edit is on another branch.
  ///
  /// - Returns: The revision with the text before the edit; nil when the edit joined none. The
  ///   present revision still is one with the text after it.
  @discardableResult
  public mutating func separateLatestEdit() -> Int? {
    let current = ownHistory.current
    guard let before = unjoined, before.current == current else { return nil }
    unjoined = nil
    canJoin = false
    let after = draft.context
    if before.isKept {
      takeBack()
      draft.core.text.apply(before.change)
      record(before.change, name: before.name, time: before.time, before: before.before)
      let group = ownHistory.current
      contexts[group].after = before.after
      move(to: current)
      draft.context = after
      return group
    }
    let time = ownHistory[current].time
    if before.isGone {
      record(before.change, name: before.name, time: before.time, before: before.before)
    } else {
      ownHistory.amendCurrent(before.change, name: before.name, time: before.time)
    }
    let group = ownHistory.current
    contexts[group].after = before.after
    record(before.latest, name: nil, time: time, before: before.after)
    contexts[ownHistory.current].after = after
    return group
  }

  /// Changes the context that is restored when a revision is come to by redo.
  ///
  /// - Precondition: There is a revision `id`.
  public mutating func updateContextAfter(_ id: Int, _ update: (inout Context) -> Void) {
    update(&contexts[id].after)
  }

  private mutating func finish(
    _ name: String?, time: Double, _ coalescing: Coalescing, before: Context
  ) {
    latestChange = draft.core.log.change(in: draft.core.text)
    guard let change = latestChange else {
      unjoined = nil
      draft.core.rollBack()
      return
    }
    draft.core.log = .nothing
    let pause = time - ownHistory[ownHistory.current].time
    if canJoin, !coalescing.rules.isEmpty, let group = self.change(of: ownHistory.current),
      coalescing.joins(change, to: group, pause: pause), let both = group.followed(by: change)
    {
      let current = ownHistory.current
      unjoined = Unjoined(
        change: group, latest: change, current: current, name: ownHistory[current].name,
        time: ownHistory[current].time,
        before: contexts[current].before, after: contexts[current].after)
      join(both, name: name, time: time)
    } else {
      unjoined = nil
      record(change, name: name, time: time, before: before)
      canJoin = true
    }
  }

  /// Makes `change` what the present revision did.
  private mutating func join(_ change: Change, name: String?, time: Double) {
    if change.changesNothing {
      ownHistory.dropCurrent()
      unjoined?.isGone = true
      unjoined?.current = ownHistory.current
      canJoin = false
      return
    }
    let current = ownHistory.current
    ownHistory.amendCurrent(change, name: name ?? ownHistory[current].name, time: time)
    contexts[current].after = draft.context
  }

  private mutating func record(_ change: Change, name: String?, time: Double, before: Context) {
    ownHistory.record(checked: change, name: name, time: time)
    contexts.append(Frame(before: before, after: draft.context))
  }

  /// Replaces bytes as one edit of many, like a keystroke; `coalescing` decides which of them are
  /// one revision.
  ///
  /// A group is recorded when it closes: with the first edit that does not belong to it, or by
  /// `closeGroup()` and everything else that deals with revisions. Its context is the one before
  /// its first edit and the one at the time when it closes; so close it before a selection goes
  /// elsewhere. A group that changes nothing in the end is not recorded.
  ///
  /// - Parameters:
  ///   - range: What to replace; empty to insert.
  ///   - bytes: What to put there; empty to remove.
  ///   - time: When the edit is made, in the unit of `Coalescing.longestPause`.
  /// - Precondition: The range is in `0...byteCount`.
  /// - Complexity: O(m) for an edit of *m* bytes next to the one before, else O(log *p* + *m*).
  @inlinable
  public mutating func replace(
    _ range: Range<ByteOffset>, with bytes: some Collection<UInt8>, time: Double = 0
  ) {
    let done: Void? = bytes.withContiguousStorageIfAvailable {
      unsafe replace(range, with: $0.span.bytes, time: time)
    }
    if done == nil { unsafe replace(range, with: Array(bytes).span.bytes, time: time) }
  }

  /// Replaces bytes by bytes that somebody lends; see `replace(_:with:time:)`.
  ///
  /// - Precondition: The range is in `0...byteCount`.
  @inlinable
  public mutating func replace(_ range: Range<ByteOffset>, with bytes: RawSpan, time: Double = 0) {
    let (lower, upper) = (range.lowerBound.value, range.upperBound.value)
    if !draft.core.extend(lower, upper, by: bytes, time: time) {
      startEdit(lower, upper, bytes, time)
    }
  }

  @inlinable mutating func startEdit(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, _ time: Double
  ) {
    let start = draft.core.start(lower, upper, bytes, time: time, in: &ownHistory)
    if start == .joined { return }
    if start == .replacedGroup { keepGroupContext() }
    groupContext = draft.context
    canJoin = false
    if !draft.core.canJoin { recordGroup() }
  }

  /// Ends the open group, if there is one, and records it.
  ///
  /// The next edit begins a new one, also after `edit(_:time:coalescing:_:)`.
  @inlinable
  public mutating func closeGroup() {
    recordGroup()
    canJoin = false
  }

  /// Records the open group, if there is one.
  @inlinable mutating func recordGroup() {
    if draft.core.closeGroup(in: &ownHistory) { keepGroupContext() }
  }

  @inlinable mutating func keepGroupContext() {
    contexts.append(Frame(before: groupContext, after: draft.context))
  }

  /// Ends the open group, and makes the next edit begin a new one in any case.
  private mutating func seal() {
    closeGroup()
    latestChange = nil
    unjoined = nil
  }

  /// Ends the open group, and keeps the present revision as it is.
  private mutating func keepCurrent() {
    closeGroup()
    latestChange = nil
    if let joined = unjoined { unjoined?.isKept = !joined.isGone }
  }

  /// Brings the text up to date with an open group, which stays open.
  public mutating func settle() { draft.core.settle() }

  /// Takes back the group that led to the present revision.
  ///
  /// - Returns: The number of the revision taken back; nil when there is nothing to undo.
  @discardableResult
  public mutating func undo() -> Int? {
    seal()
    let id = ownHistory.current
    guard ownHistory.canUndo else { return nil }
    ownHistory.willMove(.undo)
    takeBack()
    ownHistory.didMove(.undo)
    return id
  }

  /// Does the group again that leads to the preferred child of the present revision.
  ///
  /// - Returns: The number of the revision that is the present one now; nil when there is nothing
  ///   to redo.
  @discardableResult
  public mutating func redo() -> Int? {
    seal()
    guard let id = ownHistory[ownHistory.current].preferredChild else { return nil }
    ownHistory.willMove(.redo)
    doAgain(id)
    ownHistory.moveToChild(id)
    ownHistory.didMove(.redo)
    return id
  }

  /// Goes to any revision, along the groups between.
  ///
  /// - Precondition: `history.canMove(to: id)`.
  public mutating func move(to id: Int) {
    seal()
    let (back, forward) = ownHistory.path(to: id)
    ownHistory.willMove(.move)
    for _ in back { takeBack() }
    for revision in forward { doAgain(revision) }
    ownHistory.didMove(.move)
  }

  private mutating func takeBack() {
    let id = ownHistory.current
    draft.core.takeBack(in: &ownHistory)
    draft.context = contexts[id].before
  }

  private mutating func doAgain(_ id: Int) {
    draft.core.doAgain(id, in: &ownHistory)
    draft.context = contexts[id].after
  }

  /// The context just before the group that led to a revision; for revision 0, the first one.
  ///
  /// - Precondition: There is a revision `id`.
  public func contextBefore(_ id: Int) -> Context { contexts[id].before }

  /// The context just after the group that led to a revision; for revision 0, the first one.
  ///
  /// - Precondition: There is a revision `id`.
  public func contextAfter(_ id: Int) -> Context { contexts[id].after }

  /// What the group did that led to a revision; nil for revision 0.
  ///
  /// - Precondition: There is a revision `id`.
  public func change(of id: Int) -> Change? { ownHistory.firstStep(of: id) }

  /// Whether the text is another one than the saved one, or a group is open.
  public var isModified: Bool { ownHistory.isModified || draft.core.group.isOpen }

  /// Remembers that the present revision has been saved; closes the open group.
  public mutating func markSaved() {
    keepCurrent()
    ownHistory.markSaved()
  }

  /// Remembers that what was saved is none of the revisions.
  public mutating func markUnsaved() {
    keepCurrent()
    ownHistory.markUnsaved()
  }

  /// Names a revision; closes the open group.
  ///
  /// - Precondition: There is a revision `id`.
  public mutating func setName(_ name: String?, of id: Int) {
    keepCurrent()
    ownHistory.setName(name, of: id)
  }

  /// Marks a revision as one to return to, or as none; closes the open group.
  ///
  /// - Precondition: There is a revision `id`.
  public mutating func setCheckpoint(_ isCheckpoint: Bool, of id: Int) {
    keepCurrent()
    ownHistory.setCheckpoint(isCheckpoint, of: id)
  }
}

extension Document where Context == Void {
  /// A document whose revision 0 is `buffer`, and with nothing else to restore.
  public init(
    _ buffer: TextBuffer, coalescing: Coalescing = .none, name: String? = nil, time: Double = 0
  ) {
    self.init(buffer, context: (), coalescing: coalescing, name: name, time: time)
  }
}
