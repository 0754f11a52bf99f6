import TextBuffer

/// Whole lines to be found in a text, exactly as they are.
struct LineBlock: Sendable {
  /// The lines, without their newlines.
  let lines: [[UInt8]]
  /// For each line, how many of the first lines are the same as those up to and including it, at most all
  /// of these but one: where a search goes on when the next line differs.
  private let borders: [Int]

  /// The block of some text, in which every line has a newline.
  init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: .newline, omittingEmptySubsequences: false).dropLast()
      .map { Array($0) }
    var borders = [Int](repeating: 0, count: lines.count)
    for index in lines.indices.dropFirst() {
      var length = borders[index - 1]
      while length > 0 && lines[index] != lines[length] { length = borders[length - 1] }
      borders[index] = lines[index] == lines[length] ? length + 1 : 0
    }
    self.borders = borders
  }

  /// Whether a line of a text is one of the block.
  private func isSame(_ line: RawSpan, _ wanted: [UInt8]) -> Bool {
    guard wanted.count == line.byteCount else { return false }
    for index in wanted.indices where wanted[index] != line[index] { return false }
    return true
  }

  /// The first lines of the places where the block is, counted from the top and without overlap.
  ///
  /// - Parameters:
  ///   - range: The lines that the places are in.
  ///   - text: The text.
  /// - Precondition: The block has a line.
  /// - Returns: Their numbers, ascending.
  /// - Complexity: O(*n*), for *n* bytes in the lines; an interrupt ends the search.
  func places(in range: LineRange, of text: PieceTable) -> [LineNumber] {
    var places: [LineNumber] = []
    var matched = 0
    text.forEachLine(in: range) { number, line in
      while matched > 0 && !isSame(line, lines[matched]) { matched = borders[matched - 1] }
      if isSame(line, lines[matched]) { matched += 1 }
      if matched == lines.count {
        places.append(number - (lines.count - 1))
        matched = 0
      }
      return !Interrupts.isInterrupted
    }
    return places
  }

  /// The first difference between lines of a text and the block; nil if there is none.
  func firstMismatch(in range: LineRange, of text: PieceTable) -> LineMismatch? {
    var index = 0
    text.forEachLine(in: range) { _, line in
      guard index < lines.count, isSame(line, lines[index]) else { return false }
      index += 1
      return true
    }
    if index == lines.count && index == range.count { return nil }
    let line = range.first + index
    func found(_ line: LineNumber) -> [UInt8]? { line <= range.last ? text.line(line) : nil }
    func expected(_ index: Int) -> [UInt8]? { index < lines.count ? lines[index] : nil }
    var (here, wanted) = (found(line), expected(index))
    // A line too many or too few is told as such, and not as one that differs.
    if let next = found(line + 1), next == wanted, here != expected(index + 1) {
      wanted = nil
    } else if let next = expected(index + 1), next == here, wanted != found(line + 1) {
      here = nil
    }
    return LineMismatch(line: line, index: index, found: here, expected: wanted)
  }
}
