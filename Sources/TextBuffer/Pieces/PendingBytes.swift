/// Bytes that have been typed and are not in the tree yet, so that they can still be removed. They
/// are stored inline: a copy of the value has bytes of its own, and no check for uniqueness is
/// needed before a byte is written.
///
/// Invariant: `count` is in `0...capacity`, and only the first `count` slots are in use.
@usableFromInline struct PendingBytes: Sendable {
  /// The memory of the bytes. An `InlineArray` would need macOS 26.
  @usableFromInline struct Slots: Sendable {
    @usableFromInline typealias Part = (UInt64, UInt64, UInt64, UInt64)
    @usableFromInline typealias Half = (Part, Part, Part, Part)

    @usableFromInline var halves: (Half, Half)

    init() {
      let part: Part = (0, 0, 0, 0)
      let half: Half = (part, part, part, part)
      halves = (half, half)
    }

    #if DEBUG
      @usableFromInline static var count: Int { 8 }
    #else
      @inlinable static var count: Int { MemoryLayout<Slots>.size }
    #endif

    @inlinable @inline(__always)
    mutating func withBytes<R>(_ body: (UnsafeMutableRawBufferPointer) -> R) -> R {
      unsafe withUnsafeMutableBytes(of: &self, body)
    }
  }

  @usableFromInline var slots = Slots()
  @usableFromInline private(set) var count = 0

  init() {}

  @inlinable var isEmpty: Bool { count == 0 }

  @inlinable mutating func removeAll() { count = 0 }

  /// Appends bytes; false, and nothing changed, without room.
  @inlinable @inline(__always)
  mutating func append(_ bytes: RawSpan) -> Bool { replace(count, count, with: bytes) }

  /// Replaces the bytes from `lower` up to `upper`; false, and nothing changed, without room.
  ///
  /// - Precondition: `lower...upper` is in `0...count`.
  @inlinable @inline(__always)
  mutating func replace(_ lower: Int, _ upper: Int, with bytes: RawSpan) -> Bool {
    let growth = bytes.byteCount &- (upper &- lower)
    guard growth <= Slots.count &- count else { return false }
    if upper != count && growth != 0 { move(from: upper, by: growth) }
    put(bytes, at: lower)
    count &+= growth
    return true
  }

  /// Moves the bytes from `start` on.
  @usableFromInline mutating func move(from start: Int, by growth: Int) {
    unsafe slots.withBytes { bytes in
      // Slices are bounds-checked.
      let (from, to) = unsafe (bytes[start..<count], bytes[start + growth..<count + growth])
      unsafe UnsafeMutableRawBufferPointer(rebasing: to).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: from))
    }
  }

  /// Fast path: writes bytes at a place that has room for them, most often a single one or none.
  @inlinable mutating func put(_ bytes: RawSpan, at place: Int) {
    if bytes.byteCount == 1 {
      let byte = unsafe bytes.unsafeLoad(fromUncheckedByteOffset: 0, as: UInt8.self)
      unsafe slots.withBytes { unsafe $0[place] = byte }
    } else if !bytes.isEmpty {
      write(bytes, at: place)
    }
  }

  /// Slow path: writes several bytes at a place that has room for them.
  @usableFromInline mutating func write(_ bytes: RawSpan, at place: Int) {
    unsafe bytes.withUnsafeBytes { source in
      unsafe slots.withBytes { target in
        // A slice is bounds-checked.
        let room = unsafe target[place..<place + source.count]
        unsafe UnsafeMutableRawBufferPointer(rebasing: room).copyMemory(from: source)
      }
    }
  }

  /// Copies the bytes to a block, as a piece. It is mutating only because reading `slots` in place
  /// is. This saves a copy of 256 bytes.
  @inline(__always)  // saves 0.9 % of typing
  mutating func store(in storage: inout Storage, after tail: inout Tail?) -> Piece {
    let length = count
    return unsafe slots.withBytes { bytes in
      unsafe Storage.appendFresh(
        UnsafeRawBufferPointer(bytes).bytes, length, to: &tail, in: &storage)
    }
  }
}
