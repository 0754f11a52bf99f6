import TextBuffer

/// A search for the lines of a text that match a pattern. Searches whole chunks of contiguous bytes
/// at once, unless the text is binary.
struct MatchingLines {
  private let pattern: Pattern
  private let isBinary: Bool
  private var subject: Subject
  /// The beginning of a line that continues in the next chunk.
  private var partialLine: [UInt8] = []

  init(of pattern: Pattern, isBinary: Bool) {
    self.pattern = pattern
    self.isBinary = isBinary
    subject = Subject(isBinary: isBinary)
  }

  /// Calls `body` with each matching line of a range, in order, until `body` returns false, the
  /// pattern fails, or an interrupt comes. `body` gets the line's number, its offset in the text,
  /// and its bytes without the newline.
  mutating func forEach(
    in lines: LineRange, of text: PieceTable,
    _ body: (LineNumber, ByteOffset, RawSpan) -> Bool
  ) {
    if isBinary {
      var offset = text.offset(ofLine: lines.first)
      text.forEachLine(in: lines) { number, line in
        defer { offset = offset + (line.byteCount + 1) }
        if pattern.isGivenUp { return false }
        return !subject.matches(pattern, line) || body(number, offset, line)
      }
      return
    }
    partialLine.removeAll(keepingCapacity: true)
    var number = lines.first
    var offset = text.offset(ofLine: lines.first)
    text.forEachChunk(in: text.byteRange(of: lines)) { chunk in
      var position = 0
      if !partialLine.isEmpty {
        let newline = chunk.firstOffset(of: .newline, in: 0..<chunk.byteCount)
        partialLine.append(chunk, in: 0..<(newline ?? chunk.byteCount))
        guard let newline else { return true }
        let goesOn = visitPartialLine(number, offset, body)
        offset = offset + (partialLine.count + 1)
        partialLine.removeAll(keepingCapacity: true)
        number = number + 1
        position = newline + 1
        if !goesOn { return false }
      }
      guard let last = chunk.lastOffset(of: .newline, in: position..<chunk.byteCount) else {
        partialLine.append(chunk, in: position..<chunk.byteCount)
        return true
      }
      let start = offset - position
      while position <= last {
        let end = chunk.endOfStretch(from: position, to: last)
        var goesOn = true
        pattern.forEachMatchingLine(in: chunk, position..<end) { line in
          number = number + chunk.newlineCount(in: position..<line.lowerBound)
          goesOn =
            !pattern.isGivenUp && body(number, start + line.lowerBound, chunk.extracting(line))
          number = number + 1
          position = line.upperBound + 1
          return goesOn
        }
        if !goesOn { return false }
        number = number + chunk.newlineCount(in: position..<end)
        position = end
        if pattern.isGivenUp { return false }
      }
      offset = start + position
      partialLine.append(chunk, in: position..<chunk.byteCount)
      return true
    }
    if !partialLine.isEmpty { _ = visitPartialLine(number, offset, body) }
  }

  /// Visits the line in ``partialLine``, which is now complete, if it matches. Returns whether to
  /// go on.
  private func visitPartialLine(
    _ number: LineNumber, _ offset: ByteOffset, _ body: (LineNumber, ByteOffset, RawSpan) -> Bool
  ) -> Bool {
    let line = partialLine.span
    return unsafe !pattern.matches(line.bytes) || body(number, offset, line.bytes)
  }
}

extension RawSpan {
  /// The number of bytes searched between two checks for an interrupt.
  private static var stretch: Int { 4 << 20 }

  /// The end of the stretch of whole lines that begins at `position`: the offset after the newline
  /// at `last`, or after an earlier newline.
  fileprivate func endOfStretch(from position: Int, to last: Int) -> Int {
    guard last - position > Self.stretch else { return last + 1 }
    return (firstOffset(of: .newline, in: position + Self.stretch..<last + 1) ?? last) + 1
  }
}

/// The lines to be visited by a global command, in ascending order.
struct MatchedLines {
  enum Form {
    case numbers
    /// Only the bytes of the lines, which suffice for `p`.
    case bytes
  }

  private let form: Form
  private(set) var count = 0
  private(set) var last: LineNumber?
  /// All lines, if numbers are kept.
  private(set) var numbers: [LineNumber] = []
  /// The bytes of all lines, if bytes are kept. Adjacent lines are one part.
  private(set) var parts: [Range<ByteOffset>] = []
  /// Whether lines were left out because memory would not suffice for visiting them.
  private(set) var isShort = false
  private var nextCheck = 0

  /// The additional memory in bytes that visiting a line may take: for the line's number in a
  /// growing array and in `ActiveLines`, or for its part in a growing array.
  private static let bytesPerVisit = 32

  init(as form: Form) { self.form = form }

  /// Adds lines after all earlier ones. `bytes` is their range, including newlines. Returns false
  /// if memory is too short.
  mutating func add(_ lines: Range<LineNumber>, _ bytes: Range<ByteOffset>) -> Bool {
    if lines.isEmpty { return true }
    let added = lines.upperBound - lines.lowerBound
    let size = form == .bytes ? parts.count + 1 : count + added
    if size >= nextCheck {
      nextCheck = size + 65_536
      isShort = isShort || Memory.isShort(for: Self.bytesPerVisit * nextCheck)
    }
    if isShort { return false }
    count += added
    last = lines.upperBound - 1
    switch form {
    case .numbers where added == 1: numbers.append(lines.lowerBound)
    case .numbers:
      numbers += (lines.lowerBound.value..<lines.upperBound.value).lazy.map { LineNumber($0) }
    case .bytes:
      if let part = parts.last, part.upperBound == bytes.lowerBound {
        parts[parts.count - 1] = part.lowerBound..<bytes.upperBound
      } else {
        parts.append(bytes)
      }
    }
    return true
  }
}

struct MatchFinder {
  private let pattern: Pattern
  private var subject: Subject

  init(of pattern: Pattern, isBinary: Bool) {
    self.pattern = pattern
    subject = Subject(isBinary: isBinary)
    if isBinary { pattern.disableAutomata() }
  }

  /// The non-empty matches in a line, in order.
  mutating func matches(in line: RawSpan) -> [Range<Int>] {
    let pattern = pattern
    return subject.withSubject(of: line) { line in
      var found: [Range<Int>] = []
      var position = 0
      while position <= line.byteCount,
        pattern.firstMatch(
          in: line, from: position, isStart: position == 0, needsGroups: false),
        let match = pattern.group(0)
      {
        if !match.isEmpty { found.append(match) }
        position = match.upperBound + (match.isEmpty ? 1 : 0)
      }
      return found
    }
  }
}
