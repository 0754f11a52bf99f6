import TextBuffer
import TextLines

/// The undo point: the state that `u` restores.
struct UndoPoint: Sendable {
  /// The route of `u` to the undo point.
  enum Route: Sendable {
    /// By moving to a revision.
    case revision(Int)
    /// By applying changes: in an open manual group the undo point is not a revision.
    case changes([Change])
  }

  var route: Route
  var line: LineNumber
  var isModified: Bool
  var usesCRLF: Bool
  /// The line edits that `u` undoes, and the line edits that it then redoes.
  var made: [LineEdit] = [], undone: [LineEdit] = []
  /// The latest loss of each mark in these edits.
  var losses: [Int: Loss] = [:]
  /// Whether marks follow the identities of lines instead of these edits, as after a jump.
  var usesIdentities = false
  /// Whether anything has changed since the undo point.
  var hasChanges = false
  /// Whether `u` made the last change; the next `u` then redoes.
  var isRedo = false

  /// The loss of a mark, which returns when `u` reverses the edit that lost it.
  struct Loss: Sendable {
    /// The index of the edit in `made`, or `~index` for an edit in `undone`.
    var edit: Int
    /// The line to which the mark then returns.
    var line: LineNumber
  }

  /// Moves marks through the edits, and exchanges `made` and `undone` for the way back. The changes
  /// of the text are not enough: a line replaced by an equal one loses its marks, too, and `u`
  /// restores them.
  fileprivate mutating func turn(_ marks: inout Marks, of text: PieceTable) {
    let old = marks
    var known = losses
    losses = [:]
    defer { swap(&made, &undone) }
    guard marks.areUsed, !usesIdentities else { return }
    for index in made.indices.reversed() + undone.indices.map({ ~$0 }) {
      let edit = index < 0 ? undone[~index] : made[index]
      let returning = known.filter { $0.value.edit == index && marks.isLost($0.key) }
      for (mark, line) in marks.lines {
        let there = index < 0 ? edit.line(after: line) : edit.line(before: line)
        if let there, !edit.replaces(index < 0 ? line : there) {
          marks[mark] = there
        } else {
          marks.lose(mark, identity: old[mark].map { text.lineIdentity($0) } ?? 0)
          known[mark] = nil
          losses[mark] = Loss(edit: ~index, line: line)
        }
      }
      for (mark, loss) in returning { marks[mark] = loss.line }
    }
  }
}

extension EditedText {
  /// Gives remembered revisions their new numbers, and forgets the identities of lines.
  mutating func renumberRevisions(_ number: (Int) -> Int) {
    leftRevision = leftRevision.map(number)
    if case .revision(let id)? = undoPoint?.route { undoPoint?.route = .revision(number(id)) }
    let opened = number(lines.opened)
    lines = LineTracking(opening: history)
    lines.opened = opened
  }

  /// The revision that the last move left, if neither `undo` nor `redo` leads back there.
  var wayBack: Int? {
    guard let left = leftRevision, isRevision(left), history[history.current].preferredChild == nil
    else { return nil }
    var id = history.current
    // A parent has a smaller number.
    while id > left { id = history[id].parent ?? 0 }
    return id == left ? nil : left
  }

  /// Runs `u`: goes to the undo point, and makes the state left behind the new undo point. A global
  /// command then visits no further lines. Returns the revision left behind, which is still the
  /// current one in an open group, and whether `u` redid an undone change.
  @discardableResult
  mutating func undo() throws(EditorError) -> (start: Int, isRedo: Bool) {
    guard undoPoint?.hasChanges == true else { throw .nothingToUndo }
    let isSplit = endStep()
    guard var point = undoPoint else { throw .nothingToUndo }
    let (line, usedCRLF) = (currentLine, usesCRLF)
    let oldText = marks.areUsed ? buffer : PieceTable()
    if isInGroup { lines.undo(point.made, redoing: point.undone) }
    let routeBack = follow(point)
    point.turn(&marks, of: oldText)
    activeLines?.removeAll()
    (currentLine, usesCRLF) = (point.line, point.usesCRLF)
    let wasModified = isModified
    save.isDirty = point.isModified
    (point.route, point.line, point.usesCRLF) = (routeBack, line, usedCRLF)
    point.isModified = wasModified
    undoPoint = point
    undoPoint?.isRedo.toggle()
    if isSplit { openStep() }
    if case .revision(let start) = routeBack {
      if start != history.current { leftRevision = start }
      return (start, point.isRedo)
    }
    return (history.current, point.isRedo)
  }

  /// Restores an undo point's text, moves marks that follow identities, and returns the route back.
  private mutating func follow(_ point: UndoPoint) -> UndoPoint.Route {
    switch point.route {
    case .revision(let target):
      // If a command was coalesced into the group before it, only that command is undone.
      let target = separateLatestEdit() ?? target
      let here = document.history.current
      if here != target {
        go(to: target, restoringMarks: false, followingMarks: point.usesIdentities)
      }
      return .revision(here)
    case .changes(let changes):
      document.begin()
      walk(changes, followingMarks: point.usesIdentities) { document in
        document.edit { for change in changes { $0.apply(change) } }
      }
      didEdit()
      document.commit(date: SystemClock.now)
      if isInGroup { openGroups[openGroups.count - 1].steps.toggleLast(isRedo: point.isRedo) }
      return .changes(changes.inverse)
    }
  }

  /// Makes the latest command, if coalesced, a group of its own. Returns the group before it; nil
  /// if it was not coalesced.
  private mutating func separateLatestEdit() -> Int? {
    let joined = document.history.current
    guard let group = document.separateLatestEdit() else { return nil }
    lines.forget(joined)
    if document.history.current != joined { recordLineEdits(of: document.history.current) }
    label = nil
    describe(group)
    describe(document.history.current)
    return group
  }

  /// Separates the latest command from a group that must stay as it is stored. `u` still undoes the
  /// command.
  mutating func keepStoredGroup() {
    guard let group = separateLatestEdit() else { return }
    if case .revision? = undoPoint?.route { undoPoint?.route = .revision(group) }
  }

  /// Reads all parts of the history that are only on disk, so that the store can be closed.
  func readHistory() {
    for id in history.revisions.indices {
      _ = document.changes(of: id)
      _ = document.contextAfter(id)
    }
  }

  /// A move across more revisions can be cancelled.
  private static let longWay = 1000

  /// Moves to another revision, unless it is the current one; `u` moves back.
  ///
  /// - Throws: `historyDamaged` if the history can't be read, `interrupted`; the text is then as
  ///   before.
  mutating func jump(to id: Int) throws(EditorError) {
    if id == history.current { return }
    guard isRevision(id) else { throw .historyDamaged }
    let (back, forward) = history.path(to: id)
    for (count, id) in (back + forward).enumerated() {
      if count & 255 == 255 && Interrupts.isInterrupted { throw .interrupted }
      _ = document.changes(of: id)
    }
    if history.isDamaged { throw .historyDamaged }
    // A copy makes the first change of the history slow, so only a long move keeps one.
    let old = back.count + forward.count > Self.longWay ? self : nil
    setUndoPoint(line: currentLine, isModified: isModified)
    undoPoint?.hasChanges = true
    undoPoint?.usesIdentities = true
    leftRevision = history.current
    let isThere = go(to: id, restoringMarks: true, followingMarks: true) {
      old != nil && Interrupts.isInterrupted
    }
    if let old, !isThere {
      self = old
      throw .interrupted
    }
    lastNewline.setMissing(isUnterminated(id, buffer))
    save.isDirty = document.isModified
  }

  /// Moves to another revision; false if `shouldStop`, called now and then, stops the move.
  ///
  /// With `followingMarks`, marks follow the identities of their lines. With `restoringMarks`, each
  /// group on the way also restores its recorded marks, unless they were set since. `u` does not
  /// restore marks, since in ed it only restores lines.
  @discardableResult
  private mutating func go(
    to revision: Int, restoringMarks: Bool, followingMarks: Bool,
    unless shouldStop: () -> Bool = { false }
  ) -> Bool {
    let (back, forward) = history.path(to: revision)
    for (count, id) in (back + forward).enumerated() {
      if count & 255 == 255 && shouldStop() { return false }
      let marksNow = marks
      let isBack = id == history.current
      if isBack {
        walk(document.changes(of: id).inverse, followingMarks: followingMarks) { $0.undo() }
      } else {
        walk(document.changes(of: id), followingMarks: followingMarks) { $0.move(to: id) }
      }
      if !restoringMarks { continue }
      let (before, after) = (document.contextBefore(id).marks, document.contextAfter(id).marks)
      marks.restore(from: isBack ? after : before, to: isBack ? before : after, where: marksNow)
    }
    currentLine = document.context.line
    usesCRLF = document.context.usesCRLF
    return true
  }

  /// Moves the document by some changes; marks that follow the identities of lines move with it.
  private mutating func walk(
    _ changes: [Change], followingMarks: Bool, _ move: (inout Document<EditorContext>) -> Void
  ) {
    var old = buffer
    move(&document)
    guard followingMarks, marks.areUsed else { return }
    for change in changes {
      var new = old
      new.apply(change)
      let first = old.lineNumber(at: change.offset)
      marks.follow(
        LineRange(first, first + (change.removedNewlineCount - 1)),
        inserting: change.insertedNewlineCount, from: old, to: new)
      old = new
    }
    // A line that one change removed may have been inserted elsewhere by a later one.
    if changes.count > 1, let range = changes.rangeAfter, !range.isEmpty {
      let (first, last) = (
        old.lineNumber(at: range.lowerBound), old.lineNumber(at: range.upperBound - 1)
      )
      marks.recoverLost(in: old, LineRange(first, last))
    }
  }
}

extension [Change] {
  /// The changes that undo these.
  var inverse: [Change] { reversed().map(\.inverse) }
}

// MARK: - Lines of other revisions

/// Reverting groups, picking them, and following lines.
extension EditedText {
  /// The weave at the present revision, which also includes the revision `id`.
  ///
  /// - Throws: `outOfMemory`, `interrupted`, `historyDamaged`, or `weaveDiffers` if the weave's
  ///   text is not the present text.
  private mutating func weave(knowing id: Int? = nil) throws(EditorError) -> Weave {
    if Interrupts.isInterrupted { throw .interrupted }
    let document = document
    var weave: Weave
    let isNew = lines.weave == nil
    if let known = lines.weave {
      weave = known
      // As the only owner, `weave` is changed in place.
      lines.weave = nil
    } else {
      let first = try text(of: 0)
      if Memory.isShort(for: 128 * (first.newlineCount + history.revisions.count)) {
        throw .outOfMemory
      }
      weave = Weave(first)
      weave.mustStop = { Interrupts.isInterrupted }
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

  /// The reversal that undoes groups of the text, and keeps all others; and whether the lines of the
  /// file end with CR LF then, or nil if that stays as it is.
  ///
  /// - Throws: `groupsInTheWay`, or an error of the weave.
  mutating func reversal(
    of ids: Set<Int>
  ) throws(EditorError) -> (reversal: Weave.Reversal, usesCRLF: Bool?) {
    let weave = try weave()
    let reversal = try unlessInTheWay { () throws(Weave.Conflict) in try weave.reverting(ids) }
    guard let oldest = ids.min(), ids.contains(where: mixesLineEnds) else {
      return (fitting(reversal), usesCRLF(without: ids))
    }
    // No line ends fit both older and newer lines, but an earlier text has its own.
    let kept = history.path(to: 0).back.prefix { $0 > oldest }.filter { !ids.contains($0) }
    let origin = history[oldest].parent ?? 0
    if !kept.isEmpty, reversal.replacements.applied(to: buffer) != (try text(of: origin)) {
      throw otherLineEnds(of: kept)
    }
    return (reversal, document.contextAfter(origin).usesCRLF)
  }

  private func otherLineEnds(of ids: [Int]) -> EditorError {
    .groupsInTheWay(ids.map { BlockingGroup(group: group($0), lines: [], isHere: true) })
  }

  /// Whether a group made the text of a file with mixed line ends, which shows its carriage
  /// returns, one that hides them, or the reverse. Later lines of the text fit only one of both.
  private func mixesLineEnds(_ id: Int) -> Bool {
    let (before, after) = (document.contextBefore(id).usesCRLF, document.contextAfter(id).usesCRLF)
    if before == after { return false }
    return document.text(of: after ? history[id].parent ?? 0 : id).hasReturns
  }

  /// The reversal that repeats a group of another branch here.
  ///
  /// - Throws: `groupsInTheWay`, or an error of the weave.
  mutating func reversal(picking id: Int) throws(EditorError) -> Weave.Reversal {
    let weave = try weave(knowing: id)
    return try unlessInTheWay { () throws(Weave.Conflict) in fitting(try weave.picking(id)) }
  }

  /// The reversal that undoes the newest group affecting the given lines, in those lines only.
  ///
  /// - Throws: `nothingToUndoHere`, `groupsInTheWay`, which may be the group itself if it mixes line
  ///   ends, or an error of the weave.
  mutating func reversal(
    undoing lines: LineRange
  ) throws(EditorError) -> (group: Int, reversal: Weave.Reversal) {
    let weave = try weave()
    let found = try unlessInTheWay { () throws(Weave.Conflict) in try weave.undoing(in: lines) }
    guard let found else { throw .nothingToUndoHere }
    if mixesLineEnds(found.group) { throw otherLineEnds(of: [found.group]) }
    return (found.group, fitting(found.reversal))
  }

  /// The reversal that restores lines as they were at a revision; throws errors of the weave.
  mutating func reversal(
    restoring lines: LineRange, to id: Int
  ) throws(EditorError) -> Weave.Reversal {
    let weave = try weave(knowing: id)
    return try unlessInTheWay { () throws(Weave.Conflict) in
      fitting(try weave.restoring(lines, to: id))
    }
  }

  /// A reversal with the line ends of the text. The text may hide carriage returns that the
  /// reversed groups show, or vice versa.
  private func fitting(_ reversal: Weave.Reversal) -> Weave.Reversal {
    var reversal = reversal
    let isShown =
      !usesCRLF && reversal.votes.contains { document.contextAfter($0.group).usesCRLF }
      && buffer.hasReturns
    // In a text that has always been of CR LF, a CR belongs to its line.
    let hasShown = { [self] in
      history.path(to: 0).back.contains { !document.contextBefore($0).usesCRLF }
    }
    guard usesCRLF ? hasShown() : isShown else { return reversal }
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

  /// Whether a group led to the present revision.
  func isHere(_ id: Int) -> Bool { history.path(to: id).forward.isEmpty }

  /// A group as named in an error.
  func group(_ id: Int) -> NamedGroup { NamedGroup(id: id, title: title(id)) }

  func isChanged(by reversal: Weave.Reversal) -> Bool {
    reversal.replacements.applied(to: buffer) != buffer
  }

  /// Makes the replacements of a reversal. An empty text then gets the form of the file at `origin`,
  /// or else of the latest revision with lines.
  mutating func make(_ replacements: [Weave.Replacement], from origin: Int? = nil) {
    if buffer.isEmpty,
      let id = origin.flatMap({ hasLines($0) ? $0 : nil }) ?? latestRevisionWithLines
    {
      // An empty text can't record a missing last newline.
      if isUnterminated(id, document.text(of: id)) { lastNewline.setMissing(true) }
      usesCRLF = document.contextAfter(id).usesCRLF
    }
    if let (lines, target) = Self.move(by: replacements, in: buffer) {
      move(lines, after: target)
    } else {
      for replacement in replacements.reversed() {
        replace(
          replacement.lines, with: replacement.text, count: replacement.text.newlineCount)
      }
      // A line may have moved from one replaced range to another; its identity finds its marks.
      var shift = 0
      for replacement in replacements where marks.areUsed {
        let growth = replacement.text.newlineCount - replacement.lines.count
        let place = LineRange(
          replacement.lines.first + shift, replacement.lines.last + (shift + growth))
        marks.recoverLost(in: buffer, place)
        shift += growth
      }
      undoPoint?.usesIdentities = true
    }
    if let first = replacements.first {
      currentLine = min(first.lines.first + (max(first.text.newlineCount, 1) - 1), lastLine)
    }
    save.isDirty = true
  }

  /// The move made by two replacements, if one removes exactly the lines that the other inserts.
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

  /// Calls `body` with the present text's weave; an open group has the next revision's number.
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

  /// Per line, the group that last made it appear; an open group has the next revision's number.
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

  /// The conflicts of a merge in order of their lines; only the first ones name their groups.
  /// `ancestor` or `id` is nil if the base or the other text is not a revision. Throws errors of
  /// the weave.
  mutating func conflicts(
    of merge: LineMerge, since ancestor: Int?, with id: Int? = nil
  ) throws(EditorError) -> [MergeConflict] {
    if merge.conflicts.isEmpty { return [] }
    let ours = try weave(knowing: id)
    var theirs = ours
    if let id { theirs.move(to: id) }
    func newest(_ weave: Weave, _ lines: LineRange, isKnown: Bool) -> NamedGroup? {
      guard isKnown, let ancestor, weave.lineCount > 0 else { return nil }
      // The lines around a gap identify it.
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

  /// Keeps the weave in step with an ended step or group, which may have joined the revision
  /// `before`; `id` is nil if nothing has changed.
  mutating func recordLineEdits(of id: Int?, after before: Int? = nil) {
    // If there is no revision, the step may have cancelled out the group before it.
    if let before, id == before || id == nil && history[before].isDropped { lines.forget(before) }
    // After a step without changes, the next one may still join the group before it.
    guard let id else { return }
    lines.close(joiningLatest: id == before)
    let kept = lines.kept(
      lineCount: lastLine.value, isPlain: document.isInsertionOrRemoval(id))
    if id == before || kept != nil { document.updateContextAfter(id) { $0.details.kept = kept } }
  }

  /// The present number of line `line` of a revision; `revision` is nil for the text as opened.
  /// Line 0 is the place above the first one in any text.
  ///
  /// - Throws: `noSuchRevision`, `noSuchLineOf`, `lineIsGone` with the group that removed it, or an
  ///   error of the weave.
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
        line, of: start,
        weave.isHere(group: id) ? .removed(by: group(id)) : .undone(addedBy: group(id)))
    }
    for edit in document.isInTransaction ? lines.openWithStep : [] {
      guard let next = edit.line(after: place) else {
        throw .lineIsGone(line, of: start, .removedInOpenGroup)
      }
      place = next
    }
    return place
  }
}

// MARK: - Lines that are gone

/// The last place of lines that are gone, and the lines there now.
struct PastPlace: Equatable, Sendable {
  /// The newest revision that has the lines.
  var revision: Int
  /// The place of the lines in that revision.
  var lines: LineRange
  /// The group that changed the lines.
  var group: NamedGroup
  /// The name of the run that made the group, if it has one.
  var runName: String?
  /// The present lines in their place; empty if none replaced them.
  var now: LineRange
  /// The first line of `now` whose text differs from all old lines.
  var differing: LineNumber?
  /// The text of that line.
  var text: [UInt8]?
}

extension EditedText {
  /// Looks for lines in the revisions that led to the present one, the newest first, for at most
  /// `limit` seconds; nil if they were not found, or in an open group.
  ///
  /// Each step back searches only the lines around its changes, `reach` lines above and below them,
  /// since the later revision lacks the wanted lines.
  func lastPlace(
    reaching reach: Int, within limit: Double, _ find: (LineRange, PieceTable, Int) -> LineRange?
  ) -> PastPlace? {
    if isInGroup || isInStep { return nil }
    let end = SystemClock.uptime + limit
    var text = document.committedBuffer
    var edits: [(first: Int, oldCount: Int, newCount: Int)] = []
    // Step from parent to parent: `history.path` would first collect a possibly long path.
    var id = history.current
    while let parent = history[id].parent {
      defer { id = parent }
      if SystemClock.uptime > end || Interrupts.isInterrupted { return nil }
      let changes = document.changes(of: id).inverse
      for change in changes {
        let line = text.lineNumber(at: change.offset).value
        text.apply(change)
        edits.append((line, change.insertedNewlineCount, change.removedNewlineCount))
      }
      guard let range = changes.rangeAfter, text.newlineCount > 0 else { continue }
      let window = LineRange(
        max(text.lineNumber(at: range.lowerBound) - reach, LineNumber(1)),
        min(text.lineNumber(at: range.upperBound) + reach, LineNumber(text.newlineCount)))
      guard window.count > 0, let lines = find(window, text, parent) else { continue }
      let now = Self.follow(lines, edits.reversed())
      let present = document.committedBuffer
      let known = Set(lines.numbers.map { text.line($0) })
      let differing =
        now.count == 0
        ? nil
        : now.numbers.first { $0 <= lastLine && !known.contains(present.line($0)) }
      return PastPlace(
        revision: parent, lines: lines, group: group(id), now: now,
        differing: differing, text: differing.map { present.line($0) })
    }
    return nil
  }

  /// The place of lines after edits, oldest first; each edit replaces lines from `first` on.
  private static func follow(
    _ lines: LineRange, _ edits: [(first: Int, oldCount: Int, newCount: Int)]
  ) -> LineRange {
    var (first, last) = (lines.first.value, lines.last.value)
    for edit in edits {
      let growth = edit.newCount - edit.oldCount
      if edit.first + edit.oldCount <= first {
        first += growth
        last += growth
      } else if edit.first <= last {
        first = min(first, edit.first)
        last = max(last, edit.first + edit.oldCount - 1) + growth
      }
    }
    return LineRange(LineNumber(first), LineNumber(max(last, first - 1)))
  }
}
