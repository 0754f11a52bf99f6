import TextBuffer
import TextLines

/// Runs `tree`: shows the history on a full screen, and performs the actions of keys.
struct TreeView {
  private let screen: any Screen
  private var walk: TreeWalk
  private var page: TreePage?
  private var drawing = TreeDrawing(mostColumns: 1)
  /// The revision of the first row, if its branches are not drawn yet.
  private var undrawn: Int?
  /// The revision around which changes have been read; reading distant ones reads all between.
  private var readCenter: Int
  /// The text of the revision viewed last.
  private var viewed: (id: Int, text: PieceTable)?
  /// The numbers of lines that groups have added and removed; an inner nil if counting takes too
  /// long.
  private var lineCounts: [Int: (added: Int, removed: Int)?] = [:]
  private let runNames: [Int: String]
  /// Whether the text has moved, or has a new group.
  private(set) var hasMoved = false

  init(_ editor: borrowing Editor, on screen: any Screen) {
    self.screen = screen
    readCenter = editor.text.history.current
    walk = TreeWalk(at: readCenter)
    runNames = editor.keeper.runNames
    // The open group has no row yet.
    if editor.text.isInGroup { walk.note = .failed(.groupIsOpen) }
  }

  /// Shows pages and performs actions until the user leaves.
  mutating func run(_ editor: inout Editor) {
    while true {
      let split = ScreenSplit(screen.size, hasNote: walk.note != nil)
      if !screen.hasEventAhead {
        showPages(split, &editor)
      }
      switch screen.nextEvent() {
      case .key(let key):
        let action = walk.take(key, in: editor.text.history, height: split.listRows)
        let start = SystemClock.uptime
        if action.mayTakeLong {
          page?.isWorking = true
          if let page { screen.show(editor.console.rendering.frame(of: page)) }
        }
        if perform(action, &editor) { return }
        // What was typed at a screen that stood still was not meant for the next page.
        if action.mayTakeLong, SystemClock.uptime - start > Self.longWait { screen.dropKeys() }
      case .redraw: break
      case .interrupted where !Interrupts.hangUp && walk.isAsking: walk.stopAsking()
      case .interrupted, .end: return
      }
    }
  }

  // MARK: - Actions

  /// Performs an action; returns whether the view ends. Changes are stored before the next page.
  private mutating func perform(_ action: TreeWalk.Action, _ editor: inout Editor) -> Bool {
    do throws(EditorError) {
      switch action {
      case .none: return false
      case .leave: return true
      case .jump(let id):
        try editor.jump("jump", Self.argument(id))
        hasMoved = true
        return true
      case .pick(let id):
        let title = editor.text.title(id)
        try editor.pick(Self.argument(id))
        finish(.picked(title, to: editor.text.history.current), &editor)
      case .revert(let id):
        let title = editor.text.title(id)
        try editor.revert(Self.argument(id), in: LineRange(1, 0))
        finish(.reverted(title, to: editor.text.history.current), &editor)
      case .name(let id, let name):
        try editor.text.refuseInGroup()
        try editor.name(id, Array(name.utf8))
        editor.recordHistoryBeforeWaiting()
        walk.note = .named(id, editor.text.title(id))
      case .search(let text):
        let ids = try editor.groups(matching: text)
        walk.show(found: ids.reversed(), in: editor.text.history)
        walk.note =
          ids.isEmpty ? .noneFound(pattern: text) : .found(ids.count, pattern: text)
      }
    } catch {
      _ = Interrupts.takeInterrupt()
      walk.fail(error, action)
    }
    return false
  }

  /// Stores a new group, selects it, and reports it.
  private mutating func finish(_ move: Move, _ editor: inout Editor) {
    hasMoved = true
    editor.recordHistoryBeforeWaiting()
    drawing = TreeDrawing(mostColumns: drawing.mostColumns)
    viewed = nil
    lineCounts = [:]
    walk.select(editor.text.history.current, in: editor.text.history)
    walk.note = .done(
      move, line: editor.text.currentLine, lineCount: editor.text.lastLine.value)
  }

  private static func argument(_ id: Int) -> [UInt8] { Array(String(id).utf8) }

  // MARK: - Pages

  /// Shows the page: first without slow parts, then complete once no key waits.
  private mutating func showPages(_ split: ScreenSplit, _ editor: inout Editor) {
    if abs(walk.selected - readCenter) > Self.farthest {
      show(split, &editor, isComplete: false)
      if screen.hasEventAhead { return }
    }
    show(split, &editor)
    readCenter = walk.selected
    while let id = undrawn, !screen.hasEventAhead, !Interrupts.isRequested {
      if drawing.approach(id, in: editor.text.history, atMost: Self.rowsAtOnce) {
        show(split, &editor)
      }
    }
  }

  private mutating func show(
    _ split: ScreenSplit, _ editor: inout Editor, isComplete: Bool = true
  ) {
    let page = makePage(split, &editor, isComplete)
    screen.show(editor.console.rendering.frame(of: page))
    self.page = page
  }

  /// Makes a page; unless `isComplete`, without the lines that groups changed.
  private mutating func makePage(
    _ split: ScreenSplit, _ editor: inout Editor, _ isComplete: Bool
  ) -> TreePage {
    let history = editor.text.history
    let ids = walk.rows(split.listRows, in: history)
    let mostColumns = max(1, (split.listColumns - 24) / 4)
    if mostColumns != drawing.mostColumns { drawing = TreeDrawing(mostColumns: mostColumns) }
    var drawings: [String] = []
    undrawn = nil
    if let first = ids.first, walk.filter == .all {
      let isReached = drawing.approach(first, in: history, atMost: Self.rowsAtOnce)
      if isReached { drawings = drawing.rows(ids, in: history) } else { undrawn = first }
    }
    var rows: [TreePage.Row] = []
    for (index, id) in ids.enumerated() {
      var row = editor.row(id, counting: false)
      row.run = editor.keeper.run(of: id, in: editor.text.document)
      row.runName = row.run.flatMap { runNames[$0] }
      rows.append(
        TreePage.Row(
          row: row, drawing: index < drawings.count ? drawings[index] : "",
          lineCounts: isComplete ? lineCounts(of: id, editor.text.document) : nil))
    }
    var question: (TreePage.Question, String)?
    if case .asking(let asked, let answer) = walk.mode { question = (asked, answer) }
    return TreePage(
      split: split, rows: rows, selected: walk.selected,
      panel: isComplete || !walk.showsLines ? panel(split, editor.text) : .nothing,
      question: question, note: walk.note, now: SystemClock.now)
  }

  /// The numbers of lines that a group added and removed; nil if there are too many to compare.
  private mutating func lineCounts(
    of id: Int, _ document: Document<EditorContext>
  ) -> (added: Int, removed: Int)? {
    if let known = lineCounts[id] { return known }
    let changes = document.changes(of: id)
    let isShort = changes.allSatisfy { change in
      change.removedByteCount == 0 || change.insertedByteCount == 0
        || change.removedLineCount + change.insertedLineCount <= Self.mostCompared
    }
    let counts = isShort ? changes.lineCounts : nil
    lineCounts[id] = .some(counts)
    return counts
  }

  /// The content of the pane next to or below the list.
  private mutating func panel(_ split: ScreenSplit, _ text: EditedText) -> TreePage.Panel {
    if walk.mode == .keys { return .keys }
    if case .conflict(let conflict) = walk.mode { return .conflict(conflict) }
    // Next to the list, a row has the title.
    let limit = split.isBeside ? split.paneRows - 1 : split.paneRows
    if limit <= 0 { return .nothing }
    let id = walk.selected
    if walk.fromPresent {
      guard let selected = self.text(of: id, text) else { return .nothing }
      return Self.panel([(selected, text.buffer)], limit, isPresent: true)
    }
    guard let parent = text.history[id].parent else {
      return .lines([], moreCount: 0, fromPresent: false)
    }
    if isNear(id, text.history), let new = self.text(of: id, text) {
      var old = new
      guard text.document.move(&old, from: id, to: parent, unless: { false }) else {
        return .nothing
      }
      return Self.panel([(old, new)], limit, isPresent: false)
    }
    // Line numbers are unknown without the text.
    return Self.panel(
      text.document.changes(of: id).map { ($0.removed, $0.inserted) }, limit, isPresent: false,
      isNumbered: false)
  }

  /// The first lines in which pairs of texts differ.
  private static func panel(
    _ pairs: [(old: PieceTable, new: PieceTable)], _ limit: Int, isPresent: Bool,
    isNumbered: Bool = true
  ) -> TreePage.Panel {
    var (lines, total) = ([TreePage.Line](), 0)
    for (old, new) in pairs {
      let changed = LineDifference.affordableHunks(from: old, to: new).lines(
        from: old, to: new, atMost: limit - lines.count)
      total += changed.count
      lines += changed.first.map { line in
        TreePage.Line(
          number: isNumbered ? line.number : nil, isAdded: line.isAdded,
          text: start(of: line.number, in: line.text))
      }
    }
    if total > limit && limit > 1 { lines.removeLast() }
    return .lines(lines, moreCount: total - lines.count, fromPresent: isPresent)
  }

  /// The start of a line, as long as a terminal can show.
  private static func start(of line: LineNumber, in text: PieceTable) -> [UInt8] {
    let range = text.byteRange(of: LineRange(line))
    let end = min(range.upperBound, range.lowerBound + TreePage.Line.longest)
    let bytes = text.bytes(in: range.lowerBound..<end)
    return bytes.last == .newline ? Array(bytes.dropLast()) : bytes
  }

  /// The text of a revision, made from the text viewed last; nil if interrupted.
  private mutating func text(of id: Int, _ text: EditedText) -> PieceTable? {
    var viewed = self.viewed ?? (text.history.current, text.document.committedBuffer)
    guard
      text.document.move(
        &viewed.text, from: viewed.id, to: id, unless: { Interrupts.isInterrupted })
    else { return nil }
    viewed.id = id
    self.viewed = viewed
    return viewed.text
  }

  /// Whether few groups are between a revision and the revision viewed last.
  private func isNear(_ id: Int, _ history: History<Change>) -> Bool {
    var (one, other) = (id, viewed?.id ?? history.current)
    for _ in 0..<Self.farthest {
      if one == other { return true }
      // A parent has a smaller number.
      if one > other { one = history[one].parent ?? 0 } else { other = history[other].parent ?? 0 }
    }
    return false
  }

  /// The seconds after which an action has kept its user waiting.
  private static let longWait = 1.0
  /// The number of rows passed over before a look for the next key.
  private static let rowsAtOnce = 4096
  /// The maximum number of lines of a group that are compared for a count.
  private static let mostCompared = 10_000
  /// The maximum number of groups undone or redone for line numbers.
  private static let farthest = 2000
}
