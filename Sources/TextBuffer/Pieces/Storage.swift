import Synchronization

/// The blocks of a text and its history: those added here, and those of older storages.
///
/// A value about to add its first block gets a storage of its own after the shared one. Blocks
/// added to a copy thus die with the copy, while the original keeps the shared ones. Blocks are
/// only added, so a piece is valid as long as its storage is held. A storage refers only to older
/// ones, so no storage keeps itself alive.
final class Storage: Sendable {
  private struct State: Sendable {
    var blocks: [ByteBlock] = []
    /// The storages whose blocks belong to this one, too; constant until this one is released.
    var older: [Storage] = []
    /// The allocator for big blocks; nil for `malloc`.
    var memory: BlockAllocator?
    /// The total size of the blocks added to this storage and to the ones before it.
    var addedByteCount = 0
  }

  private let state: Mutex<State>

  init() { state = Mutex(State()) }

  /// An empty storage after others. Big blocks come from the first allocator among these.
  init(after older: [Storage]) {
    let memory = older.lazy.compactMap(\.memory).first
    state = Mutex(State(older: older, memory: memory, addedByteCount: older[0].addedByteCount))
  }

  /// A storage with blocks that other storages keep, too.
  init(_ blocks: [ByteBlock], memory: BlockAllocator?) {
    state = Mutex(State(blocks: blocks, memory: memory))
  }

  /// Releases the older storages one by one: a chain of many would overflow the stack.
  deinit {
    var rest: [Storage] = []
    state.withLock { swap(&rest, &$0.older) }
    while var next = rest.popLast() {
      if isKnownUniquelyReferenced(&next) {
        next.state.withLock {
          rest += $0.older
          $0.older = []
        }
      }
    }
  }

  /// Keeps `block` alive from now on.
  func add(_ block: ByteBlock) {
    state.withLock {
      $0.blocks.append(block)
      $0.addedByteCount += block.capacity
    }
  }

  /// The size of the blocks added so far, in bytes; 0 again after memory is freed.
  var addedByteCount: Int { state.withLock { $0.addedByteCount } }

  /// Allocates big blocks from `memory` from now on.
  func take(from memory: BlockAllocator) { state.withLock { $0.memory = memory } }

  /// The allocator for big blocks; nil for `malloc`.
  var memory: BlockAllocator? { state.withLock { $0.memory } }

  /// All blocks, in no order, each once, in O(*n*) for *n* blocks and older storages.
  var blocks: [ByteBlock] {
    var (all, seen, rest): ([ByteBlock], Set<ObjectIdentifier>, [Storage]) = ([], [], [self])
    var seenBlocks: Set<ObjectIdentifier> = []
    while let storage = rest.popLast() {
      guard seen.insert(ObjectIdentifier(storage)).inserted else { continue }
      let state = storage.state.withLock { $0 }
      all += state.blocks.filter { seenBlocks.insert(ObjectIdentifier($0)).inserted }
      rest += state.older
    }
    return all
  }

  /// A new block, kept alive.
  private func makeBlock(capacity: Int) -> ByteBlock {
    var memory: BlockAllocator?
    if capacity >= BlockAllocator.leastByteCount { memory = self.memory }
    let block =
      memory.flatMap { ByteBlock(capacity: capacity, in: $0) }
      ?? ByteBlock(capacity: capacity)
    add(block)
    return block
  }

  /// A storage with the blocks of both: `self` or `other` if that is known to have all of them.
  func joined(with other: Storage) -> Storage {
    if self === other || isAfter(other) { return self }
    return other.isAfter(self) ? other : Storage(after: [self, other])
  }

  /// The number of storages that `isAfter` looks back.
  private static let reach = 4

  /// Whether `other` is among the older storages; only the youngest ones are checked.
  private func isAfter(_ other: Storage) -> Bool {
    var older = state.withLock { $0.older }
    for _ in 0..<Self.reach {
      if older.contains(where: { $0 === other }) { return true }
      guard let first = older.first else { return false }
      older = first.state.withLock { $0.older }
    }
    return false
  }

  /// Copies `bytes`, not empty, to a block: after the latest bytes of `tail` if there is room.
  /// Replaces a tail that is full or shared, and a shared storage unless the caller is the sole
  /// owner of a tail.
  static func append(
    _ bytes: RawSpan, to tail: inout Tail?, in storage: inout Storage
  ) -> Extent {
    let count = bytes.byteCount
    if isKnownUniquelyReferenced(&tail), let tail, tail.room >= count { return tail.append(bytes) }
    if count > Tail.largestCapacity / 2 {
      // A big insertion gets a block of its own, and the tail stays in use.
      separate(&storage, from: &tail)
      return Tail(storage.makeBlock(capacity: count)).append(bytes)
    }
    return self.tail(for: count, after: &tail, in: &storage).append(bytes)
  }

  /// Copies the first `count` of `bytes` as a piece. Fast path for freshly typed keys.
  static func appendFresh(
    _ bytes: RawSpan, _ count: Int, to tail: inout Tail?, in storage: inout Storage
  ) -> Piece {
    if isKnownUniquelyReferenced(&tail), let tail, tail.room >= count {
      return tail.appendFresh(bytes, count)
    }
    return self.tail(for: count, after: &tail, in: &storage).appendFresh(bytes, count)
  }

  /// A tail of the caller's own with room for `count` bytes. Replaces a tail that is full or
  /// shared, and a shared storage unless the caller is the sole owner of a tail.
  static func tail(
    for count: Int, after tail: inout Tail?, in storage: inout Storage
  ) -> Tail {
    let isOurs = isKnownUniquelyReferenced(&tail)
    if isOurs, let tail, tail.room >= count { return tail }
    separate(&storage, from: &tail)
    // A shared tail says nothing about how much this text will grow: start small again.
    let previous = isOurs ? tail?.capacity ?? 0 : 0
    let fresh = Tail(storage.makeBlock(capacity: max(Tail.capacity(after: previous), count)))
    tail = fresh
    return fresh
  }

  /// Gives a copy a storage of its own, before a block is added to the storage.
  private static func separate(_ storage: inout Storage, from tail: inout Tail?) {
    if isKnownUniquelyReferenced(&tail) || isKnownUniquelyReferenced(&storage) { return }
    storage = Storage(after: [storage])
  }
}
