import TextBuffer

/// The lines of a page of `tree`, with no control sequences but colours.
struct TreeFrame {
  private let page: TreePage
  private let isColored: Bool
  private let drawsBoxes: Bool
  private var split: ScreenSplit { page.split }

  /// The lines of a page, as many as the terminal has rows, and the cursor: in the row of the
  /// selected revision, or after the input.
  static func frame(
    of page: TreePage, isColored: Bool, drawsBoxes: Bool = false
  ) -> ScreenFrame {
    TreeFrame(page: page, isColored: isColored, drawsBoxes: drawsBoxes).frame
  }

  private var frame: ScreenFrame {
    var lines = body
    if split.hasNote, let note = page.note {
      lines.append(DisplayWidth.cut(Self.visible(Messages.text(note)), to: split.columns))
    }
    let row = page.rows.firstIndex { $0.row.id == page.selected } ?? 0
    var frame = ScreenFrame(lines: lines, cursorRow: hidesList ? 0 : row)
    if let (asked, answer) = page.question {
      let prompt = Self.visible(Messages.prompt(of: asked))
      let room = max(split.columns - 1, 1)
      let typed = Self.tail(
        Self.visible(answer), room - min(DisplayWidth.columns(of: prompt), room))
      let line = DisplayWidth.cut(prompt + typed, to: room)
      frame.cursorRow = lines.count
      frame.cursorColumn = DisplayWidth.columns(of: line)
      frame.lines.append(line)
    } else {
      frame.lines.append(Messages.treeKeys(in: split.columns, page))
    }
    // A frame of one row shows the keys.
    frame.lines = Array(frame.lines.suffix(split.rows))
    frame.cursorRow = min(frame.cursorRow, split.rows - 1)
    frame.cursorColumn = min(frame.cursorColumn, split.columns - 1)
    return frame
  }

  /// Whether the pane replaces the list: for the keys, or if there is no room for both.
  private var hidesList: Bool {
    switch page.panel {
    case .keys: true
    case .conflict: split.paneRows == 0
    case .lines, .nothing: false
    }
  }

  private var body: [String] {
    if hidesList { return Self.filled(pane(split.columns, split.bodyRows), split.bodyRows) }
    let list = Self.filled(listLines, split.listRows)
    if split.paneRows == 0 { return list }
    guard split.isBeside else {
      let title = painted(cut("-- " + paneTitle, split.columns), .header)
      return list + [title] + Self.filled(pane(split.columns, split.paneRows), split.paneRows)
    }
    let title = painted(cut(paneTitle, split.paneColumns), .header)
    let pane = Self.filled([title] + pane(split.paneColumns, split.paneRows - 1), split.paneRows)
    let gap = drawsBoxes ? " │ " : " | "
    return zip(list, pane).map { Self.padded($0, split.listColumns) + gap + $1 }
  }

  private static func filled(_ lines: [String], _ count: Int) -> [String] {
    Array(lines.prefix(count)) + Array(repeating: "", count: max(count - lines.count, 0))
  }

  // MARK: - The list

  private var listLines: [String] {
    let columns = split.listColumns
    let idWidth = max(2, page.rows.map { String($0.row.id).count }.max() ?? 2)
    let counts = page.rows.map { row in
      row.lineCounts.map { HistoryTable.counts($0) } ?? "?"
    }
    let times = page.rows.map { Messages.age(of: $0.row.time, now: page.now) }
    let drawingWidth = page.rows.map(\.drawing.count).max() ?? 0
    let countWidth = counts.map(\.count).max() ?? 0
    let timeWidth = max(times.map(\.count).max() ?? 0, 6)
    // Times and counts are left out if they would make titles too narrow.
    var room =
      columns - idWidth - 5 - (drawingWidth > 0 ? drawingWidth + 2 : 0) - Self.fewestOfTitle
    let hasTimes = room >= timeWidth + 2
    if hasTimes { room -= timeWidth + 2 }
    let hasCounts = room >= countWidth + 2
    return page.rows.indices.map { index in
      let row = page.rows[index].row
      let branches = page.rows[index].drawing
      let drawing = drawsBoxes ? BranchDrawing.boxes(branches) : branches
      var line = row.id == page.selected ? ">" : " "
      line +=
        HistoryTable.marks(row) + HistoryTable.padded(String(row.id), idWidth, right: true) + "  "
      if hasTimes { line += HistoryTable.padded(times[index], timeWidth) + "  " }
      if hasCounts { line += HistoryTable.padded(counts[index], countWidth, right: true) + "  " }
      if drawingWidth > 0 { line += HistoryTable.padded(drawing, drawingWidth) + "  " }
      let lead = line.count
      let run = row.runName.map { " [\(GroupNames.shown(Array($0.utf8)))]" } ?? ""
      line = cut(line + Self.visible(row.title) + run, columns)
      return isColored ? Self.painted(line, row, lead, isSelected: row.id == page.selected) : line
    }
  }

  /// Colours a row as `history` does. The selected row is inverted as a whole.
  private static func painted(
    _ line: String, _ row: HistoryRow, _ lead: Int, isSelected: Bool
  ) -> String {
    if isSelected { return TerminalColor.selected.paint(line) }
    if line.count <= lead { return line }
    let head = Array(line)
    var painted = String(head.prefix(1))
    painted += row.isCurrent ? TerminalColor.current.paint("*") : String(head.dropFirst().prefix(1))
    painted += String(head.dropFirst(2).prefix(lead - 2))
    let title = head.dropFirst(lead)
    let name = title.prefix(row.name.map { visible($0).count } ?? 0)
    return painted + (name.isEmpty ? "" : TerminalColor.name.paint(String(name)))
      + String(title.dropFirst(name.count))
  }

  // MARK: - The pane

  private var paneTitle: String {
    let row = page.rows.first { $0.row.id == page.selected }?.row
    return switch page.panel {
    case .conflict(let conflict): Messages.conflictTitle(conflict)
    case .lines(_, _, true): Messages.differenceTitle(page.selected)
    case .keys, .nothing, .lines: row.map { Self.visible(Messages.revisionTitle($0)) } ?? ""
    }
  }

  private func pane(_ columns: Int, _ rows: Int) -> [String] {
    switch page.panel {
    case .keys: return Messages.treeHelp(columns, rows).map { cut($0, columns) }
    case .nothing: return []
    case .conflict(let conflict):
      let title = split.paneRows == 0 ? [cut(Messages.conflictTitle(conflict), columns)] : []
      let lines = title + Messages.lines(of: conflict).map { cut(Self.visible($0), columns) }
      if lines.count <= rows { return lines }
      return lines.prefix(max(rows - 1, 0)) + [
        cut(Messages.moreLines(lines.count - rows + 1), columns)
      ]
    case .lines(let lines, let more, let fromPresent):
      if lines.isEmpty {
        return [cut(Messages.noLines(of: page.selected, fromPresent: fromPresent), columns)]
      }
      let width = lines.compactMap { $0.number.map { String($0.value).count } }.max() ?? 0
      return lines.map { line in
        let number = line.number.map { HistoryTable.padded(String($0.value), width) + "  " } ?? ""
        let text = Self.visible(String(decoding: line.text, as: UTF8.self), bytes: line.text)
        return painted(
          cut("\(line.isAdded ? "+" : "-")\(number)\(text)", columns),
          line.isAdded ? .added : .removed)
      } + (more > 0 ? [cut(Messages.moreLines(more), columns)] : [])
    }
  }

  // MARK: - Text

  private func painted(_ text: String, _ color: TerminalColor) -> String {
    isColored ? color.paint(text) : text
  }

  private func cut(_ text: String, _ columns: Int) -> String { DisplayWidth.cut(text, to: columns) }

  /// A text in its visible form, with blanks for tabs.
  private static func visible(_ text: String, bytes: [UInt8]? = nil) -> String {
    let shown = VisibleText.of(
      Array((bytes ?? Array(text.utf8)).prefix(TreePage.Line.longest)))
    var line = ""
    var column = 0
    for scalar in String(decoding: shown, as: UTF8.self).unicodeScalars {
      if scalar == "\t" {
        let count = 8 - column % 8
        line += String(repeating: " ", count: count)
        column += count
      } else if scalar != "\n" {
        line.unicodeScalars.append(scalar)
        column += DisplayWidth.columns(of: scalar) ?? 0
      }
    }
    return line
  }

  /// The end of a text that fits some columns.
  private static func tail(_ text: String, _ columns: Int) -> String {
    var tail = text
    while DisplayWidth.columns(of: tail) > columns && !tail.isEmpty { tail.removeFirst() }
    return tail
  }

  /// Pads a line of the list up to the pane; the line may set colours.
  private static func padded(_ line: String, _ columns: Int) -> String {
    var (width, isInSequence) = (0, false)
    for scalar in line.unicodeScalars {
      switch scalar {
      case "\u{1B}": isInSequence = true
      case "m" where isInSequence: isInSequence = false
      default: width += isInSequence ? 0 : DisplayWidth.columns(of: scalar) ?? 0
      }
    }
    return line + String(repeating: " ", count: max(columns - width, 0))
  }

  /// The minimum width of a title; times and counts get only the remaining room.
  private static let fewestOfTitle = 16
}
