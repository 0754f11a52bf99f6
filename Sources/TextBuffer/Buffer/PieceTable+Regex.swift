extension PieceTable {
  /// Visits the matches of a regular expression, line by line. Each line is a string of its own
  /// without its newline, so no match extends into the next line, and `^` and `$` are its ends.
  ///
  /// Bytes that are not UTF-8 match as U+FFFD; ranges refer to the original bytes.
  ///
  ///     try text.forEachMatch(of: /(\w+) = (\d+)/) { range, output in
  ///       print(range, output.1)
  ///       return true
  ///     }
  ///
  /// - Parameters:
  ///   - regex: The regular expression.
  ///   - lines: The lines to search; nil for all lines.
  ///   - body: Called with the range of a match in this text, and its output, whose captures are
  ///     parts of the string of its line; false ends the visit.
  /// - Precondition: The lines are in `1...lineCount`.
  /// - Throws: The error of `body`.
  public func forEachMatch<Output, E>(
    of regex: some RegexComponent<Output>, in lines: Range<LineNumber>? = nil,
    _ body: (Range<ByteOffset>, Output) throws(E) -> Bool
  ) throws(E) {
    let regex = regex.regex
    let lines = lines ?? self.lines.indices
    if lines.isEmpty { return }
    var start = offset(ofLine: lines.lowerBound)
    try forEachLine(in: lines) { (_, bytes) throws(E) in
      let line = DecodedLine(bytes)
      for match in line.string.matches(of: regex) {
        let lower = start + line.byteOffset(of: match.range.lowerBound)
        let upper = start + line.byteOffset(of: match.range.upperBound)
        if try !body(lower..<upper, match.output) { return false }
      }
      start = start + bytes.byteCount + 1
      return true
    }
  }

  /// The matches of a regular expression, line by line; see ``forEachMatch(of:in:_:)``.
  ///
  /// - Parameters:
  ///   - regex: The regular expression.
  ///   - lines: The lines to search; nil for all lines.
  /// - Returns: Ranges of offsets in the text, from the start to the end.
  /// - Precondition: The lines are in `1...lineCount`.
  public func ranges(
    of regex: some RegexComponent, in lines: Range<LineNumber>? = nil
  ) -> [Range<ByteOffset>] {
    var found: [Range<ByteOffset>] = []
    forEachMatch(of: regex, in: lines) { range, _ in
      found.append(range)
      return true
    }
    return found
  }

  /// The first match of a regular expression inside a line; nil without a match.
  ///
  /// - Parameters:
  ///   - regex: The regular expression.
  ///   - lines: The lines to search; nil for all lines.
  /// - Returns: A range of offsets in the text.
  /// - Precondition: The lines are in `1...lineCount`.
  public func firstRange(
    of regex: some RegexComponent, in lines: Range<LineNumber>? = nil
  ) -> Range<ByteOffset>? {
    var first: Range<ByteOffset>?
    forEachMatch(of: regex, in: lines) { range, _ in
      first = range
      return false
    }
    return first
  }
}

/// A line as a string, and the original places of its bytes in the line.
private struct DecodedLine {
  let string: String
  /// The ends of repaired bytes in the string, and the number of bytes added up to each.
  private var repairs: [(end: Int, excess: Int)] = []

  init(_ bytes: RawSpan) {
    string = unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    // Each repair turns one to three bytes into three.
    guard string.utf8.contains(0xEF) else { return }
    var parser = Unicode.UTF8.ForwardParser()
    var rest = unsafe bytes.withUnsafeBytes { unsafe Array($0) }.makeIterator()
    var (end, excess) = (0, 0)
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let scalar): end += scalar.count
      case .error(let length):
        end += 3
        excess += 3 - length
        repairs.append((end, excess))
      case .emptyInput: return
      }
    }
  }

  /// The number of bytes of the line before a place in the string.
  func byteOffset(of index: String.Index) -> Int {
    let offset = string.utf8.distance(from: string.startIndex, to: index)
    return offset - (repairs.last { $0.end <= offset }?.excess ?? 0)
  }
}
