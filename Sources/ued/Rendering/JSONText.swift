import TextBuffer

/// JSON that is being written, as bytes.
///
/// SAFETY: loads are in ranges that are checked to be in their span.
@safe struct JSONText {
  private(set) var bytes: [UInt8] = []

  /// Adds syntax, or a string without anything to be escaped, quotes included.
  mutating func append(_ text: StaticString) {
    bytes.append(addingCapacity: text.utf8CodeUnitCount) { $0.append(text) }
  }

  /// Adds JSON.
  mutating func append(_ json: JSONText) { bytes += json.bytes }

  /// Adds a number that is not negative.
  mutating func append(_ number: Int) {
    bytes.append(addingCapacity: Self.fixedCount) { $0.append(decimal: number) }
  }

  mutating func append(_ isTrue: Bool) {
    if isTrue { append("true") } else { append("false") }
  }

  mutating func endLine() { bytes.append(.newline) }

  /// Drops all but the first bytes.
  mutating func truncate(to count: Int) {
    bytes.removeLast(bytes.count - count)
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
    let line = unsafe command.span.bytes
    // Fast path: the line is a string as it is.
    if file == nil && line.isPlain {
      return bytes.append(addingCapacity: Self.fixedCount + line.byteCount) {
        $0.append(#"{"n":"#)
        $0.append(decimal: number)
        $0.append(#","command":"#)
        $0.append(plain: line)
      }
    }
    append(#"{"n":"#)
    append(number)
    if let file {
      append(#","file":"#)
      append(string: file)
    }
    append(#","command":"#)
    append(string: command)
  }

  /// Adds that a command has succeeded, and ends its answer.
  ///
  /// - Parameters:
  ///   - output: What it has printed.
  ///   - notices: What was said besides.
  ///   - line: The current line.
  ///   - end: What is behind that.
  mutating func append(
    output: RawSpan, _ notices: [[UInt8]], _ line: LineNumber, end: JSONText
  ) {
    let hasNewline = output.byteCount > 0 && output[output.byteCount - 1] == .newline
    let text = output.extracting(droppingLast: hasNewline ? 1 : 0)
    let isPlain = text.isPlain && notices.isEmpty
    let plainCount = isPlain ? text.byteCount + end.bytes.count : 0
    bytes.append(addingCapacity: Self.fixedCount + plainCount) {
      $0.append(#","ok":true,"output":["#)
      // Fast path: at most one line, which is a string as it is.
      if !isPlain { return }
      if output.byteCount > 0 { $0.append(plain: text) }
      $0.append(#"],"line":"#)
      $0.append(decimal: line.value)
      unsafe $0.append(end.bytes.span.bytes)
    }
    if isPlain { return }
    append(stringsOf: output)
    append("]")
    append(notices, line, end: end)
  }

  /// Ends the answer to a command.
  mutating func append(_ notices: [[UInt8]], _ line: LineNumber, end: JSONText) {
    append(notices: notices)
    append(#","line":"#)
    append(line.value)
    append(end)
  }

  /// Adds what was said beside the output, unless that is nothing.
  mutating func append(notices: [[UInt8]]) {
    if notices.isEmpty { return }
    append(#","notices":"#)
    append(strings: notices)
  }

  /// The digits of the largest number, and more bytes than the parts of an answer with fixed names.
  private static let fixedCount = 64

  /// Adds a string. Bytes that are not UTF-8 become `{"base64":"…"}`.
  mutating func append(string text: [UInt8]) {
    append(string: unsafe text.span.bytes, 0..<text.count)
  }

  /// Adds a string.
  mutating func append(string text: String) { append(string: Array(text.utf8)) }

  /// Adds the lines of a text as an array of strings.
  mutating func append(linesOf text: RawSpan) {
    append("[")
    append(stringsOf: text)
    append("]")
  }

  /// Adds the lines of a text as strings with commas between them.
  private mutating func append(stringsOf text: RawSpan) {
    var start = 0
    while start < text.byteCount {
      if start > 0 { append(",") }
      start = append(string: text, start..<text.byteCount, upToNewline: true) + 1
    }
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
    var (written, position) = (range.lowerBound, text.endOfPlainText(in: range))
    // Fast path: there is nothing to escape.
    if position == range.upperBound || upToNewline && text[position] == .newline {
      let plain = text.extracting(range.lowerBound..<position)
      bytes.append(addingCapacity: plain.byteCount + 2) { $0.append(plain: plain) }
      return position
    }
    let start = bytes.count
    bytes.append(.quote)
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
        // What a terminal would obey is escaped, too.
        if byte == 0xC2 || byte == 0xE2 {
          let last = UInt32(text[position + length - 1] & 0x3F)
          let value =
            byte == 0xC2 ? 0x80 | last : 0x2000 | UInt32(text[position + 1] & 0x3F) << 6 | last
          if let scalar = Unicode.Scalar(value), VisibleText.replaces(scalar) {
            bytes.append(text, in: written..<position)
            append("\\u")
            bytes += [UInt8(value >> 8), UInt8(value & 0xFF)].hexadecimal.utf8
            written = position + length
          }
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
  /// Whether nothing in the bytes has to be escaped in a string.
  fileprivate var isPlain: Bool { endOfPlainText(in: 0..<byteCount) == byteCount }

  /// The first byte in a range that can't stand in a string of JSON by itself, or is not ASCII.
  ///
  /// - Returns: Its offset, or the end of the range.
  fileprivate func endOfPlainText(in range: Range<Int>) -> Int {
    var position = range.lowerBound
    let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    /// The high bit of each byte that is below a value, if the bytes before it are not.
    func below(_ value: UInt64, _ word: UInt64) -> UInt64 { (word &- ones &* value) & ~word }
    while range.count >= 8 && position < range.upperBound {
      // The last eight bytes may overlap those before them.
      position = min(position, range.upperBound - 8)
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
