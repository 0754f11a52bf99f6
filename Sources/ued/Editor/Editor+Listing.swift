import TextBuffer

/// `history` and `diff`.
extension Editor {
  /// Runs `history`.
  ///
  /// - Parameters:
  ///   - argument: The form.
  ///   - lines: Lines that the groups have to have touched; none for all groups.
  /// - Throws: If there is no such form, or it takes no address.
  mutating func list(_ argument: [UInt8], touching lines: LineRange) throws(EditorError) {
    let hasLines = lines.count > 0
    if hasLines, ["all", "git", "patch"].contains(where: { argument == Array($0.utf8) }) {
      throw .parse(.unexpectedAddress)
    }
    switch argument {
    case []: try list(atMost: nil, touching: lines)
    case Array("all".utf8):
      console.say(.history(HistoryListing(rows: try rows(ids().reversed()), form: .tree)))
    case Array("json".utf8):
      var rows = try rows(ids(touching: lines), counting: true)
      let names = keeper.runNames
      for index in rows.indices { rows[index].runName = rows[index].run.flatMap { names[$0] } }
      console.say(.history(HistoryListing(rows: rows, form: .json, fileName: file.name)))
    case Array("patch".utf8): try export(as: .patches)
    case Array("git".utf8): try export(as: .commits)
    case _ where argument.first == .slash:
      let pattern = try searchPattern(argument)
      let searched = hasLines ? nil : keeper.candidates(for: pattern, in: &text)
      var found: [Int] = []
      let candidates: [Int]
      if let searched { candidates = searched } else { candidates = try ids(touching: lines) }
      for id in candidates.reversed() {
        if Interrupts.isInterrupted { throw .interrupted }
        if matches(text.history[id], pattern) { found.append(id) }
      }
      if Interrupts.isInterrupted { throw .interrupted }
      console.say(.history(HistoryListing(rows: try rows(found), pattern: argument)))
    default:
      let count = try Self.number(argument)
      try list(atMost: count, touching: lines)
    }
  }

  /// The revisions that `history` knows, oldest first: all, or those that touched some lines.
  private mutating func ids(touching lines: LineRange = LineRange(1, 0)) throws(EditorError)
    -> [Int]
  {
    if lines.count > 0 { return try text.groups(touching: lines).reversed() }
    var ids: [Int] = []
    for id in text.history.revisions.indices where text.isRevision(id) {
      if Interrupts.isInterrupted { throw .interrupted }
      ids.append(id)
    }
    return ids
  }

  /// Lists the revisions of the current branch or those that touched some lines, newest first: at most `limit`, or by
  /// default as many as a person sees at once. The current one is always among them.
  private mutating func list(atMost limit: Int?, touching lines: LineRange) throws(EditorError) {
    let ids: [Int]
    if lines.count > 0 { ids = try text.groups(touching: lines) } else { ids = try branch() }
    var count = limit ?? ids.count
    // What is left out is told in a line of its own.
    if limit == nil, let height = console.rendering.tableHeight, ids.count > height {
      count = height - 1
    }
    count = min(count, ids.count)
    let current = ids.firstIndex(of: text.history.current) ?? 0
    let first = current < count ? 0 : min(current - count / 2, ids.count - count)
    console.say(
      .history(
        HistoryListing(
          rows: try rows(ids[first..<first + count]), newerCount: first,
          olderCount: ids.count - first - count, lines: lines)))
  }

  /// The current branch: from the last revision that `redo` reaches to the first one.
  private func branch() throws(EditorError) -> [Int] {
    var ids = [text.history.current]
    func extend(to next: (Revision) -> Int?) throws(EditorError) {
      while let id = next(text.history[ids[ids.count - 1]]) {
        if Interrupts.isInterrupted { throw .interrupted }
        ids.append(id)
      }
    }
    try extend { $0.preferredChild }
    ids.reverse()
    try extend { $0.parent }
    return ids
  }

  /// The rows of some revisions.
  ///
  /// - Throws: `interrupted`.
  private func rows(
    _ ids: some Collection<Int>, counting: Bool = false
  ) throws(EditorError) -> [HistoryRow] {
    var rows: [HistoryRow] = []
    rows.reserveCapacity(ids.count)
    for id in ids {
      if Interrupts.isInterrupted { throw .interrupted }
      rows.append(row(id, counting: counting))
    }
    return rows
  }

  private func row(_ id: Int, counting: Bool = false) -> HistoryRow {
    let (revision, saved) = (text.history[id], text.history.saved)
    var row = HistoryRow(
      id: id, parent: revision.parent, name: revision.name,
      description: text.document.description(of: id), title: text.title(id),
      time: revision.time, isCurrent: id == text.history.current, isSaved: id == saved,
      wasSaved: id > 0 && id != saved && revision.wasSaved)
    if counting {
      row.run = keeper.run(of: id, in: text.document)
      let differences = text.document.changes(of: id).map {
        LineDifference(from: $0.removed, to: $0.inserted)
      }
      row.lineCounts = (
        differences.reduce(0) { $0 + $1.addedLineCount },
        differences.reduce(0) { $0 + $1.removedLineCount }
      )
    }
    return row
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

  /// Whether a pattern matches a name or the description of a group, or a line that it removed or inserted.
  private func matches(_ revision: Revision, _ pattern: Pattern) -> Bool {
    if revision.isDropped { return false }
    let id = revision.id
    let isCalledSo =
      revision.name == nil
      ? pattern.matches(unsafe text.document.descriptionBytes(of: id).span.bytes)
      : text.document.names(of: id).contains {
        pattern.matches(unsafe Array($0.utf8).span.bytes)
      }
    return isCalledSo
      || text.document.changes(of: id).contains { $0.hasLine(matching: pattern, text.isBinary) }
  }

  /// Runs `diff`.
  mutating func showDifference(_ argument: [UInt8]) throws(EditorError) {
    let words = argument.split(whereSeparator: \.isSpace).map { Array($0) }
    let (old, new): (PieceTable, PieceTable)
    var isNew = false
    var sameness = Sameness.revisions
    switch words.count {
    case 0:
      sameness = .saved
      (old, new) = (try savedText(), text.fileText)
    case 1 where words[0] == Array("disk".utf8):
      let present = try loadFromDisk()?.text
      sameness = present == nil ? .saved : .onDisk
      (old, new, isNew) = (present ?? PieceTable(), text.fileText, present == nil)
    case 1 where words[0] == Array("undo".utf8):
      guard let parent = text.history[text.history.current].parent else { throw .nothingToUndo }
      (old, new) = (text.fileText, try text.fileText(of: parent))
    case 1 where words[0] == Array("redo".utf8):
      guard let child = text.history[text.history.current].preferredChild else {
        throw .nothingToRedo(wayBack: text.wayBack)
      }
      (old, new) = (text.fileText, try text.fileText(of: child))
    case 2 where words.allSatisfy { $0.allSatisfy(\.isDigit) || $0 == Array("saved".utf8) }:
      (old, new) = (
        try text.fileText(of: try revision(words[0], for: .diff)),
        try text.fileText(of: try revision(words[1], for: .diff))
      )
    default:
      let id = try revision(argument, for: .diff)
      (old, new) = (try text.fileText(of: text.history[id].parent ?? 0), try text.fileText(of: id))
      let present = text.history.current
      sameness = .group(id, present: present == id ? nil : present)
    }
    if options.isFriendly && !isNew && old == new { return console.say(.noDifference(sameness)) }
    console.say(.difference(from: old, to: new, of: file.name, isNew: isNew))
    if Interrupts.isInterrupted { throw .interrupted }
  }

  /// The text that was saved last, which may be one that an open group has had.
  private func savedText() throws(EditorError) -> PieceTable {
    if text.isInGroup, let saved = text.save.unrecordedText { return saved }
    guard let saved = text.history.saved else {
      // What an open group had then is no revision.
      if options.isFriendly, let written = file.known(as: file.name)?.texts.last { return written }
      throw .noSuchRevision(Array("saved".utf8))
    }
    return try text.fileText(of: saved)
  }

  /// What the default file contains now; nil if there is no such file.
  func loadFromDisk() throws(EditorError) -> LoadedText? {
    if file.name.isEmpty { throw .noCurrentFileName }
    guard let status = OpenFile.status(of: file.name) else { return nil }
    guard status.isRegular else { throw .notRegularFile }
    do throws(FileError) {
      let loaded = try file.disk.read(file.name, strippingCR: options.stripTrailingCR)
      if let failure = loaded.failure { throw failure }
      return loaded
    } catch {
      throw reported(error)
    }
  }
}
