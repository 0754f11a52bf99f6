import TextBuffer

/// The current branch as unified diffs, oldest first, which `patch` and `git apply` turn the first text
/// into the current one with. Before each is a line about its group, which both ignore.
struct PatchSeries {
  let export: HistoryExport
  /// Whether to use the colours of a terminal.
  let isColored: Bool
  /// Whether lines are written in their visible form.
  let showsVisibly: Bool

  /// Writes the series in blocks.
  ///
  /// - Parameter sink: Receives a block of bytes, and returns whether to continue.
  func write(to sink: @escaping (RawSpan) -> Bool) {
    let text = export.text
    let path = export.relativePath
    var old: PieceTable?
    text.forEachFileText(of: text.pathToCurrent) { id, new in
      guard let before = old else {
        old = new
        return true
      }
      old = new
      guard let lines = LineDifference.unlessInterrupted(from: before, to: new) else {
        return false
      }
      var goesOn = unsafe sink(heading(of: id).span.bytes)
      let difference = UnifiedDiff(
        old: UnifiedDiff.Side(text: before, name: Array("a/".utf8) + path),
        new: UnifiedDiff.Side(text: new, name: Array("b/".utf8) + path),
        hunks: lines.hunks,
        isColored: isColored, showsVisibly: showsVisibly)
      difference.write { block in
        goesOn = goesOn && sink(block)
        return goesOn
      }
      return goesOn
    }
  }

  /// The line about a group. No line of a patch begins as it does.
  private func heading(of id: Int) -> [UInt8] {
    let time = SystemClock.standardText(export.text.history[id].time)
    let line = Array("revision \(id), \(time): \(export.text.title(id))".utf8)
    return (showsVisibly ? VisibleText.of(line) : line) + [.newline]
  }
}
