extension PieceTable {
  /// The number of bytes of memory that this text keeps for the bytes of texts: its own, those that it has
  /// removed, and those of what it shares its memory with.
  ///
  /// - Complexity: O(*b*), for *b* blocks of memory.
  public var heldByteCount: Int { storage.blocks.reduce(0) { $0 + $1.capacity } }

  /// Gives back the memory of blocks none of whose bytes are in this text. What copies, slices and changes
  /// refer to stays as long as these do.
  ///
  /// - Complexity: O(*p* log *b*), for *p* pieces and *b* blocks of memory.
  public mutating func compact() {
    var live = LiveBlocks(of: storage)
    live.mark(root.node)
    (storage, tail) = (live.storage, nil)
  }
}

extension Change {
  /// The same change, whose bytes another storage keeps.
  func kept(by storage: Storage) -> Change {
    Change(offset: offset.value, before: before, after: after, storage: storage)
  }
}
