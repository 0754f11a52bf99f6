import CLinux
import Glibc
import TextBuffer

extension RawSpan {
  /// The line that has, or ends at, the byte at `offset`, without its newline.
  ///
  /// - Parameter range: Whole lines, their newlines included.
  func line(around offset: Int, in range: Range<Int>) -> Range<Int> {
    let before = lastOffset(of: .newline, in: range.lowerBound..<offset)
    let end = firstOffset(of: .newline, in: offset..<range.upperBound)
    return (before.map { $0 + 1 } ?? range.lowerBound)..<(end ?? range.upperBound)
  }

  /// Lends the bytes in a range.
  func withPart<Result, Failure: Error>(
    _ range: Range<Int>, _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(extracting(range))
  }

  /// The offset of the first `byte` in a range.
  func firstOffset(of byte: UInt8, in range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
    // SAFETY: the range is in the span.
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = unsafe memchr(base + range.lowerBound, Int32(byte), range.count)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// The offset of the last `byte` in a range.
  func lastOffset(of byte: UInt8, in range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
    // SAFETY: the range is in the span.
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = unsafe memrchr(base + range.lowerBound, Int32(byte), range.count)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// The offset of the first `part` in a range.
  func firstOffset(of part: [UInt8], in range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
    if part.count == 1 { return firstOffset(of: part[0], in: range) }
    // SAFETY: the range is in the span, and the part is only read here.
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      return unsafe part.withUnsafeBytes { needle in
        let found = unsafe memmem(
          base + range.lowerBound, range.count, needle.baseAddress, needle.count)
        return unsafe found.map { unsafe UnsafeRawPointer($0) - base }
      }
    }
  }

  /// The number of newlines in a range.
  func newlineCount(in range: Range<Int>) -> Int {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
    // SAFETY: the range is in the span.
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return unsafe countNewlines(base + range.lowerBound, range.count)
    }
  }
}
