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

  mutating func append(_ isTrue: Bool) {
    if isTrue { append("true") } else { append("false") }
  }

  mutating func endLine() { bytes.append(.newline) }

  mutating func truncate(to count: Int) {
    bytes.removeLast(bytes.count - count)
  }

  /// Drops the first bytes, after writing them.
  mutating func dropFirst(_ count: Int) {
    if count == bytes.count {
      bytes.removeAll(keepingCapacity: count < Self.largestKept)
    } else {
      bytes.removeSubrange(..<count)
    }
  }

  private static let largestKept = 1 << 18

  // MARK: - Strings

  /// Adds the beginning of the answer to a command: its number, its file unless nil, and its line.
  mutating func append(_ number: Int, file: [UInt8]?, command: [UInt8]) {
    let line = unsafe command.span.bytes
    // Fast path: the line needs no escapes.
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

  /// Adds the success of a command with the hash of a file it read or wrote, and ends its answer
  /// with `end` after the current line.
  mutating func append(
    output: RawSpan, _ notices: [[UInt8]], _ overlooked: [OverlookedDifferences],
    _ hash: SHA256Hash?, _ line: LineNumber, end: JSONText
  ) {
    let hasNewline = output.byteCount > 0 && output[output.byteCount - 1] == .newline
    let text = output.extracting(droppingLast: hasNewline ? 1 : 0)
    let isPlain = text.isPlain && notices.isEmpty && overlooked.isEmpty && hash == nil
    let plainCount = isPlain ? text.byteCount + end.bytes.count : 0
    bytes.append(addingCapacity: Self.fixedCount + plainCount) {
      $0.append(#","ok":true,"output":["#)
      // Fast path: at most one line, which needs no escapes.
      if !isPlain { return }
      if output.byteCount > 0 { $0.append(plain: text) }
      $0.append(#"],"line":"#)
      $0.append(decimal: line.value)
      unsafe $0.append(end.bytes.span.bytes)
    }
    if isPlain { return }
    append(stringsOf: output)
    append("]")
    if !overlooked.isEmpty { append(overlooked) }
    if let hash { append(hash) }
    append(notices, line, end: end)
  }

  mutating func append(_ hash: SHA256Hash) {
    append(#","hash":"#)
    append(string: hash.description)
  }

  /// Adds the ignored differences of each place.
  private mutating func append(_ overlooked: [OverlookedDifferences]) {
    append(#","overlooked":["#)
    for (index, place) in overlooked.enumerated() {
      append(index == 0 ? #"{"first":"# : #",{"first":"#)
      append(place.lines.first.value)
      append(#","last":"#)
      append(place.lines.last.value)
      append(#","indentation":"#)
      append(place.indentationCount)
      append(#","trailing_blanks":"#)
      append(place.trailingCount)
      append(#","typography":"#)
      append(place.typographicCount)
      append("}")
    }
    append("]")
  }

  mutating func append(_ notices: [[UInt8]], _ line: LineNumber, end: JSONText) {
    append(notices: notices)
    append(#","line":"#)
    append(line.value)
    append(end)
  }

  /// Adds messages apart from the output, if there are any.
  mutating func append(notices: [[UInt8]]) {
    if notices.isEmpty { return }
    append(#","notices":"#)
    append(strings: notices)
  }

  /// Enough bytes for the largest number and the fixed names in a part of an answer.
  private static let fixedCount = 64

  /// Adds a string. Bytes that are not UTF-8 become `{"base64":"…"}`.
  mutating func append(string text: [UInt8]) {
    append(string: unsafe text.span.bytes, 0..<text.count)
  }

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

// MARK: - Values

/// Values in answers to programs.
extension JSONText {
  mutating func append(strings: [[UInt8]]) {
    append("[")
    for (index, string) in strings.enumerated() {
      if index > 0 { append(",") }
      append(string: string)
    }
    append("]")
  }

  /// Adds the end of an answer, after the current line.
  mutating func append(endOf state: TextState) {
    append(#","lines":"#)
    append(state.lastLine.value)
    append(#","revision":"#)
    append(state.revision)
    append(#","modified":"#)
    append(state.isModified)
    append("}")
    endLine()
  }

  /// Adds an error in a text as members of an object.
  mutating func append(_ error: EditorError, _ message: [UInt8], in text: PieceTable?) {
    append(#","error":"#)
    append(string: ErrorCode(error).rawValue)
    append(#","message":"#)
    append(string: message)
    if let text, let hint = error.hint {
      append(#","hint":"#)
      append(hint, of: text)
    }
  }

  /// Adds a hint as an object, without lines that the text does not have.
  mutating func append(_ hint: ErrorHint, of text: PieceTable) {
    append(#"{"lines":["#)
    for (index, line) in hint.lines.filter({ $0.value <= text.newlineCount }).enumerated() {
      if index > 0 { append(",") }
      append(#"{"number":"#)
      append(line.value)
      append(#","text":"#)
      append(string: text.line(line))
      append("}")
    }
    append(#"],"revisions":["#)
    for (index, revision) in hint.revisions.enumerated() {
      if index > 0 { append(",") }
      append(revision)
    }
    append("]")
    if let difference = hint.difference {
      append(#","difference":{"line":"#)
      append(difference.line.value)
      append(#","kind":"#)
      append(string: Self.name(of: difference.kind))
      if let expected = difference.expected {
        append(#","expected":"#)
        append(string: expected)
      }
      if let found = difference.found {
        append(#","found":"#)
        append(string: found)
      }
      append("}")
    }
    append("}")
  }

  private static func name(of kind: LineMismatch.Kind) -> String {
    switch kind {
    case .leadingBlanks: "leading-blanks"
    case .trailingBlanks: "trailing-blanks"
    case .blanks: "blanks"
    case .tabs: "tabs"
    case .carriageReturn: "carriage-return"
    case .quotes: "quotes"
    case .characters: "characters"
    case .word: "word"
    case .text: "text"
    case .missing: "missing"
    case .surplus: "surplus"
    }
  }

  /// Adds a file as the beginning of an object.
  mutating func append(_ file: TouchedFile) {
    let hunks = LineDifference.affordableHunks(
      from: file.before ?? PieceTable(), to: file.after ?? PieceTable())
    append(#"{"path":"#)
    append(string: file.path)
    append(#","before":"#)
    append(hashOf: file.before)
    append(#","after":"#)
    append(hashOf: file.after)
    append(#","written":"#)
    append(file.isWritten)
    append(#","lines_added":"#)
    append(hunks.reduce(0) { $0 + $1.new.count })
    append(#","lines_removed":"#)
    append(hunks.reduce(0) { $0 + $1.old.count })
    append(#","revision":"#)
    append(file.revision)
  }

  /// Adds the hash of a text; null for nil.
  private mutating func append(hashOf text: PieceTable?) {
    guard let text else { return append("null") }
    append(string: SHA256Hash(of: text).description)
  }

  mutating func append(_ failure: RunFailure) {
    append(failure.error, Messages.reason(failure), in: failure.text)
    if !failure.place.isEmpty {
      append(#","script":"#)
      append(string: failure.place)
    }
  }

  /// A run over histories, without its newline.
  static func line(_ run: IndexedRun) -> [UInt8] {
    var json = JSONText()
    json.append(#"{"run":"#)
    json.append(string: run.tag.identity)
    json.append(#","name":"#)
    json.append(string: run.tag.name)
    json.append(#","time":"#)
    json.append(time: run.tag.time)
    json.append(#","files":"#)
    json.append(strings: run.places.map(\.file))
    json.append(#","taken_back_by":"#)
    json.append(strings: run.undoers.map { Array($0.identity.utf8) })
    json.append("}")
    return json.bytes
  }

  /// A group found by a search, without its newline.
  static func line(_ group: FoundGroup) -> [UInt8] {
    var json = JSONText()
    json.append(#"{"file":"#)
    json.append(string: group.file)
    json.append(#","revision":"#)
    json.append(group.id)
    json.append(#","time":"#)
    json.append(time: group.time)
    json.append(#","description":"#)
    json.append(string: group.title)
    json.append(#","run":"#)
    json.append(string: group.run?.identity)
    json.append(#","run_name":"#)
    json.append(string: group.run?.name)
    json.append("}")
    return json.bytes
  }

  /// A line in a listing, with the group that last touched it, without its newline.
  static func line(_ index: Int, of listing: BlameListing) -> [UInt8] {
    let id = listing.groups[index]
    let origin = listing.origins[id]
    var json = JSONText()
    json.append(#"{"line":"#)
    json.append(listing.lines.first.value + index)
    json.append(#","id":"#)
    json.append(origin == nil ? nil : id)
    json.append(#","time":"#)
    if let origin { json.append(time: origin.time) } else { json.append("null") }
    json.append(#","run":"#)
    json.append(origin?.run)
    json.append(#","run_name":"#)
    json.append(string: origin?.runName)
    json.append("}")
    return json.bytes
  }

  /// A revision in a history, without its newline.
  static func line(_ row: HistoryRow, _ fileName: [UInt8]) -> [UInt8] {
    let file = fileName.isEmpty ? nil : String(decoding: fileName, as: UTF8.self)
    var json = JSONText()
    json.append(#"{"id":"#)
    json.append(row.id)
    json.append(#","parent":"#)
    json.append(row.parent)
    json.append(#","name":"#)
    json.append(string: row.name)
    json.append(#","description":"#)
    json.append(string: row.description)
    json.append(#","time":"#)
    json.append(time: row.time)
    json.append(#","current":"#)
    json.append(row.isCurrent)
    json.append(#","saved":"#)
    json.append(row.isSaved)
    json.append(#","lines_added":"#)
    json.append(row.lineCounts.added)
    json.append(#","lines_removed":"#)
    json.append(row.lineCounts.removed)
    json.append(#","run":"#)
    json.append(row.run)
    json.append(#","run_name":"#)
    json.append(string: row.runName)
    json.append(#","file":"#)
    json.append(string: file)
    json.append("}")
    return json.bytes
  }

  /// Adds a number, or null.
  private mutating func append(_ number: Int?) {
    if let number { append(number) } else { append("null") }
  }

  /// Adds a string, or null.
  private mutating func append(string text: String?) {
    if let text { append(string: text) } else { append("null") }
  }

  /// Adds a time in the format of RFC 3339.
  private mutating func append(time: Double) {
    append(string: SystemClock.standardText(time))
  }

  /// The last answer of a task on histories, or of a run that could not begin, without its newline. The
  /// first failure is its error; further failures are notices.
  static func end(status: Int32, _ failures: [RunFailure]) -> [UInt8] {
    var json = JSONText()
    json.append(#"{"end":true,"status":"#)
    json.append(Int(status))
    if let first = failures.first {
      json.append(#","error":"#)
      json.append(string: ErrorCode(first.error).rawValue)
      json.append(#","message":"#)
      json.append(string: Messages.named(first))
    }
    if failures.count > 1 {
      json.append(#","notices":"#)
      json.append(strings: failures.dropFirst().map(Messages.named))
    }
    json.append(#","files":[]}"#)
    return json.bytes
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
