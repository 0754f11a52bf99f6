import Glibc

/// The line being typed as the terminal shows it, and the bytes that change it. Rows count from the
/// row where the prompt begins. A changed row is rewritten from its first different cell on.
/// Nothing is inserted or deleted, because terminals do that in different ways.
struct LineScreen: Sendable {
  private let controls: TerminalControls
  /// The rows on the screen.
  private var shown: [[ScreenCell]] = []
  private var position = LineLayout.Position()
  /// The first shown row of a layout that is higher than the screen.
  private var top = 0
  /// The width of the screen when it last showed the line.
  private(set) var width = 0

  init(controls: TerminalControls) { self.controls = controls }

  /// The bytes that show a layout on a screen of this many rows.
  mutating func show(_ layout: LineLayout, height: Int) -> [UInt8] {
    // An empty row below the shown part keeps terminals from scrolling when the last row is full.
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

  /// The bytes that leave the line as shown, and go to the row below it.
  mutating func finish() -> [UInt8] {
    defer { forget() }
    let last = max(0, shown.count - 1)
    // The row after a full one is below the line already.
    if last > 0 && shown[last].isEmpty { return move(to: .init(row: last, column: 0)) }
    return move(to: .init(row: last, column: position.column)) + [.newline]
  }

  /// The bytes that leave the line as shown, with `^C` behind it, and go to the row below it.
  mutating func giveUp(columns: Int) -> [UInt8] {
    let mark = Array("^C".utf8)
    let last = max(0, shown.count - 1)
    let width = shown.last.map { Self.width($0) } ?? 0
    // Terminals differ about the cursor's place after the last column.
    let hasRoom = width + mark.count < columns
    let bytes = move(to: .init(row: last, column: width))
    forget()
    return bytes + (hasRoom ? [] : [.newline]) + mark + [.newline]
  }

  /// The bytes that clear the line, before it is shown again from its first row on.
  ///
  /// If the width of the screen has changed, some terminals rewrap the text. The present `column`
  /// of the cursor shows whether this one has; it is nil if the terminal does not report it, and
  /// such terminals do not rewrap.
  mutating func erase(newWidth: Int, cursorIn column: Int?) -> [UInt8] {
    let place = position.row * width + position.column
    let (stayed, moved) = (min(position.column, newWidth - 1), place % max(newWidth, 1))
    if let column, newWidth != width, column != stayed || moved == stayed {
      let row = place / max(newWidth, 1)
      // If both are possible, nothing above the line is cleared.
      position.row = column == moved && moved != stayed ? row : min(position.row, row)
    }
    let bytes = [Self.carriageReturn] + move(to: .init()) + controls.clearScreen
    forget()
    return bytes
  }

  mutating func clear() -> [UInt8] {
    forget()
    return controls.clearAll
  }

  /// Assumes that the cursor is at the beginning of an empty row.
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
    bytes += self.bytes(of: row[same...], from: Self.width(row[..<same]))
    position.column = width
    if width < columns {
      return width < Self.width(old) ? bytes + controls.clearLine : bytes
    }
    // After the last column, some terminals have wrapped, and others wait for the next character. A
    // full row has another row below, whose first cell forces the wrap. If that cell is missing or
    // of disputed width, a blank does.
    var settling = below.first ?? .blank
    if settling.hasDisputedWidth {
      settling = .blank
      if index + 1 < shown.count { shown[index + 1] = [] }
    }
    bytes += self.bytes(of: [settling], from: 0)
    position = .init(row: index + 1, column: 0)
    return bytes + [Self.carriageReturn]
  }

  private func bytes(of cells: ArraySlice<ScreenCell>, from column: Int) -> [UInt8] {
    let colours = controls.descriptions
    var bytes: [UInt8] = []
    var column = column
    var isDescribing = false
    for cell in cells {
      if cell.isDescription != isDescribing {
        bytes += isDescribing ? colours.end : colours.start
        isDescribing.toggle()
      }
      column += cell.width
      if cell.hasDisputedWidth {
        // Moves the cursor to the end of the cell, whatever its width.
        bytes += controls.clearLine + cell.bytes + [Self.carriageReturn]
        for _ in 0..<column { bytes += controls.right }
        bytes += controls.clearLine
      } else {
        bytes += cell.bytes
      }
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

/// The layout of a prompt and its line on a terminal: rows of cells, and the cursor. Everything is
/// laid out explicitly, so that a row never depends on how a terminal wraps lines or sets tabs. A
/// full row always has another one below, where the line continues.
struct LineLayout: Equatable, Sendable {
  struct Position: Equatable, Sendable {
    var row = 0
    var column = 0
  }

  private(set) var rows: [[ScreenCell]] = [[]]
  private(set) var cursor = Position()
  let columns: Int
  /// The position of the next cell.
  private var end = Position()
  /// Whether the next cell is the one under the cursor.
  private var awaitsCursor = false
  /// Whether the last cell is a character that marks can join.
  private var takesMarks = false

  /// Lays out a line behind a prompt, which may set colours; `cursor` is the index of the character
  /// under the cursor.
  init(prompt: [UInt8], line: [wchar_t], cursor: Int, columns: Int) {
    self.columns = max(2, columns)
    add(prompt: prompt)
    var start = 0
    for end in GraphemeClusters.ends(in: line) {
      defer { start = end }
      if end > start + 1, columns >= Self.fewestForClusters,
        let cell = ScreenCell(cluster: line[start..<end])
      {
        if cursor == start { awaitsCursor = true }
        add(cell)
        // A cursor within the cluster moves behind it.
        if cursor > start && cursor < end { awaitsCursor = true }
        takesMarks = false
        continue
      }
      for (index, character) in line[start..<end].enumerated() {
        if start + index == cursor { awaitsCursor = true }
        add(character)
      }
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

  /// The minimum width of a terminal for showing clusters of disputed width whole.
  private static let fewestForClusters = 12

  private mutating func add(_ cell: ScreenCell) {
    // A wide character that does not fit goes to the next row, as on terminals. A character of
    // disputed width must not reach the end of its row.
    if end.column + (cell.hasDisputedWidth ? cell.widestWidth + 1 : cell.width) > columns {
      rows[end.row] += Array(repeating: .blank, count: columns - end.column)
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

  /// Adds a prompt. Its escape sequences become part of the neighbouring cells.
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

/// The characters of a line as readers see them.
enum GraphemeClusters {
  /// The end of each cluster of a line; O(*n*).
  static func ends(in line: [wchar_t]) -> [Int] {
    // No character below U+0300 joins the one before it.
    if line.allSatisfy({ $0 >= 0 && $0 < 0x300 }) { return Array(1..<line.count + 1) }
    var text = String.UnicodeScalarView()
    for character in line {
      // Swift would join a carriage return and a newline.
      let value = UInt32(bitPattern: character == 0x0D ? 0x0A : character)
      text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
    }
    var end = 0
    return String(text).map { cluster in
      end += cluster.unicodeScalars.count
      return end
    }
  }
}

/// A cell of a terminal, one or two columns wide.
struct ScreenCell: Equatable, Sendable {
  private(set) var character: Unicode.Scalar
  /// The combining marks shown with the character.
  var marks: [Unicode.Scalar] = []
  private(set) var width = 1
  /// Whether some terminals give the cell another width, up to `widestWidth`.
  private(set) var hasDisputedWidth = false
  private(set) var widestWidth = 1
  /// Whether the cell is part of a description, as `^A` and `<200d>` are.
  private(set) var isDescription = false
  /// Sequences of the prompt that set its colour, before and after the character.
  var colour: [UInt8] = []
  var colourAfter: [UInt8] = []

  static let blank = ScreenCell(character: " ")

  var bytes: [UInt8] {
    if marks.isEmpty && colour.isEmpty && colourAfter.isEmpty {
      return Array(String(character).utf8)
    }
    var scalars = String.UnicodeScalarView([character])
    scalars.append(contentsOf: marks)
    return colour + Array(String(scalars).utf8) + colourAfter
  }
}

extension ScreenCell {
  /// The cell that shows several characters as one, such as an emoji with joiners, a flag, or a
  /// letter with marks; nil if one of them would be invisible.
  init?(cluster: ArraySlice<wchar_t>) {
    let scalars = cluster.compactMap { Unicode.Scalar(UInt32(bitPattern: $0)) }
    guard scalars.count == cluster.count, let first = scalars.first,
      case .cell(let cell) = CharacterForm(cluster[cluster.startIndex])
    else { return nil }
    self = cell
    marks = Array(scalars.dropFirst())
    widestWidth = width
    // The tables of Unicode count digits as emoji.
    let isEmoji = first.properties.isEmoji && !first.isASCII || marks.contains("\u{20E3}")
    for (index, mark) in marks.enumerated() {
      guard let width = DisplayWidth.columns(of: mark) else { return nil }
      let properties = mark.properties
      let isSeen =
        switch mark.value {
        case 0x200D:
          index + 1 < marks.count && (DisplayWidth.columns(of: marks[index + 1]) ?? 0) > 0
        case 0xFE0E, 0xFE0F, 0xE0020...0xE007F: isEmoji
        default: !properties.isDefaultIgnorableCodePoint && properties.generalCategory != .format
        }
      if !isSeen { return nil }
      if properties.isEmojiModifier && !first.properties.isEmojiModifierBase && marks.count == 1 {
        return nil
      }
      hasDisputedWidth = hasDisputedWidth || width > 0 || mark.value >= 0x200D && isEmoji
      widestWidth += width
    }
    let isPair = scalars.count == 2 && scalars.allSatisfy { (0x1F1E6...0x1F1FF).contains($0.value) }
    if isPair {
      (width, hasDisputedWidth) = (2, false)
    } else if isEmoji && hasDisputedWidth {
      width = 2
    } else {
      width = widestWidth
    }
    widestWidth = max(widestWidth, width)
  }
}

/// The form of a character while a line is edited. A character that terminals do not show, or that
/// changes its neighbours, is described: it is visible then, with a known width.
enum CharacterForm: Equatable, Sendable {
  case cell(ScreenCell)
  /// Shown with the character before it; described without one.
  case mark(Unicode.Scalar, otherwise: [ScreenCell])
  case described([ScreenCell])
  case tab
  case newline

  init(_ character: wchar_t) {
    guard let scalar = Unicode.Scalar(UInt32(bitPattern: character)) else {
      self = .described(Self.code(UInt32(bitPattern: character)))
      return
    }
    switch scalar.value {
    case 0x09: self = .tab
    case 0x0A: self = .newline
    case 0x20..<0x7F: self = .cell(ScreenCell(character: scalar))
    case 0..<0x20, 0x7F:
      let name = Unicode.Scalar(UInt8(truncatingIfNeeded: scalar.value ^ 0x40))
      self = .described(Self.description(["^", name]))
    default: self = Self.form(of: scalar)
    }
  }

  private static func form(of scalar: Unicode.Scalar) -> Self {
    let properties = scalar.properties
    let isModifier = properties.isEmojiModifier || properties.isDefaultIgnorableCodePoint
    guard let width = DisplayWidth.columns(of: scalar), !isModifier,
      properties.generalCategory != .format
    else { return .described(code(scalar.value)) }
    if width == 0 { return .mark(scalar, otherwise: code(scalar.value)) }
    return .cell(ScreenCell(character: scalar, width: width))
  }

  /// `<200d>` for U+200D.
  private static func code(_ value: UInt32) -> [ScreenCell] {
    description(Array("<\(String(value, radix: 16))>".unicodeScalars))
  }

  private static func description(_ characters: [Unicode.Scalar]) -> [ScreenCell] {
    characters.map { ScreenCell(character: $0, isDescription: true) }
  }
}
