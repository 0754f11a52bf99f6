import TextBuffer

/// `history` and `diff`.
extension Editor {
  /// Runs `history`.
  mutating func list(_ argument: [UInt8]) throws(EditorError) {
    let all = text.history.revisions.indices.filter { text.isRevision($0) }
    if argument.isEmpty {
      console.say(.history(branch.reversed().map { row($0) }, .table))
    } else if argument == Array("all".utf8) {
      console.say(.history(all.reversed().map { row($0) }, .tree))
    } else if argument == Array("json".utf8) {
      console.say(.history(all.map { row($0) }, .json))
    } else if argument.first == .slash {
      let pattern = try searchPattern(argument)
      let found = all.reversed().filter { matches($0, pattern) }
      console.say(.history(found.map { row($0) }, .table))
    } else {
      throw .badArgument(argument)
    }
  }

  /// The current branch: from the first revision to the last that `redo` reaches.
  private var branch: [Int] {
    var ids = text.history.path(to: 0).back.reversed() as [Int]
    ids.insert(0, at: 0)
    while let next = text.history[ids[ids.count - 1]].preferredChild { ids.append(next) }
    return ids
  }

  private func row(_ id: Int) -> HistoryRow {
    let revision = text.history[id]
    let differences = text.document.changes(of: id).map {
      LineDifference(from: $0.removed, to: $0.inserted)
    }
    return HistoryRow(
      id: id, parent: revision.parent, name: text.name(id), time: revision.time,
      isCurrent: id == text.history.current, isSaved: id == text.history.saved,
      isCheckpoint: revision.isCheckpoint,
      linesAdded: differences.reduce(0) { $0 + $1.addedLineCount },
      linesRemoved: differences.reduce(0) { $0 + $1.removedLineCount })
  }

  /// Parses the argument of `history /RE/`.
  private mutating func searchPattern(_ argument: [UInt8]) throws(EditorError) -> Pattern {
    var parser = CommandParser(line: argument)
    let written: PatternText
    do { written = try parser.parsePattern() } catch { throw .parse(error) }
    parser.scanner.skipBlanks()
    guard parser.scanner.next == .newline else { throw .parse(.invalidSuffix) }
    return try compile(written)
  }

  /// Whether a pattern matches the name of a group, or a line that it removed or inserted.
  private func matches(_ id: Int, _ pattern: Pattern) -> Bool {
    if pattern.matches(unsafe Array(text.name(id).utf8).span.bytes) { return true }
    var subject = Subject(isBinary: text.isBinary)
    for (part, lines) in text.document.changes(of: id).flatMap(Self.changedLines) {
      var isFound = false
      part.forEachLine(in: lines) { _, line in
        isFound = subject.matches(pattern, line)
        return !isFound
      }
      if isFound { return true }
    }
    return false
  }

  /// The ranges of lines that a change removed and inserted.
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
  mutating func showDifference(_ argument: [UInt8]) throws(EditorError) {
    let words = argument.split(whereSeparator: \.isSpace).map { Array($0) }
    let (old, new): (PieceTable, PieceTable)
    switch words.count {
    case 0:
      guard let saved = text.history.saved else { throw .noSuchRevision(Array("saved".utf8)) }
      (old, new) = (text.fileText(of: saved), text.fileText)
    case 1 where words[0] == Array("undo".utf8):
      guard let parent = text.history[text.history.current].parent else { throw .nothingToUndo }
      (old, new) = (text.fileText, text.fileText(of: parent))
    case 1 where words[0] == Array("redo".utf8):
      guard let child = text.history[text.history.current].preferredChild else {
        throw .nothingToRedo
      }
      (old, new) = (text.fileText, text.fileText(of: child))
    case 2 where words.allSatisfy { $0.allSatisfy(\.isDigit) }:
      (old, new) = (
        text.fileText(of: try revision(words[0])), text.fileText(of: try revision(words[1]))
      )
    default:
      let id = try revision(argument)
      (old, new) = (text.fileText(of: text.history[id].parent ?? 0), text.fileText(of: id))
    }
    console.say(.difference(from: old, to: new, of: file.name))
  }
}
