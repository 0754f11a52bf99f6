/// A text and its history, kept in step.
///
/// Every edit belongs to a transaction. Every transaction that changes the text becomes a revision,
/// and the document can return to any revision:
///
///     var document = Document(PieceTable("one\ntwo\n"))
///     document.edit("Delete line 1") { draft in draft.removeLines(LineRange(1, 1)) }
///     document.undo()
///
/// Three methods open a transaction. `edit` commits it when its closure returns. `begin()` keeps it
/// open until `commit` or `rollBack()`. Outside of these, `replace` opens one that further calls of
/// `replace` join as the `coalescing` policy allows. An operation that opens another transaction or
/// deals with revisions, like `undo()`, commits it first.
///
/// A context is any state to restore together with the text, a selection for example.
public struct Document<Context: Sendable>: Sendable {
  /// The text and its open transactions. While `edit` runs its closure, the draft alone accesses
  /// it.
  @usableFromInline var core: EditCore
  /// The state to restore with the text; setting it records nothing.
  public var context: Context
  @usableFromInline var recorder: Recorder
  /// The contexts of restored revisions.
  @usableFromInline var storedContexts = StoredPrefix<Frame>()
  /// The contexts of all later revisions, in order, from the revision `contextStart` on. Earlier
  /// contexts are stored, or freed because of a limit.
  @usableFromInline var contexts: ChunkedArray<Frame>
  @usableFromInline var contextStart = 0
  /// The context at the start of the typed transaction, or of the group that has cancelled out.
  @usableFromInline var typingContext: Context
  /// Whether `context` is still the context after the present revision: a typed edit made that
  /// revision, and no other edit has begun since.
  @usableFromInline var awaitsContext = false
  /// The contexts of the revision that the latest transaction joined, from before the join.
  @usableFromInline var unjoinedContexts: Frame?
  /// The context at the start of each transaction opened by `begin()`, outermost first.
  @usableFromInline var startContexts: [Context] = []

  /// The rules for grouping edits made by `replace(_:with:name:time:date:)`. Setting it closes the open
  /// group.
  public var coalescing: Coalescing {
    get { core.coalescing }
    set {
      commitTyping()
      recorder.canJoin = false
      core.coalescing = newValue
    }
  }

  /// The contexts before and after the transaction that made a revision.
  @usableFromInline package struct Frame: Sendable {
    /// The context at the start of the transaction.
    @usableFromInline package var before: Context
    /// The context at its end.
    @usableFromInline package var after: Context

    /// A frame of two contexts.
    @inlinable package init(before: Context, after: Context) {
      self.before = before
      self.after = after
    }
  }

  /// A document whose revision 0 is `buffer`.
  ///
  /// - Parameters:
  ///   - buffer: The text.
  ///   - context: The state to restore with it.
  ///   - coalescing: The rules for grouping edits made by `replace(_:with:name:time:date:)`.
  ///   - name: The name of revision 0.
  ///   - date: The time of revision 0.
  public init(
    _ buffer: PieceTable, context: Context, coalescing: Coalescing = .none, name: String? = nil,
    date: Double = 0
  ) {
    core = EditCore(buffer)
    self.context = context
    core.coalescing = coalescing
    recorder = Recorder(History(firstName: name, time: date))
    contexts = ChunkedArray([Frame(before: context, after: context)])
    typingContext = context
  }

  /// The text.
  ///
  /// - Complexity: O(1). While typed edits are pending, every call costs as much as an edit. If the
  ///   text is read while the user types, the document applies each key to the tree from the next
  ///   series of keys on.
  @inlinable public var buffer: PieceTable { core.present }

  /// The text of the present revision, without the edits of open transactions and of the open typed
  /// group.
  ///
  /// - Complexity: O(log *p*) for each of these edits, for *p* pieces.
  public var committedBuffer: PieceTable { core.committedText }

  /// The number of bytes of the text.
  @inlinable public var byteCount: Int { core.byteCount }

  /// The number of newlines of the text.
  @inlinable package var newlineCount: Int { core.newlineCount }

  /// All revisions of the text, without open transactions and the open typed group. For
  /// `isModified`, `canUndo` and `canRedo`, ask the document, which counts the open typed group; an
  /// open transaction counts nowhere.
  @inlinable public var history: History<Change> { recorder.history }

  /// The maximum number of revisions that can be undone; nil for no limit. See
  /// ``History/levelLimit``.
  public var levelLimit: Int? {
    get { recorder.history.levelLimit }
    set { recorder.history.levelLimit = newValue }
  }

  /// The context at the start of the transaction that made a revision; for revision 0, the initial
  /// context. For a dropped revision it may be another context.
  ///
  /// - Precondition: The revision `id` exists.
  @inlinable
  public func contextBefore(_ id: Int) -> Context { frame(of: id).before }

  /// The context at the end of the transaction that made a revision; for revision 0, the initial
  /// context. For a dropped revision it may be another context.
  ///
  /// - Precondition: The revision `id` exists.
  @inlinable
  public func contextAfter(_ id: Int) -> Context { frame(of: id).after }

  @inlinable func frame(of id: Int) -> Frame {
    var frame = id < contextStart ? earlyFrame(of: id) : contexts[id - contextStart]
    if awaitsContext && id == recorder.history.current { frame.after = context }
    return frame
  }

  /// Calls `body` with the context after a revision, borrowed and not copied.
  @inlinable package func lendContextAfter<R>(_ id: Int, _ body: (borrowing Context) -> R) -> R {
    if awaitsContext && id == recorder.history.current { return body(context) }
    return id < contextStart
      ? body(earlyFrame(of: id).after)
      : contexts.lend(id - contextStart) { body($0.after) }
  }

  @usableFromInline func earlyFrame(of id: Int) -> Frame {
    id < storedContexts.count ? storedContexts[id] : contexts[0]
  }

  @inlinable mutating func append(_ frame: Frame) {
    contexts.append(frame)
    if levelLimit != nil {
      contextStart += contexts.removeChunks(before: recorder.history.oldest - contextStart)
    }
  }

  @inlinable mutating func updateFrame(of id: Int, _ update: (inout Frame) -> Void) {
    if id >= contextStart {
      contexts.update(id - contextStart, update)
    } else if id < storedContexts.count {
      storedContexts.update(id, update)
    }
  }

  /// Changes the context that a redo to a revision restores.
  ///
  /// - Precondition: The revision `id` exists.
  @inlinable
  package mutating func updateContextAfter(_ id: Int, _ update: (inout Context) -> Void) {
    settleContext()
    updateFrame(of: id) { update(&$0.after) }
    recorder.history.markChanged(id)
  }

  /// Stores `context` as the context after the present revision, if it is still awaited.
  @inlinable mutating func settleContext() {
    guard awaitsContext else { return }
    awaitsContext = false
    let context = context
    updateContextAfter(recorder.history.current) { $0 = context }
  }

  /// The changes that led to a revision from its parent, in order; none for revision 0.
  ///
  /// A group has a change for each place that it touched, the first place first. A group that
  /// touched more than a few thousand places has a single change that covers all of them. A group
  /// of up to four edits has them in the order of editing.
  ///
  /// - Precondition: The revision `id` exists.
  public func changes(of id: Int) -> [Change] { recorder.history.steps(of: id) }

  /// Whether a revision is one insertion or one removal.
  @inlinable package func isInsertionOrRemoval(_ id: Int) -> Bool {
    recorder.isInsertionOrRemoval(id)
  }

  /// The parent of a revision; nil without one, or if the revision is not part of the tree. For other
  /// modules, where the generic history is not specialized.
  package func parent(of id: Int) -> Int? {
    recorder.history.canMove(to: id) ? recorder.history.revisions[entry: id].parent.id : nil
  }

  /// Whether a stored revision could not be read; see ``History/isDamaged``.
  @inlinable package var hasDamagedHistory: Bool {
    recorder.history.isDamaged
  }

  /// Whether the present revision is not the saved one, or a typed group is open.
  public var isModified: Bool { recorder.history.isModified || core.typing.isOpen }

  /// Marks the present revision as saved; closes the open group.
  ///
  /// - Precondition: No transaction is open.
  public mutating func markSaved() {
    requireNoTransaction()
    keepCurrent()
    recorder.history.setSaved()
  }

  /// Records that the saved text is not a revision; closes the open group.
  ///
  /// - Precondition: No transaction is open.
  public mutating func markUnsaved() {
    requireNoTransaction()
    keepCurrent()
    recorder.history.setUnsaved()
  }

  /// Names a revision, or removes its name; closes the open group.
  ///
  /// - Precondition: The revision `id` exists.
  public mutating func setName(_ name: String?, of id: Int) {
    keepCurrent()
    recorder.history.rename(id, to: name)
  }

  /// Closes the open group, and keeps later edits from joining the present revision.
  private mutating func keepCurrent() {
    commitTyping()
    recorder.keepCurrent()
  }
}

extension Document {
  /// The events since collecting began; nil while not collecting. Meanwhile each typed edit is made
  /// in the tree, and told.
  package var events: [History<Change>.Event]? {
    get { recorder.history.events }
    set {
      recorder.history.events = newValue
      if newValue != nil { core.typing.isFast = false }
    }
  }
}

extension Document where Context == Void {
  /// A document whose revision 0 is `buffer`, without a context.
  public init(
    _ buffer: PieceTable, coalescing: Coalescing = .none, name: String? = nil, date: Double = 0
  ) {
    self.init(buffer, context: (), coalescing: coalescing, name: name, date: date)
  }
}

// MARK: - Memory

extension Document {
  /// The size in bytes of all memory blocks that the text and its revisions keep.
  ///
  /// - Complexity: O(*b*), for *b* blocks of memory.
  public var heldByteCount: Int { core.text.heldByteCount }

  /// Frees the memory blocks that neither the text nor any revision uses, and closes the open
  /// group. With a `levelLimit`, a document also frees memory by itself now and then.
  ///
  /// - Precondition: No transaction is open.
  /// - Complexity: O(*p* log *b*), for *p* pieces in all revisions and *b* blocks of memory.
  public mutating func compact() {
    requireNoTransaction()
    commitTyping()
    recorder.seal()
    recorder.compact(&core)
  }
}
