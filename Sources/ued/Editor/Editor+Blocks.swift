import TextBuffer

/// Blocks of whole lines: `replace` and `expect`.
extension Editor {
  /// Replaces a block of lines by another, in as many places as it has to be in.
  ///
  /// - Throws: `blockNotFound` with the nearest lines, or `blockFound` with where else it is. Nothing has
  ///   changed then.
  mutating func replace(
    _ replacement: BlockReplacement, in range: LineRange
  ) throws(EditorError) {
    let old = try readText(upTo: replacement.old, at: LineNumber(1)).bytes
    let new = try readText(upTo: replacement.new, at: LineNumber(1)).bytes
    if old.isEmpty { throw .blockIsEmpty }
    let block = LineBlock(old)
    let places = try places(of: block, in: range, expecting: replacement.places)
    // Lines that both blocks have stay as they are, with their marks.
    let oldText = PieceTable(old)
    let newText = PieceTable(new)
    let hunks = LineDifference(from: oldText, to: newText).hunks
    let growth = newText.newlineCount - block.lines.count
    try perform { (editor) throws(EditorError) in
      guard let last = places.last else { return }
      let lines = LineRange(last, last + (block.lines.count - 1))
      editor.text.yank(lines)
      for place in places.reversed() {
        if Interrupts.isInterrupted { throw .interrupted }
        editor.text.replace(hunks, at: place, with: newText)
      }
      let first = last + growth * (places.count - 1)
      editor.text.currentLine = min(
        first + (max(newText.newlineCount, 1) - 1), editor.text.lastLine)
      editor.text.label = GroupLabel(
        places.count == 1
          ? .replaced(lines, by: newText.newlineCount)
          : .blocksReplaced(lines: block.lines.count, places: places.count))
    }
  }

  /// The places where a block is.
  ///
  /// - Parameters:
  ///   - block: The block.
  ///   - range: The lines to search.
  ///   - count: How many there have to be; nil for any number but 0.
  /// - Throws: `blockNotFound`, or `blockFound` if there are more or fewer.
  /// - Returns: Their first lines, ascending.
  private func places(
    of block: LineBlock, in range: LineRange, expecting count: Int?
  ) throws(EditorError) -> [LineNumber] {
    let buffer = text.buffer
    let all = block.places(in: range, of: buffer)
    if Interrupts.isInterrupted { throw .interrupted }
    if all.isEmpty {
      throw .blockNotFound(NearestLines(to: block, in: range, of: buffer))
    }
    if let count, all.count != count {
      throw .blockFound(Array(all.prefix(8)), count: all.count, expected: count)
    }
    return all
  }

  /// Throws unless lines are as expected.
  mutating func expect(
    _ expectation: Expectation, of range: LineRange
  ) throws(EditorError) {
    switch expectation {
    case .lines(let end):
      let lines = try readText(upTo: end, at: LineNumber(1)).bytes
      let block = LineBlock(lines)
      if let mismatch = block.firstMismatch(in: range, of: text.buffer) {
        throw .unexpectedLines(mismatch)
      }
    case .matches(let expected, let written):
      let pattern = try compile(written)
      var count = 0
      if range.count > 0 {
        var matching = MatchingLines(of: pattern, isBinary: text.isBinary)
        matching.forEach(in: range, of: text.buffer) { _, _, _ in
          count += 1
          return true
        }
      }
      if let reason = whyGivenUp(pattern) { throw reason }
      if count != expected { throw .unexpectedMatches(count, expected: expected) }
    }
  }
}
