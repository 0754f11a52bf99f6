import TextBuffer

/// A JSON text under construction, as bytes.
///
/// SAFETY: each load is in a range that is checked against its span.
@safe struct JSONText {
  private(set) var bytes: [UInt8] = []

  /// Adds syntax, or a quoted string that needs no escapes.
  mutating func append(_ text: StaticString) {
    bytes.append(addingCapacity: text.utf8CodeUnitCount) { $0.append(text) }
  }

  mutating func append(_ json: JSONText) { bytes += json.bytes }

  mutating func append(_ number: Int) {
    bytes.append(addingCapacity: Self.fixedCount) { $0.append(decimal: number) }
  }

  mutating func endLine() { bytes.append(.newline) }

  mutating func truncate(to count: Int) {
    bytes.removeLast(bytes.count - count)
  }

  /// Drops the first bytes, already written.
  mutating func dropFirst(_ count: Int) {
    if count == bytes.count {
      bytes.removeAll(keepingCapacity: count < Self.largestKept)
    } else {
      bytes.removeSubrange(..<count)
    }
  }

  private static let largestKept = 1 << 18

  /// Appends a value as JSON.
  mutating func append(_ value: JSONValue) {
    switch value {
    case .null, .absent: append("null")
    case .bool(let isTrue): if isTrue { append("true") } else { append("false") }
    case .int(let number): append(number)
    case .string(let text): append(string: text)
    case .lines(let text): append(linesOf: unsafe text.span.bytes)
    case .array(let values):
      append("[")
      for (index, value) in values.enumerated() {
        if index > 0 { append(",") }
        append(value)
      }
      append("]")
    case .object(let members):
      append("{")
      append(members)
      append("}")
    }
  }

  /// Appends members to the object that was begun last, without absent ones.
  mutating func append(_ members: [JSONMember]) {
    for (name, value) in members {
      if case .absent = value { continue }
      if bytes.last != UInt8(ascii: "{") { append(",") }
      append("\"")
      append(name)
      append("\":")
      append(value)
    }
  }

  // MARK: - Fast paths

  /// Begins the answer to a command with its number and text. Returns false, and appends nothing,
  /// if the text needs escapes.
  mutating func append(_ number: Int, plainCommand line: RawSpan) -> Bool {
    guard line.isPlain else { return false }
    bytes.append(addingCapacity: Self.fixedCount + line.byteCount) {
      $0.append(#"{"n":"#)
      $0.append(decimal: number)
      $0.append(#","command":"#)
      $0.append(plain: line)
    }
    return true
  }

  /// Ends the answer to a command that succeeded and printed at most one line: the output, the
  /// current line's number, `end`. False, without change, if the output needs escapes or is longer.
  mutating func append(plainOutput output: RawSpan, _ line: LineNumber, end: JSONText) -> Bool {
    let hasNewline = output.byteCount > 0 && output[output.byteCount - 1] == .newline
    let text = output.extracting(droppingLast: hasNewline ? 1 : 0)
    guard text.isPlain else { return false }
    bytes.append(addingCapacity: Self.fixedCount + text.byteCount + end.bytes.count) {
      $0.append(#","ok":true,"output":["#)
      if output.byteCount > 0 { $0.append(plain: text) }
      $0.append(#"],"line":"#)
      $0.append(decimal: line.value)
      unsafe $0.append(end.bytes.span.bytes)
    }
    return true
  }

  /// Enough bytes for the largest number and the fixed names in a part of an answer.
  private static let fixedCount = 64

  // MARK: - Strings

  /// Adds a string. Bytes that are not UTF-8 become `{"base64":"…"}`.
  mutating func append(string text: [UInt8]) {
    append(string: unsafe text.span.bytes, 0..<text.count)
  }

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

  /// Adds the bytes of a range, up to the first newline if `upToNewline`, as a string, and returns
  /// its end in `text`. Bytes that are not UTF-8 become `{"base64":"…"}`.
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
        // Characters that control a terminal are escaped, too.
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
  /// Whether the bytes need no escapes in a string.
  fileprivate var isPlain: Bool { endOfPlainText(in: 0..<byteCount) == byteCount }

  /// The offset of the first byte in a range that is not ASCII or needs an escape; else the range's
  /// end.
  fileprivate func endOfPlainText(in range: Range<Int>) -> Int {
    var position = range.lowerBound
    let (ones, highs) = (0x0101_0101_0101_0101 as UInt64, 0x8080_8080_8080_8080 as UInt64)
    /// Sets the high bit of the first byte below a value. The bits after it are unreliable.
    func below(_ value: UInt64, _ word: UInt64) -> UInt64 { (word &- ones &* value) & ~word }
    while range.count >= 8 && position < range.upperBound {
      // The last word may overlap the word before it.
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

// MARK: - Output

/// Writing into reserved capacity of an array, with one access to the array for many pieces.
///
/// SAFETY: the room for each piece is checked before the copy; a constant text lives forever.
extension OutputSpan<UInt8> {
  /// Appends constant text. The copy of a known length is a few instructions without a call.
  @inline(__always)
  mutating func append(_ text: StaticString) {
    unsafe append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a string that needs no escapes.
  @inline(__always)
  mutating func append(plain text: RawSpan) {
    append(.quote)
    append(text)
    append(.quote)
  }

  @inline(__always)
  mutating func append(_ bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append($0) }
  }

  @inline(__always)
  private mutating func append(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= freeCapacity)
    unsafe withUnsafeMutableBufferPointer { all, initializedCount in
      guard let start = all.baseAddress, let source = bytes.baseAddress else { return }
      unsafe UnsafeMutableRawPointer(start + initializedCount)
        .copyMemory(from: source, byteCount: bytes.count)
      initializedCount += bytes.count
    }
  }

  /// Appends the digits of a nonnegative number.
  mutating func append(decimal number: Int) {
    var (digitCount, rest) = (1, UInt(number))
    while rest >= 10 { (digitCount, rest) = (digitCount + 1, rest / 10) }
    precondition(digitCount <= freeCapacity)
    unsafe withUnsafeMutableBufferPointer { all, initializedCount in
      initializedCount += digitCount
      var (index, rest) = (initializedCount, UInt(number))
      repeat {
        index -= 1
        unsafe all.initializeElement(at: index, to: .zero + UInt8(truncatingIfNeeded: rest % 10))
        rest /= 10
      } while rest > 0
    }
  }
}
