/// What a terminal shows of the line that is being typed, and the bytes that change it.
///
/// Rows are counted from the one where the prompt begins. A row that changes is written anew from its
/// first different cell on; nothing is inserted or deleted, which terminals do in different ways.
struct LineScreen: Sendable {
  private let controls: TerminalControls
  /// The rows that are on the screen.
  private var shown: [[ScreenCell]] = []
  /// Where the terminal's cursor is.
  private var position = LineLayout.Position()
  /// The first row of a layout that is higher than the screen.
  private var top = 0
  /// The width of the screen when the line was shown last.
  private(set) var width = 0

  init(controls: TerminalControls) { self.controls = controls }

  /// The bytes that show a layout on a screen of this many rows.
  mutating func show(_ layout: LineLayout, height: Int) -> [UInt8] {
    // A row below the part that is shown keeps terminals from scrolling when its last row is full.
    let isPart = layout.rows.count > height
    let height = max(1, isPart ? height - 1 : height)
    top = max(0, min(top, layout.rows.count - height))
    top = max(min(top, layout.cursor.row), layout.cursor.row - height + 1)
    let rows = Array(layout.rows[top...].prefix(height)) + (isPart ? [[]] : [])
    var bytes: [UInt8] = []
    for (index, row) in rows.enumerated() {
      let old = index < shown.count ? shown[index] : []
      if row != old {
        bytes += write(
          row, over: old, at: index, below: index + 1 < rows.count ? rows[index + 1] : [],
          columns: layout.columns)
      }
    }
    if shown.count > rows.count {
      bytes += move(to: .init(row: rows.count, column: 0)) + controls.clearScreen
    }
    shown = rows
    width = layout.columns
    return bytes
      + move(to: .init(row: layout.cursor.row - top, column: layout.cursor.column))
  }

  /// The bytes that leave the line as it is shown, and go to the row below it.
  mutating func finish() -> [UInt8] {
    defer { forget() }
    let last = max(0, shown.count - 1)
    // The row after one that is full is below the line already.
    if last > 0 && shown[last].isEmpty { return move(to: .init(row: last, column: 0)) }
    return move(to: .init(row: last, column: position.column)) + [.newline]
  }

  /// The bytes that leave the line as it is shown, with `^C` behind it, and go to the row below it.
  mutating func giveUp(columns: Int) -> [UInt8] {
    let mark = Array("^C".utf8)
    let last = max(0, shown.count - 1)
    let width = shown.last.map { Self.width($0) } ?? 0
    // Behind the last column terminals differ about where the cursor is.
    let hasRoom = width + mark.count < columns
    let bytes = move(to: .init(row: last, column: width))
    forget()
    return bytes + (hasRoom ? [] : [.newline]) + mark + [.newline]
  }

  /// The bytes that clear the line from a screen that may have been made narrower or wider, so that it is
  /// shown again from its first row on. Some terminals move text to other rows then, and some do not: the column of the
  /// cursor tells.
  ///
  /// - Parameters:
  ///   - newWidth: The new width.
  ///   - column: The column in which the cursor is now; nil where the terminal does not tell, as those do that leave text
  ///     where it is.
  /// - Returns: The bytes.
  mutating func erase(newWidth: Int, cursorIn column: Int?) -> [UInt8] {
    let place = position.row * width + position.column
    let (stayed, moved) = (min(position.column, newWidth - 1), place % max(newWidth, 1))
    if let column, newWidth != width, column != stayed || moved == stayed {
      let row = place / max(newWidth, 1)
      // Where both are possible, nothing above the line is cleared.
      position.row = column == moved && moved != stayed ? row : min(position.row, row)
    }
    let bytes = [Self.carriageReturn] + move(to: .init()) + controls.clearScreen
    forget()
    return bytes
  }

  /// The bytes that clear the whole screen.
  mutating func clear() -> [UInt8] {
    forget()
    return controls.clearAll
  }

  /// Takes the cursor to be at the beginning of an empty row.
  private mutating func forget() { self = LineScreen(controls: controls) }

  // MARK: - Writing

  private static let carriageReturn: UInt8 = 0x0D
  private static let backspace: UInt8 = 0x08

  private mutating func write(
    _ row: [ScreenCell], over old: [ScreenCell], at index: Int, below: [ScreenCell], columns: Int
  ) -> [UInt8] {
    let same = zip(row, old).prefix { $0 == $1 }.count
    let width = Self.width(row)
    var bytes = move(to: .init(row: index, column: Self.width(row[..<same])))
    bytes += Self.bytes(of: row[same...], describing: controls.descriptions)
    position.column = width
    if width < columns {
      return width < Self.width(old) ? bytes + controls.clearLine : bytes
    }
    // Behind the last column some terminals have wrapped and some have not, until the next character.
    // A full row has another one below it, whose first cell settles that.
    bytes += Self.bytes(of: [below.first ?? .blank], describing: controls.descriptions)
    position = .init(row: index + 1, column: 0)
    return bytes + [Self.carriageReturn]
  }

  private static func bytes(
    of cells: ArraySlice<ScreenCell>, describing colours: (start: [UInt8], end: [UInt8])
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    var isDescribing = false
    for cell in cells {
      if cell.isDescription != isDescribing {
        bytes += isDescribing ? colours.end : colours.start
        isDescribing.toggle()
      }
      bytes += cell.bytes
    }
    return isDescribing ? bytes + colours.end : bytes
  }

  private static func width(_ cells: some Sequence<ScreenCell>) -> Int {
    cells.reduce(0) { $0 + $1.width }
  }

  private mutating func move(to target: LineLayout.Position) -> [UInt8] {
    var bytes: [UInt8] = []
    if target.row > position.row {
      bytes += Array(repeating: .newline, count: target.row - position.row)
      position.column = 0
    }
    for _ in 0..<max(0, position.row - target.row) { bytes += controls.up }
    let left = position.column - target.column
    if left > 0 && left <= target.column {
      bytes += Array(repeating: Self.backspace, count: left)
      position.column = target.column
    } else if left > 0 {
      bytes.append(Self.carriageReturn)
      position.column = 0
    }
    for _ in 0..<max(0, target.column - position.column) { bytes += controls.right }
    position = target
    return bytes
  }
}
