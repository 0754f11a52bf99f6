import TextBuffer

extension PieceTable {
  /// The text with a newline at its end, which every edited text has.
  var withLastNewline: PieceTable {
    if isEmpty || endsWithNewline { return self }
    var text = self
    text.insert([.newline], at: ByteOffset(byteCount))
    return text
  }

  var withoutLastNewline: PieceTable {
    endsWithNewline ? slice(ByteOffset(0)..<ByteOffset(byteCount - 1)) : self
  }

  /// The text as in its file: optionally without the last newline, or with CR LF line ends.
  func inFile(lackingNewline lacksNewline: Bool, usingCRLF usesCRLF: Bool) -> PieceTable {
    let text = lacksNewline ? withoutLastNewline : self
    return usesCRLF ? text.withCRLF : text
  }

  /// The text as edited: whole lines, without carriage returns if all lines end with CR LF.
  var asEdited: (text: PieceTable, usesCRLF: Bool) {
    let whole = withLastNewline
    guard usesCRLF, let bare = whole.withoutCRLF else { return (whole, false) }
    return (bare, true)
  }

  /// Whether the last line has no newline; nil without lines.
  var lacksLastNewline: Bool? { isEmpty ? nil : !endsWithNewline }
}

/// Lines that end with CR LF in a file.
extension PieceTable {
  /// Whether all newlines follow a CR, and there is at least one. An unterminated last line must
  /// not end with CR.
  var usesCRLF: Bool {
    newlineCount > 0 && firstLineWithoutReturn == nil
      && (endsWithNewline || line(LineNumber(lineCount)).last != .carriageReturn)
  }

  /// The first line with a newline and without a carriage return before it.
  var firstLineWithoutReturn: LineNumber? {
    firstLine { !$0.endsWithReturn }
  }

  /// Whether a line with a newline ends with CR LF.
  var hasReturns: Bool {
    firstLine { $0.endsWithReturn } != nil
  }

  func hasReturn(_ line: LineNumber) -> Bool {
    let range = byteRange(of: LineRange(line))
    let end = line.value <= newlineCount ? range.upperBound - 1 : range.upperBound
    return end > range.lowerBound && bytes(in: end - 1..<end) == [.carriageReturn]
  }

  /// The text with a carriage return before each newline.
  var withCRLF: PieceTable { withLineEnds(adding: true) ?? self }

  /// The text with each CR LF replaced by LF; nil when memory is too short for it.
  var withoutCRLF: PieceTable? { withLineEnds(adding: false) }

  /// The text with other line ends. Copies short lines into blocks, since a piece for each would
  /// take as much memory as most lines; shares long lines.
  private func withLineEnds(adding addsReturns: Bool) -> PieceTable? {
    let (longLine, blockSize) = (1 << 12, 1 << 16)
    var builder = Builder(from: self)
    var block: [UInt8] = []
    block.reserveCapacity(blockSize + longLine)
    var end = ByteOffset(0)
    func flush() {
      builder.append(block)
      block.removeAll(keepingCapacity: true)
    }
    let stopLine = firstLine { line in
      let count = line.byteCount - (!addsReturns && line.endsWithReturn ? 1 : 0)
      if count >= longLine {
        flush()
        builder.keep(end..<end + count)
      } else {
        block.append(line, in: 0..<count)
      }
      if addsReturns { block.append(.carriageReturn) }
      block.append(.newline)
      end = end + (line.byteCount + 1)
      if block.count < blockSize { return false }
      flush()
      // Adding must not stop here: the file would be written without carriage returns.
      return !addsReturns && Memory.isShort(for: builder.pieceCount * 4 + blockSize)
    }
    if stopLine != nil { return nil }
    flush()
    builder.keep(end..<ByteOffset(byteCount))
    return builder.finish()
  }

  private func firstLine(where isWanted: (RawSpan) -> Bool) -> LineNumber? {
    var found: LineNumber?
    if newlineCount > 0 {
      forEachLine(in: LineRange(1, newlineCount)) { number, line in
        if isWanted(line) { found = number }
        return found == nil
      }
    }
    return found
  }
}

extension RawSpan {
  fileprivate var endsWithReturn: Bool {
    byteCount > 0 && self[byteCount - 1] == .carriageReturn
  }
}

extension [UInt8] {
  /// Lines with each CR LF replaced by LF.
  var withoutCRLF: [UInt8] {
    var lines: [UInt8] = []
    for byte in self {
      if byte == .newline && lines.last == .carriageReturn { lines.removeLast() }
      lines.append(byte)
    }
    return lines
  }
}
