/// Moves from one revision to another.
extension Document {
  /// Goes back to the parent of the present revision.
  ///
  /// - Precondition: No transaction is open.
  /// - Returns: From the revision that was taken back to its parent, and what that did to the text; nil when there
  ///   is nothing to undo.
  /// - Complexity: O(log *p*) for each change of the revision, for *p* pieces.
  @inlinable @discardableResult
  public mutating func undo() -> Transition<Change>? {
    prepareToMove()
    guard let undone = recorder.undo(&draft.core) else { return nil }
    draft.context = frame(of: undone.from).before
    return undone
  }

  /// Goes to the preferred child of the present revision.
  ///
  /// - Precondition: No transaction is open.
  /// - Returns: The way to that child, and what was done to the text; nil when there is nothing to redo.
  /// - Complexity: O(log *p*) for each change of the revision, for *p* pieces.
  @inlinable @discardableResult
  public mutating func redo() -> Transition<Change>? {
    prepareToMove()
    guard let redone = recorder.redo(&draft.core) else { return nil }
    draft.context = frame(of: redone.to).after
    return redone
  }

  /// Goes to any revision, along the path through the tree.
  ///
  /// - Precondition: No transaction is open, and `history.canMove(to: id)`.
  /// - Returns: The way there, and what was done to the text.
  /// - Complexity: O(log *p*) for each change on the path, for *p* pieces.
  @inlinable @discardableResult
  public mutating func move(to id: Int) -> Transition<Change> {
    prepareToMove()
    let (moved, arrival) = recorder.move(to: id, &draft.core)
    switch arrival {
    case .nowhere: break
    case .before(let revision): draft.context = frame(of: revision).before
    case .after(let revision): draft.context = frame(of: revision).after
    }
    return moved
  }

  /// Commits what was typed, and lets nothing join the present revision.
  @inlinable mutating func prepareToMove() {
    closeGroup()
    recorder.seal()
  }
}
