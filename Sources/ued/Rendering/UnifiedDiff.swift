import TextBuffer
import TextLines

/// The difference of two texts in the format of `diff -u`, which `patch` and `git apply` read.
struct UnifiedDiff {
  /// One of the two texts, and its header.
  struct Side {
    var text: PieceTable
    /// The name of the file; the header quotes it if necessary.
    var name: [UInt8]
    /// The modification time as `diff` writes it; nil to leave it out.
    var time: [UInt8]?
  }

  var old: Side
  var new: Side
  /// The lines that differ.
  var hunks: [LineHunk]
  /// The number of unchanged lines shown around changed lines.
  var contextCount = 3
  /// Whether to use the colours of a terminal.
  var isColored = false
  /// Whether lines are written in their visible form.
  var showsVisibly = false

  /// Whether the file becomes executable or stops being so; nil if its mode stays the same.
  var isExecutable: Bool?

  /// Writes the difference in blocks, until `sink` returns false; nothing if no line differs and
  /// the mode stays as it is.
  func write(to sink: @escaping (RawSpan) -> Bool) {
    var writer = BlockWriter(sink)
    if let isExecutable {
      let (name, modes) = (FileNameQuoting.quoted(new.name), ["100644", "100755"])
      writeHeader(Array("diff --git ".utf8) + name + [.space] + name, to: &writer)
      writeHeader(Array("old mode \(modes[isExecutable ? 0 : 1])".utf8), to: &writer)
      writeHeader(Array("new mode \(modes[isExecutable ? 1 : 0])".utf8), to: &writer)
    }
    if !hunks.isEmpty {
      writeHeader("--- ", old, to: &writer)
      writeHeader("+++ ", new, to: &writer)
    }
    var start = 0
    while start < hunks.count, !writer.isStopped {
      let end = endOfGroup(from: start)
      write(hunks[start..<end], to: &writer)
      start = end
    }
    writer.flush()
  }

  private func writeHeader(_ mark: String, _ side: Side, to writer: inout BlockWriter) {
    var line = Array(mark.utf8) + FileNameQuoting.quoted(side.name)
    if let time = side.time { line += [UInt8(ascii: "\t")] + time }
    writeHeader(line, to: &writer)
  }

  private func writeHeader(_ line: [UInt8], to writer: inout BlockWriter) {
    unsafe write(line.span.bytes, as: .header, to: &writer)
  }

  /// The end of the group of hunks that begins at `start`. The contexts of its hunks touch, so they
  /// are printed as one hunk.
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
    // The texts have the same lines above the first hunk and below the last one.
    let above = min(contextCount, first.old.first.value - 1)
    let below = min(contextCount, old.text.lineCount - last.old.last.value)
    let oldLines = LineRange(first.old.first - above, last.old.last + below)
    let newLines = LineRange(first.new.first - above, last.new.last + below)
    let ranges = "@@ -\(Self.text(oldLines)) +\(Self.text(newLines)) @@"
    unsafe write(Array(ranges.utf8).span.bytes, as: .place, to: &writer)
    var line = oldLines.first
    for hunk in group {
      writeLines(LineRange(line, hunk.old.first - 1), of: old.text, as: .kept, to: &writer)
      writeLines(hunk.old, of: old.text, as: .removed, to: &writer)
      writeLines(hunk.new, of: new.text, as: .added, to: &writer)
      line = hunk.old.last + 1
    }
    writeLines(LineRange(line, oldLines.last), of: old.text, as: .kept, to: &writer)
  }

  /// The first line, and the number of lines unless it is 1; for 0 lines, the line above.
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
      let isUnterminated = number.value > text.newlineCount
      write(line, as: part, ending: isUnterminated ? Self.endWithoutNewline : "\n", to: &writer)
      return !writer.isStopped
    }
  }

  private func write(
    _ line: RawSpan, as part: Part, ending: StaticString = "\n", to writer: inout BlockWriter
  ) {
    let color = isColored ? part.color : nil
    if let color { writer.write(color.sequence) }
    writer.write(part.mark)
    if showsVisibly {
      var shown: [UInt8] = []
      var visible = VisibleText()
      visible.append(line, to: &shown)
      visible.end(&shown)
      unsafe writer.write(shown.span.bytes)
    } else {
      writer.write(line)
    }
    if color != nil { writer.write(TerminalColor.reset) }
    writer.write(ending)
  }

  /// The ending of a last line without a newline.
  private static let endWithoutNewline: StaticString = "\n\\ No newline at end of file\n"

  private enum Part {
    case header, place, kept, removed, added

    /// The first character of a line of text.
    var mark: StaticString {
      switch self {
      case .header, .place: ""
      case .kept: " "
      case .removed: "-"
      case .added: "+"
      }
    }

    /// The colour of a line; nil for the default.
    var color: TerminalColor? {
      switch self {
      case .header: .header
      case .place: .place
      case .kept: nil
      case .removed: .removed
      case .added: .added
      }
    }
  }
}
