/// A text and its history in step.
///
/// Every edit is a transaction, and every transaction a revision that can be returned to:
///
///     var document = Document(PieceTable("one\ntwo\n"))
///     document.edit("Delete line 1") { draft in draft.removeLines(LineRange(1, 1)) }
///     document.undo()
///
/// A context is what should come back together with the text, a selection for example.
public struct Document<Context: Sendable>: Sendable {
  @usableFromInline var draft: Draft<Context>
  @usableFromInline var record: Record
  @usableFromInline var contexts: ChunkedArray<Frame>
  /// The context at the start of the open group.
  @usableFromInline var groupContext: Context
  /// The contexts of the revision that the latest edit joined, as they were before.
  @usableFromInline var unjoinedContexts: Frame?
  /// The context at the beginning of each open transaction, outermost first.
  @usableFromInline var startContexts: [Context] = []

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

  /// The contexts on both sides of a revision.
  public struct Frame: Sendable {
    /// The context just before the group.
    public var before: Context
    /// The context just after it.
    public var after: Context

    /// Both contexts.
    @inlinable public init(before: Context, after: Context) {
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
    _ buffer: PieceTable, context: Context, coalescing: Coalescing = .none, name: String? = nil,
    time: Double = 0
  ) {
    draft = Draft(buffer, context: context)
    draft.core.coalescing = coalescing
    record = Record(name: name, time: time)
    contexts = ChunkedArray([Frame(before: context, after: context)])
    groupContext = context
  }

  /// The text.
  ///
  /// While a group is open this costs an edit of a copy; `settle()` first is cheaper when the text
  /// is looked at often.
  @inlinable public var buffer: PieceTable { draft.core.present }

  /// The number of bytes of the text.
  @inlinable public var byteCount: Int { draft.core.byteCount }

  /// The number of newlines of the text.
  @inlinable public var newlineCount: Int { draft.core.newlineCount }

  /// All revisions of the text; the open group is not yet one.
  @inlinable public var history: History<Change> { record.history }

  /// How many revisions can be undone at most; nil for all.
  public var levelLimit: Int? {
    get { record.history.levelLimit }
    set { record.history.levelLimit = newValue }
  }

  /// Told before and after every change of the present revision.
  public var observer: (@Sendable (History<Change>.Event) -> Void)? {
    get { record.history.observer }
    set { record.history.observer = newValue }
  }

  /// What is restored with the text; setting it records nothing.
  @inlinable public var context: Context {
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
  @inlinable @discardableResult
  public mutating func edit<R, E>(
    _ name: String? = nil, time: Double = 0, coalescing: Coalescing = .none,
    _ body: (inout Draft<Context>) throws(E) -> R
  ) throws(E) -> R {
    if isInTransaction { return try draft.edit(body) }
    recordGroup()
    let before = draft.context
    do {
      let result = try body(&draft)
      finish(name, time, coalescing, before)
      return result
    } catch {
      draft.core.rollBack()
      draft.context = before
      throw error
    }
  }

  /// Whether a transaction is open that `begin` has opened.
  @inlinable public var isInTransaction: Bool { !startContexts.isEmpty }

  /// Opens a transaction that goes on until `commit` or `rollBack`: every edit until then is a part
  /// of it, and records nothing by itself. Transactions can be in transactions.
  @inlinable
  public mutating func begin() {
    if !isInTransaction { recordGroup() }
    unjoinedContexts = nil
    startContexts.append(draft.context)
    draft.core.begin()
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
  @inlinable @discardableResult
  public mutating func commit(
    _ name: String? = nil, time: Double = 0, coalescing: Coalescing = .none
  ) -> Int? {
    guard let before = startContexts.popLast() else {
      preconditionFailure("no transaction is open")
    }
    if isInTransaction {
      record.latest = draft.core.endTelling()
      return nil
    }
    draft.core.end()
    return finish(name, time, coalescing, before) ? record.history.current : nil
  }

  /// Ends the transaction opened last; text and context are as they were when it began.
  ///
  /// - Precondition: One is open.
  @inlinable
  public mutating func rollBack() {
    guard let before = startContexts.popLast() else {
      preconditionFailure("no transaction is open")
    }
    draft.core.abandon()
    draft.context = before
    record.latest = .none
  }

  /// What the latest edit or transaction did by itself, in order, before it was joined with the
  /// revision that it belongs to; nothing when it changed nothing, and after an undo or any other
  /// move.
  @inlinable public var latestChanges: [Change] { record.latest.array }

  /// Makes the text before the latest edit a revision, if the edit joined another.
  ///
  /// The edit then is a revision of its own, after that. But when what both made has been saved,
  /// named or marked since, it stays as it is, and the text before the edit is on another branch.
  ///
  /// - Returns: The revision with the text before the edit; nil when the edit joined none. The
  ///   present revision still is one with the text after it.
  @discardableResult
  public mutating func separateLatestEdit() -> Int? {
    if let group = branchBeforeLatestEdit() { return group }
    guard let before = unjoinedContexts, let outcome = record.separate() else { return nil }
    if outcome == .vanished {
      contexts.append(before)
    } else {
      contexts.update(contexts.count - 1) { $0 = before }
    }
    contexts.append(Frame(before: before.after, after: draft.context))
    unjoinedContexts = nil
    return contexts.count - 2
  }

  /// Makes the text before the latest edit a revision on another branch, if the revision that the
  /// edit joined is to stay as it is.
  private mutating func branchBeforeLatestEdit() -> Int? {
    let (current, after) = (record.history.current, draft.context)
    guard let joined = record.unjoined, joined.isKept, joined.current == current,
      let before = unjoinedContexts
    else { return nil }
    draft.core.takeBack(in: &record.history)
    draft.core.text.apply(joined.change)
    record.history.record(checked: .one(joined.change), name: joined.name, time: joined.time)
    contexts.append(before)
    unjoinedContexts = nil
    let group = record.history.current
    move(to: current)
    draft.context = after
    return group
  }

  /// Changes the context that is restored when a revision is come to by redo.
  ///
  /// - Precondition: There is a revision `id`.
  @inlinable
  public mutating func updateContextAfter(_ id: Int, _ update: (inout Context) -> Void) {
    contexts.update(id) { update(&$0.after) }
    record.history.note(id)
  }

  /// Records a transaction.
  ///
  /// - Returns: Whether the present revision has what it did.
  @inlinable @discardableResult
  mutating func finish(
    _ name: String?, _ time: Double, _ coalescing: Coalescing, _ before: Context
  ) -> Bool {
    let group = record.history.current
    switch record.finish(&draft.core, name: name, time: time, coalescing: coalescing) {
    case .nothing:
      unjoinedContexts = nil
      return false
    case .recorded:
      unjoinedContexts = nil
      contexts.append(Frame(before: before, after: draft.context))
      return true
    case .joined:
      unjoinedContexts = contexts[group]
      contexts.update(group) { $0.after = draft.context }
      return true
    case .vanished:
      unjoinedContexts = contexts[group]
      return false
    }
  }

  /// Replaces bytes as one edit of many, like a keystroke; `coalescing` decides which of them are
  /// one revision. An insertion where the latest edit ended goes on with it, also amid the text that
  /// the group put there before.
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
  @inlinable @inline(__always)
  public mutating func replace(_ range: Range<ByteOffset>, with bytes: RawSpan, time: Double = 0) {
    let (lower, upper) = (range.lowerBound.value, range.upperBound.value)
    if !draft.core.type(lower, upper, bytes, time: time) {
      startEdit(lower, upper, bytes, time)
    }
  }

  @inlinable @inline(never) mutating func startEdit(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, _ time: Double
  ) {
    switch draft.core.edit(lower, upper, bytes, time: time, in: &record.history) {
    case .joined: return
    case .started: break
    case .recorded: keepGroupContext()
    }
    groupContext = draft.context
    record.canJoin = false
    if !draft.core.canJoin { recordGroup() }
  }

  /// Ends the open group, if there is one, and records it.
  ///
  /// The next edit begins a new one, also after `edit(_:time:coalescing:_:)`.
  @inlinable
  public mutating func closeGroup() {
    recordGroup()
    record.canJoin = false
  }

  /// Records the open group, if there is one.
  @inlinable mutating func recordGroup() {
    if draft.core.closeGroup(in: &record.history) { keepGroupContext() }
  }

  @inlinable mutating func keepGroupContext() {
    contexts.append(Frame(before: groupContext, after: draft.context))
  }

  /// Ends the open group, and makes the next edit begin a new one in any case.
  @inlinable mutating func seal() {
    closeGroup()
    record.seal()
  }

  /// Ends the open group, and keeps the present revision as it is.
  private mutating func keepCurrent() {
    closeGroup()
    record.keepCurrent()
  }

  /// Brings the text up to date with an open group, which stays open.
  public mutating func settle() { draft.core.settle() }

  /// The context just before the group that led to a revision; for revision 0, the first one.
  ///
  /// - Precondition: There is a revision `id`.
  @inlinable
  public func contextBefore(_ id: Int) -> Context { contexts[id].before }

  /// The context just after the group that led to a revision; for revision 0, the first one.
  ///
  /// - Precondition: There is a revision `id`.
  @inlinable
  public func contextAfter(_ id: Int) -> Context { contexts[id].after }

  /// What the group did that led to a revision, in order; nothing for revision 0.
  ///
  /// A group of few edits has a change for each place that it touched; one of many edits has one
  /// change over all of them.
  ///
  /// - Precondition: There is a revision `id`.
  public func changes(of id: Int) -> [Change] { record.history.steps(of: id) }

  /// Whether the text is another one than the saved one, or a group is open.
  public var isModified: Bool { record.history.isModified || draft.core.group.isOpen }

  /// Remembers that the present revision has been saved; closes the open group.
  public mutating func markSaved() {
    keepCurrent()
    record.history.markSaved()
  }

  /// Remembers that what was saved is none of the revisions.
  public mutating func markUnsaved() {
    keepCurrent()
    record.history.markUnsaved()
  }

  /// Names a revision; closes the open group.
  ///
  /// - Precondition: There is a revision `id`.
  public mutating func setName(_ name: String?, of id: Int) {
    keepCurrent()
    record.history.setName(name, of: id)
  }

  /// Marks a revision as one to return to, or as none; closes the open group.
  ///
  /// - Precondition: There is a revision `id`.
  public mutating func setCheckpoint(_ isCheckpoint: Bool, of id: Int) {
    keepCurrent()
    record.history.setCheckpoint(isCheckpoint, of: id)
  }
}

extension Document where Context == Void {
  /// A document whose revision 0 is `buffer`, and with nothing else to restore.
  public init(
    _ buffer: PieceTable, coalescing: Coalescing = .none, name: String? = nil, time: Double = 0
  ) {
    self.init(buffer, context: (), coalescing: coalescing, name: name, time: time)
  }
}
