// These are compiled where they are used, so that nobody has to find out there what a context is; what
// they do to the text and the history is not generic.

/// Moves from one revision to another.
extension Document {
  /// Takes back the group that led to the present revision.
  ///
  /// - Returns: The number of the revision taken back; nil when there is nothing to undo.
  @inlinable @discardableResult
  public mutating func undo() -> Int? {
    seal()
    guard let id = record.undo(&draft.core) else { return nil }
    draft.context = contexts[id].before
    return id
  }

  /// Does the group again that leads to the preferred child of the present revision.
  ///
  /// - Returns: The number of the revision that is the present one now; nil when there is nothing
  ///   to redo.
  @inlinable @discardableResult
  public mutating func redo() -> Int? {
    seal()
    guard let id = record.redo(&draft.core) else { return nil }
    draft.context = contexts[id].after
    return id
  }

  /// Goes to any revision, along the groups between.
  ///
  /// - Precondition: `history.canMove(to: id)`.
  @inlinable
  public mutating func move(to id: Int) {
    seal()
    switch record.move(to: id, &draft.core) {
    case .nowhere: break
    case .before(let revision): draft.context = contexts[revision].before
    case .after(let revision): draft.context = contexts[revision].after
    }
  }
}
