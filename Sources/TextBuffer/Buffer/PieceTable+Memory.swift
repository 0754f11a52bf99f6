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

/// Finds the blocks of a storage that some trees refer to.
struct LiveBlocks {
  /// The blocks in the order of their addresses, and which of them are live.
  private let blocks: [ByteBlock]
  private var isLive: [Bool]
  private let memory: BlockAllocator?
  private var seen: Set<ObjectIdentifier> = []
  /// The last block found: usually, the next piece is in it, too.
  private var latest = 0

  init(of storage: Storage) {
    blocks = storage.blocks.sorted { $0.address < $1.address }
    isLive = Array(repeating: false, count: blocks.count)
    memory = storage.memory
  }

  /// A storage with the live blocks alone.
  var storage: Storage {
    Storage(zip(blocks, isLive).filter { $1 }.map { $0.0 }, memory: memory)
  }

  mutating func mark(_ change: Change) {
    mark(change.before)
    mark(change.after)
  }

  private mutating func mark(_ fragment: Fragment) {
    switch fragment {
    case .empty: break
    case .piece(let piece): mark(piece)
    case .tree(let root): mark(root)
    }
  }

  /// Marks the blocks of a tree in O(*p* log *b*), for *p* pieces in nodes that have not been
  /// visited, and *b* blocks.
  mutating func mark(_ node: Node) {
    guard seen.insert(ObjectIdentifier(node)).inserted else { return }
    for index in 0..<node.count {
      if node.isLeaf { mark(node[piece: index]) } else { mark(node[child: index].node) }
    }
  }

  private mutating func mark(_ piece: Piece) {
    let address = piece.extent.address
    if piece.isEmpty || blocks.isEmpty || blocks[latest].contains(address) && isLive[latest] {
      return
    }
    var (lower, upper) = (0, blocks.count)
    while upper - lower > 1 {
      let middle = (lower + upper) / 2
      if blocks[middle].address <= address { lower = middle } else { upper = middle }
    }
    if blocks[lower].contains(address) { (isLive[lower], latest) = (true, lower) }
  }
}

extension ByteBlock {
  /// The address of the first byte.
  fileprivate var address: UInt { unsafe UInt(bitPattern: base) }

  fileprivate func contains(_ address: UInt) -> Bool {
    self.address <= address && address - self.address < UInt(capacity)
  }
}
