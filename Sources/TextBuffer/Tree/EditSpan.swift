/// The part of a text outside which edits changed nothing.
struct EditSpan: Equatable, Sendable {
  /// Where it begins, before and after.
  var offset: Int
  /// How many bytes it had before.
  var removed: Int
  /// How many bytes it has after.
  var inserted: Int

  /// What both changed together; the offsets of `next` are those after this one.
  func union(_ next: EditSpan) -> EditSpan {
    let lower = min(offset, next.offset)
    let upper = max(offset + inserted, next.offset + next.removed)
    return EditSpan(
      offset: lower, removed: upper - inserted + removed - lower,
      inserted: upper - next.removed + next.inserted - lower)
  }
}
