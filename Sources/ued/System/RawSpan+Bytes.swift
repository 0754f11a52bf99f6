extension RawSpan {
  /// The byte at an offset.
  ///
  /// - Precondition: The offset is below `byteCount`.
  subscript(offset: Int) -> UInt8 {
    precondition(offset >= 0 && offset < byteCount)
    // SAFETY: the offset is in bounds, and every byte is a UInt8.
    return unsafe unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}

extension [UInt8] {
  /// Appends the bytes of `span` in `range`.
  mutating func append(_ span: RawSpan, in range: Range<Int>) {
    // SAFETY: `range` is checked against the span, and the bytes are copied before the closure returns.
    unsafe span.withUnsafeBytes {
      unsafe append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[range]))
    }
  }
}
