/// The output of `history`.
enum HistoryTable {
  /// The output lines.
  ///
  /// - Parameters:
  ///   - rows: The revisions in display order; for a tree, all of them in descending order.
  ///   - form: The output format.
  ///   - now: The current time; times of another day are shown with their date.
  ///   - isColored: Whether to use the colours of a terminal.
  /// - Returns: The lines.
  static func lines(
    _ rows: [HistoryRow], _ form: HistoryForm, now: Double, isColored: Bool = false
  ) -> [String] {
    switch form {
    case .table: lines(rows, branches: [], now: now, isColored)
    case .tree: lines(rows, branches: branches(rows), now: now, isColored)
    case .json: rows.map { json($0) }
    }
  }

  /// A table of revisions with a header. `branches` has a drawing for each row, or is empty.
  private static func lines(
    _ rows: [HistoryRow], branches: [String], now: Double, _ isColored: Bool
  ) -> [String] {
    let today = day(now)
    let isToday = rows.allSatisfy { day($0.time) == today }
    let times = rows.map { isToday ? clock($0.time) : "\(day($0.time)) \(clock($0.time))" }
    let idWidth = max(2, rows.map { String($0.id).count }.max() ?? 0)
    let timeWidth = max(4, times.map(\.count).max() ?? 0)
    let head = "  \(padded("id", idWidth, right: true))  \(padded("when", timeWidth))  change"
    return [head]
      + rows.indices.map { index in
        let row = rows[index]
        let mark = row.isCurrent ? isColored ? TerminalColor.current.paint("*") : "*" : " "
        let flags = "\(mark)\(row.isSaved ? "w" : " ")"
        let id = padded(String(row.id), idWidth, right: true)
        let time = padded(times[index], timeWidth)
        let branch = branches.isEmpty ? "" : branches[index] + "  "
        return "\(flags)\(id)  \(time)  \(branch)\(row.name)"
      }
  }

  /// Draws the branches of the tree: an `o` for each revision in the column of its branch, a `/` where
  /// a branch leaves the one to its left.
  ///
  /// - Parameter rows: All revisions in descending order.
  /// - Returns: A drawing for each row, all of the same width.
  private static func branches(_ rows: [HistoryRow]) -> [String] {
    /// The next revision down each column.
    var columns: [Int?] = []
    let drawn = rows.map { row in
      let column: Int
      if let known = columns.firstIndex(of: row.id) {
        column = known
      } else if let free = columns.firstIndex(of: nil) {
        column = free
      } else {
        column = columns.count
        columns.append(row.id)
      }
      var line = ""
      for index in columns.indices {
        switch columns[index] {
        case _ where index == column: line += "o "
        case row.id?:
          line += "/ "
          columns[index] = nil
        case nil: line += "  "
        default: line += "| "
        }
      }
      columns[column] = row.parent
      while let last = columns.last, last == nil { columns.removeLast() }
      return String(line.dropLast())
    }
    let width = drawn.map(\.count).max() ?? 0
    return drawn.map { padded($0, width) }
  }

  /// A revision as a JSON object.
  private static func json(_ row: HistoryRow) -> String {
    let parent = row.parent.map(String.init) ?? "null"
    let time = SystemClock.text(row.time, "%Y-%m-%dT%H:%M:%SZ", inUTC: true)
    return """
      {"id":\(row.id),"parent":\(parent),"name":\(quoted(row.name)),"time":"\(time)",\
      "current":\(row.isCurrent),"saved":\(row.isSaved),"checkpoint":\(row.isCheckpoint),\
      "lines_added":\(row.linesAdded),"lines_removed":\(row.linesRemoved)}
      """
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for character in text.unicodeScalars {
      switch character {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where character.value < 32:
        let digits = String(character.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(character)
      }
    }
    return quoted + "\""
  }

  private static func day(_ time: Double) -> String { SystemClock.text(time, "%Y-%m-%d") }
  private static func clock(_ time: Double) -> String { SystemClock.text(time, "%H:%M:%S") }

  private static func padded(_ text: String, _ width: Int, right: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return right ? space + text : text + space
  }
}
