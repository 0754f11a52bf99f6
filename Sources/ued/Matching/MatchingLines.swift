import TextBuffer

/// Finds the lines of a text that match, many at a time where they lie side by side in memory.
struct MatchingLines {
  private let pattern: Pattern
  private let isBinary: Bool
  private var subject: Subject
  /// A line that is not in one place in memory, as far as it is known.
  private var torn: [UInt8] = []

  init(of pattern: Pattern, isBinary: Bool) {
    self.pattern = pattern
    self.isBinary = isBinary
    subject = Subject(isBinary: isBinary)
  }

  /// Visits the lines of a range that match, in order.
  ///
  /// - Parameters:
  ///   - lines: Which lines.
  ///   - text: The text that has them.
  ///   - body: Called with the number of a line, where it begins and its bytes, without its
  ///     newline; false ends the visit. An interrupt ends it too.
  mutating func forEach(
    in lines: LineRange, of text: PieceTable,
    _ body: (LineNumber, ByteOffset, RawSpan) -> Bool
  ) {
    if isBinary {
      var offset = text.offset(ofLine: lines.first)
      text.forEachLine(in: lines) { number, line in
        defer { offset = offset + (line.byteCount + 1) }
        if Interrupts.isInterrupted { return false }
        return !subject.matches(pattern, line) || body(number, offset, line)
      }
      return
    }
    torn.removeAll(keepingCapacity: true)
    var number = lines.first
    var offset = text.offset(ofLine: lines.first)
    text.forEachChunk(in: text.byteRange(of: lines)) { chunk in
      var position = 0
      if !torn.isEmpty {
        let newline = chunk.firstOffset(of: .newline, in: 0..<chunk.byteCount)
        torn.append(chunk, in: 0..<(newline ?? chunk.byteCount))
        guard let newline else { return true }
        let goesOn = visitTorn(number, offset, body)
        offset = offset + (torn.count + 1)
        torn.removeAll(keepingCapacity: true)
        number = number + 1
        position = newline + 1
        if !goesOn { return false }
      }
      guard let last = chunk.lastOffset(of: .newline, in: position..<chunk.byteCount) else {
        torn.append(chunk, in: position..<chunk.byteCount)
        return true
      }
      let start = offset - position
      while position <= last {
        let end = chunk.end(ofStretchFrom: position, to: last)
        while let line = pattern.firstMatchingLine(in: chunk, position..<end) {
          if Interrupts.isInterrupted { return false }
          number = number + chunk.newlineCount(in: position..<line.lowerBound)
          let goesOn = chunk.withPart(line) { body(number, start + line.lowerBound, $0) }
          if !goesOn { return false }
          number = number + 1
          position = line.upperBound + 1
        }
        number = number + chunk.newlineCount(in: position..<end)
        position = end
        if Interrupts.isInterrupted { return false }
      }
      offset = start + position
      torn.append(chunk, in: position..<chunk.byteCount)
      return true
    }
    if !torn.isEmpty { _ = visitTorn(number, offset, body) }
  }

  /// Visits the line in ``torn`` if it matches.
  private func visitTorn(
    _ number: LineNumber, _ offset: ByteOffset, _ body: (LineNumber, ByteOffset, RawSpan) -> Bool
  ) -> Bool {
    let line = torn.span
    return unsafe !pattern.matches(line.bytes) || body(number, offset, line.bytes)
  }
}

extension RawSpan {
  /// How much is searched at a time, so that interrupts are seen.
  private static var stretch: Int { 4 << 20 }

  /// The end of a line some way behind `position`: the offset behind its newline.
  ///
  /// - Parameters:
  ///   - position: Where a line begins.
  ///   - last: The offset of the last newline.
  /// - Returns: At most the offset behind the last newline.
  fileprivate func end(ofStretchFrom position: Int, to last: Int) -> Int {
    guard last - position > Self.stretch else { return last + 1 }
    return (firstOffset(of: .newline, in: position + Self.stretch..<last + 1) ?? last) + 1
  }
}
