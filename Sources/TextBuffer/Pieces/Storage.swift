import Synchronization

/// Keeps alive all blocks that a text, its copies, its slices and its history refer to.
///
/// It only ever gains blocks, so a piece stays valid as long as anybody holds its storage.
final class Storage: Sendable {
  private let blocks: Mutex<[ObjectIdentifier: ByteBlock]>

  init(_ blocks: sending [ObjectIdentifier: ByteBlock] = [:]) { self.blocks = Mutex(blocks) }

  /// Another storage that keeps alive what this one does at the moment.
  func fork() -> Storage { Storage(blocks.withLock { $0 }) }

  /// Keeps `block` alive from now on.
  func add(_ block: ByteBlock) {
    blocks.withLock { $0[ObjectIdentifier(block)] = block }
  }

  /// Keeps alive all that `other` keeps alive at this moment.
  ///
  /// The blocks are taken over, not `other` itself: two storages that adopt each other would
  /// never be freed.
  func adopt(_ other: Storage) {
    if self === other { return }
    let theirs = other.blocks.withLock { $0 }
    blocks.withLock { $0.merge(theirs) { mine, _ in mine } }
  }

  /// Copies `bytes` to where they will stay: after what `tail` was given last if there is room.
  ///
  /// - Parameters:
  ///   - bytes: What to store; not empty.
  ///   - tail: The caller's place to append to; replaced when it is full or shared.
  /// - Returns: The bytes where they are now.
  func append(_ bytes: RawSpan, to tail: inout Tail?) -> Run {
    let count = bytes.byteCount
    if isKnownUniquelyReferenced(&tail), let tail, tail.room >= count { return tail.append(bytes) }
    if count > Tail.largestCapacity / 2 {
      // A big insertion gets a block of its own, and what is left of the tail stays in use.
      let block = ByteBlock(capacity: count)
      add(block)
      return Tail(block).append(bytes)
    }
    return self.tail(for: count, after: &tail).append(bytes)
  }

  /// A place behind the end of a tail of the caller's own, with room for `count` bytes at least.
  ///
  /// - Parameters:
  ///   - count: How many bytes are to be written at once.
  ///   - tail: The caller's place to append to; replaced when it is full or shared.
  /// - Returns: The place, for as long as nothing is appended to the tail.
  func place(for count: Int, after tail: inout Tail?) -> PendingBytes {
    if isKnownUniquelyReferenced(&tail), let place = tail?.place, place.room >= count {
      return place
    }
    return self.tail(for: count, after: &tail).place
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
    let block = ByteBlock(capacity: max(Tail.capacity(after: previous), count))
    add(block)
    let fresh = Tail(block)
    tail = fresh
    return fresh
  }
}
