import Glibc

/// Where a prompt and the line behind it are on a terminal: rows of cells, and the cursor.
///
/// Everything is laid out explicitly, so that a row never depends on how a terminal wraps lines or sets
/// tabs. A full row is always followed by another one, which is where the line goes on.
struct LineLayout: Equatable, Sendable {
  struct Position: Equatable, Sendable {
    var row = 0
    var column = 0
  }

  private(set) var rows: [[ScreenCell]] = [[]]
  private(set) var cursor = Position()
  let columns: Int
  /// Where the next cell goes.
  private var end = Position()
  /// Whether the next cell is the one under the cursor.
  private var awaitsCursor = false
  /// Whether the last cell is a character that marks can join.
  private var takesMarks = false

  /// Lays out a line.
  ///
  /// - Parameters:
  ///   - prompt: What is before the line; it may set colours.
  ///   - line: The characters of the line.
  ///   - cursor: The index of the character under the cursor.
  ///   - columns: The width of the terminal.
  init(prompt: [UInt8], line: [wchar_t], cursor: Int, columns: Int) {
    self.columns = max(2, columns)
    add(prompt: prompt)
    for (index, character) in line.enumerated() {
      if index == cursor { awaitsCursor = true }
      add(character)
    }
    if cursor >= line.count || awaitsCursor { self.cursor = end }
  }

  private mutating func add(_ character: wchar_t) {
    switch CharacterForm(character) {
    case .cell(let cell):
      add(cell)
      takesMarks = true
      return
    case .mark(let mark, let otherwise):
      if takesMarks {
        // The cell may have filled its row.
        let row = rows[end.row].isEmpty ? end.row - 1 : end.row
        rows[row][rows[row].count - 1].marks.append(mark)
        return
      }
      for cell in otherwise { add(cell) }
    case .described(let cells): for cell in cells { add(cell) }
    case .tab: repeat { add(.blank) } while end.column % 8 != 0
    case .newline:
      noteCursor()
      startRow()
    }
    takesMarks = false
  }

  private mutating func add(_ cell: ScreenCell) {
    // A wide character that does not fit goes to the next row, as terminals do it.
    if end.column + cell.width > columns {
      rows[end.row].append(.blank)
      startRow()
    }
    noteCursor()
    rows[end.row].append(cell)
    end.column += cell.width
    if end.column == columns { startRow() }
  }

  private mutating func noteCursor() {
    if awaitsCursor { cursor = end }
    awaitsCursor = false
  }

  private mutating func startRow() {
    rows.append([])
    end = Position(row: end.row + 1, column: 0)
  }

  /// Adds a prompt, whose escape sequences become part of the cells beside them.
  private mutating func add(prompt: [UInt8]) {
    var colour: [UInt8] = []
    var rest = Array(String(decoding: prompt, as: UTF8.self).unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}", rest.first == "[" {
        let length = rest.dropFirst().prefix { !("@"..."~").contains($0) }.count + 2
        colour += [0x1B] + rest.prefix(length).flatMap { Array(String($0).utf8) }
        rest = rest.dropFirst(length)
        continue
      }
      let row = end.row
      let count = rows[row].count
      add(wchar_t(bitPattern: scalar.value))
      if rows[row].count > count { rows[row][count].colour = colour }
      colour = []
    }
    if let last = rows.lastIndex(where: { !$0.isEmpty }) {
      rows[last][rows[last].count - 1].colourAfter = colour
    }
    takesMarks = false
  }
}
