import TextBuffer

/// The history of some lines: `history`, `undo` and `revert` with addresses, and `blame`.
extension Editor {
  /// Runs `blame`.
  mutating func blame(_ argument: [UInt8], _ lines: LineRange) throws(EditorError) {
    let isJSON = argument == Array("json".utf8)
    if !isJSON && !argument.isEmpty { throw .badArgument(argument) }
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

  /// Takes back what the newest N groups did to some lines, each as a new group; all of N, or nothing.
  mutating func undoLines(_ argument: [UInt8], _ lines: LineRange) throws(EditorError) {
    let count = argument.isEmpty ? 1 : try Self.number(argument)
    let start = count > 1 ? text : nil
    var titles: [String] = []
    var lines = lines
    var point: UndoPoint?
    do throws(EditorError) {
      while titles.count < count {
        titles.append(try undoNewest(in: &lines))
        // `u` takes back all of the command.
        point?.trail = nil
        point = point ?? text.undoPoint
      }
    } catch {
      if let start { text = start }
      throw error == .nothingToUndoHere && !titles.isEmpty ? .tooFewGroups(titles.count) : error
    }
    text.undoPoint = point
    if options.isFriendly { report(.undone(titles, to: text.history.current), printsLine: true) }
  }

  /// Takes back what the newest group did to some lines.
  ///
  /// - Parameter lines: The lines; then where they are.
  /// - Throws: `nothingToUndoHere` or `groupsInTheWay`; nothing has changed then.
  /// - Returns: What to call it.
  private mutating func undoNewest(in lines: inout LineRange) throws(EditorError) -> String {
    let (id, reversal) = try text.reversal(undoing: lines)
    let name = calledName(of: id)
    let title = "\"\(text.title(id))\" on \(GroupNames.text(lines))"
    let lastLine = text.lastLine
    try make(reversal, GroupLabel(.linesUndone(name: name, lines)))
    lines = Self.follow(lines, reversal.replacements, upTo: lastLine)
    return title
  }

  /// Where lines are after replacements, some of which are in them.
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

  /// Gives some lines back as they were at a revision, by default at that which was saved last.
  mutating func revertLines(_ argument: [UInt8], _ lines: LineRange) throws(EditorError) {
    if argument.split(whereSeparator: \.isSpace).first?.elementsEqual("run".utf8) ?? false {
      throw .parse(.unexpectedAddress)
    }
    let id = try revision(argument.isEmpty ? Array("saved".utf8) : argument, for: .revert)
    let reversal = try text.reversal(restoring: lines, to: id)
    guard text.isChanged(by: reversal) else { throw .linesAreAs(id) }
    try make(reversal, GroupLabel(.linesReverted(lines, to: id)))
    if options.isFriendly {
      let title = "\(GroupNames.text(lines)) to \(id)"
      report(.reverted(title, to: text.history.current), printsLine: true)
    }
  }

  /// Makes a reversal as a new group, which keeps its votes.
  mutating func make(_ reversal: Weave.Reversal, _ label: GroupLabel) throws(EditorError) {
    let latest = text.history.revisions.count
    try perform {
      $0.text.make(reversal.replacements)
      $0.text.label = label
    }
    if text.history.revisions.count > latest {
      text.document.updateContextAfter(text.history.current) {
        $0.details = Weave.Details(votes: reversal.votes)
      }
    }
  }
}
