/// A drawing of the branches of a tree, row by row from the newest revision to the oldest: an `o`
/// for each revision in the column of its branch, a `|` in the columns of the others. Where
/// branches begin, a line goes right from their common revision, to a `'` in the column of each.
/// It passes under other branches. A branch without a free column has a `…` on the right until
/// a column is free.
///
///     | | o
///     o-|-'
struct BranchDrawing: Sendable {
  let mostColumns: Int
  /// The next revision down each column.
  private var columns: [Int?] = []

  init(mostColumns: Int) { self.mostColumns = mostColumns }

  /// The width of the widest row, up to an interrupt.
  mutating func width(of rows: [HistoryRow]) -> Int {
    var width = 0
    for row in rows where !Interrupts.isInterrupted { width = max(width, next(row).count) }
    return width
  }

  /// A drawn row with the characters for boxes.
  static func boxes(_ row: String) -> String {
    String(
      row.map { character -> Character in
        switch character {
        case "|": "│"
        case "-": "─"
        case "'": "╯"
        default: character
        }
      })
  }

  /// Draws the next row.
  mutating func next(_ row: HistoryRow) -> String { next(row.id, parent: row.parent) }

  /// Passes over the next row, which costs less than to draw it.
  mutating func skip(_ id: Int, parent: Int?) {
    let places = columns.indices.filter { columns[$0] == id }
    // Where no branch begins or ends, a column only goes on.
    if let parent, places.count == 1 {
      columns[places[0]] = parent
    } else {
      _ = next(id, parent: parent)
    }
  }

  /// Draws the row of a revision, given the one that it was made from.
  mutating func next(_ id: Int, parent: Int?) -> String {
    let column: Int
    if let known = columns.firstIndex(of: id) {
      column = known
    } else if let free = columns.firstIndex(of: nil) {
      column = free
    } else if columns.count < mostColumns {
      column = columns.count
      columns.append(id)
    } else {
      return String(repeating: "| ", count: columns.count) + "…"
    }
    // A revision takes the first column that leads to it.
    let lastJoined = columns.lastIndex(of: id) ?? column
    var line = ""
    for index in columns.indices {
      let isOnLine = (column..<lastJoined).contains(index)
      switch columns[index] {
      case _ where index == column: line += "o"
      case id?:
        line += "'"
        columns[index] = nil
      case nil: line += isOnLine ? "-" : " "
      default: line += "|"
      }
      line += isOnLine ? "-" : " "
    }
    columns[column] = parent
    while let last = columns.last, last == nil { columns.removeLast() }
    return String(line.dropLast())
  }
}
