/// The unused end of a block, where one text value appends typed bytes. Successive insertions lie
/// side by side here, so their pieces merge.
///
/// Invariants: the bytes from `next` to `end` belong to this tail alone, and no piece refers to
/// them. Only the sole owner of a tail (`isKnownUniquelyReferenced`), a text, writes to it, while
/// the text is being mutated: never two threads at once. A byte is not written again once a piece
/// refers to it. A tail is therefore safe to send.
@usableFromInline @safe final class Tail: @unchecked Sendable {
  /// The capacity of the first region, and of the largest one.
  static let (smallestCapacity, largestCapacity) = (256, 1 << 20)

  @exclusivity(unchecked) private(set) var next: UnsafeMutableRawPointer
  private let end: UnsafeMutableRawPointer
  let capacity: Int

  /// All of `block`; it must be new and kept alive by the storage of the text.
  init(_ block: ByteBlock) {
    unsafe next = block.base
    unsafe end = block.base + block.capacity
    capacity = block.capacity
  }

  /// The number of bytes that can still be appended.
  var room: Int { unsafe end - next }

  /// The size of the region after one of `previous` bytes: it doubles while a text grows.
  static func capacity(after previous: Int) -> Int {
    min(max(previous * 2, smallestCapacity), largestCapacity)
  }

  /// Copies `bytes`, which must fit in `room`, behind the latest ones.
  func append(_ bytes: RawSpan) -> Extent {
    let count = bytes.byteCount
    precondition(count <= room, "tail overflow")
    let start = unsafe next
    // SAFETY: `room` bytes at `next` are ours, and the span cannot overlap them, as no piece refers to
    // them yet.
    unsafe bytes.withUnsafeBytes { source in
      if let base = source.baseAddress { unsafe start.copyMemory(from: base, byteCount: count) }
    }
    unsafe next = start + count
    return unsafe Extent(start, count)
  }

  /// Copies the first `count` of `bytes` after the latest ones, and returns them as a piece. They
  /// must fit in `room` and in one piece.
  @inline(__always)  // saves 1.2 % of typing
  func appendFresh(_ bytes: RawSpan, _ count: Int) -> Piece {
    // Fast path: copies up to 16 bytes, and counts their newlines, as one vector if it fits.
    guard count <= 16, bytes.byteCount >= 16, room >= 16 else {
      return Piece(append(bytes.extracting(first: count)))
    }
    let start = unsafe next
    let block = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: SIMD16<UInt8>.self)
    unsafe start.storeBytes(of: block, as: SIMD16<UInt8>.self)
    unsafe next = start + count
    return unsafe Piece(Extent(start, count), PackedCounts(block, first: count))
  }
}
