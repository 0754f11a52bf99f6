/// Moves from one revision to another.
extension Document {
  /// Goes back to the parent of the present revision.
  ///
  /// After ``editFromOutside(_:date:_:)`` it takes back the latest group before the outside changes,
  /// and keeps those.
  ///
  /// - Precondition: No transaction is open.
  /// - Returns: The transition from the undone revision to its parent; nil if nothing can be
  ///   undone.
  /// - Complexity: O(log *p*) for each change of the revision, and each outside change after it, for
  ///   *p* pieces.
  @inlinable @discardableResult
  public mutating func undo() -> Transition<Change>? {
    prepareToMove()
    var group = 0
    guard let undone = recorder.undo(&core, group: &group) else { return nil }
    arrive(at: undone.to, frame(of: group).before)
    return undone
  }

  /// Goes to the preferred child of the present revision.
  ///
  /// After ``editFromOutside(_:date:_:)`` it brings back the group that was undone before the
  /// outside changes, and keeps those.
  ///
  /// - Precondition: No transaction is open.
  /// - Returns: The transition to that child; nil if nothing can be redone.
  /// - Complexity: O(log *p*) for each change of the revision, and each outside change since it was
  ///   undone, for *p* pieces.
  @inlinable @discardableResult
  public mutating func redo() -> Transition<Change>? {
    prepareToMove()
    var group = 0
    guard let redone = recorder.redo(&core, group: &group) else { return nil }
    arrive(at: redone.to, frame(of: group).after)
    return redone
  }

  /// Sets the context after an undo or a redo, which may have added a revision.
  @inlinable mutating func arrive(at id: Int, _ arrival: Context) {
    let departure = context
    context = arrival
    if id == contextStart + contexts.count { append(Frame(before: departure, after: arrival)) }
  }

  /// Goes to any revision, along the path through the tree.
  ///
  /// - Precondition: No transaction is open, and `history.canMove(to: id)`.
  /// - Returns: The transition to that revision.
  /// - Complexity: O(log *p*) for each change on the path, for *p* pieces.
  @inlinable @discardableResult
  public mutating func move(to id: Int) -> Transition<Change> {
    prepareToMove()
    let (moved, arrival) = recorder.move(to: id, &core)
    switch arrival {
    case .nowhere: break
    case .before(let revision): context = frame(of: revision).before
    case .after(let revision): context = frame(of: revision).after
    }
    return moved
  }

  /// Commits typed edits, and lets nothing join the present revision.
  @inlinable mutating func prepareToMove() {
    closeGroup()
    recorder.seal()
  }

  /// The text of a revision, without going there.
  ///
  ///     let old = document.text(of: 3)
  ///
  /// - Precondition: `history.canMove(to: id)`.
  /// - Complexity: O(log *p*) for each change on the path, for *p* pieces.
  public func text(of id: Int) -> PieceTable { recorder.text(of: id, from: committedBuffer) }

  /// Applies the changes of a revision to a text. If stored changes do not fit it, the history is
  /// damaged.
  package func apply(_ changes: [Change], to text: inout PieceTable) {
    recorder.apply(changes, to: &text)
  }

  /// Whether a revision can be undone, or typed edits are open as a group.
  ///
  /// - Complexity: O(*m*), for *m* revisions from outside since the last group. The same holds for
  ///   `canRedo`, `undoName` and `redoName`.
  public var canUndo: Bool { recorder.history.canUndo || core.typing.isOpen }

  /// Whether a revision can be redone.
  public var canRedo: Bool { recorder.history.canRedo && !core.typing.isOpen }

  /// The name of the open group, or of the revision to undo; nil without one, or if it has no name.
  public var undoName: String? {
    core.typing.isOpen ? recorder.typingName : recorder.history.undoName
  }

  /// The name of the revision to redo; nil without one, if it has no name, or while a group is open.
  public var redoName: String? { core.typing.isOpen ? nil : recorder.history.redoName }
}
