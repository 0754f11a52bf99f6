/// The revisions of a document, and the state of the latest one: whether the next transaction may
/// join it, and how to separate the latest transaction that did.
@usableFromInline struct Recorder: Sendable {
  @usableFromInline var history: History<Change>
  /// The edits of the last committed transaction alone.
  private(set) var latest = Latest.nothing
  /// Whether the next transaction may join the present revision.
  @usableFromInline var canJoin = false
  /// The time of the last edit of the present revision, if known.
  private(set) var time: EditTime?
  /// The facts about the latest edit of the present revision that boundaries need; nil without any.
  private(set) var edge: EditEdge?
  /// The places that the present revision touched, if they are kept apart.
  private(set) var places: EditPlaces?
  /// The places of the latest transaction of the present revision, behind which insertions join.
  private(set) var latestPlaces: EditPlaces?
  /// The group that has cancelled out and left the tree, if the next transaction may join it: then
  /// it becomes a revision again.
  var cancelled: Cancelled?
  /// The name of the open typed transaction; nil without one, or if none is open.
  var typingName: String?
  /// The revision that the latest transaction joined, as it was before.
  private(set) var unjoined: Unjoined?
  /// The growth since memory was last freed.
  var growth = Growth()
  /// The revisions that undo and redo have made of others by passing over outside changes.
  var twins = Twins()

  enum Latest: Sendable {
    /// No effect: the transaction was rolled back, or the history has moved.
    case nothing
    /// The steps of the present revision.
    case currentSteps
    /// A part of the present revision or of the open transaction.
    case part(EditLog)
  }

  /// A group without effect.
  struct Cancelled: Sendable {
    var log: EditLog
    var name: String?
  }

  /// A revision before a transaction joined it.
  struct Unjoined: Sendable {
    var steps: Steps<Change>
    /// The steps of the transaction.
    var next: Steps<Change>
    /// The present revision since then.
    var current: Int
    var name: String?
    var time: Double
    /// Whether both cancelled out, so that the revision left the tree.
    var isDropped = false
    /// Whether the joined revision must stay the same: it was saved, named or marked.
    var isKept = false
  }

  /// The effect of a commit on the history.
  @usableFromInline enum CommitResult {
    /// The text is the same, and nothing was recorded.
    case unchanged
    /// The commit added a revision.
    case recorded
    /// The commit extended the present revision.
    case joined
    /// The commit cancelled out the present revision, which left the tree.
    case cancelled
    /// The commit extended a group that had cancelled out, and added it as a revision.
    case revived
  }

  init(_ history: History<Change>) { self.history = history }

  /// Records the edits of the outermost transaction.
  @usableFromInline mutating func commit(
    _ core: inout EditCore, name: String?, _ moment: EditMoment, coalescing: Coalescing,
    isTyped: Bool = false, keepsEmpty: Bool = false, isOutside: Bool = false
  ) -> CommitResult {
    let log = core.takeLog()
    return record(
      log.steps(to: core.text), log, &core, name: name, moment, coalescing, isTyped: isTyped,
      keepsEmpty: keepsEmpty, isOutside: isOutside)
  }

  /// Records the steps of a transaction; `log` has its edits. Typed edits have been told one by one,
  /// and no transaction joins them.
  @inline(__always) private mutating func record(
    _ steps: consuming Steps<Change>, _ log: EditLog, _ core: inout EditCore, name: String?,
    _ moment: EditMoment, _ coalescing: Coalescing, isTyped: Bool, keepsEmpty: Bool = false,
    isOutside: Bool = false
  ) -> CommitResult {
    let from = history.current
    if steps.isEmpty {
      // The text is the same, but the tree may not be: undoing restores it.
      log.takeBack(&core.text)
      if keepsEmpty && !history.forgetsAll {
        keepCurrent()
        unjoined = nil
        history.record(checked: .none, name: name, time: moment.date)
        freeDiscarded(&core)
        return .recorded
      }
      latest = .nothing
      unjoined = nil
      if isTyped { history.tell(.cancelled, of: from) }
      freeDiscarded(&core)
      return .unchanged
    }
    if canJoin, !coalescing.rules.isEmpty,
      let result = join(steps, log, core.text, name: name, moment, coalescing)
    {
      latest = .part(log)
      return result
    }
    setLatestToCurrent()
    canJoin = !isTyped
    if canJoin {
      time = moment.time
      edge = coalescing.hasBoundaries ? EditEdge(steps.array) : nil
      places = coalescing.rules.contains(.carets) ? log.places : nil
      latestPlaces = coalescing.rules.isEmpty ? nil : log.places
    }
    if history.forgetsAll {
      recordForgotten(steps, name: name, date: moment.date, isTyped: isTyped, &core)
      return .recorded
    }
    history.record(
      checked: consume steps, name: name, time: moment.date, isOutside: isOutside)
    tellRecorded(from: from, isTyped: isTyped)
    if history.levelLimit != nil { freeForgotten(&core) }
    return .recorded
  }

  /// Collects the event of the recorded present revision.
  @inline(__always) private mutating func tellRecorded(from: Int, isTyped: Bool) {
    if history.events == nil { return }
    let id = history.current
    let steps = isTyped ? .none : history.revisions[steps: id]
    history.tell(.recorded, Transition(from: from, to: id, steps))
  }

  /// Records steps if nothing can be undone: the history does not keep them, no edit can join them,
  /// but the event has them.
  @inline(never) private mutating func recordForgotten(
    _ steps: Steps<Change>, name: String?, date: Double, isTyped: Bool, _ core: inout EditCore
  ) {
    let from = history.current
    history.record(checked: steps, name: name, time: date)
    let recorded = Transition(from: from, to: history.current, isTyped ? .none : steps)
    history.tell(.recorded, recorded)
    freeForgotten(&core, after: steps)
    latest = .part(EditLog(steps))
    canJoin = false
  }

  /// Makes the transaction that has just been recorded the latest one.
  private mutating func setLatestToCurrent() {
    // Comparing is cheaper than assigning, which releases the old value: 4 % of typing.
    if case .currentSteps = latest {} else { latest = .currentSteps }
    if unjoined != nil { unjoined = nil }
    if cancelled != nil { cancelled = nil }
  }

  /// Commits an inner transaction, which becomes part of the one around it.
  @usableFromInline mutating func commitInner(_ core: inout EditCore) {
    latest = .part(core.log)
    core.commit()
  }

  @usableFromInline mutating func rollBack(_ core: inout EditCore) {
    latest = .nothing
    core.rollBack()
    history.tell(.rolledBack, of: history.current)
    freeDiscarded(&core)
  }

  /// Records the typed transaction, which joins no other, and which no other joins; returns whether
  /// it has changed the text.
  @usableFromInline mutating func commitTyping(_ core: inout EditCore) -> Bool {
    let name = typingName
    if name != nil { typingName = nil }
    canJoin = false
    let moment = EditMoment(nil, core.typing.moment.date)
    // An edit that changes the length changes the text; only otherwise are texts compared.
    let isCertain = core.typing.removed != core.typing.inserted.count
    let result: CommitResult
    // Fast path: most typed groups are one edit; skipping the log halves the cost of a group.
    if let change = core.takePending() {
      let isEmpty = !isCertain && change.changesNothing
      result = record(
        isEmpty ? .none : .one(consume change), .nothing, &core, name: name, moment, .none,
        isTyped: true)
    } else {
      result = commit(&core, name: name, moment, coalescing: .none, isTyped: true)
    }
    return result == .recorded
  }

  @usableFromInline enum TypedEdit {
    /// The edit belongs to the open transaction.
    case joined
    /// The edit has opened a transaction; `hasRecorded` tells whether another one was recorded
    /// before.
    case opened(hasRecorded: Bool)
  }

  /// Makes an edit that `EditCore.type` can't make: in the open transaction, or in one of its own.
  @usableFromInline mutating func type(
    _ lower: Int, _ upper: Int, _ bytes: RawSpan, name: String?, _ moment: EditMoment,
    in core: inout EditCore
  ) -> TypedEdit {
    if core.isInTransaction {
      let change = core.replace(ByteOffset(lower)..<ByteOffset(upper), with: bytes)
      latest = .part(EditLog(change))
      return .joined
    }
    // One comparison suffices, as half of all edits answer the first of two.
    if (upper - lower) | bytes.byteCount == 0 {
      core.typing.stay(at: lower, moment, core.coalescing)
      return .joined
    }
    precondition(0 <= lower && upper <= core.byteCount, "range out of the text")
    var typed: Change?
    if history.events != nil {
      var text = core.present
      typed = text.replace(ByteOffset(lower)..<ByteOffset(upper), with: bytes)
    }
    var edit = TypedEdit.joined
    if name != typingName || !core.join(lower, upper, bytes, moment) {
      edit = .opened(hasRecorded: core.typing.isOpen && commitTyping(&core))
      canJoin = false
      core.open(lower, upper, bytes)
      if name != nil { typingName = name }
    }
    core.finish(lower, upper, bytes, moment)
    if let typed {
      let id = history.current
      history.tell(.typed, Transition(from: id, to: id, .one(typed)))
    }
    // The fast path neither tells of edits nor compares names.
    if name != nil || history.events != nil { core.typing.isFast = false }
    return edit
  }

  /// Extends the present revision by `next` if the policy allows it.
  private mutating func join(
    _ next: Steps<Change>, _ log: EditLog, _ text: PieceTable, name: String?,
    _ moment: EditMoment, _ coalescing: Coalescing
  ) -> CommitResult? {
    // Most edits are elsewhere, which is seen without a copy of the steps.
    guard coalescing.rules.contains(.carets) || joinsByPlace(next, coalescing) else { return nil }
    let (revision, steps) = (history[history.current], history.revisions[steps: history.current])
    var joined = cancelled?.log ?? EditLog(steps)
    let pause = moment.time.flatMap { now in time.map { $0.duration(to: now) } }
    let nextEdge = coalescing.hasBoundaries ? EditEdge(next.array) : nil
    guard coalescing.isSoon(pause), nextEdge.map({ !coalescing.separates(edge, $0) }) ?? true
    else { return nil }
    var joinedPlaces: EditPlaces?
    if coalescing.rules.contains(.carets) {
      guard let group = places ?? joined.places, let nextPlaces = log.places,
        coalescing.joins(nextPlaces, to: group, after: latestPlaces)
      else { return nil }
      joinedPlaces = group.followed(by: nextPlaces)
    }
    joined.append(log, in: text)
    let both = joined.steps(to: text)
    places = joinedPlaces
    latestPlaces = log.places
    time = moment.time ?? time
    edge = nextEdge
    let from = history.current
    if let group = cancelled {
      (unjoined, cancelled) = (nil, nil)
      history.record(checked: both, name: name ?? group.name, time: moment.date)
      let recorded = Transition(from: from, to: history.current, next)
      history.tell(.recorded, recorded)
      return .revived
    }
    unjoined = Unjoined(
      steps: steps, next: next, current: history.current, name: revision.name, time: revision.time)
    if both.isEmpty {
      cancelled = Cancelled(log: joined, name: name ?? revision.name)
      history.dropCurrent()
      let cancelled = Transition(from: from, to: history.current, next)
      history.tell(.cancelled, cancelled)
      unjoined?.isDropped = true
      unjoined?.current = history.current
      return .cancelled
    }
    history.amendCurrent(both, name: name ?? revision.name, time: moment.date)
    history.tell(.joined, Transition(from: from, to: from, next))
    return .joined
  }

  /// Whether the place of `next` lets it join the present revision, each being one edit.
  private func joinsByPlace(_ next: Steps<Change>, _ coalescing: Coalescing) -> Bool {
    guard !history.isDamaged, case .one(let change) = next else { return false }
    let (id, next) = (history.current, change.span)
    if let latestPlaces, latestPlaces.count == 1,
      coalescing.continues(next, after: latestPlaces.spans[0])
    {
      return true
    }
    if let cancelled { return cancelled.log.span.map { coalescing.joins(next, to: $0) } ?? false }
    return history.revisions.stepCount(of: id) == 1
      && history.revisions.withStep(0, of: id) { coalescing.joins(next, to: $0.span) }
  }

  /// Makes the latest transaction a revision of its own; returns the effect that joining had on the
  /// other revision, or nil if it joined none.
  @usableFromInline mutating func separate() -> CommitResult? {
    guard let before = unjoined, before.current == history.current else { return nil }
    let time = history[history.current].time
    if before.isDropped {
      history.record(checked: before.steps, name: before.name, time: before.time)
    } else {
      history.amendCurrent(before.steps, name: before.name, time: before.time)
    }
    let from = history.current
    history.record(checked: before.next, name: nil, time: time)
    tellRecorded(from: from, isTyped: true)
    unjoined = nil
    canJoin = false
    return before.isDropped ? .cancelled : .joined
  }

  /// Undoes the present group, and tells its revision; nil if nothing can be undone. Returning an
  /// `Arrival`, as `move` does, costs 7 % of undo and redo.
  @usableFromInline mutating func undo(
    _ core: inout EditCore, group: inout Int
  ) -> Transition<Change>? {
    guard let parent = history.parentToUndo else { return nil }
    let id = history.current
    group = history.group
    if group != id { return pass(.undone, from: group, to: parent, &core) }
    core.takeBack(in: &history)
    let undone = Transition(
      from: id, to: history.current, takingBack: history.revisions[steps: id])
    history.tell(.undone, undone)
    return undone
  }

  /// Redoes the preferred group, and tells its revision; nil without one.
  @usableFromInline mutating func redo(
    _ core: inout EditCore, group: inout Int
  ) -> Transition<Change>? {
    guard let id = history.preferredChild else { return nil }
    group = id
    let from = history.current
    if history.hasOutside, let parent = history.revisions[entry: id].parent.id, parent != from {
      return pass(.redone, from: parent, to: id, &core)
    }
    core.doAgain(id, in: &history)
    let redone = Transition(from: from, to: id, history.revisions[steps: id])
    history.tell(.redone, redone)
    return redone
  }

  /// The side of a revision where a move ended, which selects the context to restore.
  @usableFromInline enum Arrival {
    case nowhere
    case before(Int)
    case after(Int)
  }

  /// Goes to any revision with `history.canMove(to: id)`, along the path through the tree.
  @usableFromInline mutating func move(
    to id: Int, _ core: inout EditCore, _ kind: History<Change>.Event.Kind = .moved
  ) -> (Transition<Change>, Arrival) {
    let from = history.current
    let (back, forward) = history.path(to: id)
    for _ in back { core.takeBack(in: &history) }
    for revision in forward { core.doAgain(revision, in: &history) }
    let moved = Transition(
      from: from, to: id, back: back, forward: forward, in: history.revisions)
    history.tell(kind, moved)
    if let last = forward.last { return (moved, .after(last)) }
    return (moved, back.last.map { .before($0) } ?? .nowhere)
  }

  /// Before a move: lets nothing join the present revision, or be separated from it.
  @usableFromInline mutating func seal() {
    canJoin = false
    if case .nothing = latest {} else { latest = .nothing }
    if unjoined != nil { unjoined = nil }
  }

  /// Lets nothing join the present revision, which has been saved or named.
  mutating func keepCurrent() {
    canJoin = false
    latest = .nothing
    if let joined = unjoined { unjoined?.isKept = !joined.isDropped }
  }

  /// Adds a revision as a child of any other one, without going there; nil if no change changes
  /// anything. Afterwards, nothing joins the present revision, since it is no longer the latest
  /// one.
  mutating func addBranch(
    _ changes: [Change], from parent: Int, name: String?, date: Double, keepsEmpty: Bool,
    _ core: inout EditCore
  ) -> Int? {
    let id = history.addBranch(
      changes, from: parent, name: name, time: date, keepsEmpty: keepsEmpty)
    guard let id else { return nil }
    // A move applies the changes without checking where their bytes are kept.
    for change in changes { core.text.storage = core.text.storage.joined(with: change.storage) }
    keepCurrent()
    return id
  }

  /// Adds a revision of a store, without going there. Afterwards, nothing joins the present revision.
  mutating func adopt(_ record: RevisionRecord, _ changes: [Change], _ core: inout EditCore) {
    history.adopt(record, changes)
    for change in changes { core.text.storage = core.text.storage.joined(with: change.storage) }
    keepCurrent()
  }

  /// Makes the steps of a joined revision a branch next to the present revision, which stays.
  mutating func branchUnjoined(_ before: Unjoined, _ core: inout EditCore) -> Int {
    let (current, events, limit) = (history.current, history.events, history.levelLimit)
    history.events = nil  // the text is as before in the end
    history.levelLimit = nil  // so that the present revision is not forgotten meanwhile
    core.takeBack(in: &history)
    let parent = history.current
    for step in before.steps.array { core.text.apply(step) }
    history.record(checked: before.steps, name: before.name, time: before.time)
    unjoined = nil
    let id = history.current
    seal()
    _ = move(to: current, &core)
    history.events = events
    history.levelLimit = limit
    history.tell(.branched, Transition(from: parent, to: id))
    return id
  }
}

// MARK: - Reading

/// Reads the latest transaction and the steps of a revision.
extension Recorder {
  /// The transition of the transaction just committed, from revision `from` to the present one.
  @usableFromInline func latestTransition(from: Int, in core: EditCore) -> Transition<Change> {
    Transition(from: from, to: history.current, Steps(latestChanges(in: core)))
  }

  /// Whether a revision has a single step, which only inserts or only removes bytes.
  @usableFromInline func isInsertionOrRemoval(_ id: Int) -> Bool {
    history.revisions.stepCount(of: id) == 1
      && history.revisions.withStep(0, of: id) {
        $0.removedByteCount == 0 || $0.insertedByteCount == 0
      }
  }

  @usableFromInline func latestChanges(in core: EditCore) -> [Change] {
    if core.typing.isOpen { return core.typedChanges }
    return switch latest {
    case .nothing: []
    case .currentSteps: history.steps(of: history.current)
    case .part(let log): log.steps(to: core.text).array
    }
  }
}

// MARK: - Memory

/// Freeing memory.
extension Recorder {
  /// The bytes inserted since memory was last freed, and the bytes held then.
  struct Growth {
    var insertedByteCount = 0
    var heldByteCount = 0
    /// The bytes added to the storage before the last check for discarded edits.
    var addedByteCount = 0

    /// Whether so many bytes more may be worth a walk over all revisions.
    func isWorthwhile(_ byteCount: Int, atLeast least: Int) -> Bool {
      byteCount > max(least, heldByteCount / 2)
    }
  }

  /// Frees the blocks without bytes of the text or of a revision. No other code may refer to
  /// changes that the recorder has made.
  mutating func compact(_ core: inout EditCore) {
    cancelled = nil
    twins.forget(before: history.oldest)
    var live = LiveBlocks(of: core.text.storage)
    live.mark(core.text.root.node)
    let ids = history.oldest..<history.revisions.count
    history.revisions.forEachStep(in: ids) { live.mark($0) }
    let storage = live.storage
    history.revisions.mapSteps(in: ids) { $0.kept(by: storage) }
    (core.text.storage, core.text.tail) = (storage, nil)
    let held = core.text.heldByteCount
    growth = Growth(heldByteCount: held, addedByteCount: core.text.storage.addedByteCount)
  }

  /// Frees the memory of discarded edits, if it may be much.
  @inline(never) mutating func freeDiscarded(_ core: inout EditCore) {
    if core.isInTransaction || unjoined != nil || cancelled != nil { return }
    if growth.isWorthwhile(addedByteCount(core), atLeast: 1 << 20) { compact(&core) }
  }

  /// Frees the memory of forgotten revisions after one has been recorded, if worthwhile.
  @inline(never) mutating func freeForgotten(_ core: inout EditCore) {
    freeForgotten(&core, after: history.revisions[steps: history.current])
  }

  /// Frees the memory of forgotten revisions after `steps` have been recorded.
  mutating func freeForgotten(_ core: inout EditCore, after steps: Steps<Change>) {
    if history.oldest == 0 { return }
    for change in steps.array { growth.insertedByteCount += change.insertedByteCount }
    // Blocks grow by edits inside of a transaction, inserted bytes may be in blocks of other texts.
    // The revisions to walk are few.
    let byteCount = max(growth.insertedByteCount, addedByteCount(core))
    if growth.isWorthwhile(byteCount, atLeast: 1 << 17) { compact(&core) }
  }

  private func addedByteCount(_ core: EditCore) -> Int {
    core.text.storage.addedByteCount - growth.addedByteCount
  }
}
