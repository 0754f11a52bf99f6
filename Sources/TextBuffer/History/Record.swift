/// The revisions of a document, and whether the next edit may still join the latest one.
@usableFromInline struct Record: Sendable {
  @usableFromInline var history: History<Change>
  /// What the latest edit did by itself.
  @usableFromInline var latest = Steps<Change>.none
  /// Whether the next edit may join the present revision.
  @usableFromInline var canJoin = false
  /// The revision that the latest edit joined, as it was before.
  var unjoined: Unjoined?

  /// A revision before an edit joined it.
  struct Unjoined: Sendable {
    var change: Change
    /// What the edit did.
    var latest: Change
    /// The present revision since then.
    var current: Int
    var name: String?
    var time: Double
    /// Whether it came to nothing by the edit, and left the tree.
    var isGone = false
    /// Whether it is to stay as the edit made it.
    var isKept = false
  }

  /// What became of a transaction.
  @usableFromInline enum Outcome {
    /// The text is as it was.
    case nothing
    /// It is a revision of its own.
    case recorded
    /// It is a part of the revision that was the present one already.
    case joined
    /// With it, what was the present revision came to nothing, and left the tree.
    case vanished
  }

  init(name: String?, time: Double) {
    history = History(name: name, time: time)
  }

  init(_ history: History<Change>) { self.history = history }

  /// Records what a transaction has done.
  @usableFromInline mutating func finish(
    _ core: inout EditCore, name: String?, time: Double, coalescing: Coalescing
  ) -> Outcome {
    latest = core.log.steps(to: core.text)
    if latest.isEmpty {
      // What it did although nothing is different was not for nothing in the tree.
      core.rollBack()
      unjoined = nil
      return .nothing
    }
    core.log = .nothing
    if canJoin, !coalescing.rules.isEmpty, case .one(let change) = latest,
      let group = history.onlyStep(of: history.current)
    {
      let revision = history[history.current]
      if coalescing.joins(change, to: group, pause: time - revision.time),
        let both = group.followed(by: change)
      {
        unjoined = Unjoined(
          change: group, latest: change, current: history.current, name: revision.name,
          time: revision.time)
        return join(both, name: name, time: time)
      }
    }
    unjoined = nil
    canJoin = true
    history.record(checked: latest, name: name, time: time)
    return .recorded
  }

  /// Makes `change` what the present revision did.
  private mutating func join(_ change: Change, name: String?, time: Double) -> Outcome {
    if change.changesNothing {
      history.dropCurrent()
      unjoined?.isGone = true
      unjoined?.current = history.current
      canJoin = false
      return .vanished
    }
    let current = history.current
    history.amendCurrent(change, name: name ?? history[current].name, time: time)
    return .joined
  }

  /// Makes the latest edit a revision of its own, if it joined another.
  ///
  /// - Returns: What the other revision came to by it; nil when it joined none.
  @usableFromInline mutating func separate() -> Outcome? {
    guard let before = unjoined, before.current == history.current else { return nil }
    let time = history[history.current].time
    if before.isGone {
      history.record(checked: .one(before.change), name: before.name, time: before.time)
    } else {
      history.amendCurrent(before.change, name: before.name, time: before.time)
    }
    history.record(checked: .one(before.latest), name: nil, time: time)
    unjoined = nil
    canJoin = false
    return before.isGone ? .vanished : .joined
  }

  /// Takes back the group that led to the present revision.
  ///
  /// - Returns: The number of that; nil when there is nothing to undo.
  @usableFromInline mutating func undo(_ core: inout EditCore) -> Int? {
    guard history.canUndo else { return nil }
    let id = history.current
    history.willMove(.undo)
    core.takeBack(in: &history)
    history.didMove(.undo)
    return id
  }

  /// Does the group again that leads to the preferred child of the present revision.
  ///
  /// - Returns: The number of that child; nil when there is none.
  @usableFromInline mutating func redo(_ core: inout EditCore) -> Int? {
    guard let id = history.preferredChild else { return nil }
    history.willMove(.redo)
    core.doAgain(id, in: &history)
    history.didMove(.redo)
    return id
  }

  /// Where a move has led.
  @usableFromInline enum Arrival {
    case nowhere
    /// To where one was before the group of a revision.
    case before(Int)
    /// To where one was after it.
    case after(Int)
  }

  /// Goes to any revision, along the groups between.
  ///
  /// - Precondition: `history.canMove(to: id)`.
  @usableFromInline mutating func move(to id: Int, _ core: inout EditCore) -> Arrival {
    let (back, forward) = history.path(to: id)
    history.willMove(.move)
    for _ in back { core.takeBack(in: &history) }
    for revision in forward { core.doAgain(revision, in: &history) }
    history.didMove(.move)
    if let last = forward.last { return .after(last) }
    return back.last.map { .before($0) } ?? .nowhere
  }

  /// Makes the next edit begin a revision in any case.
  @usableFromInline mutating func seal() {
    canJoin = false
    if !latest.isEmpty { latest = .none }
    if unjoined != nil { unjoined = nil }
  }

  /// Makes the next edit begin a revision, and the present one stay as it is.
  mutating func keepCurrent() {
    canJoin = false
    latest = .none
    if let joined = unjoined { unjoined?.isKept = !joined.isGone }
  }
}
