import TextBuffer

/// The difference of two texts in the form that `patch` and `git apply` read, as `diff -u` has it.
struct UnifiedDiff {
  /// What a header says of one of the texts.
  struct Side {
    /// The text.
    var text: PieceTable
    /// What it is called; a name with odd bytes is put in quotes.
    var name: [UInt8]
    /// When it was last changed, in the words of `diff`, or nil to say nothing of it.
    var time: [UInt8]?
  }

  /// The text before.
  var old: Side
  /// The text after.
  var new: Side
  /// What lines differ.
  var hunks: [LineHunk]
  /// So many lines that are the same are shown around those that differ.
  var contextCount = 3
  /// Whether there are colours, for a terminal.
  var isColored = false

  /// Writes the difference in order, piece by piece; nothing at all when no line differs.
  ///
  /// - Parameter sink: Called with some bytes; false ends the writing.
  func write(to sink: (RawSpan) -> Bool) {
    if hunks.isEmpty { return }
    withoutActuallyEscaping(sink) { sink in
      var writer = BlockWriter(sink)
      writeHeader("--- ", old, to: &writer)
      writeHeader("+++ ", new, to: &writer)
      var start = 0
      while start < hunks.count, !writer.isStopped {
        let end = endOfGroup(from: start)
        write(hunks[start..<end], to: &writer)
        start = end
      }
      writer.flush()
    }
  }

  private func writeHeader(_ mark: String, _ side: Side, to writer: inout BlockWriter) {
    var line = Array(mark.utf8) + FileNameQuoting.quoted(side.name)
    if let time = side.time { line += [UInt8(ascii: "\t")] + time }
    write(line, in: .header, to: &writer)
  }

  /// Hunks from `start` on whose contexts touch are shown as one; where the next ones begin.
  private func endOfGroup(from start: Int) -> Int {
    var end = start + 1
    while end < hunks.count,
      hunks[end].old.first - hunks[end - 1].old.last - 1 <= 2 * contextCount
    {
      end += 1
    }
    return end
  }

  private func write(_ group: ArraySlice<LineHunk>, to writer: inout BlockWriter) {
    guard let first = group.first, let last = group.last else { return }
    // Above the first hunk and below the last one both texts have the same lines.
    let above = min(contextCount, first.old.first.value - 1)
    let below = min(contextCount, old.text.lineCount - last.old.last.value)
    let oldLines = LineRange(first.old.first - above, last.old.last + below)
    let newLines = LineRange(first.new.first - above, last.new.last + below)
    let ranges = "@@ -\(Self.text(oldLines)) +\(Self.text(newLines)) @@"
    write(Array(ranges.utf8), in: .place, to: &writer)
    var line = oldLines.first
    for hunk in group {
      writeLines(LineRange(line, hunk.old.first - 1), of: old.text, as: .kept, to: &writer)
      writeLines(hunk.old, of: old.text, as: .removed, to: &writer)
      writeLines(hunk.new, of: new.text, as: .added, to: &writer)
      line = hunk.old.last + 1
    }
    writeLines(LineRange(line, oldLines.last), of: old.text, as: .kept, to: &writer)
  }

  /// First line and number of lines, which is left out when it is 1; for none, the line above.
  private static func text(_ lines: LineRange) -> String {
    switch lines.count {
    case 0: "\(lines.last.value),0"
    case 1: "\(lines.first.value)"
    default: "\(lines.first.value),\(lines.count)"
    }
  }

  private func writeLines(
    _ lines: LineRange, of text: PieceTable, as part: Part, to writer: inout BlockWriter
  ) {
    if lines.count == 0 || writer.isStopped { return }
    text.forEachLine(in: lines) { number, line in
      writer.write(isColored ? part.color : "")
      writer.write(part.mark)
      writer.write(line)
      writer.write(isColored ? part.endOfColor : "")
      writer.write(number.value > text.newlineCount ? Self.endWithoutNewline : "\n")
      return !writer.isStopped
    }
  }

  private func write(_ line: [UInt8], in part: Part, to writer: inout BlockWriter) {
    writer.write(isColored ? part.color : "")
    unsafe writer.write(line.span.bytes)
    writer.write(isColored ? part.endOfColor : "")
    writer.write("\n")
  }

  /// What follows a last line that has no newline.
  private static let endWithoutNewline: StaticString = "\n\\ No newline at end of file\n"

  /// The parts of a difference.
  private enum Part {
    case header
    case place
    case kept
    case removed
    case added

    /// What a line of a text begins with.
    var mark: StaticString {
      switch self {
      case .header, .place: ""
      case .kept: " "
      case .removed: "-"
      case .added: "+"
      }
    }

    /// What turns the colour on.
    var color: StaticString {
      switch self {
      case .header: "\u{1B}[1m"
      case .place: "\u{1B}[36m"
      case .kept: ""
      case .removed: "\u{1B}[31m"
      case .added: "\u{1B}[32m"
      }
    }

    /// What turns it off.
    var endOfColor: StaticString {
      switch self {
      case .kept: ""
      case .header, .place, .removed, .added: "\u{1B}[0m"
      }
    }
  }
}
