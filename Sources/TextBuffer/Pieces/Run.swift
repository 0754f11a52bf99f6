/// Bytes that lie side by side in memory, newlines not counted, of any length.
///
/// The memory belongs to a block; whoever holds a run also holds the storage that keeps the
/// block alive, which is why using a run is safe.
@safe struct Run {
  let base: UnsafeRawPointer
  let count: Int

  /// The `count` bytes at `base`.
  @unsafe init(_ base: UnsafeRawPointer, _ count: Int) {
    unsafe self.base = unsafe base
    self.count = count
  }

  /// The first `length` bytes.
  func prefix(_ length: Int) -> Run { unsafe Run(base, min(length, count)) }

  /// All but the first `length` bytes.
  func dropping(_ length: Int) -> Run { unsafe Run(base + length, count - length) }

  /// Both, when `next` lies directly behind these bytes.
  func joined(_ next: Run) -> Run? {
    unsafe base + count == next.base ? Run(base, count + next.count) : nil
  }

  /// The number of bytes before the first newline, or nil when there is none.
  var firstNewline: Int? { unsafe indexOfNewline(base, count) }

  /// The address of the first byte.
  var address: UInt { unsafe UInt(bitPattern: base) }

  /// Lends the bytes.
  func withSpan<R, E>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
    // SAFETY: the storage outlives the call, and a span cannot outlive it.
    try body(unsafe RawSpan(_unsafeStart: base, byteCount: count))
  }

  /// Adds the bytes to the end of `array`.
  func append(to array: inout [UInt8]) {
    unsafe array.append(contentsOf: UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Whether both hold the same bytes.
  func hasSameBytes(as other: Run) -> Bool {
    unsafe count == other.count
      && (base == other.base || bytesAreEqual(base, other.base, count))
  }
}
