import CLinux
import Glibc
import TextBuffer

extension RawSpan {
  /// The line that has, or ends at, the byte at `offset`, without its newline.
  ///
  /// - Parameters:
  ///   - offset: Where the byte is.
  ///   - range: Whole lines, their newlines included.
  /// - Returns: The range of the line.
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
    if 2...16 ~= part.count { return firstOffset(ofShort: part, in: range) }
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

  /// The same for a few bytes: places at which the first and the last of them are right are found
  /// 16 at a time.
  private func firstOffset(ofShort part: [UInt8], in range: Range<Int>) -> Int? {
    let distance = part.count - 1
    let firsts = SIMD16(repeating: part[0])
    let lasts = SIMD16(repeating: part[distance])
    var offset = range.lowerBound
    // SAFETY: what is loaded ends at `offset + distance + 16`, at most the end of the range; the
    // parts compared end in it too.
    return unsafe part.withUnsafeBytes { needle in
      unsafe withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress, let start = needle.baseAddress else { return nil }
        while offset + distance + 16 <= range.upperBound {
          let heads = unsafe base.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
          let tails = unsafe base.loadUnaligned(
            fromByteOffset: offset + distance, as: SIMD16<UInt8>.self)
          let both = (heads .== firsts) .& (tails .== lasts)
          // A lane of a mask is all ones or all zeros, so is its byte here.
          let lanes = SIMD16<UInt8>(repeating: 0).replacing(with: 0xFF, where: both)
          let words = unsafe unsafeBitCast(lanes, to: SIMD2<UInt64>.self)
          for half in 0..<2 {
            var word = words[half]
            while word != 0 {
              let lane = word.trailingZeroBitCount / 8
              let place = offset + half * 8 + lane
              if unsafe memcmp(base + place, start, needle.count) == 0 { return place }
              word &= ~(0xFF << UInt64(lane * 8))
            }
          }
          offset += 16
        }
        while offset + needle.count <= range.upperBound {
          if unsafe memcmp(base + offset, start, needle.count) == 0 { return offset }
          offset += 1
        }
        return nil
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
