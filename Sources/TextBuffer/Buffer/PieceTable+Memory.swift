extension PieceTable {
  /// The size in bytes of all memory blocks that this text keeps alive. The blocks hold its own
  /// bytes, removed bytes, and bytes of texts that share its memory.
  ///
  /// - Complexity: O(*b*), for *b* blocks of memory.
  public var heldByteCount: Int { storage.blocks.reduce(0) { $0 + $1.capacity } }

  /// Releases all memory blocks that hold no bytes of this text. A copy, slice or change keeps its
  /// own blocks alive.
  ///
  /// - Complexity: O(*p* log *b*), for *p* pieces and *b* blocks of memory.
  public mutating func compact() {
    var live = LiveBlocks(of: storage)
    live.mark(root.node)
    (storage, tail) = (live.storage, nil)
  }
}

extension Change {
  /// The same change, with its bytes kept alive by `storage`.
  func kept(by storage: Storage) -> Change {
    Change(offset: offset.value, before: before, after: after, storage: storage)
  }
}
