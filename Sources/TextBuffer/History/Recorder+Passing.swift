/// Undo and redo over outside changes.
///
///     1 ──group──▶ 2 ──outside──▶ 3       undo at 3 makes 4, which redo leaves for 3
///     └──outside──▶ 4
///
/// A revision from outside belongs to the group before it. Undo takes the present text to the parent
/// of the group, and records the difference there as a revision from outside, 4. No revision of the
/// tree changes, and no redo is lost.
///
/// Revisions 3 and 4 are twins from then on. After a further outside change at 4, a redo takes the
/// step from 4 to 3 over that change. The group over all changes since 1 would insert bytes that the
/// change from 2 to 3 has removed.
extension Recorder {
  /// The revisions that undo and redo have made of others. Twins are known as long as the document
  /// lives; a restored one makes new revisions.
  struct Twins {
    struct Twin {
      var id: Int
      /// The spans of the edits that lead to it, in order.
      var spans: [EditSpan]
    }

    /// By revision, the one with the same outside changes and without its group.
    private var less: [Int: Twin] = [:]
    /// By revision, the one with the same outside changes and the group that a redo brings back.
    private var more: [Int: Twin] = [:]

    /// The revision that an undo or a redo leads to from another one.
    subscript(kind: History<Change>.Event.Kind, id: Int) -> Twin? {
      kind == .undone ? less[id] : more[id]
    }

    /// Makes an undo and a redo lead from one revision to the other.
    mutating func link(_ kind: History<Change>.Event.Kind, _ from: Int, _ to: Twin) {
      let back = Twin(id: from, spans: to.spans.inverse)
      if kind == .undone {
        (less[from], more[to.id]) = (to, back)
      } else {
        (more[from], less[to.id]) = (to, back)
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
    if let twin = usableTwin(kind, of: from, for: target) {
      twins.link(kind, from, twin)
      return move(to: twin.id, &core, kind).0
    }
    guard let (end, passage) = passage(kind, from: start, to: target, core) else { return nil }
    // A chain of revisions from outside could make the level limit drop the group.
    let parent = history.levelLimit == nil ? end : target
    let (endText, parentText) = (text(of: end, from: core.text), text(of: parent, from: core.text))
    let changes = passage.edits.reversed().map { edit in
      core.text.replace(edit.range, with: endText.slice(edit.source))
    }
    for text in [endText, parentText] {
      core.text.storage = core.text.storage.joined(with: text.storage)
    }
    let (back, forward) = history.path(to: parent)
    for _ in back { history.moveToParent() }
    for id in forward { history.moveToChild(id) }
    let places = Passage.places(
      of: spans(to: end) + passage.spans, from: parentText, to: core.text)
    let steps = places.map { place in
      Change(
        offset: place.after.lowerBound,
        before: Fragment(parentText.root.slice(place.before.lowerBound, place.before.upperBound)),
        after: Fragment(core.text.root.slice(place.after.lowerBound, place.after.upperBound)),
        storage: core.text.storage)
    }
    history.record(checked: Steps(steps), name: nil, time: history[from].time, isOutside: true)
    twins.link(kind, from, Twins.Twin(id: history.current, spans: changes.map(\.span)))
    let passed = Transition(from: from, to: history.current, changes)
    history.tell(kind, passed)
    if history.levelLimit != nil { freeForgotten(&core) }
    return passed
  }

  /// The passage of an undo or a redo from `start` to `target`, or of the step between the nearest
  /// revision from outside and its twin, and the end of the step.
  private func passage(
    _ kind: History<Change>.Event.Kind, from start: Int, to target: Int, _ core: EditCore
  ) -> (end: Int, Passage)? {
    let first = history.group
    var id = history.current
    while id != start {
      if let twin = usableTwin(kind, of: id, for: target) {
        guard let passage = passage(from: id, to: twin.id, spans: twin.spans, core) else {
          return nil
        }
        // The step replaces in parts what the group replaces as a whole.
        if !passage.hasLost { return (twin.id, passage) }
      }
      guard id != first, let parent = history[id].parent else { break }
      id = parent
    }
    return passage(from: start, to: target, core).map { (target, $0) }
  }

  private func usableTwin(
    _ kind: History<Change>.Event.Kind, of id: Int, for target: Int
  ) -> Twins.Twin? {
    guard let twin = twins[kind, id], history.canMove(to: twin.id),
      history.group(at: twin.id) == history.group(at: target)
    else { return nil }
    return twin
  }

  /// The step between two revisions, taken over all changes from the first one to the present text;
  /// nil if the history is damaged. The step is the group between adjacent revisions, or has the
  /// given spans.
  func passage(
    from start: Int, to target: Int, spans group: [EditSpan]? = nil, _ core: EditCore
  ) -> Passage? {
    let startText = text(of: start, from: core.text)
    if history.isDamaged { return nil }
    let group = group ?? (start < target ? spans(of: target) : spans(of: start).inverse)
    return Passage(group, over: spans(to: start).inverse, from: startText, to: core.text)
  }

  private func spans(of id: Int) -> [EditSpan] { history.steps(of: id).map(\.span) }

  /// The spans of the changes on the path from the present revision to another one, in order.
  private func spans(to id: Int) -> [EditSpan] {
    let (back, forward) = history.path(to: id)
    return back.flatMap { spans(of: $0).inverse } + forward.flatMap { spans(of: $0) }
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

extension [EditSpan] {
  /// The spans of the edits that take these back, in order.
  fileprivate var inverse: Self { reversed().map(\.inverse) }
}
