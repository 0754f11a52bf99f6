/// Contiguous bytes in memory, of any length. Unlike a `Piece`, an extent has no newline count.
///
/// SAFETY: the memory belongs to a block, and the holder of an extent also holds the storage that
/// keeps the block alive.
@safe @usableFromInline package struct Extent {
  @usableFromInline let base: UnsafeRawPointer
  @usableFromInline package let count: Int

  /// The `count` bytes at `base`.
  @inlinable @unsafe init(_ base: UnsafeRawPointer, _ count: Int) {
    unsafe self.base = unsafe base
    self.count = count
  }

  /// The byte at `index`, counted from 0.
  subscript(index: Int) -> UInt8 {
    assert(0 <= index && index < count)
    return unsafe base.load(fromByteOffset: index, as: UInt8.self)
  }

  @inlinable package func prefix(_ length: Int) -> Extent {
    unsafe Extent(base, min(length, count))
  }

  /// The bytes after the first `length` bytes.
  @inlinable package func dropping(_ length: Int) -> Extent {
    unsafe Extent(base + length, count - length)
  }

  /// Both extents as one; nil unless `next` directly follows this one in memory.
  func joined(_ next: Extent) -> Extent? {
    unsafe base + count == next.base ? Extent(base, count + next.count) : nil
  }

  /// The index of the first newline; nil without one.
  @inlinable package var firstNewline: Int? { unsafe indexOfNewline(base, count) }

  /// The index of the first occurrence of `bytes`, which must not be empty; nil without one.
  ///
  /// - Complexity: Usually O(*n*), at worst O(*n* *m*), for *n* bytes here and *m* bytes to find.
  func firstPlace(of bytes: [UInt8]) -> Int? {
    unsafe bytes.withUnsafeBytes { needle in
      guard let first = needle.baseAddress else { return nil }
      return unsafe indexOfBytes(first, needle.count, base, count)
    }
  }

  /// The address of the first byte.
  @inlinable package var address: UInt { unsafe UInt(bitPattern: base) }

  @inlinable package func withSpan<R, E>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    // SAFETY: the storage outlives the call, and the span cannot outlive the call.
    try body(unsafe RawSpan(_unsafeStart: base, byteCount: count))
  }

  package func append(to array: inout [UInt8]) {
    unsafe array.append(contentsOf: UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Whether both hold the same bytes.
  @inlinable package func hasSameBytes(as other: Extent) -> Bool {
    unsafe count == other.count
      && (base == other.base || bytesAreEqual(base, other.base, count))
  }
}
