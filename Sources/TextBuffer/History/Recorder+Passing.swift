/// Undo and redo over outside changes.
///
///     1 ──group──▶ 2 ──outside──▶ 3       undo at 3 makes 4, which redo leaves for 3
///     └──outside──▶ 4
///
/// A revision from outside belongs to the group before it. Undo takes the present text to the parent
/// of the group, and records the difference there as a revision from outside, 4. No revision of the
/// tree changes, and no redo is lost.
extension Recorder {
  /// The revisions that undo and redo have made of others. They are known as long as the document
  /// lives; a restored one makes new revisions.
  struct Twins {
    /// By revision, the one with the same outside changes and without its group.
    var less: [Int: Int] = [:]
    /// By revision, the one with the same outside changes and the group that a redo brings back.
    var more: [Int: Int] = [:]

    /// Makes an undo and a redo lead from one revision to the other.
    mutating func link(_ kind: History<Change>.Event.Kind, _ from: Int, _ to: Int) {
      if kind == .undone {
        (less[from], more[to]) = (to, from)
      } else {
        (more[from], less[to]) = (to, from)
      }
    }

    /// Forgets revisions before the oldest one of the tree.
    mutating func forget(before oldest: Int) {
      less = less.filter { $0.key >= oldest }
      more = more.filter { $0.key >= oldest }
    }
  }

  /// Takes the present text, which has later changes than the revision `start`, to that of another
  /// revision next to `start` with those changes; nil if the history is damaged.
  mutating func pass(
    _ kind: History<Change>.Event.Kind, from start: Int, to target: Int, _ core: inout EditCore
  ) -> Transition<Change>? {
    let from = history.current
    defer { if history.current != from { twins.link(kind, from, history.current) } }
    if let twin = kind == .undone ? twins.less[from] : twins.more[from],
      history.canMove(to: twin), history.group(at: twin) == history.group(at: target)
    {
      return move(to: twin, &core, kind).0
    }
    let targetText = text(of: target, from: core.text)
    guard let passage = passage(from: start, to: target, core) else { return nil }
    let changes = passage.edits.reversed().map { edit in
      core.text.replace(edit.range, with: targetText.slice(edit.source))
    }
    core.text.storage = core.text.storage.joined(with: targetText.storage)
    let steps = passage.places.map { place in
      Change(
        offset: place.after.lowerBound,
        before: Fragment(
          targetText.root.slice(place.before.lowerBound, place.before.upperBound)),
        after: Fragment(core.text.root.slice(place.after.lowerBound, place.after.upperBound)),
        storage: core.text.storage)
    }
    let (back, forward) = history.path(to: target)
    for _ in back { history.moveToParent() }
    for id in forward { history.moveToChild(id) }
    history.record(
      checked: Steps(steps.filter { !$0.changesNothing }), name: nil, time: history[from].time,
      isOutside: true)
    let passed = Transition(from: from, to: history.current, changes)
    history.tell(kind, passed)
    if history.levelLimit != nil { freeForgotten(&core) }
    return passed
  }

  /// The group between two adjacent revisions, taken over all changes from the first one to the
  /// present text; nil if the history is damaged.
  func passage(from start: Int, to target: Int, _ core: EditCore) -> Passage? {
    let startText = text(of: start, from: core.text)
    if history.isDamaged { return nil }
    let group =
      start < target ? history.steps(of: target).map(\.span) : inverseSpans(of: start)
    let (back, forward) = history.path(to: start)
    let later =
      forward.reversed().flatMap(inverseSpans)
      + back.reversed().flatMap { history.steps(of: $0).map(\.span) }
    return Passage(group, over: later, from: startText, to: core.text)
  }

  private func inverseSpans(of id: Int) -> [EditSpan] {
    history.steps(of: id).reversed().map(\.inverse.span)
  }

  /// The text of a revision, for the text of the present one.
  func text(of id: Int, from present: PieceTable) -> PieceTable {
    var text = present.withoutTail
    let (back, forward) = history.path(to: id)
    for id in back { apply(history.steps(of: id).reversed().map(\.inverse), to: &text) }
    for id in forward { apply(history.steps(of: id), to: &text) }
    return text
  }

  /// Applies the changes of a revision to a text. If stored changes do not fit it, the history is
  /// damaged.
  func apply(_ changes: [Change], to text: inout PieceTable) {
    for change in changes {
      if !text.fits(change) { return history.revisions.fail() }
      text.apply(change)
    }
  }
}
