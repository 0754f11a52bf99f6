/// The output of `--log`.
enum RunTable {
  /// The output lines of `--log`: a header, and for each run a row and its files.
  static func lines(_ runs: [IndexedRun]) -> [[UInt8]] {
    if runs.isEmpty { return [] }
    // Few have been taken back.
    let columnCount = runs.contains { !$0.undoers.isEmpty } ? 5 : 4
    let cells =
      [["run", "when", "name", "files", "taken back by"]]
      + runs.map { run in
        [
          run.tag.identity, SystemClock.text(run.tag.time, "%Y-%m-%d %H:%M:%S"), run.tag.name ?? "",
          String(run.places.count), run.undoers.map(\.shownName).joined(separator: ", "),
        ]
      }
    return HistoryTable.columns(cells.map { Array($0.prefix(columnCount)) }).enumerated().flatMap {
      index, line in
      let files = index > 0 ? runs[index - 1].places.map(\.file) : []
      return [Array(line.utf8)] + files.map { [.space, .space] + Messages.inOneLine($0) }
    }
  }
}
