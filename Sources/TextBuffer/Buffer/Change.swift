/// One replacement in a text, with both the text that was there and the text that is there now.
///
/// So it can be applied, and its inverse too. Both texts share structure with the buffer that they
/// come from: a change of a million lines is as cheap to keep as one of a byte.
public struct Change: Sendable {
  /// Where the replacement begins.
  public let offset: ByteOffset
  let before: Fragment
  let after: Fragment
  let storage: Storage

  init(
    offset: Int, before: consuming Fragment, after: consuming Fragment, storage: Storage
  ) {
    self.offset = ByteOffset(offset)
    self.before = before
    self.after = after
    self.storage = storage
  }

  /// The text that was taken out.
  public var removed: PieceTable { PieceTable(storage: storage, root: before.subtree) }

  /// The text that was put there.
  public var inserted: PieceTable { PieceTable(storage: storage, root: after.subtree) }

  /// The number of bytes taken out.
  public var removedByteCount: Int { before.summary.byteCount }

  /// The number of bytes put there.
  public var insertedByteCount: Int { after.summary.byteCount }

  /// The number of newlines taken out.
  public var removedNewlineCount: Int { before.summary.newlineCount }

  /// The number of newlines put there.
  public var insertedNewlineCount: Int { after.summary.newlineCount }

  /// The number of lines in the text that was taken out; a last one without newline counts.
  public var removedLineCount: Int { removed.lineCount }

  /// The number of lines in the text that was put there; a last one without newline counts.
  public var insertedLineCount: Int { inserted.lineCount }

  /// The bytes that are replaced, in the text before.
  public var rangeBefore: Range<ByteOffset> { offset..<offset + removedByteCount }

  /// The bytes that were put there, in the text after.
  public var rangeAfter: Range<ByteOffset> { offset..<offset + insertedByteCount }

  /// The change that takes this one back.
  public var inverse: Change {
    Change(offset: offset.value, before: after, after: before, storage: storage)
  }

  /// Whether the text put there is the same as the text taken out.
  ///
  /// - Complexity: O(1) when they differ in length or number of lines, else O(n).
  public var changesNothing: Bool {
    switch (before, after) {
    case (.empty, .empty): true
    case (.empty, _), (_, .empty): false
    case (.piece(let old), .piece(let new)): old.run.hasSameBytes(as: new.run)
    default: before.summary == after.summary && before.subtree.hasSameText(as: after.subtree)
    }
  }
}

extension Change: Equatable {
  /// Whether both replace the same text at the same place by the same text.
  public static func == (lhs: Change, rhs: Change) -> Bool {
    lhs.offset == rhs.offset && lhs.removed == rhs.removed && lhs.inserted == rhs.inserted
  }
}
