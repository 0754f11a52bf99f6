import Glibc

/// Bytes behind the end of a tail: written, but not yet appended, so they can be taken back.
///
/// Invariants: `base` is where the tail goes on, with room up to `limit`; `base <= end <= limit`.
/// Nobody but the owner of this value refers to the bytes. The owner has found itself to be the one
/// owner of the tail (`isKnownUniquelyReferenced`) before every call that writes bytes; a copy of
/// the owner may only read them.
@usableFromInline @safe struct PendingBytes: @unchecked Sendable {
  @usableFromInline let base: UnsafeMutableRawPointer
  /// Where the bytes end.
  @usableFromInline var end: UnsafeMutableRawPointer
  /// Where the room for them ends.
  @usableFromInline let limit: UnsafeMutableRawPointer

  /// No bytes, and no room for any.
  init() {
    unsafe self.init(UnsafeMutableRawPointer(bitPattern: 1).unsafelyUnwrapped, room: 0)
  }

  /// No bytes yet, and room for `room` at `base`.
  @unsafe init(_ base: UnsafeMutableRawPointer, room: Int) {
    unsafe self.base = unsafe base
    unsafe end = unsafe base
    unsafe limit = unsafe base + room
  }

  /// The number of bytes.
  @inlinable var count: Int { unsafe end - base }

  /// How many bytes there is room for.
  var room: Int { unsafe limit - base }

  var isEmpty: Bool { unsafe end == base }

  /// The bytes, where they will stay if the tail takes them over.
  var run: Run { unsafe Run(base, count) }

  /// The bytes as a piece; its newlines are counted here, once, and not while they are typed.
  var piece: Piece { Piece(run) }

  /// Adds bytes to the end.
  ///
  /// - Returns: Whether there was room; if not, nothing is changed.
  @inlinable @inline(__always) mutating func append(_ bytes: RawSpan) -> Bool {
    let added = bytes.byteCount
    guard unsafe added <= limit - end else { return false }
    unsafe Self.write(bytes, to: end)
    unsafe end += added
    return true
  }

  /// Forgets the last bytes; there must be so many.
  @inlinable @inline(__always) mutating func removeLast(_ removedCount: Int) {
    unsafe end -= removedCount
  }

  /// Forgets all bytes.
  @inlinable @inline(__always) mutating func removeAll() { unsafe end = base }

  /// Puts bytes where those from `lower` up to `upper` are.
  ///
  /// - Returns: Whether there was room; if not, nothing is changed.
  mutating func replace(_ lower: Int, _ upper: Int, with bytes: RawSpan) -> Bool {
    assert(0 <= lower && lower <= upper && upper <= count)
    let newCount = count - (upper - lower) + bytes.byteCount
    guard newCount <= room else { return false }
    // SAFETY: `room` bytes at `base` are ours, and no index is above the old count or the new one.
    if upper < count && newCount != count {
      unsafe memmove(base + lower + bytes.byteCount, base + upper, count - upper)
    }
    unsafe Self.write(bytes, to: base + lower)
    unsafe end = base + newCount
    return true
  }

  /// Writes bytes at a place that has room for them.
  @inlinable @inline(__always) @unsafe
  static func write(_ bytes: RawSpan, to target: UnsafeMutableRawPointer) {
    if bytes.byteCount == 1 {
      // A key, most often: not worth a call.
      let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: 0, as: UInt8.self)
      unsafe target.storeBytes(of: byte, as: UInt8.self)
    } else {
      unsafe bytes.withUnsafeBytes { source in
        if let start = source.baseAddress {
          unsafe target.copyMemory(from: start, byteCount: source.count)
        }
      }
    }
  }
}
