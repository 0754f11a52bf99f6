import TextBuffer

/// The byte offsets `range` as offsets of a buffer.
func offsets(_ range: Range<Int>) -> Range<ByteOffset> {
  ByteOffset(range.lowerBound)..<ByteOffset(range.upperBound)
}

/// The lines of `bytes`, by the simplest means.
func lines(of bytes: [UInt8]) -> [[UInt8]] {
  var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
  if lines.last == [] { lines.removeLast() }
  return lines
}

/// The lines that a buffer visits.
func visitedLines(of buffer: PieceTable) -> [[UInt8]] {
  var lines: [[UInt8]] = []
  buffer.forEachLine(in: LineRange(1, buffer.lineCount)) { number, span in
    precondition(number.value == lines.count + 1)
    lines.append(span.withUnsafeBytes { Array($0) })
    return true
  }
  return lines
}
