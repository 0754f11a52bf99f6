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
  mutating func note(_ edit: LineEdit) { Self.append(edit, to: &open, from: stepStart) }

  /// Drops the open edits behind the first ones.
  mutating func rollBack(to count: Int) {
    open.removeSubrange(min(count, open.count)...)
    stepStart = min(stepStart, count)
  }

  /// Goes back to a mark, if a group is open.
  ///
  /// - Returns: The way back again.
  mutating func goBack(to mark: Mark, if isInGroup: Bool) -> Mark {
    guard isInGroup, mark.count <= open.count else { return mark }
    let undone = Array(open[mark.count...])
    open.removeSubrange(mark.count...)
    open += mark.edits
    return Mark(count: mark.count, edits: undone)
  }

  /// Makes the open edits those of the latest group, or a part of it.
  ///
  /// - Returns: Those of the group.
  mutating func close(joiningLatest isJoined: Bool) -> [LineEdit] {
    if isJoined {
      for edit in open { Self.append(edit, to: &latest, from: 0) }
    } else {
      latest = open
    }
    return latest
  }

  /// Appends an edit. Insertions next to each other become one. Lines that are removed and others in
  /// their place are a replacement, and as many as before are these lines, changed in place.
  private static func append(_ edit: LineEdit, to edits: inout [LineEdit], from start: Int) {
    guard edits.count > start, case .replaced(let lines, let count, 0) = edits[edits.count - 1],
      case .replaced(let next, let nextCount, 0) = edit, next.count == 0
    else { return edits.append(edit) }
    if lines.count == 0, lines.first <= next.first, next.first <= lines.first + count {
      edits[edits.count - 1] = .replaced(lines, by: count + nextCount)
    } else if count == 0, lines.first == next.first {
      edits.removeLast()
      if lines.count != nextCount { edits.append(.replaced(lines, by: nextCount)) }
    } else {
      edits.append(edit)
    }
  }
}

/// Why a line of another revision is not in the text.
enum LineLoss: Equatable, Sendable {
  /// A group removed it.
  case removed(by: Int, named: String)
  case removedInOpenGroup
  /// The group that added it has been undone, or is on another branch.
  case undone(by: Int, named: String)
}

/// Lines of other revisions.
extension EditedText {
  /// Keeps the edits of lines that a step or group has made with its revision.
  mutating func recordLineEdits(of id: Int?, joined isJoined: Bool) {
    // A step that has changed nothing does not keep the next one from joining the group before it.
    guard let id else { return }
    let edits = lines.close(joiningLatest: isJoined)
    let isKnown = edits.isEmpty || edits.count == 1 && isInsertionOrRemoval(id)
    if isJoined || !isKnown {
      document.updateContextAfter(id) { $0.lineEdits = isKnown ? nil : edits }
    }
  }

  /// Whether the changes of a group are the insertion or the removal of lines at one place, which tells
  /// what it did to all lines.
  private func isInsertionOrRemoval(_ id: Int) -> Bool {
    let changes = document.changes(of: id)
    return changes.count == 1
      && (changes[0].removedByteCount == 0 || changes[0].insertedByteCount == 0)
  }

  /// The line that was line `line` of a revision, wherever it is now.
  ///
  /// - Parameters:
  ///   - line: The line; 0 is the place above the first one in any text.
  ///   - revision: The revision; nil for the text as it was opened.
  /// - Throws: `noSuchRevision`, `noSuchLineOf`, or `lineIsGone` with the group that removed it.
  /// - Returns: Its number.
  func line(_ line: LineNumber, of revision: Int?) throws(EditorError) -> LineNumber {
    let start = revision ?? lines.opened
    guard isRevision(start) else { throw .noSuchRevision(Array(String(start).utf8)) }
    if line == .zero { return line }
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
          throw .lineIsGone(line, of: start, .undone(by: id, named: title(id)))
        }
        place = next
      }
    }
    for id in forward.reversed() {
      for edit in lineEdits(of: id, from: then) {
        guard let next = edit.line(after: place) else {
          throw .lineIsGone(line, of: start, .removed(by: id, named: title(id)))
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
