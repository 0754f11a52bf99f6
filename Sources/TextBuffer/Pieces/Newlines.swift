import Glibc

// Memory here is only read, and always inside bounds that the caller vouches for: a live run of
// `count` bytes at `base`. The two counting loops read 16 bytes at a time and finish byte by byte.

/// The byte that ends a line.
let newline: UInt8 = 0x0A

/// The number of newlines in `count` bytes at `base`.
@unsafe func countNewlines(_ base: UnsafeRawPointer, _ count: Int) -> Int {
  var total = 0
  var index = 0
  let needle = SIMD16<UInt8>(repeating: newline)
  while index + 16 <= count {
    // A lane counts to at most 255 before the lanes are added up.
    let end = min(count, index + 255 * 16)
    var lanes = SIMD16<UInt8>()
    while index + 16 <= end {
      let bytes = unsafe base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
      lanes &+= SIMD16<UInt8>(repeating: 0).replacing(with: 1, where: bytes .== needle)
      index += 16
    }
    total += Int(SIMD16<UInt16>(truncatingIfNeeded: lanes).wrappedSum())
  }
  while index < count {
    if unsafe base.load(fromByteOffset: index, as: UInt8.self) == newline { total += 1 }
    index += 1
  }
  return total
}

/// The number of bytes up to and including the newline with number `ordinal`, counted from 1.
///
/// - Precondition: There are that many newlines in `count` bytes at `base`.
@unsafe func lengthThroughNewline(
  _ ordinal: Int, _ base: UnsafeRawPointer, _ count: Int
) -> Int {
  let stride = 128
  var index = 0
  var missing = ordinal
  while index + stride <= count {
    let found = unsafe countNewlines(base + index, stride)
    if found >= missing { break }
    missing -= found
    index += stride
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
