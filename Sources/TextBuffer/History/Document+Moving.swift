/// Moves from one revision to another.
extension Document {
  /// Goes back to the parent of the present revision.
  ///
  /// - Precondition: No transaction is open.
  /// - Returns: The revision that was taken back; nil when there is nothing to undo.
  /// - Complexity: O(log *p*) for each change of the revision, for *p* pieces.
  @inlinable @discardableResult
  public mutating func undo() -> Int? {
    prepareToMove()
    guard let id = recorder.undo(&draft.core) else { return nil }
    draft.context = frame(of: id).before
    return id
  }

  /// Goes to the preferred child of the present revision.
  ///
  /// - Precondition: No transaction is open.
  /// - Returns: That child; nil when there is nothing to redo.
  /// - Complexity: O(log *p*) for each change of the revision, for *p* pieces.
  @inlinable @discardableResult
  public mutating func redo() -> Int? {
    prepareToMove()
    guard let id = recorder.redo(&draft.core) else { return nil }
    draft.context = frame(of: id).after
    return id
  }

  /// Goes to any revision, along the path through the tree.
  ///
  /// - Precondition: No transaction is open, and `history.canMove(to: id)`.
  /// - Complexity: O(log *p*) for each change on the path, for *p* pieces.
  @inlinable
  public mutating func move(to id: Int) {
    prepareToMove()
    switch recorder.move(to: id, &draft.core) {
    case .nowhere: break
    case .before(let revision): draft.context = frame(of: revision).before
    case .after(let revision): draft.context = frame(of: revision).after
    }
  }

  /// Commits what was typed, and lets nothing join the present revision.
  @inlinable mutating func prepareToMove() {
    closeGroup()
    recorder.seal()
  }
}
