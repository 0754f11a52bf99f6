import Glibc

// Memory here is only read, and always inside bounds that the caller vouches for: a live run of
// `count` bytes at `base`. The two counting loops read 16 bytes at a time and finish byte by byte;
// where there are fewer, words are read that overlap.

/// The byte that ends a line.
let newline: UInt8 = 0x0A

/// The number of newlines in `count` bytes at `base`.
@unsafe package func countNewlines(_ base: UnsafeRawPointer, _ count: Int) -> Int {
  var total = 0
  var index = 0
  while index + blockLength <= count {
    total += unsafe countNewlinesOfBlock(base + index)
    index += blockLength
  }
  let needle = SIMD16<UInt8>(repeating: newline)
  var lanes = SIMD16<UInt8>()
  while index + 16 <= count {
    let bytes = unsafe base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
    lanes &+= SIMD16<UInt8>(repeating: 0).replacing(with: 1, where: bytes .== needle)
    index += 16
  }
  total += sum(lanes)
  while index < count {
    if unsafe base.load(fromByteOffset: index, as: UInt8.self) == newline { total += 1 }
    index += 1
  }
  return total
}

/// The same for a run that is often short: fewer than 16 bytes are counted as one or two words.
@inline(__always) @unsafe
package func countNewlinesOfShort(_ base: UnsafeRawPointer, _ count: Int) -> Int {
  if count >= 16 { return unsafe countNewlines(base, count) }
  if count >= 8 {
    let last = unsafe base.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    // Bytes that both words have are shifted out of the second one.
    return unsafe newlines(in: base.loadUnaligned(as: UInt64.self))
      + newlines(in: last >> UInt64(truncatingIfNeeded: (16 - count) * 8))
  }
  if count >= 4 {
    let first = unsafe UInt64(base.loadUnaligned(as: UInt32.self))
    let last = unsafe UInt64(base.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
    return newlines(in: first | last << UInt64(truncatingIfNeeded: (count - 4) * 8))
  }
  if count == 0 { return 0 }
  // The byte amid one, two or three is one of the others or the one between.
  let middle = count / 2
  let first = unsafe UInt64(base.load(as: UInt8.self))
  let second = unsafe UInt64(base.load(fromByteOffset: middle, as: UInt8.self))
  let last = unsafe UInt64(base.load(fromByteOffset: count - 1, as: UInt8.self))
  return newlines(
    in: first | second << UInt64(truncatingIfNeeded: middle * 8)
      | last << UInt64(truncatingIfNeeded: (count - 1) * 8))
}

/// The number of newlines among the bytes of a word.
@inline(__always) private func newlines(in word: UInt64) -> Int {
  let low = 0x7F7F_7F7F_7F7F_7F7F as UInt64
  let others = word ^ 0x0A0A_0A0A_0A0A_0A0A
  // The highest bit of a byte is set where the byte is a newline.
  let found = ~(((others & low) &+ low) | others | low)
  return Int(truncatingIfNeeded: ((found >> 7) &* 0x0101_0101_0101_0101) >> 56)
}

/// How many bytes are counted at once: the counts of 16 lanes then add up to no more than 128,
/// which still fits a byte.
private let blockLength = 128

/// The number of newlines in `blockLength` bytes at `base`.
@inline(__always) @unsafe private func countNewlinesOfBlock(_ base: UnsafeRawPointer) -> Int {
  let needle = SIMD16<UInt8>(repeating: newline)
  var lanes = SIMD16<UInt8>()
  for index in 0..<8 {
    let bytes = unsafe base.loadUnaligned(fromByteOffset: index * 16, as: SIMD16<UInt8>.self)
    lanes &+= SIMD16<UInt8>(repeating: 0).replacing(with: 1, where: bytes .== needle)
  }
  return sum(lanes)
}

/// The sum of 16 counts that is below 256.
@inline(__always) private func sum(_ lanes: SIMD16<UInt8>) -> Int {
  let halves = unsafe unsafeBitCast(lanes, to: SIMD2<UInt64>.self)
  // The multiplication adds all eight bytes up in the highest one.
  return Int(((halves[0] &+ halves[1]) &* 0x0101_0101_0101_0101) >> 56)
}

/// The number of bytes up to and including the newline with number `ordinal`, counted from 1.
///
/// - Precondition: There are that many newlines in `count` bytes at `base`.
@unsafe func lengthThroughNewline(
  _ ordinal: Int, _ base: UnsafeRawPointer, _ count: Int
) -> Int {
  var index = 0
  var missing = ordinal
  while index + blockLength <= count {
    let found = unsafe countNewlinesOfBlock(base + index)
    if found >= missing { break }
    missing -= found
    index += blockLength
  }
  while missing > 0 {
    guard let length = unsafe indexOfNewline(base + index, count - index) else {
      preconditionFailure("fewer newlines than a piece claims")
    }
    index += length + 1
    missing -= 1
  }
  return index
}

/// The number of bytes before the first newline, or nil when there is none.
@unsafe func indexOfNewline(_ base: UnsafeRawPointer, _ count: Int) -> Int? {
  guard let found = unsafe memchr(base, Int32(newline), count) else { return nil }
  return unsafe UnsafeRawPointer(found) - base
}

/// Whether the `count` bytes at both places are the same.
@unsafe func bytesAreEqual(
  _ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer, _ count: Int
) -> Bool {
  unsafe memcmp(lhs, rhs, count) == 0
}
