import TextBuffer

extension PieceTable {
  /// The text with a newline at its end, as every text that is edited has one.
  var withLastNewline: PieceTable {
    if isEmpty || endsWithNewline { return self }
    var text = self
    text.insert([.newline], at: ByteOffset(byteCount))
    return text
  }

  /// The text without the newline at its end.
  var withoutLastNewline: PieceTable {
    endsWithNewline ? slice(ByteOffset(0)..<ByteOffset(byteCount - 1)) : self
  }

  /// The text as it is written.
  ///
  /// - Parameters:
  ///   - lacksNewline: Whether the last line has no newline in the file, and so no carriage return.
  ///   - usesCRLF: Whether the other lines end with CR LF there.
  /// - Returns: The bytes of the file.
  func inFile(lackingNewline lacksNewline: Bool, usingCRLF usesCRLF: Bool) -> PieceTable {
    let text = lacksNewline ? withoutLastNewline : self
    return usesCRLF ? text.withCRLF : text
  }

  /// Whether the last line has no newline; nil without lines.
  var lacksLastNewline: Bool? { isEmpty ? nil : !endsWithNewline }
}

/// Lines that end with CR LF in a file.
extension PieceTable {
  /// Parts of fewer bytes are copied when line ends are replaced: a piece takes as much memory.
  private static let smallPart = 256

  /// Whether there are lines with a newline, and all of these end with CR LF, and a last line without not with CR.
  var usesCRLF: Bool {
    let last = newlineCount == lineCount ? [] : line(LineNumber(lineCount))
    return newlineCount > 0 && last.last != .carriageReturn
      && !hasLine { $0.byteCount == 0 || $0[$0.byteCount - 1] != .carriageReturn }
  }

  /// Whether a line with a newline ends with CR LF.
  var hasReturns: Bool {
    hasLine { $0.byteCount > 0 && $0[$0.byteCount - 1] == .carriageReturn }
  }

  /// The text with a carriage return before each newline.
  var withCRLF: PieceTable {
    var builder = Builder(from: self, copyingBelow: Self.smallPart)
    var end = ByteOffset(0)
    _ = hasLine { line in
      builder.keep(end..<end + line.byteCount)
      builder.append([.carriageReturn, .newline])
      end = end + (line.byteCount + 1)
      return false
    }
    builder.keep(end..<ByteOffset(byteCount))
    return builder.finish()
  }

  /// The text with each CR LF replaced by LF; nil when memory is too short for its pieces.
  var withoutCRLF: PieceTable? {
    var builder = Builder(
      from: self, copyingBelow: max(Self.smallPart, Memory.leastShared(of: byteCount)))
    var (start, end, count) = (ByteOffset(0), ByteOffset(0), 0)
    let isShort = hasLine { line in
      end = end + (line.byteCount + 1)
      if line.byteCount > 0, line[line.byteCount - 1] == .carriageReturn {
        builder.keep(start..<end - 2)
        start = end - 1
      }
      count += 1
      return count & 4095 == 0 && Memory.isShort(for: builder.pieceCount * 4)
    }
    if isShort { return nil }
    builder.keep(start..<ByteOffset(byteCount))
    return builder.finish()
  }

  /// Whether a line with a newline is as asked for.
  private func hasLine(where isWanted: (RawSpan) -> Bool) -> Bool {
    var isFound = false
    if newlineCount > 0 {
      forEachLine(in: LineRange(1, newlineCount)) { _, line in
        isFound = isWanted(line)
        return !isFound
      }
    }
    return isFound
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
