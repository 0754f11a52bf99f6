/// Variable-length numbers: seven bits a byte, least significant first, the high bit set on all bytes
/// but the last.
extension [UInt8] {
  /// Appends a number that is not negative.
  mutating func append(varint number: Int) {
    var rest = UInt(number)
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends a number as eight bytes, little endian.
  mutating func append(word number: Int) {
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
  }
}

/// Reads variable-length numbers, and blocks of bytes.
struct VarintReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// Whether all bytes have been read.
  var isAtEnd: Bool { position == bytes.endIndex }

  /// The next number; nil if the bytes end or the number is too large.
  mutating func next() -> Int? {
    var number: UInt = 0
    var shift: UInt = 0
    while position < bytes.endIndex, shift < 63 {
      let byte = bytes[position]
      position += 1
      number |= UInt(byte & 0x7F) << shift
      if byte < 0x80 { return Int(number) }
      shift += 7
    }
    return nil
  }

  /// The next `count` bytes; nil if there are fewer.
  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.endIndex - position else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }
}
