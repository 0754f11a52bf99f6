/// The output of `help`.
enum HelpText {
  /// One line for each command.
  static var overview: [String] {
    let rows = CommandTable.rows
    let width = rows.map(\.synopsis.count).max() ?? 0
    return rows.map {
      $0.synopsis + String(repeating: " ", count: width + 2 - $0.synopsis.count) + $0.summary
    } + ["Behind most commands p, l or n prints the line. 'help WORD' says more of one."]
  }

  /// The summary and the details of one command.
  static func details(of row: CommandRow) -> [String] {
    ["\(row.synopsis)  \(row.summary)"]
      + row.details.split(separator: "\n").map { "  " + $0 }
  }
}
