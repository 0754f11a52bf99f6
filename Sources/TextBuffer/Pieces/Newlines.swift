// SAFETY: all functions only read, and only inside bounds that the caller vouches for: a live extent of
// `count` bytes at `base`. Bytes are read 16 at a time, fewer than 16 as words; the last read overlaps the
// one before it.

/// The byte that ends a line.
@usableFromInline let newline: UInt8 = 0x0A

/// The number of newlines in `count` bytes at `base`.
@unsafe package func countNewlines(_ base: UnsafeRawPointer, _ count: Int) -> Int {
  if count < 16 { return unsafe countNewlinesOfFew(base, count) }
  var bits = SIMD16<UInt8>()
  return unsafe countNewlines(base, count, joining: &bits)
}

/// The number of newlines in at least 16 bytes at `base`; also ORs the bytes into `bits`.
@inline(__always)
@unsafe
func countNewlines(
  _ base: UnsafeRawPointer, _ count: Int, joining bits: inout SIMD16<UInt8>
) -> Int {
  var total = 0
  var index = 0
  while index + blockLength <= count {
    total += unsafe countNewlinesOfBlock(base + index, joining: &bits)
    index += blockLength
  }
  var lanes = SIMD16<UInt8>()
  while index &+ 16 <= count {
    lanes &+= unsafe newlineLanes(base + index, joining: &bits)
    index &+= 16
  }
  // The last 16 bytes are read at once; the lanes of bytes already counted are shifted out.
  let last = unsafe unsafeBitCast(
    newlineLanes(base + (count &- 16), joining: &bits), to: UInt128.self)
  let rest = last >> UInt128(truncatingIfNeeded: (16 &- (count &- index)) &* 8)
  lanes &+= unsafe unsafeBitCast(rest, to: SIMD16<UInt8>.self)
  return total + sum(lanes)
}

/// The number of newlines in the first `count` of 16 bytes.
func countNewlines(in block: SIMD16<UInt8>, first count: Int) -> Int {
  let lanes = unsafe unsafeBitCast(newlineLanes(block), to: UInt128.self)
  assert(0 < count && count <= 16)
  let first = lanes << UInt128(truncatingIfNeeded: (16 &- count) &* 8)
  return sum(unsafe unsafeBitCast(first, to: SIMD16<UInt8>.self))
}

/// The number of newlines in `count` bytes at `base`, inlined for extents that are often short.
@inline(__always)  // saves 0.9 % of an edit
@unsafe
package func countNewlinesOfShort(_ base: UnsafeRawPointer, _ count: Int) -> Int {
  unsafe count >= 16 ? countNewlines(base, count) : countNewlinesOfFew(base, count)
}

/// The number of newlines in fewer than 16 bytes, which are read as one or two words.
@inline(__always)  // saves 0.5 % of an edit
@unsafe
func countNewlinesOfFew(_ base: UnsafeRawPointer, _ count: Int) -> Int {
  let (first, rest) = unsafe wordsOfFew(base, count)
  return count >= 8 ? newlines(in: first) + newlines(in: rest) : newlines(in: first)
}

/// Fewer than 16 bytes as two words, padded with zeros. Fewer than 8 bytes are all in the first.
@inline(__always)
@unsafe
func wordsOfFew(_ base: UnsafeRawPointer, _ count: Int) -> (UInt64, UInt64) {
  if count >= 8 {
    let last = unsafe base.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    // Bytes that are in both words are shifted out of the second one.
    return unsafe (
      base.loadUnaligned(as: UInt64.self), last >> UInt64(truncatingIfNeeded: (16 - count) * 8)
    )
  }
  if count >= 4 {
    let first = unsafe UInt64(base.loadUnaligned(as: UInt32.self))
    let last = unsafe UInt64(base.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
    return (first | last << UInt64(truncatingIfNeeded: (count - 4) * 8), 0)
  }
  if count == 0 { return (0, 0) }
  // One to three bytes: reads the first, middle and last byte. Some may be the same byte.
  let middle = count / 2
  let first = unsafe UInt64(base.load(as: UInt8.self))
  let second = unsafe UInt64(base.load(fromByteOffset: middle, as: UInt8.self))
  let last = unsafe UInt64(base.load(fromByteOffset: count - 1, as: UInt8.self))
  return (
    first | second << UInt64(truncatingIfNeeded: middle * 8)
      | last << UInt64(truncatingIfNeeded: (count - 1) * 8), 0
  )
}

/// The number of newlines among the bytes of a word.
private func newlines(in word: UInt64) -> Int {
  let low = 0x7F7F_7F7F_7F7F_7F7F as UInt64
  let others = word ^ 0x0A0A_0A0A_0A0A_0A0A
  // The highest bit of a byte is set where the byte is a newline.
  let found = ~(((others & low) &+ low) | others | low)
  return Int(truncatingIfNeeded: ((found >> 7) &* 0x0101_0101_0101_0101) >> 56)
}

/// The number of bytes that are counted at once. The counts of 16 lanes then add up to 128 at most,
/// which fits in a byte.
private let blockLength = 128

/// The number of newlines in `blockLength` bytes at `base`; also ORs the bytes into `bits`.
@inline(__always)  // saves 2 % of building
@unsafe private func countNewlinesOfBlock(
  _ base: UnsafeRawPointer, joining bits: inout SIMD16<UInt8>
) -> Int {
  var lanes = SIMD16<UInt8>()
  for index in 0..<8 { lanes &+= unsafe newlineLanes(base + index * 16, joining: &bits) }
  return sum(lanes)
}

/// A 1 for each newline in the 16 bytes at `base`, a 0 for each other byte; ORs them into `bits`.
@inline(__always)  // saves 7 % of building
@unsafe private func newlineLanes(
  _ base: UnsafeRawPointer, joining bits: inout SIMD16<UInt8>
) -> SIMD16<UInt8> {
  let block = unsafe base.loadUnaligned(as: SIMD16<UInt8>.self)
  bits |= block
  return newlineLanes(block)
}

/// A 1 for each newline in 16 bytes, a 0 for each other byte.
@inline(__always)  // saves 7 % of building
private func newlineLanes(_ block: SIMD16<UInt8>) -> SIMD16<UInt8> {
  SIMD16<UInt8>(repeating: 0)
    .replacing(with: 1, where: block .== SIMD16<UInt8>(repeating: newline))
}

/// The sum of 16 counts; it must be below 256.
func sum(_ lanes: SIMD16<UInt8>) -> Int {
  let halves = unsafe unsafeBitCast(lanes, to: SIMD2<UInt64>.self)
  // The multiplication adds up all eight bytes in the highest one.
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
  var bits = SIMD16<UInt8>()
  while index + blockLength <= count {
    let found = unsafe countNewlinesOfBlock(base + index, joining: &bits)
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
