/// The output of `history`.
enum HistoryTable {
  /// The output lines.
  ///
  /// - Parameters:
  ///   - listing: The revisions and the output format.
  ///   - now: The current time; times of another day are shown with their date.
  ///   - columns: The width at which lines of a table are cut; nil to leave them whole.
  ///   - isColored: Whether to use the colours of a terminal.
  /// - Returns: The lines.
  static func lines(
    _ listing: HistoryListing, now: Double, columns: Int? = nil, isColored: Bool = false
  ) -> [String] {
    let rows = listing.rows
    if listing.form == .json {
      return rows.map { String(decoding: JSONText.line($0, listing.fileName), as: UTF8.self) }
    }
    let most = columns.map { min(mostBranches, max(1, ($0 - 24) / 4)) } ?? mostBranches
    let drawn = listing.form == .tree ? branches(rows, most: most) : []
    let lead = leads(rows, branches: drawn, now: now)
    let titles = ["change"] + rows.map(\.title)
    return zip(lead, titles).enumerated().map { index, parts in
      let line = parts.0 + parts.1
      let shown = columns.map { DisplayWidth.cut(line, to: $0) } ?? line
      return isColored && index > 0
        ? painted(shown, rows[index - 1], leadCount: parts.0.count) : shown
    }
  }

  /// A line of the table in colours: the mark of the current revision, and the names in its title.
  private static func painted(_ line: String, _ row: HistoryRow, leadCount: Int) -> String {
    let (lead, title) = (line.prefix(leadCount), line.dropFirst(leadCount))
    // Behind the names are a dash and the description.
    let names = title.prefix(max(row.title.count - row.description.count - 3, 0))
    let mark = row.isCurrent ? TerminalColor.current.paint("*") : " "
    return mark + lead.dropFirst()
      + (names.isEmpty ? "" : TerminalColor.name.paint(String(names)))
      + title.dropFirst(names.count)
  }

  /// Times of day, with the date if any is of another day than now.
  static func times(_ times: [Double], now: Double) -> [String] {
    let today = day(now)
    let isToday = times.allSatisfy { day($0) == today }
    return times.map { isToday ? clock($0) : "\(day($0)) \(clock($0))" }
  }

  /// All that is before the titles: in the header, then in the row of each revision. `branches` has a
  /// drawing for each row, or is empty.
  private static func leads(
    _ rows: [HistoryRow], branches: [String], now: Double
  ) -> [String] {
    let times = times(rows.map(\.time), now: now)
    let cells = columns(
      [["id", "when", ""]] + zip(rows, times).map { [String($0.id), $1, ""] }, numbers: [0])
    return ["  \(cells[0])"]
      + rows.indices.map { index in
        let row = rows[index]
        let save = row.isSaved ? "w" : row.wasSaved ? "s" : " "
        let branch = branches.isEmpty ? "" : branches[index] + "  "
        return "\(row.isCurrent ? "*" : " ")\(save)\(cells[index + 1])\(branch)"
      }
  }

  /// Draws the branches of the tree: an `o` for each revision in the column of its branch, a `|` in the
  /// columns of the others. From the revision that branches were made from, a line goes right, under the
  /// branches that it only passes, and ends with a `'` in the column of each.
  ///
  ///     | | o
  ///     o-|-'
  ///
  /// A branch for which there is no column gets one as soon as one is free, and until then has a `…` behind the
  /// others.
  ///
  /// - Parameters:
  ///   - rows: All revisions in descending order.
  ///   - most: The number of columns.
  /// - Returns: A drawing for each row, all of the same width.
  private static func branches(_ rows: [HistoryRow], most: Int) -> [String] {
    /// The next revision down each column.
    var columns: [Int?] = []
    var drawn: [String] = []
    drawn.reserveCapacity(rows.count)
    for row in rows {
      // Who interrupts sees no table.
      if Interrupts.isInterrupted { return rows.map { _ in "" } }
      let column: Int
      if let known = columns.firstIndex(of: row.id) {
        column = known
      } else if let free = columns.firstIndex(of: nil) {
        column = free
      } else if columns.count < most {
        column = columns.count
        columns.append(row.id)
      } else {
        drawn.append(String(repeating: "| ", count: columns.count) + "…")
        continue
      }
      // The column of a revision is the first of those that lead to it.
      let lastJoined = columns.lastIndex(of: row.id) ?? column
      var line = ""
      for index in columns.indices {
        let isOnLine = (column..<lastJoined).contains(index)
        switch columns[index] {
        case _ where index == column: line += "o"
        case row.id?:
          line += "'"
          columns[index] = nil
        case nil: line += isOnLine ? "-" : " "
        default: line += "|"
        }
        line += isOnLine ? "-" : " "
      }
      columns[column] = row.parent
      while let last = columns.last, last == nil { columns.removeLast() }
      drawn.append(String(line.dropLast()))
    }
    let width = drawn.map(\.count).max() ?? 0
    return drawn.map { padded($0, width) }
  }

  /// How many branches are drawn beside each other.
  private static let mostBranches = 32

  private static func day(_ time: Double) -> String { SystemClock.text(time, "%Y-%m-%d") }
  private static func clock(_ time: Double) -> String { SystemClock.text(time, "%H:%M:%S") }

  /// Cells side by side, in columns as wide as their widest cell.
  ///
  /// - Parameters:
  ///   - cells: The rows; the last cell of each is not padded.
  ///   - numbers: The columns that are aligned to the right.
  /// - Returns: A line for each row.
  static func columns(_ cells: [[String]], numbers: Set<Int> = []) -> [String] {
    let count = (cells.first?.count ?? 1) - 1
    let widths = (0..<count).map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.map { cells in
      let all = (0..<count).map {
        padded(cells[$0], widths[$0], right: numbers.contains($0))
      }
      return (all + [cells[count]]).joined(separator: "  ")
    }
  }

  static func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return right ? space + text : text + space
  }
}
