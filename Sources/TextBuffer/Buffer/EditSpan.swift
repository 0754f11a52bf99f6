/// The part of a text outside which edits have changed nothing.
struct EditSpan: Equatable, Sendable {
  /// The beginning of the part, both before and after.
  var offset: Int
  /// The number of bytes before the edits.
  var removed: Int
  /// The number of bytes after the edits.
  var inserted: Int

  /// The numbers of bytes that `next`, a later edit, removes on either side of the bytes that this
  /// one inserted; nil if the two do not touch.
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
