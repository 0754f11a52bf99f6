extension PieceTable {
  /// The offset where a line begins; for line `lineCount + 1`, the end of the text.
  ///
  /// - Precondition: `line` is in `1...lineCount + 1`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func offset(ofLine line: LineNumber) -> ByteOffset {
    let newlines = line.value - 1
    precondition(newlines >= 0, "line out of range")
    if newlines <= newlineCount { return ByteOffset(root.offset(afterNewline: newlines)) }
    precondition(line.value == lineCount + 1, "line out of range")
    return ByteOffset(byteCount)
  }

  /// The byte range of lines, including their newlines. An empty range of lines yields an empty
  /// byte range where its first line would begin.
  ///
  /// - Precondition: The lines are in `1...lineCount`; an empty range begins in
  ///   `1...lineCount + 1`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func byteRange(of lines: LineRange) -> Range<ByteOffset> {
    precondition(lines.count >= 0, "range of lines upside down")
    if lines.count == 1, lines.first > .zero, lines.first.value <= newlineCount {
      let (lower, upper) = root.range(ofLine: lines.first.value)
      return ByteOffset(lower)..<ByteOffset(upper)
    }
    let start = offset(ofLine: lines.first)
    if lines.count == 0 { return start..<start }
    precondition(
      lines.last.value <= newlineCount || lines.last.value == lineCount, "line out of range")
    return start..<offset(ofLine: lines.last + 1)
  }

  /// The number of lines that a caret can stand in, including the empty line after a last newline,
  /// and the one line of an empty text. One more than the number of newlines.
  ///
  ///     PieceTable("a\n").lineCount       // 1, as grep and ed count
  ///     PieceTable("a\n").caretLineCount  // 2, as an editor shows it
  ///
  /// - Complexity: O(1).
  public var caretLineCount: Int { newlineCount + 1 }

  /// The range of the bytes of a line without its newline.
  ///
  /// - Precondition: `line` is in `1...caretLineCount`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func contentRange(ofCaretLine line: LineNumber) -> Range<ByteOffset> {
    let start = offset(ofLine: line)
    let isLast = line.value > newlineCount
    return start..<(isLast ? ByteOffset(byteCount) : offset(ofLine: line + 1) - 1)
  }

  /// The line that contains the byte at an offset. At the end of the text, the line that would
  /// contain an appended byte.
  ///
  /// - Precondition: `offset` is in `0...byteCount`.
  /// - Complexity: O(log *p*), for *p* pieces in the text.
  public func lineNumber(at offset: ByteOffset) -> LineNumber {
    precondition(offset.value >= 0 && offset.value <= byteCount, "offset out of range")
    return LineNumber(root.newlines(before: offset.value) + 1)
  }

  /// The bytes of a line, without its newline.
  ///
  ///     PieceTable("one\ntwo\n").line(LineNumber(2))  // "two"
  ///
  /// - Parameter number: A line, counted from 1.
  /// - Precondition: `number` is in `1...lineCount`.
  /// - Returns: The bytes, copied.
  /// - Complexity: O(log *p* + *m*), for *p* pieces in the text and *m* bytes in the line.
  public func line(_ number: LineNumber) -> [UInt8] {
    withLine(number) { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
  }

  /// Calls `body` with the bytes of a line, without its newline. The bytes are copied only if they
  /// are not contiguous in memory.
  ///
  /// - Precondition: `number` is in `1...lineCount`.
  /// - Throws: The error of `body`.
  /// - Complexity: O(log *p* + *m*), for *p* pieces in the text and *m* bytes in the line.
  @inlinable
  public func withLine<R, E>(
    _ number: LineNumber, _ body: (RawSpan) throws(E) -> R
  ) throws(E) -> R {
    var result: Result<R, E>?
    visitLine(number) { span in
      do throws(E) { result = .success(try body(span)) } catch { result = .failure(error) }
    }
    guard let result else { preconditionFailure("a line was not visited") }
    return try result.get()
  }

  // Not generic: compiled once, here, instead of specialized in other modules.
  @usableFromInline func visitLine(_ number: LineNumber, _ body: (RawSpan) -> Void) {
    var lines = LineReader(root, at: offset(ofLine: number).value, upTo: byteCount)
    precondition(number.value <= newlineCount || !lines.isAtEnd, "line out of range")
    _ = lines.withNext { span in
      body(span)
      return true
    }
  }

  /// Visits lines in order, each without its newline.
  ///
  /// - Parameters:
  ///   - lines: The lines to visit.
  ///   - body: Called with the number and the bytes of each line; returns false to stop.
  /// - Precondition: The lines are in `1...lineCount`.
  /// - Throws: The error of `body`.
  /// - Complexity: O(log *p* + *m*), for *p* pieces in the text and *m* bytes in the lines.
  @inlinable
  public func forEachLine<E>(
    in lines: LineRange, _ body: (LineNumber, RawSpan) throws(E) -> Bool
  ) throws(E) {
    var failure: E?
    visitLines(lines) { number, span in
      do throws(E) {
        return try body(number, span)
      } catch {
        failure = error
        return false
      }
    }
    if let failure { throw failure }
  }

  /// Visits the given lines in order, each without its newline, until `body` returns false.
  ///
  /// - Precondition: `lines` is strictly ascending and in `1...lineCount`.
  /// - Complexity: O(log *p*) a line, for *p* pieces in the text. A short gap between two lines is
  ///   read through instead of skipped by a lookup.
  package func forEachLine(_ lines: [LineNumber], _ body: (LineNumber, RawSpan) -> Bool) {
    var reader = LineReader(root, at: 0, upTo: byteCount)
    var next = LineNumber(1)
    for line in lines {
      if line - next > 8 {
        reader = LineReader(root, at: offset(ofLine: line).value, upTo: byteCount)
        next = line
      }
      while next < line {
        _ = reader.withNext { _ in true }
        next = next + 1
      }
      if !reader.withNext({ body(line, $0) }) { return }
      next = line + 1
    }
  }

  @usableFromInline func visitLines(
    _ lines: LineRange, _ body: (LineNumber, RawSpan) -> Bool
  ) {
    let bounds = byteRange(of: lines)
    var reader = LineReader(root, at: bounds.lowerBound.value, upTo: bounds.upperBound.value)
    var number = lines.first
    while number <= lines.last, reader.withNext({ span in body(number, span) }) {
      number = number + 1
    }
  }

  /// The identity of a line: the memory address of its first byte. The identity survives edits of
  /// other lines, moves, undo and redo; only an edit of the line can change it. Copies of a line
  /// can have the same identity.
  ///
  /// - Precondition: `line` is in `1...lineCount`.
  package func lineIdentity(_ line: LineNumber) -> UInt {
    var cursor = Cursor(root, at: offset(ofLine: line).value)
    guard let extent = cursor.nextExtent(upTo: byteCount) else {
      preconditionFailure("line out of range")
    }
    return extent.address
  }

  /// The first of `lines` with this identity; nil if not found.
  ///
  /// - Precondition: The lines are in `1...lineCount`.
  /// - Complexity: O(*p* log *p*) at most, for *p* pieces in the lines.
  package func firstLine(withIdentity identity: UInt, in lines: LineRange) -> LineNumber? {
    let bounds = byteRange(of: lines)
    let end = bounds.upperBound.value
    var cursor = Cursor(root, at: bounds.lowerBound.value)
    while true {
      let start = cursor.offset
      guard let extent = cursor.nextExtent(upTo: end) else { return nil }
      // If `identity` lies before the extent, the distance wraps around and is too large.
      let distance = identity &- extent.address
      guard distance < UInt(extent.count) else { continue }
      let found = ByteOffset(start + Int(distance))
      let line = lineNumber(at: found)
      if offset(ofLine: line) == found { return line }
    }
  }
}

// `TextBufferModels` makes these public.
extension PieceTable {
  /// The number of UTF-16 units.
  package var unitCount: Int { root.summary.utf16Count }

  /// The number of UTF-16 units before the start of the character at `offset`.
  package func unitCount(before offset: ByteOffset) -> Int {
    precondition(offset.value >= 0 && offset.value <= byteCount, "offset out of range")
    return root.summary(beforeCharacterAt: offset.value).utf16Count
  }

  /// The offset of the character that the UTF-16 unit with number `unit` belongs to, counted from 0.
  package func offset(ofUnit unit: Int) -> ByteOffset {
    precondition(unit >= 0 && unit <= unitCount, "offset out of range")
    return ByteOffset(root.offset(ofUTF16Unit: unit))
  }
}
