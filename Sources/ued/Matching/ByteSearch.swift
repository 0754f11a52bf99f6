import Glibc
import TextBuffer
import UedLinux

extension RawSpan {
  /// The line around `offset`, which may be its newline; the result excludes the newline. `range`
  /// must consist of whole lines with their newlines.
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

  /// Fast path for 2 to 16 bytes: compares the first and the last of them at many offsets at once.
  private func firstOffset(ofShort needle: [UInt8], in range: Range<Int>) -> Int? {
    // SAFETY: the range is in the span, and no pointer outlives the closure.
    let found = unsafe withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.map {
        unsafe clinux_find_literal(
          $0, range.lowerBound, range.upperBound, needle, needle.count)
      }
    }
    return found.flatMap { $0 < range.upperBound ? $0 : nil }
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
