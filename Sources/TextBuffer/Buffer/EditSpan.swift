/// The part of a text outside which edits have changed nothing.
struct EditSpan: Equatable, Sendable {
  /// Where it begins, both before and after.
  var offset: Int
  /// How many bytes it had before.
  var removed: Int
  /// How many bytes it has after.
  var inserted: Int

  /// How many bytes `next`, an edit made after this one, removes on either side of what this one
  /// inserted; nil when the two do not touch.
  func overhang(of next: EditSpan) -> (ahead: Int, behind: Int)? {
    let (end, nextEnd) = (offset + inserted, next.offset + next.removed)
    if next.offset > end || nextEnd < offset { return nil }
    return (max(0, offset - next.offset), max(0, nextEnd - end))
  }

  /// The span of both edits; `next` was made after this one.
  func union(_ next: EditSpan) -> EditSpan {
    let lower = min(offset, next.offset)
    let upper = max(offset + inserted, next.offset + next.removed)
    return EditSpan(
      offset: lower, removed: upper - inserted + removed - lower,
      inserted: upper - next.removed + next.inserted - lower)
  }
}
