import TextBuffer

/// The history of some lines: `history`, `undo` and `revert` with addresses, and `blame`.
extension Editor {
  /// The groups that touched some lines, newest first.
  ///
  /// - Throws: `interrupted`.
  func groups(touching lines: LineRange) throws(EditorError) -> [Int] {
    var trail = LineTrail(of: lines, in: text.document)
    var ids: [Int] = []
    while let stop = try trail.next() { ids.append(stop.id) }
    return ids
  }

  /// Runs `blame`.
  mutating func blame(_ lines: LineRange) {
    let known = keeper.lineOrigins(of: &text)
    let (document, present) = (text.document, text.buffer)
    var origins = known.origins
    if document.isInTransaction {
      let open = LineDifference(from: document.committedBuffer, to: present).hunks
      origins.apply(.replaced(open), by: BlameListing.openGroup)
    }
    var times: [Int: Double] = [:]
    for first in stride(
      from: lines.first.value, through: lines.last.value, by: BlameListing.blockLines)
    {
      let last = min(lines.last.value, first + BlameListing.blockLines - 1)
      var latest: Int?
      for id in origins[LineRange(first, last)] where id != latest {
        latest = id
        if id != BlameListing.openGroup {
          times[id] = known.time(of: id) ?? document.history[id].time
        }
      }
    }
    console.say(.blame(BlameListing(lines: lines, text: present, origins: origins, times: times)))
  }

  /// Takes back what the newest N groups did to some lines, each as a new group; all of N, or nothing.
  mutating func undoLines(_ argument: [UInt8], _ lines: LineRange) throws(EditorError) {
    if argument == Array("run".utf8) { throw .parse(.unexpectedAddress) }
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
  /// - Throws: `nothingToUndoHere` or `revertOverlaps`; nothing has changed then.
  /// - Returns: What to call it.
  private mutating func undoNewest(in lines: inout LineRange) throws(EditorError) -> String {
    let undo = try text.lineUndo(in: lines)
    let name = calledName(of: undo.id)
    let title = "\"\(text.title(undo.id))\" on \(GroupNames.text(lines))"
    let lastLine = text.lastLine
    try revert(
      undo.reversals, GroupLabel(.linesUndone(name: name, lines)), undo.takenBack)
    lines = Self.follow(lines, undo.reversals, upTo: lastLine)
    return title
  }

  /// Where lines are after replacements, some of which are in them.
  private static func follow(
    _ lines: LineRange, _ reversals: [EditedText.Reversal], upTo lastLine: LineNumber
  ) -> LineRange {
    var (first, last) = (lines.first, lines.last)
    var above = 0
    for reversal in reversals {
      let place = reversal.lines
      let growth = reversal.removed.newlineCount - place.count
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
    let reversals = try text.reversals(of: lines, to: id)
    if reversals.isEmpty { throw .linesAreAs(id) }
    try revert(reversals, GroupLabel(.linesReverted(lines, to: id)), nil)
    if options.isFriendly {
      let title = "\(GroupNames.text(lines)) to \(id)"
      report(.reverted(title, to: text.history.current), printsLine: true)
    }
  }

  /// Makes replacements as a new group; there is none if they leave the text as it was.
  mutating func revert(
    _ reversals: [EditedText.Reversal], _ label: GroupLabel, _ takenBack: TakenBack?
  ) throws(EditorError) {
    let latest = text.history.revisions.count
    try perform {
      $0.text.revert(reversals)
      $0.text.label = label
    }
    if let takenBack, text.history.revisions.count > latest {
      text.document.updateContextAfter(text.history.current) { $0.takenBack = takenBack }
    }
  }
}
