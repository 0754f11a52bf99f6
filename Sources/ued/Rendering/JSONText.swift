/// JSON that is being written, as bytes.
///
/// SAFETY: the bytes of a constant text are copied before the closure that lends them returns.
@safe struct JSONText {
  private(set) var bytes: [UInt8] = []

  /// Adds syntax, or a string without anything to be escaped, quotes included.
  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
  }

  /// Adds JSON.
  mutating func append(_ json: JSONText) { bytes += json.bytes }

  /// Adds a number.
  mutating func append(_ number: Int) {
    if number < 0 {
      bytes.append(UInt8(ascii: "-"))
    }
    var rest = number.magnitude
    let start = bytes.count
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    if bytes.count - start > 1 { bytes[start...].reverse() }
  }

  mutating func append(_ isTrue: Bool) {
    if isTrue { append("true") } else { append("false") }
  }

  mutating func endLine() { bytes.append(.newline) }

  /// Drops all but the first bytes.
  mutating func truncate(to count: Int) {
    bytes.removeSubrange(count...)
  }

  /// Drops the first bytes, which have been written.
  mutating func dropFirst(_ count: Int) {
    if count == bytes.count {
      bytes.removeAll(keepingCapacity: count < Self.largestKept)
    } else {
      bytes.removeSubrange(..<count)
    }
  }

  private static let largestKept = 1 << 18

  // MARK: - Strings

  /// Adds a string. Bytes that are not UTF-8 become `{"base64":"…"}`.
  mutating func append(string text: [UInt8]) {
    append(string: unsafe text.span.bytes, 0..<text.count)
  }

  /// Adds a string.
  mutating func append(string text: String) { append(string: Array(text.utf8)) }

  /// Adds the bytes of a range as a string. Bytes that are not UTF-8 become `{"base64":"…"}`.
  mutating func append(string text: RawSpan, _ range: Range<Int>) {
    let start = bytes.count
    bytes.append(.quote)
    var (written, position) = (range.lowerBound, range.lowerBound)
    while position < range.upperBound {
      let byte = text[position]
      if byte >= 0x20 && byte < 0x80 && byte != .quote && byte != .backslash {
        position += 1
        continue
      }
      if byte >= 0x80 {
        let length = text.characterLength(in: position..<range.upperBound)
        if length == 0 {
          truncate(to: start)
          return append(base64: text, range)
        }
        position += length
        continue
      }
      bytes.append(text, in: written..<position)
      escape(byte)
      position += 1
      written = position
    }
    bytes.append(text, in: written..<range.upperBound)
    bytes.append(.quote)
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(.backslash)
    switch byte {
    case .quote, .backslash: bytes.append(byte)
    case .newline: bytes.append(UInt8(ascii: "n"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      append("u00")
      bytes += [byte].hexadecimal.utf8
    }
  }

  private mutating func append(base64 text: RawSpan, _ range: Range<Int>) {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    append(#"{"base64":""#)
    for start in stride(from: range.lowerBound, to: range.upperBound, by: 3) {
      let count = min(3, range.upperBound - start)
      var group = 0
      for index in 0..<3 { group = group << 8 | (index < count ? Int(text[start + index]) : 0) }
      for index in 0..<4 {
        bytes.append(
          index <= count ? digits[group >> (18 - 6 * index) & 0x3F] : UInt8(ascii: "="))
      }
    }
    append(#""}"#)
  }
}
