// SAFETY: the functions only read, and only the `count` bytes at `base`, which the caller keeps
// alive.

/// The number of UTF-16 units that a byte counts for; see `PackedCounts`.
func utf16Units(of byte: UInt8) -> Int {
  (byte & 0xC0 == 0x80 ? 0 : 1) + (byte &- 0xF0 < 5 ? 1 : 0)
}

/// The number of newlines in `count` bytes at `base`, and whether all bytes are ASCII.
@inline(__always)
@unsafe
func newlineCountAndIsASCII(_ base: UnsafeRawPointer, _ count: Int) -> (Int, Bool) {
  if count < 16 {
    let (first, rest) = unsafe wordsOfFew(base, count)
    return unsafe (
      countNewlinesOfFew(base, count), (first | rest) & 0x8080_8080_8080_8080 == 0
    )
  }
  var bits = SIMD16<UInt8>()
  let newlineCount = unsafe countNewlines(base, count, joining: &bits)
  return (newlineCount, isASCII(bits))
}

/// Whether all 16 bytes are ASCII.
@inline(__always)
private func isASCII(_ block: SIMD16<UInt8>) -> Bool {
  let halves = unsafe unsafeBitCast(block, to: SIMD2<UInt64>.self)
  return (halves[0] | halves[1]) & 0x8080_8080_8080_8080 == 0
}

/// The number of UTF-16 units in `count` bytes at `base`.
@unsafe func countUTF16Units(_ base: UnsafeRawPointer, _ count: Int) -> Int {
  var total = 0
  var index = 0
  while index &+ 16 <= count {
    // Each byte counts at most 2 units, so 7 blocks of 16 bytes sum to at most 224, which fits in a
    // byte.
    let end = min(index &+ 7 &* 16, count &- 15)
    var lanes = SIMD16<UInt8>()
    while index < end {
      lanes &+= unitLanes(unsafe base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self))
      index &+= 16
    }
    total &+= sum(lanes)
  }
  while index < count {
    total &+= utf16Units(of: unsafe base.load(fromByteOffset: index, as: UInt8.self))
    index &+= 1
  }
  return total
}

/// The number of UTF-16 units that each of 16 bytes counts for.
@inline(__always)
private func unitLanes(_ block: SIMD16<UInt8>) -> SIMD16<UInt8> {
  let zero = SIMD16<UInt8>(repeating: 0)
  let one = SIMD16<UInt8>(repeating: 1)
  let isContinuation = block & 0xC0 .== 0x80
  let isLeadOfFour = block &- 0xF0 .< 5
  return one.replacing(with: zero, where: isContinuation)
    &+ zero.replacing(with: one, where: isLeadOfFour)
}

/// The index of the byte that UTF-16 unit `ordinal` belongs to; both count from 0.
///
/// - Precondition: The `count` bytes at `base` have more than `ordinal` units.
@unsafe func length(beforeUTF16Unit ordinal: Int, _ base: UnsafeRawPointer, _ count: Int) -> Int {
  var index = 0
  var missing = ordinal
  while index &+ 16 <= count {
    let found = sum(
      unitLanes(unsafe base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)))
    if found > missing { break }
    missing &-= found
    index &+= 16
  }
  while index < count {
    missing &-= utf16Units(of: unsafe base.load(fromByteOffset: index, as: UInt8.self))
    if missing < 0 { return index }
    index &+= 1
  }
  preconditionFailure("fewer units than a piece claims")
}

extension PackedCounts {
  /// The counts of the first `count` bytes of a block of 16.
  @inline(__always)
  init(_ block: SIMD16<UInt8>, first count: Int) {
    assert(0 < count && count <= 16)
    let newlineCount = countNewlines(in: block, first: count)
    // Shifts the bytes after the first `count` out, and zeros in.
    let bits = unsafe unsafeBitCast(block, to: UInt128.self)
    let shift = UInt128(truncatingIfNeeded: (16 &- count) &* 8)
    let first = unsafe unsafeBitCast(bits << shift, to: SIMD16<UInt8>.self)
    if isASCII(first) {
      self.init(ascii: count, newlineCount: newlineCount)
    } else {
      // Each zero shifted in counts as one unit: subtract them.
      self.init(
        wide: count, newlineCount: newlineCount,
        utf16Count: sum(unitLanes(first)) &- (16 &- count))
    }
  }
}
