import TextBuffer

/// Showing the history: `history` in its forms, and `diff`.
extension Editor {
  /// Runs `history`.
  mutating func list(_ argument: [UInt8], to renderer: inout Renderer) throws(EditorError) {
    let all = history.revisions.indices.filter { isRevision($0) }
    if argument.isEmpty {
      show(branch.reversed().map { row($0) }, to: &renderer)
    } else if argument == Array("all".utf8) {
      let rows = all.reversed().map { row($0) }
      show(rows, branches: HistoryTable.branches(rows), to: &renderer)
    } else if argument == Array("json".utf8) {
      for id in all { renderer.printLine(Array(HistoryTable.json(row(id)).utf8)) }
    } else if argument.first == .slash {
      let pattern = try searchPattern(argument)
      let found = all.reversed().filter { matches($0, pattern) }
      show(found.map { row($0) }, to: &renderer)
    } else {
      throw .badArgument(argument)
    }
  }

  /// The revisions from the first one through the present one to the last one that redo leads to.
  private var branch: [Int] {
    var ids = history.path(to: 0).back.reversed() as [Int]
    ids.insert(0, at: 0)
    while let next = history[ids[ids.count - 1]].preferredChild { ids.append(next) }
    return ids
  }

  private func show(
    _ rows: [HistoryRow], branches: [String] = [], to renderer: inout Renderer
  ) {
    for line in HistoryTable.lines(rows, branches: branches, now: SystemClock.now) {
      renderer.printLine(Array(line.utf8))
    }
  }

  private func row(_ id: Int) -> HistoryRow {
    let revision = history[id]
    let differences = document.changes(of: id).map {
      LineDifference(from: $0.removed, to: $0.inserted)
    }
    return HistoryRow(
      id: id, parent: revision.parent, name: name(id), time: revision.time,
      isCurrent: id == history.current, isSaved: id == history.saved,
      isCheckpoint: revision.isCheckpoint,
      linesAdded: differences.reduce(0) { $0 + $1.addedLineCount },
      linesRemoved: differences.reduce(0) { $0 + $1.removedLineCount })
  }

  /// The pattern of `history /RE/`.
  private mutating func searchPattern(_ argument: [UInt8]) throws(EditorError) -> Pattern {
    var parser = CommandParser(line: argument)
    let text: PatternText
    do { text = try parser.parsePattern() } catch { throw .parse(error) }
    parser.scanner.skipBlanks()
    guard parser.scanner.next == .newline else { throw .parse(.invalidSuffix) }
    return try compile(text)
  }

  /// Whether a pattern matches a group's name or a line that it took out or put in.
  private func matches(_ id: Int, _ pattern: Pattern) -> Bool {
    if pattern.matches(unsafe Array(name(id).utf8).span.bytes) { return true }
    var subject = Subject(isBinary: isBinary)
    for (text, lines) in document.changes(of: id).flatMap(Self.changedLines) {
      var isFound = false
      text.forEachLine(in: lines) { _, line in
        isFound = subject.matches(pattern, line)
        return !isFound
      }
      if isFound { return true }
    }
    return false
  }

  /// The lines that a change took out and put in.
  private static func changedLines(of change: Change) -> [(PieceTable, LineRange)] {
    let (removed, inserted) = (change.removed, change.inserted)
    var lines: [(PieceTable, LineRange)] = []
    for hunk in LineDifference(from: removed, to: inserted).hunks {
      if hunk.old.count > 0 { lines.append((removed, hunk.old)) }
      if hunk.new.count > 0 { lines.append((inserted, hunk.new)) }
    }
    return lines
  }

  /// Runs `diff`.
  mutating func showDifference(
    _ argument: [UInt8], to renderer: inout Renderer
  ) throws(EditorError) {
    let words = argument.split(whereSeparator: \.isSpace).map { Array($0) }
    let (old, new): (PieceTable, PieceTable)
    switch words.count {
    case 0:
      guard let saved = history.saved else { throw .noSuchRevision(Array("saved".utf8)) }
      (old, new) = (fileText(of: saved), fileText)
    case 1 where words[0] == Array("undo".utf8):
      guard let parent = history[history.current].parent else { throw .nothingToUndo }
      (old, new) = (fileText, fileText(of: parent))
    case 1 where words[0] == Array("redo".utf8):
      guard let child = history[history.current].preferredChild else { throw .nothingToRedo }
      (old, new) = (fileText, fileText(of: child))
    case 2 where words.allSatisfy { $0.allSatisfy(\.isDigit) }:
      (old, new) = (fileText(of: try revision(words[0])), fileText(of: try revision(words[1])))
    default:
      let id = try revision(argument)
      (old, new) = (fileText(of: history[id].parent ?? 0), fileText(of: id))
    }
    renderer.printDifference(from: old, to: new, of: fileName)
  }

  /// The text as it would be written.
  var fileText: PieceTable { asFile(buffer, marks) }

  /// The text of a revision as it would be written.
  private func fileText(of id: Int) -> PieceTable {
    asFile(text(of: id), document.contextAfter(id).marks)
  }

  /// A text without its last newline, where the file has none.
  private func asFile(_ text: PieceTable, _ marks: Marks) -> PieceTable {
    guard isBinary, !text.isEmpty, marks[Marks.unterminatedLine] == text.newlineCount else {
      return text
    }
    return text.slice(ByteOffset(0)..<ByteOffset(text.byteCount - 1))
  }
}
