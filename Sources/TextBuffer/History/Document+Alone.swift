/// Groups of one replacement, made without the log of a transaction.
extension Document {
  /// Makes a group of one replacement, if it is certain to be one. A fast path for a transaction
  /// without other edits, at a third of the cost.
  ///
  /// - Parameters:
  ///   - lines: The lines to be replaced; an empty range inserts before its first line.
  ///   - bytes: Whole lines, which are copied.
  ///   - date: The time of the revision.
  ///   - coalescing: The policy by which the replacement could join the latest revision; then it is
  ///     not made.
  ///   - before: The context at the start.
  ///   - after: The context at the end, which becomes the present one.
  /// - Precondition: The lines are in the text.
  /// - Returns: The change; nil if nothing was done, because a transaction is open, the text would
  ///   be the same, or the replacement may belong to the latest revision.
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
  /// Makes a replacement and records it, if it is certain to be a group of its own.
  ///
  /// - Returns: The change; nil if nothing was done.
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
