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
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Whether all has been read.
  var isAtEnd: Bool { position == bytes.count }

  /// The next number.
  mutating func next() -> Int? {
    var number: UInt = 0
    var shift: UInt = 0
    while position < bytes.count, shift < 63 {
      let byte = bytes[position]
      position += 1
      number |= UInt(byte & 0x7F) << shift
      if byte < 0x80 { return Int(number) }
      shift += 7
    }
    return nil
  }

  /// Where the next bytes are; nil when there are not so many.
  mutating func take(_ count: Int) -> Range<Int>? {
    guard count <= bytes.count - position else { return nil }
    defer { position += count }
    return position..<position + count
  }
}
