/// Writing into capacity that an array has reserved, which takes one look at the array for many pieces.
///
/// SAFETY: that there is room for a piece is checked before it is copied; a constant text lives forever.
extension OutputSpan<UInt8> {
  /// Appends constant text. The copy of a known length is a few instructions without a call.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a string in which nothing has to be escaped.
  @inline(__always)
  mutating func append(plain text: RawSpan) {
    append(.quote)
    append(text)
    append(.quote)
  }

  /// Appends bytes.
  @inline(__always)
  mutating func append(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append($0) }
  }

  @inline(__always)
  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= freeCapacity)
    unsafe withUnsafeMutableBufferPointer { all, initializedCount in
      guard let start = all.baseAddress, let source = bytes.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(start + initializedCount)
        .copyMemory(from: source, byteCount: bytes.count)
      initializedCount += bytes.count
    }
  }

  /// Appends the digits of a number that is not negative.
  mutating func append(decimal number: Int) {
    var (digitCount, rest) = (1, UInt(number))
    while rest >= 10 { (digitCount, rest) = (digitCount + 1, rest / 10) }
    precondition(digitCount <= freeCapacity)
    unsafe withUnsafeMutableBufferPointer { all, initializedCount in
      initializedCount += digitCount
      var (index, rest) = (initializedCount, UInt(number))
      repeat {
        index -= 1
        unsafe all.initializeElement(at: index, to: .zero + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
      } while rest > 0
    }
  }
}
