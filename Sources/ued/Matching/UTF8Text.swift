/// Validation of text in ASCII or UTF-8.
enum UTF8Text {
  /// Whether bytes are valid UTF-8.
  static func isValid(_ bytes: [UInt8]) -> Bool {
    unsafe firstInvalid(as: .utf8, in: bytes.span.bytes, 0..<bytes.count) == bytes.count
  }

  /// The offset of the first character in a range that is not valid in an encoding, or the end of the
  /// range.
  static func firstInvalid(
    as encoding: SubjectEncoding, in text: RawSpan, _ range: Range<Int>
  ) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= text.byteCount)
    if encoding == .anyBytes { return range.upperBound }
    var offset = range.lowerBound
    while true {
      offset = firstNonASCII(in: text, offset..<range.upperBound)
      guard offset < range.upperBound, encoding == .utf8 else { return offset }
      let length = text.characterLength(in: offset..<range.upperBound)
      if length == 0 { return offset }
      offset += length
    }
  }

  /// The offset of the first byte above 0x7F in a range, or the end of the range.
  private static func firstNonASCII(in text: RawSpan, _ range: Range<Int>) -> Int {
    var offset = range.lowerBound
    // SAFETY: the caller has checked that `range` is in the text, loads end in `range`, and all bit
    // patterns are valid integers.
    while offset + 32 <= range.upperBound {
      let bytes = unsafe text.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: SIMD4<UInt64>.self)
      if (bytes & 0x8080_8080_8080_8080) != SIMD4() { break }
      offset += 32
    }
    while offset < range.upperBound {
      if unsafe text.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self) >= 0x80 { break }
      offset += 1
    }
    return offset
  }
}
