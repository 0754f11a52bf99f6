/// The unused end of a block, where one text value appends what is typed.
///
/// Small insertions one after the other lie side by side here, so their pieces merge.
///
/// Invariants: the bytes from `next` to `end` belong to this tail alone and no piece refers to
/// them. A tail is written only by a text that found itself to be its one owner
/// (`isKnownUniquelyReferenced`) while it was being mutated, so never by two threads at once, and no
/// byte is written again once a piece refers to it: that is why it is safe to send.
@usableFromInline @safe final class Tail: @unchecked Sendable {
  /// The capacity of the first region and of the largest one that is not made for one big insertion.
  static let (smallestCapacity, largestCapacity) = (256, 1 << 20)

  @exclusivity(unchecked) private(set) var next: UnsafeMutableRawPointer
  private let end: UnsafeMutableRawPointer
  /// The size of the whole region.
  let capacity: Int

  /// All of `block`; it must be new and kept alive by the storage of the text.
  init(_ block: ByteBlock) {
    unsafe next = block.base
    unsafe end = block.base + block.capacity
    capacity = block.capacity
  }

  /// The number of bytes that can still be appended.
  var room: Int { unsafe end - next }

  /// The size of the region to take after one of `previous` bytes: texts that grow, grow more.
  static func capacity(after previous: Int) -> Int {
    min(max(previous * 2, smallestCapacity), largestCapacity)
  }

  /// Copies `bytes` behind those that were appended last.
  ///
  /// - Precondition: They fit in `room`.
  /// - Returns: The bytes where they are now.
  func append(_ bytes: RawSpan) -> Run {
    let count = bytes.byteCount
    precondition(count <= room, "tail overflow")
    let start = unsafe next
    // SAFETY: `room` bytes at `next` are ours, and the span cannot overlap them: nobody has seen
    // them yet.
    unsafe bytes.withUnsafeBytes { source in
      if let base = source.baseAddress { unsafe start.copyMemory(from: base, byteCount: count) }
    }
    unsafe next = start + count
    return unsafe Run(start, count)
  }

  /// The same for the first `count` of bytes that have just been written, no more than fit in a piece.
  ///
  /// - Precondition: They fit in `room`.
  /// - Returns: The bytes where they are now, with their newlines counted.
  @inline(__always) func appendFresh(_ bytes: RawSpan, _ count: Int) -> Piece {
    // A few keys, most often: sixteen bytes take no longer than some of them, if they may be read and
    // written.
    guard count <= 16, bytes.byteCount >= 16, room >= 16 else {
      return Piece(append(bytes.extracting(first: count)))
    }
    let start = unsafe next
    let block = unsafe bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: SIMD16<UInt8>.self)
    unsafe start.storeBytes(of: block, as: SIMD16<UInt8>.self)
    unsafe next = start + count
    return unsafe Piece(Run(start, count), newlineCount: countNewlines(in: block, first: count))
  }
}
