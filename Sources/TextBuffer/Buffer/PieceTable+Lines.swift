extension PieceTable {
  /// The offset at which a line begins; for the line after the last one, the end of the text.
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

  /// The range of the bytes of some lines, with the newline of the last one; for an empty range, the empty
  /// range where its first line would begin.
  ///
  /// - Precondition: The lines are in `1...lineCount`; an empty range begins in `1...lineCount + 1`.
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

  /// The line of the byte after an offset; at the end of the text, the line that would begin or continue
  /// there.
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

  /// Calls `body` with the bytes of a line, without its newline. They are copied only when the line is not
  /// in one place in memory.
  ///
  /// - Precondition: `number` is in `1...lineCount`.
  /// - Throws: What `body` throws.
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

  // Not generic, so that it is compiled once, and specialized code is not needed in other modules.
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
  ///   - lines: Which lines.
  ///   - body: Called with the number of a line and its bytes; false ends the visit.
  /// - Precondition: The lines are in `1...lineCount`.
  /// - Throws: What `body` throws.
  /// - Complexity: O(log *p*) for the first of *p* pieces, then O(1) a line and O(1) a byte.
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

  /// Calls `body` with some lines, without their newlines, until it returns false. Their numbers
  /// ascend, each only once, and are at most `lineCount`.
  ///
  /// - Complexity: O(log *p*) a line for *p* pieces; lines that are near each other are read
  ///   through.
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

  /// The identity of a line: the address of its first byte, which changes only with the line
  /// itself. It survives edits elsewhere, moves, undo and redo. A copy of a line can have the same
  /// identity.
  ///
  /// - Precondition: `line` is in `1...lineCount`.
  package func lineIdentity(_ line: LineNumber) -> UInt {
    var cursor = Cursor(root, at: offset(ofLine: line).value)
    guard let extent = cursor.nextExtent(upTo: byteCount) else {
      preconditionFailure("line out of range")
    }
    return extent.address
  }

  /// The first of `lines` that has this identity.
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
      // An address below that of the extent wraps around to a number that is too big.
      let distance = identity &- extent.address
      guard distance < UInt(extent.count) else { continue }
      let found = ByteOffset(start + Int(distance))
      let line = lineNumber(at: found)
      if offset(ofLine: line) == found { return line }
    }
  }
}
