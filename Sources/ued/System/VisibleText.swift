/// The visible form of bytes: replaces characters that a terminal would obey or could not show.
///
///     ESC, BEL, DEL, CR           ^[ ^G ^? ^M
///     U+009B and other C1         <9b>
///     a byte that is not UTF-8    <ff>
///     U+202E, U+2066 and others   <U+202E> <U+2066>
///
/// The last row stands for the nine characters that control the direction of writing, and can make
/// one line look like another. Tabs, newlines and all other characters stay unchanged, so the
/// conversion is idempotent. Text can come in blocks that begin and end anywhere, even inside a
/// character.
///
/// SAFETY: `endOfPlain` checks its offsets against the span before each unchecked load.
@safe struct VisibleText: Sendable {
  /// The beginning of a character that continues in the next block.
  private var partial: [UInt8] = []

  static func of(_ bytes: [UInt8]) -> [UInt8] {
    let span = bytes.span
    if unsafe endOfShown(in: span.bytes, from: 0) == bytes.count { return bytes }
    var shown: [UInt8] = []
    var text = VisibleText()
    unsafe text.append(span.bytes, to: &shown)
    text.end(&shown)
    return shown
  }

  static func of(_ text: String) -> String {
    String(decoding: of(Array(text.utf8)), as: UTF8.self)
  }

  /// Whether the visible form of a character differs from the character.
  static func replaces(_ character: Unicode.Scalar) -> Bool {
    switch character.value {
    case 9, 10: false
    case ..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Appends the visible form of the next block.
  mutating func append(_ block: RawSpan, to output: inout [UInt8]) {
    var offset = 0
    while !partial.isEmpty && offset < block.byteCount {
      partial.append(block[offset])
      offset += 1
      if unsafe !Self.isCut(in: partial.span.bytes, at: 0) {
        let whole = partial
        partial = []
        // Invalid bytes may be followed by the beginning of another character.
        unsafe append(whole.span.bytes, to: &output)
      }
    }
    while offset < block.byteCount {
      let end = Self.endOfShown(in: block, from: offset)
      output.append(block, in: offset..<end)
      if end == block.byteCount { return }
      if Self.isCut(in: block, at: end) {
        partial.append(block, in: end..<block.byteCount)
        return
      }
      offset = end + Self.replace(in: block, at: end, &output)
    }
  }

  mutating func end(_ output: inout [UInt8]) {
    for byte in partial { Self.append(byte, to: &output) }
    partial = []
  }

  // MARK: - One character

  /// Whether the span ends inside the character at `offset`: all bytes after the first continue it.
  private static func isCut(in span: RawSpan, at offset: Int) -> Bool {
    let length =
      switch span[offset] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    if offset + length <= span.byteCount { return false }
    for place in (offset + 1)..<span.byteCount where span[place] & 0xC0 != 0x80 { return false }
    return true
  }

  /// Appends the replacement of the character at `offset`, or of the byte if it is not UTF-8.
  /// Returns the number of replaced bytes.
  private static func replace(in span: RawSpan, at offset: Int, _ output: inout [UInt8]) -> Int {
    let byte = span[offset]
    switch span.characterLength(in: offset..<span.byteCount) {
    case 2: append(span[offset + 1], to: &output)
    case 3:
      let code = 0x2000 | Int(span[offset + 1] & 0x3F) << 6 | Int(span[offset + 2] & 0x3F)
      output += "<U+\(String(code, radix: 16, uppercase: true))>".utf8
      return 3
    default:
      append(byte, to: &output)
      return 1
    }
    return 2
  }

  /// Appends the replacement of a control character, or of a byte above 0x7F.
  private static func append(_ byte: UInt8, to output: inout [UInt8]) {
    if byte < 0x80 {
      output += [UInt8(ascii: "^"), byte ^ 0x40]
    } else {
      output += "<\(CollectionOfOne(byte).hexadecimal)>".utf8
    }
  }

  // MARK: - Searching

  /// The offset of the first character at or after `offset` to be replaced, or the end of the span.
  private static func endOfShown(in span: RawSpan, from offset: Int) -> Int {
    var offset = offset
    while true {
      offset = endOfPlain(in: span, from: offset)
      let start = offset
      while offset < span.byteCount, span[offset] >= 0xC2 {
        let length = span.characterLength(in: offset..<span.byteCount)
        if length == 0 || isReplaced(in: span, at: offset) { return offset }
        offset += length
      }
      if offset == start { return offset }
    }
  }

  /// Whether the multibyte character at `offset` must be replaced.
  private static func isReplaced(in span: RawSpan, at offset: Int) -> Bool {
    switch (span[offset], span[offset + 1]) {
    case (0xC2, ..<0xA0): true
    case (0xE2, 0x80): 0xAA...0xAE ~= span[offset + 2]
    case (0xE2, 0x81): 0xA6...0xA9 ~= span[offset + 2]
    default: false
    }
  }

  /// The offset of the first byte at or after `offset` other than printable ASCII, a tab or a
  /// newline; or the end of the span.
  private static func endOfPlain(in span: RawSpan, from offset: Int) -> Int {
    precondition(0 <= offset && offset <= span.byteCount)
    var offset = offset
    while offset + 32 <= span.byteCount {
      let words = unsafe span.unsafeLoadUnaligned(
        fromUncheckedByteOffset: offset, as: SIMD4<UInt64>.self)
      if hasOther(words) { break }
      offset += 32
    }
    while offset < span.byteCount {
      let byte = unsafe span.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self)
      guard 0x20..<0x7F ~= byte || byte == .tab || byte == .newline else { break }
      offset += 1
    }
    return offset
  }

  /// Whether any of 32 bytes is not printable ASCII, a tab or a newline. Each addition stays within
  /// its byte, and sets the highest bit if the low seven bits reach a bound.
  /// Comparing bytes instead is not vectorized: printing 100 MB takes 2 s longer.
  private static func hasOther(_ words: SIMD4<UInt64>) -> Bool {
    let low = words & 0x7F7F_7F7F_7F7F_7F7F
    let isPrintableOrDelete = low &+ 0x6060_6060_6060_6060
    let isDelete = low &+ 0x0101_0101_0101_0101
    let isNotTab = (low ^ 0x0909_0909_0909_0909) &+ 0x7F7F_7F7F_7F7F_7F7F
    let isNotNewline = (low ^ 0x0A0A_0A0A_0A0A_0A0A) &+ 0x7F7F_7F7F_7F7F_7F7F
    let isOther = words | isDelete | (~isPrintableOrDelete & isNotTab & isNotNewline)
    return (isOther & 0x8080_8080_8080_8080) != SIMD4()
  }
}
