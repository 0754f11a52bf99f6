import Glibc

/// Bytes behind the end of a tail: written, but not yet appended, so they can be taken back.
///
/// Invariants: `base` is where the tail goes on, with room for `room` bytes. Nobody but the owner
/// of this value refers to them. The owner has found itself to be the one owner of the tail
/// (`isKnownUniquelyReferenced`) before every call that changes the bytes; a copy of the owner
/// may only read them.
@safe struct PendingBytes: @unchecked Sendable {
  private var base: UnsafeMutableRawPointer
  /// How many bytes there is room for.
  let room: Int
  private(set) var count = 0
  private var newlineCount = 0

  /// No bytes, and no room for any.
  init() {
    unsafe base = UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped
    room = 0
  }

  /// No bytes yet, and room for `room` at `base`.
  @unsafe init(_ base: UnsafeMutableRawPointer, room: Int) {
    unsafe self.base = unsafe base
    self.room = room
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
    guard added <= room &- count else { return false }
    write(bytes, at: count)
    count &+= added
    return true
  }

  /// Forgets all but the first `newCount` bytes.
  @inline(__always) mutating func truncate(to newCount: Int) {
    assert(0 <= newCount && newCount <= count)
    if newlineCount > 0 {
      newlineCount &-= unsafe countNewlines(base + newCount, count &- newCount)
    }
    count = newCount
  }

  /// Puts bytes where those from `lower` up to `upper` are.
  ///
  /// - Returns: Whether there was room; if not, nothing is changed.
  mutating func replace(_ lower: Int, _ upper: Int, with bytes: RawSpan) -> Bool {
    assert(0 <= lower && lower <= upper && upper <= count)
    let newCount = count - (upper - lower) + bytes.byteCount
    guard newCount <= room else { return false }
    // SAFETY: `room` bytes at `base` are ours, and no index is above the old count or the new one.
    if newlineCount > 0 { newlineCount -= unsafe countNewlines(base + lower, upper - lower) }
    if upper < count && newCount != count {
      unsafe memmove(base + lower + bytes.byteCount, base + upper, count - upper)
    }
    write(bytes, at: lower)
    count = newCount
    return true
  }

  /// Writes bytes at a place that has room for them, and counts their newlines.
  @inline(__always) private mutating func write(_ bytes: RawSpan, at offset: Int) {
    let added = bytes.byteCount
    // SAFETY: the place is ours, and every index is below `added`.
    let target = unsafe base + offset
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
      newlineCount &+= unsafe countNewlines(target, added)
    }
  }
}
