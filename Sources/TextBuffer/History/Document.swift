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
  private var draft: Draft<Context>
  /// All revisions of the text.
  public private(set) var history: History<Change>
  private var contexts: [Frame]
  /// The context at the start of the open transaction; nil when none is open.
  private var openContext: Context?

  /// The contexts on both sides of a revision.
  private struct Frame: Sendable {
    var before: Context
    var after: Context
  }

  /// A document whose revision 0 is `buffer`.
  ///
  /// - Parameters:
  ///   - buffer: The text.
  ///   - context: What is restored with it.
  ///   - name: What revision 0 is called.
  ///   - time: When it came to be.
  public init(_ buffer: TextBuffer, context: Context, name: String? = nil, time: Double = 0) {
    draft = Draft(buffer, context: context)
    history = History(name: name, time: time)
    contexts = [Frame(before: context, after: context)]
  }

  /// The text.
  public var buffer: TextBuffer { draft.buffer }

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
  ///   - body: Edits the text.
  /// - Throws: What `body` throws; text, context and history are then as before.
  /// - Returns: What `body` returns.
  public mutating func edit<R, E>(
    _ name: String? = nil, time: Double = 0, _ body: (inout Draft<Context>) throws(E) -> R
  ) throws(E) -> R {
    if isInTransaction { return try draft.edit(body) }
    let before = draft.context
    do {
      let result = try body(&draft)
      record(name, time: time, before: before)
      return result
    } catch {
      draft.rollBack()
      draft.context = before
      throw error
    }
  }

  /// Whether a transaction is open that `begin` has opened.
  public var isInTransaction: Bool { openContext != nil }

  /// Opens a transaction that goes on until `commit` or `rollBack`: every `edit` until then is a
  /// part of it, and records nothing by itself.
  ///
  /// - Precondition: None is open.
  public mutating func begin() {
    precondition(!isInTransaction, "a transaction is open")
    openContext = draft.context
  }

  /// Ends the open transaction and records what it did, if it did anything.
  ///
  /// - Parameters:
  ///   - name: What the revision is called.
  ///   - time: When it was made.
  /// - Precondition: One is open.
  /// - Returns: The number of the new revision; nil when the text is the same as before.
  @discardableResult
  public mutating func commit(_ name: String? = nil, time: Double = 0) -> Int? {
    guard let before = openContext else { preconditionFailure("no transaction is open") }
    openContext = nil
    let count = history.revisions.count
    record(name, time: time, before: before)
    return history.revisions.count > count ? history.current : nil
  }

  /// Ends the open transaction; text and context are as they were when it began.
  ///
  /// - Precondition: One is open.
  public mutating func rollBack() {
    guard let before = openContext else { preconditionFailure("no transaction is open") }
    openContext = nil
    draft.rollBack()
    draft.context = before
  }

  private mutating func record(_ name: String?, time: Double, before: Context) {
    let change = draft.log.change(in: draft.text)
    if let change {
      history.record(checked: change, name: name, time: time)
      contexts.append(Frame(before: before, after: draft.context))
      draft.log = .nothing
    } else {
      draft.rollBack()
    }
  }

  /// Takes back the group that led to the present revision.
  ///
  /// - Returns: The number of the revision taken back; nil when there is nothing to undo.
  @discardableResult
  public mutating func undo() -> Int? {
    let id = history.current
    guard history.canUndo else { return nil }
    takeBack(id)
    history.moveToParent()
    return id
  }

  /// Does the group again that leads to the preferred child of the present revision.
  ///
  /// - Returns: The number of the revision that is the present one now; nil when there is nothing
  ///   to redo.
  @discardableResult
  public mutating func redo() -> Int? {
    guard let id = history[history.current].preferredChild else { return nil }
    doAgain(id)
    history.moveToChild(id)
    return id
  }

  /// Goes to any revision, along the groups between.
  ///
  /// - Precondition: There is a revision `id`.
  public mutating func move(to id: Int) {
    let (back, forward) = history.path(to: id)
    for revision in back {
      takeBack(revision)
      history.moveToParent()
    }
    for revision in forward {
      doAgain(revision)
      history.moveToChild(revision)
    }
  }

  private mutating func takeBack(_ id: Int) {
    history.forEachStep(of: id, reversed: true) { draft.text.apply($0.inverse) }
    draft.context = contexts[id].before
  }

  private mutating func doAgain(_ id: Int) {
    history.forEachStep(of: id, reversed: false) { draft.text.apply($0) }
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
  public func change(of id: Int) -> Change? { history.steps(of: id).first }

  /// Whether the present revision is another one than the saved one.
  public var isModified: Bool { history.isModified }

  /// Remembers that the present revision has been saved.
  public mutating func markSaved() { history.markSaved() }

  /// Remembers that what was saved is none of the revisions.
  public mutating func markUnsaved() { history.markUnsaved() }

  /// Names a revision.
  ///
  /// - Precondition: There is a revision `id`.
  public mutating func setName(_ name: String?, of id: Int) { history.setName(name, of: id) }

  /// Marks a revision as one to return to, or as none.
  ///
  /// - Precondition: There is a revision `id`.
  public mutating func setCheckpoint(_ isCheckpoint: Bool, of id: Int) {
    history.setCheckpoint(isCheckpoint, of: id)
  }
}

extension Document where Context == Void {
  /// A document whose revision 0 is `buffer`, and with nothing else to restore.
  public init(_ buffer: TextBuffer, name: String? = nil, time: Double = 0) {
    self.init(buffer, context: (), name: name, time: time)
  }
}
