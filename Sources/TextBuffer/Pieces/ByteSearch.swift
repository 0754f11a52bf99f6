// The only C function that every text needs: `memchr` finds the end of a line in 60 to 80 % of the
// time that vectors of the standard library take.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// SAFETY: both functions only read, and only inside bounds that the caller vouches for: live extents of `count` bytes.
// The last read overlaps the one before it.

/// The number of bytes before the first newline; nil without one.
@unsafe @inlinable func indexOfNewline(_ base: UnsafeRawPointer, _ count: Int) -> Int? {
  guard let found = unsafe memchr(base, Int32(newline), count) else { return nil }
  return unsafe UnsafeRawPointer(found) - base
}

/// Whether the `count` bytes at two places are the same.
@unsafe @usableFromInline package func bytesAreEqual(
  _ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer, _ count: Int
) -> Bool {
  /// The different bits in the words of type `T` at `index`.
  @inline(__always) func difference<T: FixedWidthInteger & BitwiseCopyable>(_ index: Int, _: T.Type)
    -> T
  {
    unsafe lhs.loadUnaligned(fromByteOffset: index, as: T.self)
      ^ rhs.loadUnaligned(fromByteOffset: index, as: T.self)
  }
  if count >= 16 {
    var index = 0
    while index &+ 64 <= count {
      if unsafe differ(lhs + index, rhs + index) { return false }
      index &+= 64
    }
    while index &+ 16 <= count {
      if difference(index, UInt128.self) != 0 { return false }
      index &+= 16
    }
    return difference(count &- 16, UInt128.self) == 0
  }
  if count >= 8 {
    return difference(0, UInt64.self) | difference(count &- 8, UInt64.self) == 0
  }
  if count >= 4 {
    return difference(0, UInt32.self) | difference(count &- 4, UInt32.self) == 0
  }
  if count == 0 { return true }
  // One to three bytes: compares the first, middle and last byte. Some may be the same byte.
  return difference(0, UInt8.self) | difference(count / 2, UInt8.self)
    | difference(count &- 1, UInt8.self) == 0
}

/// Whether the 64 bytes at two places differ.
@inline(__always)
@unsafe private func differ(_ lhs: UnsafeRawPointer, _ rhs: UnsafeRawPointer) -> Bool {
  var all = SIMD2<UInt64>()
  for index in 0..<4 {
    unsafe all |=
      lhs.loadUnaligned(fromByteOffset: index &* 16, as: SIMD2<UInt64>.self)
      ^ rhs.loadUnaligned(fromByteOffset: index &* 16, as: SIMD2<UInt64>.self)
  }
  return all[0] | all[1] != 0
}

// SAFETY: the function only reads, and only inside bounds that the caller vouches for: live extents of `length`
// and of `count` bytes.

/// The index of the first occurrence of `length` bytes, at least one, in `count` bytes; nil if
/// there is none. Checks the first and last byte at 16 places at a time. Compares all bytes
/// where both match.
@unsafe func indexOfBytes(
  _ bytes: UnsafeRawPointer, _ length: Int, _ base: UnsafeRawPointer, _ count: Int
) -> Int? {
  let last = length &- 1
  let firstByte = unsafe bytes.load(as: UInt8.self)
  let lastByte = unsafe bytes.load(fromByteOffset: last, as: UInt8.self)
  let firsts = SIMD16<UInt8>(repeating: firstByte)
  let lasts = SIMD16<UInt8>(repeating: lastByte)
  let zero = SIMD16<UInt8>(repeating: 0)
  var index = 0
  while index &+ last &+ 16 <= count {
    let first = unsafe base.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
    let second = unsafe base.loadUnaligned(fromByteOffset: index &+ last, as: SIMD16<UInt8>.self)
    // Zero where both bytes are right.
    let differences = (first ^ firsts) | (second ^ lasts)
    let places = zero.replacing(with: 1, where: differences .== zero)
    if unsafe unsafeBitCast(places, to: UInt128.self) != 0 {
      for lane in 0..<16 where differences[lane] == 0 {
        if unsafe bytesAreEqual(base + index + lane, bytes, length) { return index + lane }
      }
    }
    index &+= 16
  }
  while index &+ length <= count {
    if unsafe base.load(fromByteOffset: index, as: UInt8.self) == firstByte
      && bytesAreEqual(base + index, bytes, length)
    {
      return index
    }
    index &+= 1
  }
  return nil
}
