// SAFETY: the function only reads, and only inside bounds that the caller vouches for: live extents of `length`
// and of `count` bytes.

/// The number of bytes before the first place of `length` bytes, at least one, among `count` bytes;
/// nil without such a place. Compares 16 places at a time by their first and last bytes, and those
/// that have both byte by byte.
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
