import UedLinux
import Glibc
import TextBuffer

extension RawSpan {
  /// The line that contains the byte at `offset`, or whose newline it is.
  ///
  /// - Parameters:
  ///   - offset: The offset of the byte.
  ///   - range: Whole lines, their newlines included.
  /// - Returns: The range of the line, without its newline.
  func line(around offset: Int, in range: Range<Int>) -> Range<Int> {
    let before = lastOffset(of: .newline, in: range.lowerBound..<offset)
    let end = firstOffset(of: .newline, in: offset..<range.upperBound)
    return (before.map { $0 + 1 } ?? range.lowerBound)..<(end ?? range.upperBound)
  }

  /// The offset of the first `byte` in a range.
  func firstOffset(of byte: UInt8, in range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
    // SAFETY: the range is in the span, and no pointer outlives the closure.
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
    // SAFETY: the range is in the span, and no pointer outlives the closure.
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress,
        let found = unsafe memrchr(base + range.lowerBound, Int32(byte), range.count)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// The offset of the first occurrence of `needle` in a range.
  func firstOffset(of needle: [UInt8], in range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= byteCount)
    if needle.count == 1 { return firstOffset(of: needle[0], in: range) }
    if 2...16 ~= needle.count { return firstOffset(ofShort: needle, in: range) }
    // SAFETY: the range is in the span, and no pointer outlives the closures.
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      return unsafe needle.withUnsafeBytes { needle in
        let found = unsafe memmem(
          base + range.lowerBound, range.count, needle.baseAddress, needle.count)
        return unsafe found.map { unsafe UnsafeRawPointer($0) - base }
      }
    }
  }

  /// Fast path for 2 to 16 bytes: compares the first and the last of them at 16 offsets at a time. `,s/an/XY/g`
  /// on 30 MB takes 95 ms, with `memmem` 246 ms.
  private func firstOffset(ofShort needle: [UInt8], in range: Range<Int>) -> Int? {
    let distance = needle.count - 1
    let firsts = SIMD16(repeating: needle[0])
    let lasts = SIMD16(repeating: needle[distance])
    var offset = range.lowerBound
    // SAFETY: loads end at `offset + distance + 16`, which is in the range, and so do comparisons, since a
    // candidate is at most `offset + 15`.
    return unsafe needle.withUnsafeBytes { needle in
      unsafe withUnsafeBytes { bytes in
        guard let base = bytes.baseAddress, let start = needle.baseAddress else { return nil }
        while offset + distance + 16 <= range.upperBound {
          let heads = unsafe base.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
          let tails = unsafe base.loadUnaligned(
            fromByteOffset: offset + distance, as: SIMD16<UInt8>.self)
          let both = (heads .== firsts) .& (tails .== lasts)
          // Each byte of `lanes` is 0xFF where both bytes are equal, else 0.
          let lanes = SIMD16<UInt8>(repeating: 0).replacing(with: 0xFF, where: both)
          let words = unsafe unsafeBitCast(lanes, to: SIMD2<UInt64>.self)
          for half in 0..<2 {
            var word = words[half]
            while word != 0 {
              let lane = word.trailingZeroBitCount / 8
              let candidate = offset + half * 8 + lane
              if unsafe memcmp(base + candidate, start, needle.count) == 0 { return candidate }
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
    // SAFETY: the range is in the span, and no pointer outlives the closure.
    return unsafe withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return 0 }
      return unsafe countNewlines(base + range.lowerBound, range.count)
    }
  }
}
