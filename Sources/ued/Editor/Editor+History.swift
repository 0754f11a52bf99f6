import Glibc
import TextBuffer
import TextLines

/// Moving between revisions: `u`, `undo`, `redo`, `jump`, `earlier`, `later`.
extension Editor {
  /// Runs `u`, and reports the move to a person.
  mutating func toggleUndo() throws(EditorError) {
    let (start, isRedo) = try text.undo()
    guard conduct.announces, !text.isInGlobal else { return }
    let id = text.history.current
    let (redone, undone) = text.history.path(to: start)
    let move: Move =
      switch (undone.isEmpty, redone.isEmpty) {
      case (true, true): .toggled(isRedo: isRedo)
      case (false, true): .undone(undone.reversed().map { text.title($0) }, to: id)
      case (true, false): .redone(redone.reversed().map { text.title($0) }, to: id)
      case (false, false): .jumped(to: id, name: text.title(id))
      }
    report(move)
  }

  /// Undoes N groups, by default one; with lines, only in those lines.
  mutating func undo(_ argument: [UInt8], in lines: LineRange) throws(EditorError) {
    try text.refuseInGroup()
    if lines.count > 0 { return try undoLines(argument, lines) }
    let ids = try steps(argument, of: "undo", .nothingToUndo) { history, id in history[id].parent }
    // A script must get all that it asks for, or an error.
    let reached = conduct.asksFirst ? try pathWithinRun(ids) : ids
    try walk(.undone(titles(of: reached.dropLast()), to: reached[reached.count - 1]))
    if reached.count < ids.count { console.say(.error(.undoCrossesSession, .brief)) }
  }

  /// Cuts the path of an undo, current revision first, at the first border between runs. An undo
  /// that begins at the border where the last one stopped crosses it.
  ///
  /// - Throws: `undoCrossesSession` if the path begins at a border where the last undo did not stop.
  private mutating func pathWithinRun(_ ids: [Int]) throws(EditorError) -> [Int] {
    let mayCross = reportedBorder == ids[0]
    reportedBorder = nil
    let stop = ids.indices.dropLast().first {
      ids[$0] != 0 && keeper.isStart(ids[$0]) && !($0 == 0 && mayCross)
    }
    guard let stop else { return ids }
    reportedBorder = ids[stop]
    if stop == 0 { throw .undoCrossesSession }
    return Array(ids[...stop])
  }

  /// Redoes N groups, by default one.
  mutating func redo(_ argument: [UInt8]) throws(EditorError) {
    try text.refuseInGroup()
    let ids = try steps(argument, of: "redo", .nothingToRedo(wayBack: text.wayBack)) {
      history, id in
      history[id].preferredChild
    }
    try walk(.redone(titles(of: ids.dropFirst()), to: ids[ids.count - 1]))
  }

  mutating func jump(_ word: Word, _ argument: [UInt8]) throws(EditorError) {
    try text.refuseInGroup()
    let id = word == "jump" ? try revision(argument, for: word) : try revision(word, by: argument)
    try walk(.jumped(to: id, name: text.title(id)))
  }

  mutating func name(_ id: Int, _ name: [UInt8]) throws(EditorError) {
    try text.setName(name, of: id)
    if !text.isInGroup { console.say(.named(revision: id, title: text.title(id))) }
  }

  /// Makes a move, and reports it to a person or in verbose mode.
  mutating func walk(_ move: Move) throws(EditorError) {
    switch move {
    case .undone(_, let id), .redone(_, let id), .jumped(let id, _): try text.jump(to: id)
    case .merged, .picked, .reverted, .toggled: break
    }
    if console.isVerbose || conduct.announces { report(move) }
  }

  func report(_ move: Move) {
    console.say(.moved(move, line: text.currentLine, lineCount: text.lastLine.value))
  }

  /// The path of N steps, beginning with the current revision.
  private func steps(
    _ argument: [UInt8], of word: Word, _ nothing: EditorError,
    _ next: (History<Change>, Int) -> Int?
  ) throws(EditorError) -> [Int] {
    let count = argument.isEmpty ? 1 : try Self.number(argument, of: word)
    var ids = [text.history.current]
    while ids.count <= count {
      guard let id = next(text.history, ids[ids.count - 1]) else {
        throw ids.count == 1 ? nothing : .tooFewGroups(ids.count - 1)
      }
      ids.append(id)
    }
    return ids
  }

  /// The revision given by a number, a name, a description, the beginning of one, `saved`, or `-`
  /// for the revision that the last move left.
  ///
  /// - Throws: `missingArgument`, `noSuchRevision`, `ambiguousRevision`, `noMoveYet` or
  ///   `interrupted`.
  func revision(_ argument: [UInt8], for word: Word) throws(EditorError) -> Int {
    if argument.isEmpty { throw .missingArgument(word) }
    if argument.allSatisfy(\.isDigit) {
      guard let id = Int(String(decoding: argument, as: UTF8.self)), text.isRevision(id) else {
        throw .noSuchRevision(argument)
      }
      return id
    }
    if argument == Array("saved".utf8) {
      guard let saved = text.history.saved else { throw .noSuchRevision(argument) }
      return saved
    }
    if argument == [UInt8(ascii: "-")] {
      guard let left = text.leftRevision, text.isRevision(left) else { throw .noMoveYet }
      return left
    }
    let name = GroupNames.readable(argument)
    var (found, begun): ([Int], [Int]) = ([], [])
    for revision in text.history.revisions where !revision.isDropped {
      if revision.id & 255 == 255 && Interrupts.isInterrupted { throw .interrupted }
      let names = text.document.names(of: revision.id)
      if names.contains(name) { found.append(revision.id) }
      if names.contains(where: { $0.hasPrefix(name) }) { begun.append(revision.id) }
    }
    if found.isEmpty { found = begun }
    guard let first = found.first else { throw .noSuchRevision(argument) }
    guard found.count == 1 else { throw .ambiguousRevision(argument, found) }
    return first
  }

  private func titles(of ids: ArraySlice<Int>) throws(EditorError) -> [String] {
    var titles: [String] = []
    for id in ids {
      if titles.count & 255 == 255 && Interrupts.isInterrupted { throw .interrupted }
      titles.append(text.title(id))
    }
    return titles
  }

  /// The argument of a word as a positive number.
  static func number(_ argument: [UInt8], of word: Word) throws(EditorError) -> Int {
    guard argument.allSatisfy(\.isDigit),
      let number = Int(String(decoding: argument, as: UTF8.self)), number > 0
    else { throw .badArgument(argument, of: word) }
    return number
  }

  /// The units of time for `earlier` and `later`, in seconds.
  private static let seconds: [UInt8: Double] = [
    UInt8(ascii: "s"): 1, UInt8(ascii: "m"): 60, UInt8(ascii: "h"): 3600, UInt8(ascii: "d"): 86400,
  ]

  /// The revision for `earlier` or `later` with `30s`, `10m`, `2h`, `1d` or, in saves, `1f`.
  private func revision(_ word: Word, by argument: [UInt8]) throws(EditorError) -> Int {
    guard let unit = argument.last else { throw .missingArgument(word) }
    guard argument.count < 12, argument.dropLast().allSatisfy(\.isDigit),
      let number = Int(String(decoding: argument.dropLast(), as: UTF8.self))
    else { throw .badArgument(argument, of: word) }
    let isEarlier = word == "earlier"
    let (history, current) = (text.history, text.history[text.history.current])
    let newest = history.revisions.last { !$0.isDropped }?.id ?? current.id
    if let seconds = Self.seconds[unit] {
      let isLatest = isEarlier && current.id == history.revisions.count - 1
      let distance = Double(number) * seconds
      let time =
        (isLatest ? SystemClock.now : current.time) + (isEarlier ? -distance : distance)
      return history.revisions.last { !$0.isDropped && $0.time <= time }?.id
        ?? (isEarlier ? 0 : current.id)
    }
    guard unit == UInt8(ascii: "f") else { throw .badArgument(argument, of: word) }
    if number == 0 { return current.id }
    let saves = history.revisions.filter {
      $0.wasSaved && (isEarlier ? $0.id < current.id : $0.id > current.id)
    }
    guard number <= saves.count else { return isEarlier ? 0 : newest }
    return saves[isEarlier ? saves.count - number : number - 1].id
  }
}

// MARK: - Listing

/// `history` and `diff`.
extension Editor {
  /// Runs `history`: lists the groups that touched `lines`, or all groups if `lines` is empty.
  ///
  /// - Throws: If the form does not exist, or takes no address.
  mutating func list(_ argument: [UInt8], touching lines: LineRange) throws(EditorError) {
    let hasLines = lines.count > 0
    if hasLines, ["all", "git", "patch"].contains(where: { argument == Array($0.utf8) }) {
      throw .parse(.unexpectedAddress)
    }
    switch argument {
    case []: try list(atMost: nil, touching: lines)
    case Array("all".utf8):
      let rows = [openRow].compactMap(\.self) + (try rows(ids().reversed()))
      console.say(.history(HistoryListing(rows: rows, form: .tree)))
    case Array("json".utf8):
      var rows = try rows(ids(touching: lines))
      let names = keeper.runNames
      for index in rows.indices {
        rows[index].run = keeper.run(of: rows[index].id, in: text.document)
        rows[index].runName = rows[index].run.flatMap { names[$0] }
      }
      console.say(.history(HistoryListing(rows: rows, form: .json, fileName: file.name)))
    case Array("patch".utf8): try export(as: .patches)
    case Array("git".utf8): try export(as: .commits)
    case _ where argument.first == .slash:
      let pattern = try searchPattern(argument)
      let found = try groups(matching: pattern, touching: lines)
      console.say(.history(HistoryListing(rows: try rows(found), pattern: argument)))
    default:
      let count = try Self.number(argument, of: "history")
      try list(atMost: count, touching: lines)
    }
  }

  /// The listed revisions, oldest first: all, or those that touched some lines.
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

  /// The groups whose name or changed text matches a regular expression, newest first.
  ///
  /// - Throws: The error in the expression, or `interrupted`.
  mutating func groups(matching expression: String) throws(EditorError) -> [Int] {
    // Users do not type this delimiter.
    try groups(matching: try searchPattern([1] + Array(expression.utf8)), touching: LineRange(1, 0))
  }

  /// The groups whose name or changed text has a match; with lines, only groups that touched them.
  private mutating func groups(
    matching pattern: Pattern, touching lines: LineRange
  ) throws(EditorError) -> [Int] {
    let searched = lines.count > 0 ? nil : keeper.candidates(for: pattern, in: text)
    var found: [Int] = []
    let candidates: [Int]
    if let searched { candidates = searched } else { candidates = try ids(touching: lines) }
    for id in candidates.reversed() {
      if Interrupts.isInterrupted { throw .interrupted }
      if matches(text.history[id], pattern) { found.append(id) }
    }
    if Interrupts.isInterrupted { throw .interrupted }
    return found
  }

  /// Lists revisions, newest first: the current branch, or the groups that touched some lines; at
  /// most `limit`, by default as many as fit a person's screen, always with the current one.
  private mutating func list(atMost limit: Int?, touching lines: LineRange) throws(EditorError) {
    let ids: [Int]
    if lines.count > 0 { ids = try text.groups(touching: lines) } else { ids = try branch() }
    var count = limit ?? ids.count
    let isWhole = lines.count == 0
    let open = isWhole ? openRow : nil
    let otherBranchCount = isWhole && conduct.decorates ? branchCount - 1 : 0
    // The open group, other branches and omitted groups take a line each.
    if limit == nil, let height = console.rendering.tableHeight {
      let room = height - (open == nil ? 0 : 1) - (otherBranchCount > 0 ? 1 : 0)
      if ids.count > room { count = max(room - 1, 1) }
    }
    count = min(count, ids.count)
    let current = ids.firstIndex(of: text.history.current) ?? 0
    let first = current < count ? 0 : min(current - count / 2, ids.count - count)
    let rows = try rows(ids[first..<first + count])
    console.say(
      .history(
        HistoryListing(
          rows: [open].compactMap(\.self) + rows, newerCount: first,
          olderCount: ids.count - first - count, otherBranchCount: otherBranchCount, lines: lines)))
  }

  /// The number of revisions without children.
  var branchCount: Int {
    text.history.revisions.count { !$0.isDropped && $0.newestChild == nil }
  }

  /// The open group as a row above the revisions, for a person; nil without one.
  private var openRow: HistoryRow? {
    guard conduct.decorates, let group = text.openGroups.first else { return nil }
    let steps = text.openGroups.reduce(into: StepNames()) { $0.add($1.steps, named: nil) }
    let description = GroupNames.open(steps.description)
    let changes = LineDifference.affordableHunks(from: group.text, to: text.buffer)
    return HistoryRow(
      id: text.history.revisions.count, parent: text.history.current, name: group.name,
      description: description,
      title: GroupNames.title(name: group.name, description: description), time: SystemClock.now,
      isCurrent: true, isSaved: false, wasSaved: false, isOpen: true,
      lineCounts: (
        changes.reduce(0) { $0 + $1.new.count }, changes.reduce(0) { $0 + $1.old.count }
      ))
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

  /// The rows of some revisions; throws `interrupted`.
  private func rows(_ ids: some Collection<Int>) throws(EditorError) -> [HistoryRow] {
    var rows: [HistoryRow] = []
    rows.reserveCapacity(ids.count)
    for id in ids {
      if Interrupts.isInterrupted { throw .interrupted }
      rows.append(row(id))
    }
    return rows
  }

  /// The row of a revision in lists, with its added and removed lines if `isCounting`.
  func row(_ id: Int, counting isCounting: Bool = true) -> HistoryRow {
    let (revision, saved) = (text.history[id], text.history.saved)
    let current = text.history.current
    return HistoryRow(
      id: id, parent: revision.parent, name: revision.name,
      description: text.document.description(of: id), title: text.title(id),
      time: revision.time, isCurrent: id == current && !(conduct.decorates && text.isInGroup),
      isSaved: id == saved, wasSaved: id > 0 && id != saved && revision.wasSaved,
      isNext: id == text.history[current].preferredChild,
      lineCounts: isCounting ? text.document.changes(of: id).lineCounts : (0, 0))
  }

  private mutating func searchPattern(_ argument: [UInt8]) throws(EditorError) -> Pattern {
    var parser = CommandParser(line: argument)
    let written: PatternText
    do { written = try parser.parsePattern() } catch { throw .parse(error) }
    parser.scanner.skipBlanks()
    guard parser.scanner.next == .newline else { throw .parse(.invalidSuffix) }
    return try compile(written)
  }

  /// Whether a pattern matches a name or the description of a group, or a line that it removed or
  /// inserted.
  private func matches(_ revision: Revision, _ pattern: Pattern) -> Bool {
    if revision.isDropped { return false }
    let id = revision.id
    let titleMayMatch =
      revision.name == nil
      ? pattern.matches(unsafe text.document.descriptionBytes(of: id).span.bytes)
      : text.document.names(of: id).contains {
        pattern.matches(unsafe Array($0.utf8).span.bytes)
      }
    return titleMayMatch
      || text.document.changes(of: id).contains { $0.hasLine(matching: pattern, text.isBinary) }
  }

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
    case 1 where words[0] == [UInt8(ascii: "-")]:
      (old, new) = (try text.fileText(of: try revision(words[0], for: "diff")), text.fileText)
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
        try text.fileText(of: try revision(words[0], for: "diff")),
        try text.fileText(of: try revision(words[1], for: "diff"))
      )
    default:
      let id = try revision(argument, for: "diff")
      (old, new) = (try text.fileText(of: text.history[id].parent ?? 0), try text.fileText(of: id))
      let present = text.history.current
      sameness = .group(id, present: present == id ? nil : present)
    }
    if conduct.announces && !isNew && old == new { return console.say(.noDifference(sameness)) }
    console.say(.difference(from: old, to: new, of: file.name, isNew: isNew))
    if Interrupts.isInterrupted { throw .interrupted }
  }

  /// The last saved text, which may be an earlier state of an open group.
  private func savedText() throws(EditorError) -> PieceTable {
    if text.isInGroup, let saved = text.save.unrecordedText { return saved }
    guard let saved = text.history.saved else {
      // The text was saved in a group: no revision has it.
      if conduct.allowsCorrection, let written = file.known(as: file.name)?.texts.last {
        return written
      }
      throw .noSuchRevision(Array("saved".utf8))
    }
    return try text.fileText(of: saved)
  }

  /// The present content of the default file; nil if the file does not exist.
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

// MARK: - Export

/// Output of revisions that leaves the current one current: `peek`, `history patch`, `history git`.
extension Editor {
  /// Runs `peek`: prints lines of a revision, by default all.
  func peek(_ argument: [UInt8]) throws(EditorError) {
    let (name, range) = Self.splitRange(argument)
    let id = try revision(name, for: "peek")
    let text = try text.text(of: id)
    let last = LineNumber(text.newlineCount)
    var lines = LineRange(LineNumber(1), last)
    if let range {
      lines = LineRange(range.first ?? last, range.last ?? last)
      for line in [lines.first, lines.last] where !(.zero < line && line <= last) {
        throw .noSuchLineOf(id, line, last: last)
      }
      guard lines.first <= lines.last else { throw .rangeIsBackwards(lines) }
    }
    if lines.count > 0 { console.say(.lines(lines, of: text, as: .plain)) }
    if Interrupts.isInterrupted { throw .interrupted }
  }

  /// Splits the argument of `peek`: its last word is a range if it looks like one and is not alone.
  /// A nil line stands for `$`.
  private static func splitRange(
    _ argument: [UInt8]
  ) -> (name: [UInt8], range: (first: LineNumber?, last: LineNumber?)?) {
    let end = argument.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? 0
    let argument = argument[..<end]
    guard let blank = argument.lastIndex(where: \.isSpace) else { return (Array(argument), nil) }
    let range = argument[(blank + 1)...].split(
      separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    let isRange =
      range.count < 3
      && range.allSatisfy { part in
        part.elementsEqual("$".utf8) || !part.isEmpty && part.allSatisfy(\.isDigit)
      }
    guard isRange, let first = range.first, let last = range.last else {
      return (Array(argument), nil)
    }
    let name = argument[..<blank].reversed().drop { $0.isSpace }.reversed()
    return (Array(name), (line(first), line(last)))
  }

  /// A line number, however large; nil for `$`.
  private static func line(_ digits: ArraySlice<UInt8>) -> LineNumber? {
    digits.first == UInt8(ascii: "$")
      ? nil : LineNumber(Int(String(decoding: digits, as: UTF8.self)) ?? .max)
  }

  /// Prints the history in a format of other programs.
  func export(as form: HistoryExport.Form) throws(EditorError) {
    if form == .patches { try checkMemoryToCompare(text.lastLine.value) }
    let status = file.name.isEmpty ? nil : OpenFile.status(of: file.name)
    console.say(
      .exported(
        HistoryExport(
          form: form, text: text, fileName: file.name,
          isExecutable: (status?.st_mode ?? 0) & S_IXUSR != 0)))
    if Interrupts.isInterrupted { throw .interrupted }
  }
}

// MARK: - History of lines

/// The history of some lines: `history`, `undo` and `revert` with addresses, and `blame`.
extension Editor {
  mutating func blame(_ argument: [UInt8], _ lines: LineRange) throws(EditorError) {
    let isJSON = argument == Array("json".utf8)
    if !isJSON && !argument.isEmpty { throw .badArgument(argument, of: "blame") }
    var groups: [Int] = []
    if lines.count > 0 { groups = try text.groups(showing: lines) }
    let history = text.history
    let names = keeper.runNames
    var origins: [Int: BlameListing.Origin] = [:]
    for id in groups where origins[id] == nil && id < history.revisions.count {
      let run = keeper.run(of: id, in: text.document)
      origins[id] = BlameListing.Origin(
        time: history[id].time, run: run, runName: run.flatMap { names[$0] })
    }
    console.say(
      .blame(
        BlameListing(
          lines: lines, text: text.buffer, groups: groups, origins: origins, isJSON: isJSON)))
  }

  /// Undoes the newest N groups in some lines, each as a new group: all N, or nothing.
  mutating func undoLines(_ argument: [UInt8], _ lines: LineRange) throws(EditorError) {
    let count = argument.isEmpty ? 1 : try Self.number(argument, of: "undo")
    let start = count > 1 ? text : nil
    var titles: [String] = []
    var lines = lines
    var point: UndoPoint?
    do throws(EditorError) {
      while titles.count < count {
        titles.append(try undoNewest(in: &lines))
        // `u` undoes the whole command.
        point?.usesIdentities = true
        point = point ?? text.undoPoint
      }
    } catch {
      if let start { text = start }
      throw error == .nothingToUndoHere && !titles.isEmpty ? .tooFewGroups(titles.count) : error
    }
    text.undoPoint = point
    if conduct.announces { report(.undone(titles, to: text.history.current)) }
  }

  /// Undoes the newest group in some lines. Moves `lines` to their new place, and returns a title
  /// for the report.
  ///
  /// - Throws: `nothingToUndoHere` or `groupsInTheWay`; the text is then unchanged.
  private mutating func undoNewest(in lines: inout LineRange) throws(EditorError) -> String {
    let (id, reversal) = try text.reversal(undoing: lines)
    let name = calledName(of: id)
    let title = "\"\(text.title(id))\" on \(GroupNames.text(lines))"
    let lastLine = text.lastLine
    try make(reversal, GroupLabel(.linesUndone(name: name, lines)))
    lines = Self.follow(lines, reversal.replacements, upTo: lastLine)
    return title
  }

  /// The place of some lines after replacements. A replacement that overlaps the lines extends them
  /// to all of its new text.
  private static func follow(
    _ lines: LineRange, _ replacements: [Weave.Replacement], upTo lastLine: LineNumber
  ) -> LineRange {
    var (first, last) = (lines.first, lines.last)
    var above = 0
    for replacement in replacements {
      let place = replacement.lines
      let growth = replacement.text.newlineCount - place.count
      if place.last < lines.first && lines.first.value > 1 {
        above += growth
      } else if place.first <= lines.last || lines.last == lastLine {
        first = min(first, place.first)
        last = max(last, place.last) + growth
      }
    }
    return LineRange(first + above, last + above)
  }

  /// Restores some lines to a revision, by default to the last saved one.
  mutating func revertLines(_ argument: [UInt8], _ lines: LineRange) throws(EditorError) {
    if argument.split(whereSeparator: \.isSpace).first?.elementsEqual("run".utf8) ?? false {
      throw .parse(.unexpectedAddress)
    }
    let id = try revision(argument.isEmpty ? Array("saved".utf8) : argument, for: "revert")
    let reversal = try text.reversal(restoring: lines, to: id)
    guard text.isChanged(by: reversal) else { throw .linesAreAs(id) }
    try make(reversal, GroupLabel(.linesReverted(lines, to: id)))
    if conduct.announces {
      let title = "\(GroupNames.text(lines)) to \(id)"
      report(.reverted(title, to: text.history.current))
    }
  }

  /// Makes a reversal as a new group, and stores the votes of the reversal with that group.
  mutating func make(
    _ reversal: Weave.Reversal, _ label: GroupLabel, usesCRLF: Bool? = nil,
    lacksNewline: Bool? = nil, from origin: Int? = nil
  ) throws(EditorError) {
    let latest = text.history.revisions.count
    try perform {
      $0.text.make(reversal.replacements, from: origin)
      if let usesCRLF { $0.text.usesCRLF = usesCRLF }
      // The line ends of the text depend on it.
      if let lacksNewline { $0.text.setMissingNewline(lacksNewline) }
      $0.text.label = label
    }
    if text.history.revisions.count > latest {
      text.document.updateContextAfter(text.history.current) {
        $0.details = Weave.Details(votes: reversal.votes)
      }
    }
  }
}

// MARK: - Runs

/// Reverting older groups and whole runs: `revert`.
extension Editor {
  /// Runs `revert`: reverts one older group, or the groups of a run, and keeps all later ones. With
  /// lines, restores these to a revision.
  ///
  /// - Throws: `groupsInTheWay`.
  mutating func revert(_ argument: [UInt8], in lines: LineRange) throws(EditorError) {
    try text.refuseInGroup()
    if lines.count > 0 { return try revertLines(argument, lines) }
    let words = argument.split(maxSplits: 1, whereSeparator: \.isSpace)
    if let word = words.first, word.elementsEqual("run".utf8) {
      return try revertRun(words.dropFirst().first.map { Array($0) })
    }
    let id = try revision(argument, for: "revert")
    if id == 0 { throw .nothingToRevert(id) }
    guard text.isHere(id) else { throw .notInText(id) }
    guard try revert([id], GroupLabel(.reverted(name: calledName(of: id)))) else {
      throw .nothingToRevert(id)
    }
    if conduct.announces {
      report(.reverted(text.title(id), to: text.history.current))
    }
  }

  /// Reverts the groups of a run, by default of the last run before this.
  private mutating func revertRun(_ name: [UInt8]?) throws(EditorError) {
    var runs: Set<Int>
    if let name {
      runs = GroupNames.run(name).map { keeper.runs(called: $0) } ?? []
      if runs.isEmpty { throw keeper.isInUse ? .historyInUse : .noSuchRun(name) }
    } else {
      let earlier = path.lazy.compactMap { [keeper, text] in keeper.run(of: $0, in: text.document) }
        .first { [keeper] in $0 != keeper.currentRun }
      guard let earlier else { throw keeper.isInUse ? .historyInUse : .noEarlierRun }
      runs = keeper.runs(with: earlier)
    }
    let title = keeper.title(ofRuns: runs)
    guard try undoRuns(runs, title: title) else { throw .runNotInText(title) }
    if conduct.announces {
      report(.reverted("run \(title)", to: text.history.current))
    }
  }

  /// Whether the file no longer exists, although no group in its history has removed it.
  var isGone: Bool {
    file.known(as: file.name).map { $0.identity == nil } ?? false
      && text.document.description(of: text.history.current) == GroupNames.changedOutside
  }

  /// Whether some runs had been undone in a file before it was removed.
  mutating func hadUndone(_ runs: Set<Int>, title: String) -> Bool {
    let gone = text
    defer { text = gone }
    guard let last = text.history[text.history.current].parent, (try? text.jump(to: last)) != nil
    else { return false }
    return (try? undoRuns(runs, title: title)) == false
  }

  /// Reverts the groups of some runs in the text, and returns whether the text has changed.
  ///
  /// - Throws: `groupsInTheWay`.
  mutating func undoRuns(_ runs: Set<Int>, title: String) throws(EditorError) -> Bool {
    let ids = Set(keeper.groups(of: runs, in: text.document)).intersection(path)
    if ids.isEmpty { return false }
    let identities = keeper.runs.filter { runs.contains($0.number) }.map(\.tag.identity)
    return try revert(ids, GroupLabel(.runReverted(name: title, identities)))
  }

  /// Throws `runMoved` if the text shows that one of some runs has also left the branch where it
  /// began, as `undo` does. Undoing only its groups would not give the text before the run.
  func refuseMoved(_ runs: [StoredRun]) throws(EditorError) {
    let path = Set(self.path)
    let all = keeper.groups(of: Set(runs.map(\.number)), in: text.document)
    let groupsOfRuns = Dictionary(grouping: all) { [keeper, text] in
      keeper.run(of: $0, in: text.document)
    }
    for run in runs where run.start > 0 && text.isRevision(run.start) {
      let groups = groupsOfRuns[run.number] ?? []
      let first = groups.first { path.contains($0) }
      // Without a group in the text, another run may have left the branch.
      if first == nil && !groups.isEmpty { continue }
      // A parent always has a smaller number than its children.
      let isBefore = path.contains(run.start) && run.start <= first ?? run.start
      if !isBefore { throw .runMoved(from: run.start, hasGroups: first != nil) }
    }
  }

  /// Makes the write of the text pending, after some runs were reverted; they are given in order.
  /// If the runs created the file, and the text is now empty, the write will remove the file. If
  /// they removed it, the write will create it again.
  mutating func postponeReverted(_ runs: [StoredRun], hasChanged: Bool) throws(EditorError) {
    let exists = file.known(as: file.name)?.identity != nil
    // A later run may have removed or created the file itself.
    let isLast = keeper.runs.last { !$0.effect.isEmpty }.map(runs.contains) ?? false
    if let first = runs.first, let last = runs.last, isLast {
      if exists && first.effect.contains(.makes) && text.lastLine == .zero {
        return try postpone(PieceTable(), otherChanges: NonTextChanges(isRemoved: true))
      }
      if last.effect.contains(.removes) && !first.effect.contains(.makes) {
        // Another program has created a file there since.
        if exists { throw .fileOfRunIsBack }
        return try postpone(text.fileText, otherChanges: NonTextChanges(isPrivate: true))
      }
    }
    if hasChanged { try writeAtEnd() }
  }

  /// Reverts some groups as a new one, and returns whether the text has changed.
  ///
  /// - Throws: `groupsInTheWay`.
  private mutating func revert(_ ids: Set<Int>, _ label: GroupLabel) throws(EditorError) -> Bool {
    let (reversal, usesCRLF) = try text.reversal(of: ids)
    guard text.isChanged(by: reversal) || usesCRLF ?? text.usesCRLF != text.usesCRLF else {
      return false
    }
    forgetUndoneMerge(takingBack: ids)
    let origin = ids.min().flatMap { text.history[$0].parent }
    try make(
      reversal, label, usesCRLF: usesCRLF, lacksNewline: text.lacksLastNewline(without: ids),
      from: origin)
    return true
  }

  /// The revisions from the current one back to the first.
  private var path: [Int] { text.history.path(to: 0).back }

  /// The name of a group, or else its description, as quoted by a group that reverts or picks it.
  func calledName(of id: Int) -> String {
    text.history[id].name ?? text.document.description(of: id)
  }
}
