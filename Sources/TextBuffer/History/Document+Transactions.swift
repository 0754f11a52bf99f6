// Generic code here is compiled where it is used, and only deals with contexts. Functions that are
// compiled once deal with texts and the history.

/// Transactions that the caller opens.
extension Document {
  /// Makes one transaction, or an inner one while another is open.
  ///
  /// The contexts before and after it are kept with its revision. If the text is the same in the
  /// end, nothing is recorded, but the context keeps the value from `body`.
  ///
  /// - Parameters:
  ///   - name: The name of the revision.
  ///   - time: The time of the edits, for measuring pauses; nil to ignore pauses.
  ///   - date: The time of the revision, in the unit and from the origin that the caller chose;
  ///     seconds since 1970 for example.
  ///   - coalescing: Whether the transaction can join the latest revision, which then gets `name`
  ///     if it is not nil. A revision that was saved, named, marked, left or moved to is never
  ///     joined.
  ///   - body: Edits the text.
  /// - Throws: The error of `body`; text, context and history are then as before.
  /// - Returns: The result of `body`.
  @inlinable @discardableResult
  public mutating func edit<R, E>(
    _ name: String? = nil, time: ContinuousClock.Instant?, date: Double = 0,
    coalescing: Coalescing = .none,
    _ body: (inout Draft<Context>) throws(E) -> R
  ) throws(E) -> R {
    try edit(name, EditMoment(at: time, date), coalescing, body)
  }

  /// Makes one transaction, ignoring pauses; see `edit(_:time:date:coalescing:_:)`.
  ///
  /// - Throws: The error of `body`; text, context and history are then as before.
  /// - Returns: The result of `body`.
  @inlinable @discardableResult
  public mutating func edit<R, E>(
    _ name: String? = nil, date: Double = 0, coalescing: Coalescing = .none,
    _ body: (inout Draft<Context>) throws(E) -> R
  ) throws(E) -> R {
    try edit(name, EditMoment(nil, date), coalescing, body)
  }

  @inlinable @inline(__always)
  mutating func edit<R, E>(
    _ name: String?, _ moment: EditMoment, _ coalescing: Coalescing, isOutside: Bool = false,
    _ body: (inout Draft<Context>) throws(E) -> R
  ) throws(E) -> R {
    begin()
    var context = context
    do throws(E) {
      // SAFETY: no other code can reach the document meanwhile, and the draft ends before its place
      // does.
      let result = try unsafe withUnsafeMutablePointer(to: &core) { place throws(E) -> R in
        var draft = unsafe Draft(place, context: context)
        defer { unsafe draft.end(at: place) }
        let result = try body(&draft)
        context = draft.context
        return result
      }
      self.context = context
      end(name, moment, coalescing, isOutside: isOutside)
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Whether a transaction opened by `begin()` is open.
  @inlinable package var isInTransaction: Bool { !startContexts.isEmpty }

  /// Opens a transaction until `commit` or `rollBack()`. Every edit until then belongs to it, by
  /// `edit` or by `replace`. Transactions nest.
  ///
  /// While a transaction is open the history stays where it is: undo, redo, moves and saves trap.
  /// `canUndo` ignores open transactions.
  @inlinable
  public mutating func begin() {
    if !isInTransaction { commitTyping() }
    startContexts.append(context)
    core.begin()
  }

  /// Ends the last opened transaction. The outermost one is recorded if it has changed the text. An
  /// inner one becomes part of the transaction around it.
  ///
  /// - Parameters:
  ///   - name: The name of the revision.
  ///   - time: The time of the edits, for measuring pauses; nil to ignore pauses.
  ///   - date: The time of the revision, in the unit and from the origin that the caller chose;
  ///     seconds since 1970 for example.
  ///   - coalescing: Whether the transaction can join the latest revision; nil for the policy of
  ///     the document. With that policy, edits at several carets, one transaction for each key, are
  ///     grouped like edits at one caret.
  /// - Precondition: A transaction is open.
  /// - Returns: The transition to the revision with the edits; nil for an inner transaction, or if
  ///   the text is the same as before. The transition ends at the parent of the joined revision if
  ///   the text is the same as there.
  @inlinable @discardableResult
  public mutating func commit(
    _ name: String? = nil, time: ContinuousClock.Instant? = nil, date: Double = 0,
    coalescing: Coalescing? = nil
  ) -> Transition<Change>? {
    let from = recorder.history.current
    guard end(name, EditMoment(at: time, date), coalescing) else { return nil }
    return recorder.latestTransition(from: from, in: core)
  }

  /// Like `commit` at the present time, for a caller that only needs the new revision; nil as from
  /// `commit`. With `keepsEmpty`, records the transaction even if only the context has changed.
  @inlinable
  package mutating func commitNow(
    date: Double, coalescing: Coalescing, keepsEmpty: Bool = false
  ) -> Int? {
    let time: EditTime? = coalescing.longestPause == nil ? nil : .now
    let moment = EditMoment(time, date)
    return end(nil, moment, coalescing, keepsEmpty: keepsEmpty) ? recorder.history.current : nil
  }

  /// Like the public `commit`; with `keepsEmpty`, an outermost transaction is recorded even if the
  /// text is the same.
  package mutating func commit(_ name: String?, date: Double, keepsEmpty: Bool) -> Int? {
    let moment = EditMoment(at: nil, date)
    return end(name, moment, nil, keepsEmpty: keepsEmpty) ? recorder.history.current : nil
  }

  /// Ends the last opened transaction; returns whether it was the outermost one and has changed the
  /// text.
  @inlinable @discardableResult
  mutating func end(
    _ name: String?, _ moment: EditMoment, _ coalescing: Coalescing?, keepsEmpty: Bool = false,
    isOutside: Bool = false
  ) -> Bool {
    guard let before = startContexts.popLast() else {
      preconditionFailure("no transaction is open")
    }
    if isInTransaction {
      recorder.commitInner(&core)
      return false
    }
    core.commit()
    return record(
      name, moment, coalescing ?? core.coalescing, since: before, keepsEmpty: keepsEmpty,
      isOutside: isOutside)
  }

  /// Ends the last opened transaction, and restores text and context as at its beginning.
  ///
  /// - Precondition: A transaction is open.
  @inlinable
  public mutating func rollBack() {
    guard let before = startContexts.popLast() else {
      preconditionFailure("no transaction is open")
    }
    recorder.rollBack(&core)
    context = before
  }

  /// Records the outermost transaction, which began with the context `before`; returns whether it
  /// has changed the text.
  @inlinable
  mutating func record(
    _ name: String?, _ moment: EditMoment, _ coalescing: Coalescing, since before: Context,
    keepsEmpty: Bool = false, isOutside: Bool = false
  ) -> Bool {
    let group = recorder.history.current
    let result = recorder.commit(
      &core, name: name, moment, coalescing: coalescing, keepsEmpty: keepsEmpty,
      isOutside: isOutside)
    switch result {
    case .unchanged:
      unjoinedContexts = nil
      return false
    case .recorded:
      unjoinedContexts = nil
      append(Frame(before: before, after: context))
      return true
    case .joined:
      unjoinedContexts = frame(of: group)
      let context = context
      updateFrame(of: group) { $0.after = context }
      return true
    case .cancelled:
      let frame = frame(of: group)
      (unjoinedContexts, typingContext) = (frame, frame.before)
      return true
    case .revived:
      unjoinedContexts = nil
      appendTypedContexts()
      return true
    }
  }

  /// Traps while a transaction is open: the history must not be walked under it.
  @inlinable func requireNoTransaction() {
    precondition(!isInTransaction, "a transaction is open")
  }

  /// The changes that the latest transaction made, in order, before it joined another revision.
  /// Empty after a transaction without effect, a rollback, or a move. An edit by `replace` inside a
  /// transaction counts as an inner one. Outside, all edits typed since the open group began count
  /// as one.
  package var latestChanges: [Change] { recorder.latestChanges(in: core) }

  /// Makes the text before the latest transaction a revision, if the transaction joined another
  /// one, and the text after it a revision of its own. Returns the revision with the text before;
  /// nil if the transaction has joined no other. The present revision still has the text after it.
  ///
  /// If the joined revision has been saved, named or marked since, it stays the same, and the text
  /// before the transaction becomes a revision on another branch.
  ///
  /// - Precondition: No transaction is open.
  @discardableResult
  package mutating func separateLatestEdit() -> Int? {
    requireNoTransaction()
    // Edits being typed are the latest transaction, and have joined no other.
    if core.typing.isOpen { return nil }
    if let group = branchBeforeLatestEdit() { return group }
    guard let before = unjoinedContexts, let result = recorder.separate() else { return nil }
    if result == .cancelled {
      contexts.append(before)
    } else {
      contexts.update(contexts.count - 1) { $0 = before }
    }
    contexts.append(Frame(before: before.after, after: context))
    unjoinedContexts = nil
    return recorder.history.current - 1
  }

  /// Adds a revision as a child of any other one, without going there.
  ///
  /// Text, context and the present revision stay, and so do open transactions. No redo leads to the
  /// new revision until a move has. As after a save, nothing joins the present revision any more.
  /// An open typed group is recorded first.
  ///
  /// - Parameters:
  ///   - changes: The changes from the text of `parent` to the text of the new revision, in order.
  ///   - parent: The revision that it is made from.
  ///   - name: The name of the revision.
  ///   - date: The time of the revision.
  ///   - context: The context to restore after a move to the revision.
  /// - Precondition: `history.canMove(to: parent)`, and the changes fit its text.
  /// - Returns: The new revision; nil if no change changes anything: then nothing is added.
  /// - Complexity: O(*n*), for *n* blocks of bytes that the changes refer to.
  @discardableResult
  public mutating func addBranch(
    _ changes: [Change], from parent: Int, name: String? = nil, date: Double = 0, context: Context
  ) -> Int? {
    addBranch(changes, from: parent, name: name, date: date, context: context, keepsEmpty: false)
  }

  /// Like the public method; with `keepsEmpty`, a revision is added even if its text equals its
  /// parent's.
  package mutating func addBranch(
    _ changes: [Change], from parent: Int, name: String? = nil, date: Double, context: Context,
    keepsEmpty: Bool
  ) -> Int? {
    if !isInTransaction { commitTyping() }
    guard
      let id = recorder.addBranch(
        changes, from: parent, name: name, date: date, keepsEmpty: keepsEmpty, &core)
    else { return nil }
    contexts.append(Frame(before: contextAfter(parent), after: context))
    return id
  }

  /// Makes a redo in a revision lead to one of its children.
  package mutating func prefer(_ child: Int, of parent: Int) {
    recorder.history.prefer(child, of: parent)
  }

  /// Adds a revision that another user of the same store has made, without going there. Its parent
  /// exists; a dropped revision has no changes.
  package mutating func adopt(_ record: RevisionRecord, _ changes: [Change], _ frame: Frame) {
    if !isInTransaction { commitTyping() }
    recorder.adopt(record, changes, &core)
    contexts.append(frame)
  }

  /// Makes the text before the latest transaction a revision on another branch, if the revision
  /// that it joined must stay the same.
  private mutating func branchBeforeLatestEdit() -> Int? {
    guard let joined = recorder.unjoined, joined.isKept,
      joined.current == recorder.history.current, let before = unjoinedContexts
    else { return nil }
    contexts.append(before)
    unjoinedContexts = nil
    return recorder.branchUnjoined(joined, &core)
  }
}
