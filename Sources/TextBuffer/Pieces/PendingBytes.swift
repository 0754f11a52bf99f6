/// Bytes behind the end of a tail: written, but not yet appended, so they can be taken back.
///
/// Invariants: `base` is where the tail goes on, with room for `room` bytes. Nobody but the owner
/// of this value refers to them. The owner has found itself to be the one owner of the tail
/// (`isKnownUniquelyReferenced`) before every call that changes the bytes; a copy of the owner
/// may only read them.
@safe struct PendingBytes: @unchecked Sendable {
  private var base: UnsafeMutableRawPointer
  private let room: Int
  private(set) var count = 0
  private var newlineCount = 0

  /// No bytes, and no room for any.
  init() {
    unsafe base = UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
    room = 0
  }

  /// No bytes yet, as many as fit in a piece to come behind the end of `tail`.
  init(behind tail: Tail) {
    unsafe base = tail.next
    room = min(tail.room, Piece.maxByteCount)
  }

  var isEmpty: Bool { count == 0 }

  /// The bytes, where they will stay if the tail takes them over.
  var run: Run { unsafe Run(base, count) }

  /// The bytes as a piece.
  var piece: Piece { Piece(run, newlineCount: newlineCount) }

  /// Adds bytes to the end.
  ///
  /// - Returns: Whether there was room; if not, nothing is changed.
  @inline(__always) mutating func append(_ bytes: RawSpan) -> Bool {
    let added = bytes.byteCount
    guard added <= room - count else { return false }
    // SAFETY: `room` bytes at `base` are ours, and every index is below `added`.
    let target = unsafe base + count
    if added < 16 {
      for index in 0..<added {
        let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self)
        unsafe target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
        newlineCount &+= byte == newline ? 1 : 0
      }
    } else {
      unsafe bytes.withUnsafeBytes { source in
        if let start = source.baseAddress {
          unsafe target.copyMemory(from: start, byteCount: added)
        }
      }
      newlineCount += unsafe countNewlines(target, added)
    }
    count &+= added
    return true
  }

  /// Forgets the last bytes.
  @inline(__always) mutating func removeLast(_ removed: Int) {
    assert(removed <= count)
    count &-= removed
    if newlineCount > 0 { newlineCount &-= unsafe countNewlines(base + count, removed) }
  }
}
