/// Changes that undo passes over, and groups taken back under later ones.
extension Document {
  /// Makes a change that undo and redo pass over: one of another author, or an automatic one.
  ///
  ///     document.editFromOutside { draft in draft.insert("theirs\n".utf8, at: ByteOffset(0)) }
  ///     document.undo()  // takes back the latest group before it; their line stays
  ///
  /// The change is a revision whose ``Revision/isOutside`` is true. It closes the open group, and no
  /// transaction joins it. Undo and redo after it apply the user's groups to the text with the outside
  /// changes:
  ///
  /// - Places of a group that no outside change has touched are shifted.
  /// - Where both have touched the same bytes, the outside change stays. An undo removes the bytes
  ///   that are left of those that the group had inserted, and puts the removed bytes where the first
  ///   of them was. Places without such bytes are skipped. A redo does the same with the removed
  ///   and the inserted bytes exchanged. Bytes that the group has only removed always come back.
  /// - Bytes that come back where an outside change has inserted some stand before those.
  /// - Where an outside change has replaced characters by some that begin or end alike, those count as
  ///   untouched.
  /// - Outside changes side by side count as one.
  /// - A restored document does not know earlier undos and redos: an undo or a redo there applies the
  ///   whole group again, and can bring back bytes that an outside change had removed.
  ///
  /// An undo or redo over outside changes adds a revision from outside to the tree, with a change for
  /// each place that outside changes have touched since the group. Going back leads to the revision
  /// before, and adds none. A `levelLimit` counts revisions from outside, too, also those that an undo
  /// or a redo adds.
  ///
  /// - Parameters:
  ///   - name: The name of the revision.
  ///   - date: The time of the revision, in the unit and from the origin that the caller chose.
  ///   - body: Edits the text.
  /// - Precondition: No transaction is open.
  /// - Throws: The error of `body`; text, context and history are then as before.
  /// - Returns: The result of `body`.
  /// - Complexity: As for `edit`. Later each undo or redo over the change costs O(log *p*) for each
  ///   outside change since its group, for *p* pieces.
  @inlinable @discardableResult
  public mutating func editFromOutside<R, E>(
    _ name: String? = nil, date: Double = 0, _ body: (inout Draft<Context>) throws(E) -> R
  ) throws(E) -> R {
    prepareToMove()
    defer { closeGroup() }
    return try edit(name, EditMoment(nil, date), .none, isOutside: true, body)
  }

  /// Takes back one group, and keeps all later ones.
  ///
  /// The result is a new group, made by a transaction of its own, which no transaction joins. The open
  /// group is closed. A revert can be reverted, too; then the group is in effect again. A change from
  /// outside can be reverted, too.
  ///
  /// - Parameters:
  ///   - id: The revision that the group led to: the present one, or one of its ancestors.
  ///   - name: The name of the new revision.
  ///   - date: The time of the new revision.
  /// - Precondition: No transaction is open, and `id` has a parent. Both are in the tree.
  /// - Returns: The transition to the new revision; nil, with the text unchanged, for a conflict: a
  ///   later change that is still in effect touches bytes that the group inserted, or surrounds those
  ///   that it removed. Nil also for a group that is reverted already, or has nothing left to take
  ///   back, and if closing the open group has made the level limit drop the parent.
  /// - Complexity: O(log *p*) for each change of the group and of later ones, for *p* pieces.
  @discardableResult
  public mutating func revert(_ id: Int, name: String? = nil, date: Double = 0)
    -> Transition<Change>?
  {
    precondition(recorder.history.path(to: id).forward.isEmpty, "no ancestor of the revision")
    guard let parent = parent(of: id), recorder.history.canMove(to: parent) else {
      preconditionFailure("the revision has no parent")
    }
    prepareToMove()
    guard recorder.history.canMove(to: parent), !recorder.history.isReverted(id),
      let passage = recorder.passage(from: id, to: parent, core), passage.isClean
    else { return nil }
    let text = text(of: parent)
    begin()
    for edit in passage.edits.reversed() {
      _ = core.replace(edit.range, with: text.slice(edit.source))
    }
    guard let reverted = commit(name, date: date, coalescing: Coalescing.none) else { return nil }
    recorder.history.setReverts(id)
    recorder.seal()
    return reverted
  }
}
