/// One replacement in a text, with the removed and the inserted text.
///
/// It can be applied, and so can its inverse. Both texts share structure with the text that they come
/// from: a change of a million lines is as cheap to keep as one of a byte.
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

  /// The removed text.
  public var removed: PieceTable { PieceTable(storage: storage, root: before.subtree) }

  /// The inserted text.
  public var inserted: PieceTable { PieceTable(storage: storage, root: after.subtree) }

  /// The number of bytes removed.
  package var removedByteCount: Int { before.summary.byteCount }

  /// The number of bytes inserted.
  package var insertedByteCount: Int { after.summary.byteCount }

  /// The number of newlines removed.
  package var removedNewlineCount: Int { before.summary.newlineCount }

  /// The number of newlines inserted.
  package var insertedNewlineCount: Int { after.summary.newlineCount }

  /// The number of lines in the removed text; a last one without newline counts.
  package var removedLineCount: Int { removed.lineCount }

  /// The number of lines in the inserted text; a last one without newline counts.
  package var insertedLineCount: Int { inserted.lineCount }

  /// The range of the removed bytes, in the text before the change.
  public var rangeBefore: Range<ByteOffset> { offset..<offset + removedByteCount }

  /// The range of the inserted bytes, in the text after the change.
  public var rangeAfter: Range<ByteOffset> { offset..<offset + insertedByteCount }

  /// The change that takes this one back.
  public var inverse: Change {
    Change(offset: offset.value, before: after, after: before, storage: storage)
  }

  /// Whether the inserted text is the same as the removed text.
  ///
  /// - Complexity: O(1) when they differ in length or number of newlines, else O(*n*).
  public var changesNothing: Bool {
    switch (before, after) {
    case (.empty, .empty): true
    case (.empty, _), (_, .empty): false
    case (.piece(let old), .piece(let new)): old.extent.hasSameBytes(as: new.extent)
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

extension PieceTable {
  /// Whether the bytes that a change removes are in their place.
  package func fits(_ change: Change) -> Bool {
    let (offset, count) = (change.offset.value, change.removedByteCount)
    guard offset >= 0, count <= byteCount, offset <= byteCount - count else { return false }
    return count == 0 || slice(change.offset..<change.offset + count) == change.removed
  }
}
