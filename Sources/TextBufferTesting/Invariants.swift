import TextBuffer

extension PieceTable {
  /// Traps unless the tree of the text is sound and its counts match its bytes.
  ///
  /// A failure is a fault of the library, or of memory that was written to from outside.
  ///
  /// - Complexity: O(*n*), for *n* bytes.
  public func checkInvariants() {
    checkTree()
    let bytes = bytes
    precondition(bytes.count == byteCount, "wrong number of bytes")
    precondition(bytes.count { $0 == 0x0A } == newlineCount, "wrong number of newlines")
    precondition((bytes.last == 0x0A) == endsWithNewline, "wrong last byte")
  }
}

extension Document {
  /// Traps unless the text is sound, the revisions are a tree, and all changes fit the texts before
  /// them.
  ///
  /// It makes the text of every revision that the document can move to. Transactions may be open.
  ///
  /// - Complexity: O(*r* *n*), for *r* revisions and texts of *n* bytes.
  public func checkInvariants() {
    buffer.checkInvariants()
    precondition(buffer.byteCount == byteCount, "the document has another size than its text")
    let revisions = history.revisions
    precondition(revisions.indices.contains(history.current), "no present revision")
    precondition(revisions[0].parent == nil, "revision 0 has a parent")
    for revision in revisions.dropFirst() where !revision.isDropped {
      guard let parent = revision.parent else { preconditionFailure("a revision without a parent") }
      precondition(parent < revision.id, "a revision before its parent")
      let isKnown = history.children(of: parent).contains(revision.id)
      precondition(isKnown || revisions[parent].isDropped, "an unknown child")
      if let child = revision.preferredChild {
        precondition(revisions[child].parent == revision.id, "the preferred child is another's")
      }
    }
    checkChanges()
  }

  /// Traps unless each change finds the bytes that it removes. Starts from the present text.
  private func checkChanges() {
    var rest = [(id: history.current, text: committedBuffer)]
    var seen: Set = [history.current]
    while let (id, text) = rest.popLast() {
      text.checkInvariants()
      if let parent = history.revisions[id].parent, history.canMove(to: parent),
        seen.insert(parent).inserted
      {
        rest.append((parent, Self.text(after: changes(of: id).reversed().map(\.inverse), text)))
      }
      for child in history.children(of: id)
      where history.canMove(to: child) && seen.insert(child).inserted {
        rest.append((child, Self.text(after: changes(of: child), text)))
      }
    }
  }

  /// `text` after some changes; traps unless each finds the bytes it removes.
  private static func text(after changes: [Change], _ text: PieceTable) -> PieceTable {
    var text = text
    for change in changes {
      precondition(
        ByteOffset(0) <= change.offset
          && change.rangeBefore.upperBound <= ByteOffset(text.byteCount),
        "a change outside the text")
      precondition(
        text.slice(change.rangeBefore) == change.removed,
        "a change removes other bytes than there are")
      text.apply(change)
    }
    return text
  }
}
