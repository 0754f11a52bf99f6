/// Numbers in as few bytes as they need: seven bits a byte, the lowest first, the highest bit set on
/// all but the last.
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

  /// Appends a number in eight bytes.
  mutating func append(word number: Int) {
    unsafe Swift.withUnsafeBytes(of: number.littleEndian) { unsafe append(contentsOf: $0) }
  }
}

/// Reads what was written that way, and is nil where it was not.
struct VarintReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// Whether all has been read.
  var isAtEnd: Bool { position == bytes.endIndex }

  /// The next number.
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

  /// The next bytes; nil when there are not so many.
  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.endIndex - position else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }
}
