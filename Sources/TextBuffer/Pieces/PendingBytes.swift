/// Bytes that are being typed: they can be taken back until the tree is given a copy of them.
///
/// They lie in the value itself. So whoever copies it has bytes of their own, and nobody has to be
/// asked before a byte is written.
///
/// Invariant: `count` is in `0...capacity`; only the first `count` slots mean something.
@usableFromInline struct PendingBytes: Sendable {
  #if DEBUG
    @usableFromInline typealias Slots = InlineArray<8, UInt8>
  #else
    @usableFromInline typealias Slots = InlineArray<256, UInt8>
  #endif

  @usableFromInline var slots = Slots(repeating: 0)
  /// The number of bytes.
  @usableFromInline private(set) var count = 0

  /// No bytes yet.
  init() {}

  var isEmpty: Bool { count == 0 }

  /// How many bytes there is room for.
  static var capacity: Int { Slots.count }

  /// Whether there is room for so many bytes more.
  @inlinable @inline(__always) func hasRoom(for added: Int) -> Bool {
    added <= Slots.count &- count
  }

  /// Adds bytes to the end.
  ///
  /// - Returns: Whether there was room; if not, nothing is changed.
  @inlinable @inline(__always) mutating func append(_ bytes: RawSpan) -> Bool {
    let added = bytes.byteCount
    guard hasRoom(for: added) else { return false }
    put(bytes, at: count)
    count &+= added
    return true
  }

  /// Forgets the last bytes; there must be so many.
  @inlinable @inline(__always) mutating func removeLast(_ removedCount: Int) {
    count &-= removedCount
  }

  /// Forgets all bytes.
  @inlinable @inline(__always) mutating func removeAll() { count = 0 }

  /// Puts bytes where those from `lower` up to `upper` are.
  ///
  /// - Returns: Whether there was room; if not, nothing is changed.
  mutating func replace(_ lower: Int, _ upper: Int, with bytes: RawSpan) -> Bool {
    precondition(0 <= lower && lower <= upper && upper <= count)
    let growth = bytes.byteCount - (upper - lower)
    guard growth <= Slots.count - count else { return false }
    if growth != 0 {
      var all = slots.mutableSpan
      unsafe all.withUnsafeMutableBytes { bytes in
        // Slices are checked to be inside of what is there.
        let (from, to) = unsafe (bytes[upper..<count], bytes[upper + growth..<count + growth])
        unsafe UnsafeMutableRawBufferPointer(rebasing: to).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: from))
      }
    }
    put(bytes, at: lower)
    count += growth
    return true
  }

  /// Writes bytes at a place that has room for them: a key, most often, or none.
  @inlinable @inline(__always) mutating func put(_ bytes: RawSpan, at place: Int) {
    if bytes.byteCount == 1 {
      unsafe slots[unchecked: place] = bytes.unsafeLoad(fromUncheckedByteOffset: 0, as: UInt8.self)
    } else if !bytes.isEmpty {
      write(bytes, at: place)
    }
  }

  /// The same for bytes of any number.
  @usableFromInline mutating func write(_ bytes: RawSpan, at place: Int) {
    var all = slots.mutableSpan
    unsafe bytes.withUnsafeBytes { source in
      unsafe all.withUnsafeMutableBytes { target in
        // A slice is checked to be inside of what is there.
        let room = unsafe target[place..<place + source.count]
        unsafe UnsafeMutableRawBufferPointer(rebasing: room).copyMemory(from: source)
      }
    }
  }

  /// Copies the bytes to where they will stay.
  ///
  /// It changes nothing here; but what is changed in place is not copied before it is looked at.
  @inline(__always) mutating func store(in storage: Storage, after tail: inout Tail?) -> Piece {
    let length = count
    let all = slots.mutableSpan
    return unsafe all.withUnsafeBytes { bytes in
      unsafe storage.appendFresh(bytes.bytes, length, to: &tail)
    }
  }

  /// Lends the bytes.
  func withSpan<R>(_ body: (RawSpan) -> R) -> R {
    unsafe body(slots.span.bytes.extracting(first: count))
  }
}
