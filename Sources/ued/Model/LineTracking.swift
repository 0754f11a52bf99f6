import TextBuffer

/// Lines across revisions: the weave of the history, and what open groups have done to lines since.
struct LineTracking: Sendable {
  /// The edits of the open step and the open groups; after a step, those of the step.
  private(set) var open: [LineEdit] = []
  /// The number of open edits before the open step.
  private(set) var stepStart = 0
  /// The edits of the latest group, which the next step may join.
  private var latest: [LineEdit] = []
  /// The revision that the text was opened with.
  private(set) var opened = 0
  /// The weave of the groups that it was needed for so far; nil until it is needed first.
  fileprivate var weave: Weave?
  /// The atoms of the lines of a few revisions, the latest last.
  private var views: [(revision: Int, atoms: [Int])] = []
  private static let viewCount = 4

  /// A place in the open edits to go back to, and the edits to be made again from there.
  struct Mark: Sendable {
    var count: Int
    var edits: [LineEdit] = []
  }

  /// Lines that have been opened with a history.
  init(opening history: History<Change>) { opened = history.current }

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

  /// Appends an edit. Insertions next to each other become one. Lines that one step removes and others in their place
  /// are a replacement, and as many as before are these lines, changed in place.
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
  mutating func close(joiningLatest isJoined: Bool) {
    if isJoined {
      for edit in open { Self.append(edit, to: &latest, from: 0, isSameStep: false) }
    } else {
      latest = open
    }
  }

  /// The lines that the latest group kept, which has led to `lineCount` lines; nil if it changed lines in place only,
  /// or moved some. One insertion or removal, which is plain, tells that by itself.
  func kept(lineCount: Int, isPlain: Bool) -> [Weave.KeptLines]? {
    if latest.isEmpty || latest.count == 1 && isPlain { return nil }
    if latest.count == 1, case .moved = latest[0] { return nil }
    return LineMap(lineCount: lineCount - latest.reduce(0) { $0 + $1.growth }, latest).keptLines
  }

  /// Forgets what is known of a revision that has changed.
  mutating func forget(_ id: Int) {
    guard let known = weave, known.contains(id) else { return }
    views.removeAll { $0.revision == id }
    if known.isLast(id) { weave?.removeLast(id) } else { weave = nil }
  }

  /// The atoms of the lines of a revision that the weave knows.
  fileprivate mutating func atoms(of id: Int) -> [Int] {
    if let view = views.first(where: { $0.revision == id }) { return view.atoms }
    let atoms = weave?.atoms(of: id) ?? []
    if views.count == Self.viewCount { views.removeFirst() }
    views.append((id, atoms))
    return atoms
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

/// A group that has to be taken back, or picked, before another one can be.
struct BlockingGroup: Equatable, Sendable {
  var group: NamedGroup
  /// The lines of the text that it has changed; an empty range is a gap.
  var lines: [LineRange]
  /// Whether it is part of the text.
  var isHere: Bool
}

/// Taking groups back, taking them over, and following lines.
extension EditedText {
  /// The weave at the present revision, which knows the revision `id`, too.
  ///
  /// - Throws: `outOfMemory`, `interrupted`, `historyDamaged`, or `weaveDiffers` if it does not give the text.
  /// - Returns: The weave.
  private mutating func weave(knowing id: Int? = nil) throws(EditorError) -> Weave {
    if Interrupts.isInterrupted { throw .interrupted }
    let document = document
    var weave: Weave
    let isNew = lines.weave == nil
    if let known = lines.weave {
      weave = known
      // The only one is changed in place.
      lines.weave = nil
    } else {
      let first = try text(of: 0)
      if Memory.isShort(for: 128 * (first.newlineCount + history.revisions.count)) {
        throw .outOfMemory
      }
      weave = Weave(first)
      weave.isOver = { Interrupts.isInterrupted }
    }
    var isThere = true
    let unknown = id.flatMap { weave.contains($0) ? nil : $0 }
    for target in [unknown, history.current].compactMap(\.self) where isThere {
      isThere = document.bring(
        &weave, to: target, details: { document.contextAfter($0).details })
    }
    if history.isDamaged { throw .historyDamaged }
    let isText = !isThere || !isNew || weave.text == document.committedBuffer
    if !isThere || Interrupts.isInterrupted { throw .interrupted }
    if !isText { throw .weaveDiffers }
    lines.weave = weave
    return weave
  }

  /// What takes back groups of the text, and keeps all others.
  ///
  /// - Throws: `groupsInTheWay`, or an error of the weave.
  mutating func reversal(of ids: Set<Int>) throws(EditorError) -> Weave.Reversal {
    let weave = try weave()
    return try unlessInTheWay { () throws(Weave.Conflict) in fitting(try weave.reverting(ids)) }
  }

  /// What does a group of another branch here as well.
  ///
  /// - Throws: `groupsInTheWay`, or an error of the weave.
  mutating func reversal(picking id: Int) throws(EditorError) -> Weave.Reversal {
    let weave = try weave(knowing: id)
    return try unlessInTheWay { () throws(Weave.Conflict) in fitting(try weave.picking(id)) }
  }

  /// What takes back the newest group in some lines, in these only.
  ///
  /// - Throws: `nothingToUndoHere`, `groupsInTheWay`, or an error of the weave.
  mutating func reversal(
    undoing lines: LineRange
  ) throws(EditorError) -> (group: Int, reversal: Weave.Reversal) {
    let weave = try weave()
    let found = try unlessInTheWay { () throws(Weave.Conflict) in try weave.undoing(in: lines) }
    guard let found else { throw .nothingToUndoHere }
    return (found.group, fitting(found.reversal))
  }

  /// What gives some lines back as they were at a revision.
  ///
  /// - Throws: An error of the weave.
  mutating func reversal(
    restoring lines: LineRange, to id: Int
  ) throws(EditorError) -> Weave.Reversal {
    let weave = try weave(knowing: id)
    return try unlessInTheWay { () throws(Weave.Conflict) in
      fitting(try weave.restoring(lines, to: id))
    }
  }

  /// A reversal whose lines end as those of the text do, also if its groups have seen the carriage returns of the
  /// file, or have not where the text has them.
  private func fitting(_ reversal: Weave.Reversal) -> Weave.Reversal {
    var reversal = reversal
    let isShown =
      !usesCRLF && reversal.votes.contains { document.contextAfter($0.group).usesCRLF }
      && buffer.usesCRLF
    guard usesCRLF || isShown else { return reversal }
    for index in reversal.replacements.indices {
      let text = reversal.replacements[index].text
      let bare = text.withoutCRLF ?? text
      reversal.replacements[index].text = usesCRLF ? bare : bare.withCRLF
    }
    return reversal
  }

  private func unlessInTheWay<R>(
    _ body: () throws(Weave.Conflict) -> R
  ) throws(EditorError) -> R {
    do {
      return try body()
    } catch {
      if error.groups.isEmpty { throw .interrupted }
      throw .groupsInTheWay(
        error.groups.map { id in
          BlockingGroup(group: group(id), lines: error.lines[id] ?? [], isHere: isHere(id))
        })
    }
  }

  /// Whether a group is on the way to the present revision.
  func isHere(_ id: Int) -> Bool { history.path(to: id).forward.isEmpty }

  /// A group as an error names it.
  func group(_ id: Int) -> NamedGroup { NamedGroup(id: id, title: title(id)) }

  /// Whether a reversal changes the text.
  func isChanged(by reversal: Weave.Reversal) -> Bool {
    reversal.replacements.applied(to: buffer) != buffer
  }

  /// Makes the replacements of a reversal.
  mutating func make(_ replacements: [Weave.Replacement]) {
    if buffer.isEmpty, let id = latestRevisionWithLines {
      restoreMissingNewline(of: id)
      usesCRLF = document.contextAfter(id).usesCRLF
    }
    if let (lines, target) = Self.move(by: replacements, in: buffer) {
      move(lines, after: target)
    } else {
      for replacement in replacements.reversed() {
        replace(
          replacement.lines, with: replacement.text, count: replacement.text.newlineCount)
      }
      // A line may have moved from one replaced range to another: find its marks by its identity.
      var shift = 0
      for replacement in replacements where marks.areUsed {
        let growth = replacement.text.newlineCount - replacement.lines.count
        let place = LineRange(
          replacement.lines.first + shift, replacement.lines.last + (shift + growth))
        marks.recoverLost(in: buffer, place)
        shift += growth
      }
      undoPoint?.trail = nil
    }
    if let first = replacements.first {
      currentLine = min(first.lines.first + (max(first.text.newlineCount, 1) - 1), lastLine)
    }
    save.isDirty = true
  }

  /// The move that replacements consist of, if they are one: what one of them removes the other inserts.
  private static func move(
    by replacements: [Weave.Replacement], in text: PieceTable
  ) -> (lines: LineRange, target: LineNumber)? {
    guard replacements.count == 2 else { return nil }
    for (source, target) in [
      (replacements[0], replacements[1]), (replacements[1], replacements[0]),
    ]
    where source.text.isEmpty && target.lines.count == 0 {
      if text.slice(text.byteRange(of: source.lines)) == target.text {
        return (source.lines, target.lines.last)
      }
    }
    return nil
  }

  // MARK: - Groups of lines

  /// Calls `body` with the weave of the present text. An open group is one of the weave, with the number of the next
  /// revision.
  private mutating func withPresentWeave<R>(_ body: (Weave) -> R) throws(EditorError) -> R {
    let weave = try weave()
    guard document.isInTransaction else { return body(weave) }
    var (copy, text, changes) = (weave, document.committedBuffer, [Change]())
    let present = buffer
    for hunk in LineDifference(from: text, to: present).hunks.reversed() {
      let lines = present.slice(present.byteRange(of: hunk.new))
      changes.append(text.replaceLines(hunk.old, with: lines))
    }
    if !changes.isEmpty {
      copy.add(history.revisions.count, changes, to: document.committedBuffer)
    }
    return body(copy)
  }

  /// The group that each of some lines has last appeared by; the number of the next revision for an open group.
  mutating func groups(showing lines: LineRange) throws(EditorError) -> [Int] {
    try withPresentWeave { weave in
      (lines.first.value..<lines.last.value + 1).map { weave.group(showing: LineNumber($0)) }
    }
  }

  /// The groups that have touched some lines, newest first.
  mutating func groups(touching lines: LineRange) throws(EditorError) -> [Int] {
    let next = history.revisions.count
    return try withPresentWeave { $0.groups(touching: lines) }.filter { $0 < next }
  }

  /// Finds the groups that made the conflicts of a merge.
  ///
  /// - Parameters:
  ///   - merge: The merge of a text into this one.
  ///   - ancestor: The revision of its base; nil if the base is none.
  ///   - id: The revision of the other text; nil if that is none.
  /// - Returns: The conflicts, in order of their lines. Only the first ones have the groups that made them.
  /// - Throws: An error of the weave.
  mutating func conflicts(
    of merge: LineMerge, since ancestor: Int?, with id: Int? = nil
  ) throws(EditorError) -> [MergeConflict] {
    if merge.conflicts.isEmpty { return [] }
    let ours = try weave(knowing: id)
    var theirs = ours
    if let id { theirs.move(to: id) }
    func newest(_ weave: Weave, _ lines: LineRange, isKnown: Bool) -> NamedGroup? {
      guard isKnown, let ancestor, weave.lineCount > 0 else { return nil }
      // A gap is told by the lines beside it.
      let (first, last) = (
        min(lines.first, lines.last),
        max(min(max(lines.first, lines.last), LineNumber(weave.lineCount)), LineNumber(1))
      )
      let touched = weave.groups(
        touching: lines.count > 0 ? lines : LineRange(max(first, LineNumber(1)), last))
      return touched.first { $0 > ancestor }.map { group($0) }
    }
    var conflicts: [MergeConflict] = []
    for conflict in merge.conflicts {
      if Interrupts.isInterrupted { throw .interrupted }
      let isFirst = conflicts.count < Self.namedConflicts
      conflicts.append(
        MergeConflict(
          lines: conflict.ours, ours: newest(ours, conflict.ours, isKnown: isFirst),
          theirs: newest(theirs, conflict.theirs, isKnown: isFirst && id != nil)))
    }
    return conflicts
  }

  private static let namedConflicts = 100

  // MARK: - Lines of other revisions

  /// Keeps the weave in step with a step or group that has ended.
  ///
  /// - Parameters:
  ///   - id: Its revision; nil if nothing has changed.
  ///   - before: The revision before it, which it may have joined.
  mutating func recordLineEdits(of id: Int?, after before: Int? = nil) {
    if let before, id == before || history[before].isDropped { lines.forget(before) }
    // A step that has changed nothing does not keep the next one from joining the group before it.
    guard let id else { return }
    lines.close(joiningLatest: id == before)
    let kept = lines.kept(
      lineCount: document.committedBuffer.newlineCount, isPlain: document.isInsertionOrRemoval(id))
    if id == before || kept != nil { document.updateContextAfter(id) { $0.details.kept = kept } }
  }

  /// The line that was line `line` of a revision, wherever it is now.
  ///
  /// - Parameters:
  ///   - line: The line; 0 is the place above the first one in any text.
  ///   - revision: The revision; nil for the text as it was opened.
  /// - Throws: `noSuchRevision`, `noSuchLineOf`, `lineIsGone` with the group that removed it, or an error of the weave.
  /// - Returns: Its number.
  mutating func line(_ line: LineNumber, of revision: Int?) throws(EditorError) -> LineNumber {
    let start = revision ?? lines.opened
    guard isRevision(start) else { throw .noSuchRevision(Array(String(start).utf8)) }
    if line == .zero { return line }
    let weave = try weave(knowing: start)
    let atoms = lines.atoms(of: start)
    guard line.value <= atoms.count else {
      throw .noSuchLineOf(start, line, last: LineNumber(atoms.count))
    }
    let atom = atoms[line.value - 1]
    guard var place = weave.line(ofAtom: atom) else {
      let id = weave.group(hiding: atom) ?? 0
      throw .lineIsGone(
        line, of: start, isHere(id) ? .removed(by: group(id)) : .undone(by: group(id)))
    }
    for edit in document.isInTransaction ? lines.open : [] {
      guard let next = edit.line(after: place) else {
        throw .lineIsGone(line, of: start, .removedInOpenGroup)
      }
      place = next
    }
    return place
  }
}

extension LineEdit {
  /// How many lines more there are after it.
  fileprivate var growth: Int {
    switch self {
    case .replaced(let lines, let count, _): count - lines.count
    case .moved, .gathered: 0
    case .removed(let lines): -lines.count
    case .split(let splits): splits.reduce(0) { $0 + $1.count - 1 }
    }
  }
}
