import TextBuffer

/// What edits do to whole lines, to find out where a line of one revision is in another.
///
/// Each group keeps that with its context, where its changes alone do not tell it: changes of many places
/// are stored as one.
struct LineTracking: Sendable {
  /// The edits of the open step and the open groups; after a step, those of the step.
  private(set) var open: [LineEdit] = []
  /// The number of open edits before the open step.
  private(set) var stepStart = 0
  /// The edits of the latest group, which the next step may join.
  private var latest: [LineEdit] = []
  /// The revision that the text was opened with.
  private(set) var opened = 0
  /// The number of revisions that there were then.
  private(set) var restoredCount = 1
  /// Where the lines of a few revisions are, the latest last.
  private var maps: [RevisionMap] = []
  private static let mapCount = 4

  /// A place in the open edits to go back to, and the edits to be made again from there.
  struct Mark: Sendable {
    var count: Int
    var edits: [LineEdit] = []
  }

  /// Lines that have been opened with a history.
  init(opening history: History<Change>) {
    opened = history.current
    restoredCount = history.revisions.count
  }

  init() {}

  /// Begins a step; in an open group it goes on with the edits before.
  mutating func beginStep(isInGroup: Bool) {
    if !isInGroup { open = [] }
    stepStart = open.count
  }

  /// Notes the replacement of lines by others.
  mutating func noteReplacement(of lines: LineRange, by count: Int, keepsFirst: Bool) {
    if lines.count == count { return }
    note(.replaced(lines, by: count, keeping: keepsFirst ? 1 : 0))
  }

  /// Notes an edit of the open step.
  mutating func note(_ edit: LineEdit) {
    Self.append(edit, to: &open, from: stepStart, isSameStep: true)
  }

  /// Drops the open edits behind the first ones.
  mutating func rollBack(to count: Int) {
    open.removeSubrange(min(count, open.count)...)
    maps.removeAll { $0.openCount > count }
    stepStart = min(stepStart, count)
  }

  /// Goes back to a mark, if a group is open.
  ///
  /// - Returns: The way back again.
  mutating func goBack(to mark: Mark, if isInGroup: Bool) -> Mark {
    guard isInGroup, mark.count <= open.count else { return mark }
    let undone = Array(open[mark.count...])
    open.removeSubrange(mark.count...)
    maps.removeAll { $0.openCount > mark.count }
    open += mark.edits
    return Mark(count: mark.count, edits: undone)
  }

  /// Makes the open edits those of the latest group, or a part of it.
  ///
  /// - Returns: Those of the group.
  mutating func close(joiningLatest isJoined: Bool) -> [LineEdit] {
    if isJoined {
      for edit in open { Self.append(edit, to: &latest, from: 0, isSameStep: false) }
    } else {
      latest = open
    }
    return latest
  }

  /// Appends an edit. Insertions next to each other become one. Lines that one step removes and others in
  /// their place are a replacement, and as many as before are these lines, changed in place.
  private static func append(
    _ edit: LineEdit, to edits: inout [LineEdit], from start: Int, isSameStep: Bool
  ) {
    guard edits.count > start, case .replaced(let lines, let count, 0) = edits[edits.count - 1],
      case .replaced(let next, let nextCount, 0) = edit, next.count == 0
    else { return edits.append(edit) }
    if lines.count == 0, lines.first <= next.first, next.first <= lines.first + count {
      edits[edits.count - 1] = .replaced(lines, by: count + nextCount)
    } else if isSameStep, count == 0, lines.first == next.first {
      edits.removeLast()
      if lines.count != nextCount { edits.append(.replaced(lines, by: nextCount)) }
    } else {
      edits.append(edit)
    }
  }

  // MARK: - Maps

  /// The line that was line `line` of a revision.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - revision: The revision.
  ///   - current: The present revision.
  ///   - isOpen: Whether the open edits have been made since.
  /// - Returns: Its number; nil if it is gone, or no map tells where it is.
  mutating func mappedLine(
    _ line: LineNumber, of revision: Int, at current: Int, isOpen: Bool
  ) -> LineNumber? {
    guard let index = maps.firstIndex(where: { $0.leads(from: revision, to: current) }) else {
      return nil
    }
    maps[index].follow(isOpen ? open[..<stepStart] : [])
    var place = maps[index].map.line(after: line)
    for edit in isOpen ? open[stepStart...] : [] { place = place.flatMap { edit.line(after: $0) } }
    return place
  }

  /// Whether it is known where the lines of a revision are.
  func hasMap(of revision: Int, at current: Int) -> Bool {
    maps.contains { $0.leads(from: revision, to: current) }
  }

  /// Adds a map, in the place of one for the same revision.
  mutating func add(_ map: RevisionMap) {
    maps.removeAll { $0.revision == map.revision }
    if maps.count == Self.mapCount { maps.removeFirst() }
    maps.append(map)
  }

  /// Whether lines of any revision have been looked for.
  var hasMaps: Bool { !maps.isEmpty }

  /// Makes the maps that lead to one revision lead to another, by the open edits.
  mutating func extendMaps(from before: Int?, to current: Int?) {
    guard let current else { return maps.removeAll { $0.openCount > 0 } }
    maps.removeAll { $0.current != before || !$0.mayWait }
    for index in maps.indices { maps[index].extend(by: open, to: current) }
  }

  /// Drops all maps, because revisions have got other numbers.
  mutating func dropMaps() { maps = [] }
}

/// Where the lines of a revision are now.
struct RevisionMap: Sendable {
  let revision: Int
  /// The revision that it leads to.
  private(set) var current: Int
  private(set) var map: LineMap
  /// Edits up to `current` that are not in the map yet.
  private var waiting: [LineEdit] = []
  /// The number of open edits that are in the map.
  private(set) var openCount = 0

  private static let mostWaiting = 4096

  /// A map from a revision to the present one.
  init(of revision: Int, to current: Int, _ map: LineMap) {
    self.revision = revision
    self.current = current
    self.map = map
  }

  func leads(from revision: Int, to current: Int) -> Bool {
    self.revision == revision && self.current == current
  }

  /// Whether further edits may wait; a map that nobody has used for long must not grow.
  var mayWait: Bool { waiting.count < Self.mostWaiting }

  /// Adds the edits that wait, and those of `open` that are not in the map.
  mutating func follow(_ open: ArraySlice<LineEdit>) {
    for edit in waiting { map.add(edit) }
    waiting = []
    for edit in open.dropFirst(openCount) { map.add(edit) }
    openCount = max(openCount, open.count)
  }

  /// Notes that the open edits have led to another revision.
  mutating func extend(by open: [LineEdit], to current: Int) {
    waiting += open.dropFirst(openCount)
    openCount = 0
    self.current = current
  }
}

/// Why a line of another revision is not in the text.
enum LineLoss: Equatable, Sendable {
  /// A group removed it.
  case removed(by: NamedGroup)
  case removedInOpenGroup
  /// The group that added it has been undone, or is on another branch.
  case undone(by: NamedGroup)
}

/// Lines of other revisions.
extension EditedText {
  /// Keeps the edits of lines that a step or group has made with its revision.
  mutating func recordLineEdits(of id: Int?, joined isJoined: Bool) {
    if lines.hasMaps {
      lines.extendMaps(from: isJoined ? id : id.flatMap { history[$0].parent }, to: id)
    }
    // A step that has changed nothing does not keep the next one from joining the group before it.
    guard let id else { return }
    let edits = lines.close(joiningLatest: isJoined)
    // The insertion or the removal of lines at one place tells what it did to all lines.
    let isKnown = edits.isEmpty || edits.count == 1 && document.isInsertionOrRemoval(id)
    if isJoined || !isKnown {
      document.updateContextAfter(id) { $0.lineEdits = isKnown ? nil : edits }
    }
  }

  /// The line that was line `line` of a revision, wherever it is now.
  ///
  /// - Parameters:
  ///   - line: The line; 0 is the place above the first one in any text.
  ///   - revision: The revision; nil for the text as it was opened.
  /// - Throws: `noSuchRevision`, `noSuchLineOf`, or `lineIsGone` with the group that removed it.
  /// - Returns: Its number.
  mutating func line(_ line: LineNumber, of revision: Int?) throws(EditorError) -> LineNumber {
    let start = revision ?? lines.opened
    guard isRevision(start) else { throw .noSuchRevision(Array(String(start).utf8)) }
    if line == .zero { return line }
    if !lines.hasMap(of: start, at: history.current) { addMap(of: start) }
    let mapped = lines.mappedLine(
      line, of: start, at: history.current, isOpen: document.isInTransaction)
    return if let mapped { mapped } else { try followedLine(line, of: start) }
  }

  /// Composes what all groups since a revision have done to lines, if these are many and in one line with it.
  private mutating func addMap(of start: Int) {
    let (forward, back) = history.path(to: start)
    guard back.isEmpty, forward.count > Self.fewGroups else { return }
    var then = document.committedBuffer
    document.move(&then, from: history.current, to: start)
    var map = LineMap(lineCount: then.newlineCount)
    for id in forward.reversed() {
      for edit in lineEdits(of: id, from: then) { map.add(edit) }
      for change in document.changes(of: id) { then.apply(change) }
    }
    lines.add(RevisionMap(of: start, to: history.current, map))
  }

  /// As many groups are followed one by one.
  private static let fewGroups = 4

  /// The line that was line `line` of a revision, followed group by group.
  ///
  /// - Throws: `noSuchLineOf`, or `lineIsGone` with the group that removed it.
  private func followedLine(
    _ line: LineNumber, of start: Int
  ) throws(EditorError) -> LineNumber {
    var then = document.committedBuffer
    document.move(&then, from: history.current, to: start)
    guard line.value <= then.newlineCount else {
      throw .noSuchLineOf(start, line, last: LineNumber(then.newlineCount))
    }
    let (forward, back) = history.path(to: start)
    var place = line
    for id in back.reversed() {
      for change in document.changes(of: id).inverse { then.apply(change) }
      for edit in lineEdits(of: id, from: then).reversed() {
        guard let next = edit.line(before: place) else {
          throw .lineIsGone(line, of: start, .undone(by: group(id)))
        }
        place = next
      }
    }
    for id in forward.reversed() {
      for edit in lineEdits(of: id, from: then) {
        guard let next = edit.line(after: place) else {
          throw .lineIsGone(line, of: start, .removed(by: group(id)))
        }
        place = next
      }
      for change in document.changes(of: id) { then.apply(change) }
    }
    guard document.isInTransaction else { return place }
    for edit in lines.open {
      guard let next = edit.line(after: place) else {
        throw .lineIsGone(line, of: start, .removedInOpenGroup)
      }
      place = next
    }
    return place
  }

  /// The edits of lines that a group has made, whose parent has the text `before`.
  private func lineEdits(of id: Int, from before: PieceTable) -> [LineEdit] {
    document.contextAfter(id).lineEdits
      ?? LineEdit.edits(
        of: document.changes(of: id), in: before, inPlace: id >= lines.restoredCount)
  }
}
