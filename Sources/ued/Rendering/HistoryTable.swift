import TextBuffer

/// The output of `history`, made line by line on demand. An interrupt ends the lines.
struct HistoryTable: Sequence, IteratorProtocol {
  private let listing: HistoryListing
  private let columns: Int?
  private let isColored: Bool
  /// Whether branches are drawn with box-drawing characters.
  private let drawsBoxes: Bool
  /// Whether the times of a table have dates; nil if times have no room.
  private let hasDates: Bool?
  private let idWidth: Int
  private let timeWidth: Int
  /// The width of the line counts; nil if they have no room.
  private let countWidth: Int?
  /// The width of the drawing of branches; nil without a drawing.
  private let drawingWidth: Int?
  private var drawing: BranchDrawing
  /// The next row; -1 for the header of a table.
  private var index: Int

  /// Prepares the output lines. Times of another day than `now` are shown with their date. Lines of
  /// a table are cut at a width of `columns`, or left whole if it is nil.
  init(
    _ listing: HistoryListing, now: Double, columns: Int? = nil, isColored: Bool = false,
    drawsBoxes: Bool = false
  ) {
    let rows = listing.rows
    (self.listing, self.columns, self.isColored) = (listing, columns, isColored)
    self.drawsBoxes = drawsBoxes
    let times = rows.lazy.map(\.time)
    let ends = [times.min(), times.max()].compactMap { $0 }
    let hasDates = !Self.areOfToday(ends, now: now)
    idWidth = rows.reduce(2) { Swift.max($0, String($1.id).count) }
    timeWidth = ends.reduce(4) { Swift.max($0, Self.text($1, withDate: hasDates).count) }
    let countWidth = rows.reduce("lines".count) { Swift.max($0, Self.counts($1.lineCounts).count) }
    let most = columns.map { Swift.min(Self.mostBranches, Swift.max(1, ($0 - 24) / 4)) }
    drawing = BranchDrawing(mostColumns: most ?? Self.mostBranches)
    var measured = drawing
    drawingWidth = listing.form == .tree ? measured.width(of: rows) : nil
    // In a narrow terminal the time is left out first, then the numbers of lines.
    let lead = 4 + idWidth + (drawingWidth ?? -2) + 2
    let room = (columns ?? Int.max) - lead - Self.fewestOfTitle
    self.countWidth = room >= countWidth + 2 ? countWidth : nil
    self.hasDates = room >= countWidth + 2 + timeWidth + 2 ? hasDates : nil
    index = listing.form == .json ? 0 : -1
  }

  /// The numbers of lines that a group added and removed.
  static func counts(_ lines: (added: Int, removed: Int)) -> String {
    (lines.added > 0 ? "+\(lines.added)" : "") + (lines.removed > 0 ? "-\(lines.removed)" : "")
  }

  /// The signs before the number of a revision.
  static func marks(_ row: HistoryRow) -> String {
    (row.isCurrent ? "*" : row.isNext ? "r" : " ") + (row.isSaved ? "w" : row.wasSaved ? "s" : " ")
  }

  mutating func next() -> String? {
    guard index < listing.rows.count, !Interrupts.isInterrupted else { return nil }
    defer { index += 1 }
    if index < 0 {
      return shown(
        "  " + Self.padded("id", idWidth, right: true) + "  "
          + (hasDates == nil ? "" : Self.padded("when", timeWidth) + "  ")
          + (countWidth.map { Self.padded("lines", $0, right: true) + "  " } ?? "") + "change")
    }
    let row = listing.rows[index]
    if listing.form == .json {
      return String(decoding: JSONValue(row, listing.fileName).bytes, as: UTF8.self)
    }
    var lead = Self.marks(row)
    lead += Self.padded(row.isOpen ? "-" : String(row.id), idWidth, right: true) + "  "
    if let hasDates {
      lead += Self.padded(Self.text(row.time, withDate: hasDates), timeWidth) + "  "
    }
    if let countWidth {
      lead += Self.padded(Self.counts(row.lineCounts), countWidth, right: true) + "  "
    }
    if let drawingWidth {
      let branches = drawing.next(row)
      lead +=
        Self.padded(drawsBoxes ? BranchDrawing.boxes(branches) : branches, drawingWidth) + "  "
    }
    let line = shown(lead + row.title)
    return isColored ? Self.painted(line, row, leadCount: lead.count) : line
  }

  private func shown(_ line: String) -> String {
    columns.map { DisplayWidth.cut(line, to: $0) } ?? line
  }

  /// A line of the table in colours: the mark of the current revision, and the names in its title.
  private static func painted(_ line: String, _ row: HistoryRow, leadCount: Int) -> String {
    let (lead, title) = (line.prefix(leadCount), line.dropFirst(leadCount))
    // A dash and the description follow the names.
    let names = title.prefix(Swift.max(row.title.count - row.description.count - 3, 0))
    let mark = row.isCurrent ? TerminalColor.current.paint("*") : String(lead.prefix(1))
    return mark + lead.dropFirst()
      + (names.isEmpty ? "" : TerminalColor.name.paint(String(names)))
      + title.dropFirst(names.count)
  }

  /// Times of day, with dates if any time is from another day than now.
  static func times(_ times: [Double], now: Double) -> [String] {
    let hasDates = !areOfToday(times, now: now)
    return times.map { text($0, withDate: hasDates) }
  }

  private static func areOfToday(_ times: [Double], now: Double) -> Bool {
    let today = day(now)
    return times.allSatisfy { day($0) == today }
  }

  static func text(_ time: Double, withDate: Bool) -> String {
    withDate ? "\(day(time)) \(clock(time))" : clock(time)
  }

  /// The minimum width of a title; times and counts get only the remaining room.
  private static let fewestOfTitle = 28

  /// The maximum number of branches drawn side by side.
  private static let mostBranches = 32

  static func day(_ time: Double) -> String { SystemClock.text(time, "%Y-%m-%d") }
  private static func clock(_ time: Double) -> String { SystemClock.text(time, "%H:%M:%S") }

  /// Cells side by side, in columns as wide as their widest cell; `numbers` are aligned to the
  /// right, the last cell of a row is not padded.
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
    let space = String(repeating: " ", count: Swift.max(0, width - text.count))
    return right ? space + text : text + space
  }
}

/// The lead before each line of `blame`: the group that touched it last, the time, and the run's
/// name.
struct BlameText {
  let listing: BlameListing
  private let isSpoken: Bool
  private var leads: [Int: [UInt8]] = [:]
  /// The lead of a line from an open group.
  private let openLead: [UInt8]

  /// Times of another day than `now` are shown with their date.
  init(_ listing: BlameListing, now: Double, inSentences isSpoken: Bool = false) {
    self.listing = listing
    self.isSpoken = isSpoken
    let ids = Array(listing.origins.keys)
    let times = HistoryTable.times(ids.compactMap { listing.origins[$0]?.time }, now: now)
    let idWidth = max(2, ids.map { String($0).count }.max() ?? 0)
    let timeWidth = times.map(\.count).max() ?? 0
    let names = ids.map { GroupNames.shown(Array((listing.origins[$0]?.runName ?? "").utf8)) }
    let nameWidth = names.map(\.count).max() ?? 0
    func lead(_ id: String, _ time: String, _ name: String) -> [UInt8] {
      let columns = [
        HistoryTable.padded(id, idWidth, right: true), HistoryTable.padded(time, timeWidth),
        HistoryTable.padded(name, nameWidth),
      ]
      return Messages.bytes(
        columns.prefix(nameWidth > 0 ? 3 : 2).map { "  " + $0 }.joined() + "  ")
    }
    for ((id, time), name) in zip(zip(ids, times), names) {
      leads[id] =
        isSpoken
        ? Messages.bytes(Messages.origin(id, time, run: name)) : lead(String(id), time, name)
    }
    openLead = isSpoken ? Messages.bytes(Messages.originInOpenGroup) : lead("-", "", "")
  }

  func lead(of line: LineNumber) -> [UInt8] {
    let lead = leads[listing.groups[line - listing.lines.first]] ?? openLead
    return isSpoken ? Messages.bytes("line \(line.value)") + lead : lead
  }
}

enum RunTable {
  /// The output lines of `--log`: a header, and for each run a row and its files.
  static func lines(_ runs: [IndexedRun]) -> [[UInt8]] {
    if runs.isEmpty { return [] }
    // Most lists have no undone run, and need no column for it.
    let columnCount = runs.contains { !$0.undoers.isEmpty } ? 5 : 4
    let cells =
      [["run", "when", "name", "files", "undone by"]]
      + runs.map { run in
        [
          run.tag.identity, SystemClock.text(run.tag.time, "%Y-%m-%d %H:%M:%S"), run.tag.name ?? "",
          String(run.places.count), run.undoers.map(\.shownName).joined(separator: ", "),
        ]
      }
    return HistoryTable.columns(cells.map { Array($0.prefix(columnCount)) }).enumerated().flatMap {
      index, line in
      let files = index > 0 ? runs[index - 1].places.map(\.file) : []
      return [Array(line.utf8)] + files.map { [.space, .space] + Messages.inOneLine($0) }
    }
  }
}
