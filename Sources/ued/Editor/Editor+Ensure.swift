import TextBuffer
import TextLines

/// `ensure`.
extension Editor {
  /// Replaces the first matching line or block with the ensured one, and deletes the others; adds
  /// it if nothing matches. Changes nothing if the text has it once, or matches must stay.
  ///
  /// - Throws: `placeNotFound`, `markersUnbalanced`, `badEnsuredText`, `ensuredMarkerInside`, or
  ///   `noMatchBecause` if a line matches but for a hidden character; nothing has changed then.
  mutating func ensure(_ ensured: EnsuredLines, in range: LineRange) throws(EditorError) {
    var new = ensured.line + [.newline]
    if let end = ensured.end { new = try readText(upTo: end, at: LineNumber(1)).bytes }
    if new.isEmpty { throw .badEnsuredText(isBlock: ensured.last != nil) }
    let lines = PieceTable(new)
    let block = LineBlock(new)
    let count = block.lines.count
    let range = try section(of: ensured, in: range)
    let exact = block.places(in: range, of: text.buffer)
    let places = try self.lines(matching: ensured.pattern, in: range, of: text.buffer)
    let all = LineRange(LineNumber(1), LineNumber(count))
    let first = try self.lines(matching: ensured.pattern, in: all, of: lines)
    guard let last = ensured.last else {
      if count != 1 { throw .badEnsuredText(isBlock: false) }
      if first.isEmpty {
        throw .ensuredLineDiffers(block.lines[0], try compile(ensured.pattern).written)
      }
      return try make(lines, at: places.map { LineRange($0) }, exact, ensured, in: range)
    }
    let end = try self.lines(matching: last, in: all, of: lines)
    guard (try? Self.blocks(from: first, to: end)) == [all] else {
      if first.first == all.first, end.last == all.last,
        let marker = (first + end).filter({ all.first < $0 && $0 < all.last }).min()
      {
        throw .ensuredMarkerInside(marker, lines.line(marker))
      }
      throw .badEnsuredText(isBlock: true)
    }
    let ends = try self.lines(matching: last, in: range, of: text.buffer)
    try make(lines, at: Self.blocks(from: places, to: ends), exact, ensured, in: range)
  }

  /// Puts the ensured lines at the first place, unless `exact` has it, and deletes the other
  /// places.
  private mutating func make(
    _ new: PieceTable, at places: [LineRange], _ exact: [LineNumber], _ ensured: EnsuredLines,
    in range: LineRange
  ) throws(EditorError) {
    let count = new.newlineCount
    let label = GroupLabel(.ensured(new.line(LineNumber(1))))
    guard let first = places.first else {
      if let reason = hiddenMatch(of: try compile(ensured.pattern), in: range) {
        throw .noMatchBecause(reason)
      }
      let line = try place(of: ensured, in: range)
      let added = LineRange(line + 1, line + count)
      // The same command may have added them here before.
      if added.last <= text.lastLine, text.slice(added).bytes == new.bytes {
        text.currentLine = added.last
        return
      }
      let isAtEnd = line == text.lastLine
      try perform { editor in
        editor.text.label = label
        editor.text.replace(LineRange(line + 1, line), with: new, count: count)
        editor.text.currentLine = line + count
      }
      // An added line is a whole line.
      if isAtEnd { text.setMissingNewline(false) }
      return
    }
    if ensured.keepsMatches {
      text.currentLine = first.last
      return
    }
    let isExact = exact.contains(first.first)
    if places.count > 1 || !isExact {
      try perform { (editor) throws(EditorError) in
        editor.text.label = label
        for place in places.dropFirst().reversed() {
          if Interrupts.isInterrupted { throw .interrupted }
          editor.text.replace(place, with: PieceTable(), count: 0)
        }
        if isExact { return }
        let old = editor.text.buffer.slice(editor.text.buffer.byteRange(of: first))
        editor.text.replace(LineDifference(from: old, to: new).hunks, at: first.first, with: new)
      }
    }
    text.currentLine = first.first + (count - 1)
  }

  /// The lines of the section that `in` names; without it, all of `range`.
  private mutating func section(
    of ensured: EnsuredLines, in range: LineRange
  ) throws(EditorError) -> LineRange {
    guard let section = ensured.section else { return range }
    var start = range.first - 1
    if let heading = section.heading { start = try line(matching: heading, in: range) }
    let rest = LineRange(start + 1, range.last)
    let end = try lines(matching: section.next, in: rest, of: text.buffer).first
    return LineRange(start + 1, end.map { $0 - 1 } ?? range.last)
  }

  /// The line after which missing lines go. A section's end is before its last blank lines.
  private mutating func place(
    of ensured: EnsuredLines, in range: LineRange
  ) throws(EditorError) -> LineNumber {
    switch ensured.place {
    case .end:
      var last = range.last
      if ensured.section == nil { return last }
      while last >= range.first, text.buffer.line(last).allSatisfy(\.isSpace) { last = last - 1 }
      return last
    case .after(let pattern):
      let isBelowHeading = ensured.section?.heading != nil
      let range = isBelowHeading ? LineRange(range.first - 1, range.last) : range
      return try line(matching: pattern, in: range, isLast: true)
    case .before(let pattern): return try line(matching: pattern, in: range) - 1
    }
  }

  /// The first or last line that matches.
  ///
  /// - Throws: `placeNotFound` without one.
  private mutating func line(
    matching written: PatternText, in range: LineRange, isLast: Bool = false
  ) throws(EditorError) -> LineNumber {
    let pattern = try compile(written)
    if range.count > 0, let line = find(pattern, in: range, isForward: !isLast) { return line }
    throw whyGivenUp(pattern)
      ?? .placeNotFound(pattern.written, isInPart: range.count < text.lastLine.value)
  }

  /// The lines of a text that match.
  mutating func lines(
    matching written: PatternText, in range: LineRange, of text: PieceTable
  ) throws(EditorError) -> [LineNumber] {
    let pattern = try compile(written)
    var lines: [LineNumber] = []
    if range.count == 0 { return lines }
    var matching = MatchingLines(of: pattern, isBinary: self.text.isBinary)
    matching.forEach(in: range, of: text) { number, _, _ in
      lines.append(number)
      return true
    }
    if let reason = whyGivenUp(pattern) { throw reason }
    return lines
  }

  /// The blocks from each first line to its last line.
  ///
  /// - Throws: `markersUnbalanced` unless each block ends before the next one begins.
  private static func blocks(
    from starts: [LineNumber], to ends: [LineNumber]
  ) throws(EditorError) -> [LineRange] {
    let (firsts, lasts) = (Set(starts), Set(ends))
    var blocks: [LineRange] = []
    var open: LineNumber?
    for line in firsts.union(lasts).sorted() {
      if let first = open, lasts.contains(line) {
        blocks.append(LineRange(first, line))
        open = nil
      } else if open == nil, firsts.contains(line) {
        open = line
      } else {
        throw .markersUnbalanced(line)
      }
    }
    if let open { throw .markersUnbalanced(open) }
    return blocks
  }
}
