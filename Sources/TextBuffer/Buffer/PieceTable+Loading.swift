extension PieceTable {
  /// A text read from somewhere, straight to where it will stay.
  ///
  ///     let text = PieceTable(sizeHint: size) { memory in
  ///       max(0, read(descriptor, memory.baseAddress, memory.count))
  ///     }
  ///
  /// - Parameters:
  ///   - sizeHint: About how many bytes will come. One more than that needs no second allocation;
  ///     any other number works.
  ///   - read: Fills the memory it is given from its start, and returns how many bytes it put
  ///     there; 0 ends the text. It is called as often as it takes, at least twice unless the text
  ///     is empty.
  /// - Throws: What `read` throws; all memory is free again then.
  /// - Complexity: O(n).
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
        // SAFETY: the block is new and not yet shared, and these bytes of it are not yet used.
        let count = try unsafe read(
          UnsafeMutableRawBufferPointer(start: block.base + used, count: room))
        precondition(0 <= count && count <= room, "read more than there was room for")
        isAtEnd = count == 0
        used += count
        let whole = isAtEnd || used == capacity ? used : used - used % Piece.maxByteCount
        unsafe builder.append(Run(block.base + indexed, whole - indexed))
        indexed = whole
      }
      if used > 0 { storage.add(block) }
      capacity = max(capacity, min(capacity * 2, Self.largestBlock))
    }
    self.init(storage: storage, root: builder.finish())
  }

  /// The most bytes that are asked for at once.
  private static var bytesPerRead: Int { 512 << 10 }

  /// Blocks grow up to this size when a text turns out longer than expected.
  private static var largestBlock: Int { 64 << 20 }

  /// A text of bytes that somebody else owns, mapped memory for example, without copying them.
  ///
  /// - Parameters:
  ///   - bytes: The text. It must not change until `release` is called.
  ///   - release: Called once, from any thread, when no buffer, slice or change needs the bytes.
  /// - Complexity: O(n): the bytes are read once to find the lines.
  public init(
    adopting bytes: UnsafeRawBufferPointer, release: @escaping @Sendable () -> Void
  ) {
    let storage = Storage()
    let block = unsafe ByteBlock(adopting: bytes, release: release)
    storage.add(block)
    var builder = TreeBuilder()
    unsafe builder.append(Run(block.base, block.capacity))
    self.init(storage: storage, root: builder.finish())
  }

  /// Lets this text, and all that comes of it, keep many bytes in `memory`.
  public func keepBytes(in memory: BlockMemory) { storage.take(from: memory) }
}
