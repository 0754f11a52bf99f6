extension PieceTable {
  /// Reads a text straight into its blocks, without a copy.
  ///
  ///     let text = PieceTable(sizeHint: size) { memory in
  ///       max(0, read(descriptor, memory.baseAddress, memory.count))
  ///     }
  ///
  /// - Parameters:
  ///   - sizeHint: The expected number of bytes. The exact number needs one allocation; any
  ///     other number works, too.
  ///   - read: Fills the given memory from its start, and returns the number of bytes written; 0
  ///     ends the text.
  /// - Throws: The error of `read`; all memory is freed.
  /// - Complexity: O(*n*), for *n* bytes.
  public init<E>(
    sizeHint: Int, read: (UnsafeMutableRawBufferPointer) throws(E) -> Int
  ) throws(E) {
    let storage = Storage()
    var builder = TreeBuilder()
    var capacity = max(sizeHint + 1, 4096)
    var isAtEnd = false
    while !isAtEnd {
      let block = ByteBlock(capacity: capacity)
      var used = 0
      var indexed = 0
      while used < capacity, !isAtEnd {
        // Bytes are indexed while they are still in the cache.
        let room = min(capacity - used, Self.bytesPerRead)
        // SAFETY: the block is new and not shared, and no piece refers to these bytes yet.
        let count = try unsafe read(
          UnsafeMutableRawBufferPointer(start: block.base + used, count: room))
        precondition(0 <= count && count <= room, "read more than there was room for")
        isAtEnd = count == 0
        used += count
        let whole = isAtEnd || used == capacity ? used : used - used % Piece.maxByteCount
        unsafe builder.append(Extent(block.base + indexed, whole - indexed))
        indexed = whole
      }
      if used > 0 { storage.add(block) }
      capacity = max(capacity, min(capacity * 2, Self.largestBlock))
    }
    self.init(storage: storage, root: builder.finish())
  }

  /// The largest number of bytes to read at once.
  private static var bytesPerRead: Int { 512 << 10 }

  /// Block sizes double up to this many bytes if a text is longer than expected.
  private static var largestBlock: Int { 64 << 20 }

  /// A text of bytes owned by the caller, such as mapped memory, without a copy.
  ///
  /// - Parameters:
  ///   - bytes: The text; must not change until `release` is called.
  ///   - release: Called once, from any thread, when no text, slice or change refers to the bytes
  ///     any more.
  /// - Complexity: O(*n*): the bytes are read once to find the lines.
  public init(
    adopting bytes: UnsafeRawBufferPointer, release: @escaping @Sendable () -> Void
  ) {
    let storage = Storage()
    let block = unsafe ByteBlock(adopting: bytes, release: release)
    storage.add(block)
    var builder = TreeBuilder()
    unsafe builder.append(Extent(block.base, block.capacity))
    self.init(storage: storage, root: builder.finish())
  }

  /// Allocates big blocks of this text, and of texts derived from it, in `memory` from now on.
  package func keepBytes(in memory: BlockAllocator) { storage.take(from: memory) }
}
