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

  /// Adds a number that is not negative.
  mutating func append(_ number: Int) {
    if number < 10 { return bytes.append(.zero + UInt8(truncatingIfNeeded: number)) }
    if number >= 100_000_000 {
      append(number / 100_000_000)
      return append(number % 100_000_000, digitCount: 8)
    }
    append(number, digitCount: 0)
  }

  /// Adds a number of at most eight digits, with zeros before it if it has less than `digitCount`.
  private mutating func append(_ number: Int, digitCount: Int) {
    var (digits, count, rest) = (0 as UInt64, 0, UInt32(truncatingIfNeeded: number))
    while rest > 0 || count < digitCount {
      digits = digits << 8 | UInt64(rest % 10)
      rest /= 10
      count += 1
    }
    for _ in 0..<count {
      bytes.append(.zero + UInt8(truncatingIfNeeded: digits))
      digits >>= 8
    }
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

  /// Adds the beginning of the answer to a command: its number, its file unless that is nil, and its line.
  mutating func append(_ number: Int, file: [UInt8]?, command: [UInt8]) {
    append(#"{"n":"#)
    append(number)
    if let file {
      append(#","file":"#)
      append(string: file)
    }
    append(#","command":"#)
    append(string: command)
  }

  /// Adds a string. Bytes that are not UTF-8 become `{"base64":"…"}`.
  mutating func append(string text: [UInt8]) {
    append(string: unsafe text.span.bytes, 0..<text.count)
  }

  /// Adds a string.
  mutating func append(string text: String) { append(string: Array(text.utf8)) }

  /// Adds the lines of a text as an array of strings.
  mutating func append(linesOf text: RawSpan) {
    append("[")
    var start = 0
    while start < text.byteCount {
      if start > 0 { append(",") }
      start = append(string: text, start..<text.byteCount, upToNewline: true) + 1
    }
    append("]")
  }

  /// Adds the bytes of a range as a string. Bytes that are not UTF-8 become `{"base64":"…"}`.
  ///
  /// - Parameters:
  ///   - text: The bytes.
  ///   - range: The range in them.
  ///   - upToNewline: Whether the string ends before the first newline.
  /// - Returns: Its end.
  @discardableResult
  mutating func append(
    string text: RawSpan, _ range: Range<Int>, upToNewline: Bool = false
  ) -> Int {
    let start = bytes.count
    bytes.append(.quote)
    var (written, position) = (range.lowerBound, range.lowerBound)
    while true {
      position = text.endOfPlainText(in: position..<range.upperBound)
      if position == range.upperBound { break }
      let byte = text[position]
      if byte >= 0x80 {
        let length = text.characterLength(in: position..<range.upperBound)
        if length == 0 {
          truncate(to: start)
          return append(base64: text, range, upToNewline: upToNewline)
        }
        position += length
        continue
      }
      if upToNewline && byte == .newline { break }
      bytes.append(text, in: written..<position)
      escape(byte)
      position += 1
      written = position
    }
    bytes.append(text, in: written..<position)
    bytes.append(.quote)
    return position
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

  private mutating func append(
    base64 text: RawSpan, _ range: Range<Int>, upToNewline: Bool
  ) -> Int {
    var end = range.upperBound
    if upToNewline { end = range.first { text[$0] == .newline } ?? end }
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    append(#"{"base64":""#)
    for start in stride(from: range.lowerBound, to: end, by: 3) {
      let count = min(3, end - start)
      var group = 0
      for index in 0..<3 { group = group << 8 | (index < count ? Int(text[start + index]) : 0) }
      for index in 0..<4 {
        bytes.append(
          index <= count ? digits[group >> (18 - 6 * index) & 0x3F] : UInt8(ascii: "="))
      }
    }
    append(#""}"#)
    return end
  }
}

extension RawSpan {
  /// The first byte in a range that can't stand in a string of JSON by itself, or is not ASCII.
  ///
  /// - Returns: Its offset, or the end of the range.
  fileprivate func endOfPlainText(in range: Range<Int>) -> Int {
    var position = range.lowerBound
    let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    /// The high bit of each byte that is below a value, if the bytes before it are not.
    func below(_ value: UInt64, _ word: UInt64) -> UInt64 { (word &- ones &* value) & ~word }
    while position + 8 <= range.upperBound {
      // SAFETY: the eight bytes are in the range, and the range is in the span.
      let word = unsafe unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self)
      let special =
        word | below(0x20, word) | below(1, word ^ ones &* UInt64(UInt8.quote))
        | below(1, word ^ ones &* UInt64(UInt8.backslash))
      if special & highs != 0 {
        return position + (special & highs).trailingZeroBitCount / 8
      }
      position += 8
    }
    while position < range.upperBound {
      let byte = self[position]
      if byte < 0x20 || byte >= 0x80 || byte == .quote || byte == .backslash { break }
      position += 1
    }
    return position
  }
}
