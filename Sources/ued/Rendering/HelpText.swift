/// The lines that `help` shows.
enum HelpText {
  /// Every command in a line.
  static var overview: [String] {
    let rows = CommandTable.rows
    let width = rows.map(\.synopsis.count).max() ?? 0
    return rows.map {
      $0.synopsis + String(repeating: " ", count: width + 2 - $0.synopsis.count) + $0.summary
    } + ["Behind most commands p, l or n prints the line. 'help WORD' says more of one."]
  }

  /// One command in full.
  static func details(of row: CommandRow) -> [String] {
    ["\(row.synopsis)  \(row.summary)"]
      + row.details.split(separator: "\n").map { "  " + $0 }
  }
}
