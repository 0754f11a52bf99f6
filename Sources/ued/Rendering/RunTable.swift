/// The output of `history runs` and of `--log`.
enum RunTable {
  /// The output lines of `--log`: a header, and for each run a row and its files.
  static func lines(_ runs: [IndexedRun]) -> [[UInt8]] {
    if runs.isEmpty { return [] }
    let cells =
      [["run", "when", "name", "files"]]
      + runs.map { run in
        [
          run.tag.identity, SystemClock.text(run.tag.time, "%Y-%m-%d %H:%M:%S"), run.tag.name ?? "",
          String(run.places.count),
        ]
      }
    return HistoryTable.columns(cells).enumerated().flatMap { index, line in
      let files = index > 0 ? runs[index - 1].places.map(\.file) : []
      return [Array(line.utf8)] + files.map { [.space, .space] + $0 }
    }
  }

  /// The output lines of `history runs`: a header, and a row for each run.
  ///
  /// - Parameters:
  ///   - rows: The runs, in their visible form.
  ///   - now: The current time; times of another day are shown with their date.
  ///   - columns: The width at which lines are cut; nil to leave them whole.
  /// - Returns: The lines.
  static func lines(_ rows: [RunRow], now: Double, columns: Int? = nil) -> [String] {
    let times = HistoryTable.times(rows.map(\.time), now: now)
    let cells =
      [["run", "when", "name", "groups", "what"]]
      + zip(rows, times).map { row, time in
        [String(row.number), time, row.name ?? "", String(row.titles.count), what(row)]
      }
    return HistoryTable.columns(cells, numbers: [0, 3]).enumerated().map { index, cells in
      let mark = index > 0 && rows[index - 1].isCurrent ? "*" : " "
      var line = "\(mark) \(cells)"
      while line.last == " " { line.removeLast() }
      return columns.map { DisplayWidth.cut(line, to: $0) } ?? line
    }
  }

  /// How many groups are named of each run.
  private static let namedGroups = 2

  /// What a run did: its newest groups.
  static func what(_ row: RunRow) -> String {
    let more = row.titles.count - namedGroups
    return (row.titles.prefix(namedGroups) + (more > 0 ? ["and \(more) more"] : []))
      .joined(separator: "; ")
  }
}
