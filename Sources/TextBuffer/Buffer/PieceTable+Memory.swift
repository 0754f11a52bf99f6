extension PieceTable {
  /// The number of bytes of memory that this text keeps for bytes of texts: its own, removed ones,
  /// and the bytes of texts that share its memory.
  ///
  /// - Complexity: O(*b*), for *b* blocks of memory.
  public var heldByteCount: Int { storage.blocks.reduce(0) { $0 + $1.capacity } }

  /// Frees the blocks without bytes of this text. Blocks used by copies, slices and changes stay as
  /// long as these exist.
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
