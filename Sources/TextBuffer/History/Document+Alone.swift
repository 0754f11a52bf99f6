/// Groups of one replacement, made without the log of a transaction.
extension Document {
  /// Makes a group of one replacement by whole lines, which are copied, if it is certain to be one.
  /// A fast path for a transaction without other edits, at a third of the cost. An empty range
  /// inserts before its first line. The context `after` becomes the present one.
  ///
  /// Returns nil if nothing was done, because a transaction is open, the text would be the same, or
  /// the replacement may join the latest revision by the policy.
  ///
  /// - Precondition: The lines are in the text.
  @inlinable
  package mutating func replaceAlone(
    _ lines: LineRange, with bytes: RawSpan, date: Double, coalescing: Coalescing,
    context before: Context, _ after: Context
  ) -> Change? {
    guard !isInTransaction,
      let change = recorder.replaceAlone(lines, with: bytes, date: date, coalescing, &core)
    else { return nil }
    unjoinedContexts = nil
    contexts.append(Frame(before: before, after: after))
    context = after
    return change
  }
}

extension Recorder {
  /// Makes a replacement and records it, if it is certain to be a group of its own; otherwise nil.
  @usableFromInline mutating func replaceAlone(
    _ lines: LineRange, with bytes: RawSpan, date: Double, _ coalescing: Coalescing,
    _ core: inout EditCore
  ) -> Change? {
    let isPlain =
      !core.typing.isOpen && !coalescing.rules.contains(.carets) && !coalescing.hasBoundaries
      && history.events == nil && history.levelLimit == nil
    guard isPlain else { return nil }
    let range = core.text.byteRange(of: lines)
    let (lower, upper) = (range.lowerBound.value, range.upperBound.value)
    let span = EditSpan(offset: lower, removed: upper - lower, inserted: bytes.byteCount)
    if canJoin && mayJoin(span, coalescing) { return nil }
    let change = core.text.replace(range, with: bytes)
    if span.removed == span.inserted && change.changesNothing {
      core.text.restore(change.before, in: change.rangeAfter)
      return nil
    }
    beginRevision(time: nil, edge: nil, places: nil)
    history.record(checked: .one(change), name: nil, time: date)
    return change
  }

  /// Whether an edit may join the present revision by its place.
  private func mayJoin(_ next: EditSpan, _ coalescing: Coalescing) -> Bool {
    let id = history.current
    return history.revisions.stepCount(of: id) == 1
      && history.revisions.withStep(0, of: id) { coalescing.joins(next, to: $0.span) }
  }
}
