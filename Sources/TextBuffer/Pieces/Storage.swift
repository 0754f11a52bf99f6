import Synchronization

/// The blocks that a text, its copies, its slices and its history refer to.
///
/// Blocks are only added, so a piece is valid as long as its storage is held.
final class Storage: Sendable {
  private struct State: Sendable {
    var blocks: [ObjectIdentifier: ByteBlock] = [:]
    /// The allocator for big blocks; nil for `malloc`.
    var memory: BlockMemory?
  }

  private let state: Mutex<State>

  init() { state = Mutex(State()) }

  private init(_ state: sending State) { self.state = Mutex(state) }

  /// A new storage with the present blocks.
  func fork() -> Storage { Storage(state.withLock { $0 }) }

  /// Keeps `block` alive from now on.
  func add(_ block: ByteBlock) {
    state.withLock { $0.blocks[ObjectIdentifier(block)] = block }
  }

  /// Allocates big blocks from `memory` from now on.
  func take(from memory: BlockMemory) { state.withLock { $0.memory = memory } }

  /// A new block, kept alive.
  private func makeBlock(capacity: Int) -> ByteBlock {
    var memory: BlockMemory?
    if capacity >= BlockMemory.leastByteCount { memory = state.withLock { $0.memory } }
    let block =
      memory.flatMap { ByteBlock(capacity: capacity, in: $0) }
      ?? ByteBlock(capacity: capacity)
    add(block)
    return block
  }

  /// Adds the present blocks of `other`.
  ///
  /// It does not refer to `other` itself: two storages that adopted each other would never be freed.
  func adopt(_ other: Storage) {
    if self === other { return }
    let theirs = other.state.withLock { $0 }
    state.withLock {
      $0.blocks.merge(theirs.blocks) { mine, _ in mine }
      $0.memory = $0.memory ?? theirs.memory
    }
  }

  /// Copies `bytes` to a block: behind the latest bytes of `tail` if there is room.
  ///
  /// - Parameters:
  ///   - bytes: What to store; not empty.
  ///   - tail: The caller's place to append to; replaced when it is full or shared.
  /// - Returns: The bytes where they are now.
  func append(_ bytes: RawSpan, to tail: inout Tail?) -> Run {
    let count = bytes.byteCount
    if isKnownUniquelyReferenced(&tail), let tail, tail.room >= count { return tail.append(bytes) }
    if count > Tail.largestCapacity / 2 {
      // A big insertion gets a block of its own, and the tail stays in use.
      return Tail(makeBlock(capacity: count)).append(bytes)
    }
    return self.tail(for: count, after: &tail).append(bytes)
  }

  /// Copies the first `count` of `bytes` as a piece. Fast path for keys that have just been typed.
  func appendFresh(_ bytes: RawSpan, _ count: Int, to tail: inout Tail?) -> Piece {
    if isKnownUniquelyReferenced(&tail), let tail, tail.room >= count {
      return tail.appendFresh(bytes, count)
    }
    return self.tail(for: count, after: &tail).appendFresh(bytes, count)
  }

  /// A tail of the caller's own with room for `count` bytes.
  ///
  /// - Parameters:
  ///   - count: How many bytes are to be appended.
  ///   - tail: The caller's place to append to; replaced when it is full or shared.
  /// - Returns: What `tail` is then.
  func tail(for count: Int, after tail: inout Tail?) -> Tail {
    let isOurs = isKnownUniquelyReferenced(&tail)
    if isOurs, let tail, tail.room >= count { return tail }
    // A shared tail says nothing about how much this text will grow: start small again.
    let previous = isOurs ? tail?.capacity ?? 0 : 0
    let fresh = Tail(makeBlock(capacity: max(Tail.capacity(after: previous), count)))
    tail = fresh
    return fresh
  }
}
