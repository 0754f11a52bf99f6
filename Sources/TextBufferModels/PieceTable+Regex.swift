import TextBuffer

extension PieceTable {
  /// Visits the matches of a regular expression. Each line is searched on its own, without its
  /// newline: no match spans lines, and `^` and `$` match at the ends of every line.
  ///
  /// Invalid UTF-8 matches as U+FFFD; ranges still refer to the original bytes.
  ///
  ///     text.forEachMatch(of: /(\w+) = (\d+)/) { range, output in
  ///       print(range, output.1)
  ///       return true
  ///     }
  ///
  /// - Parameters:
  ///   - regex: The regular expression.
  ///   - lines: The lines to search; nil for all lines.
  ///   - body: Called with the range of each match in this text, and its output. The captures are
  ///     substrings of the decoded line. Returns false to stop.
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
    try forEachLine(in: LineRange(lines)) { (_, bytes) throws(E) in
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

  /// The ranges of all matches of a regular expression; see ``forEachMatch(of:in:_:)``.
  ///
  /// - Parameters:
  ///   - regex: The regular expression.
  ///   - lines: The lines to search; nil for all lines.
  /// - Returns: Ranges of offsets in the text, in ascending order.
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

  /// The range of the first match of a regular expression; nil without a match. See
  /// ``forEachMatch(of:in:_:)``.
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

/// A line decoded as a string, with a mapping from string indices to offsets in the original line.
private struct DecodedLine {
  let string: String
  /// For each U+FFFD that replaces invalid bytes: the offset of its end in the UTF-8 of the string,
  /// and the number of bytes added up to there.
  private var repairs: [(end: Int, excess: Int)] = []

  init(_ bytes: RawSpan) {
    string = unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    // Each repair turns one to three bytes into U+FFFD, which is EF BF BD in UTF-8.
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

  /// The offset in the original line of an index of the string.
  func byteOffset(of index: String.Index) -> Int {
    let offset = string.utf8.distance(from: string.startIndex, to: index)
    return offset - (repairs.last { $0.end <= offset }?.excess ?? 0)
  }
}
