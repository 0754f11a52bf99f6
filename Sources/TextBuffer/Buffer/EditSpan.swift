/// A range of a text that covers all changes of one or more edits.
struct EditSpan: Equatable, Sendable {
  /// The start of the range, in bytes; the same before and after the edits.
  var offset: Int
  /// The length of the range before the edits, in bytes.
  var removed: Int
  /// The length of the range after the edits, in bytes.
  var inserted: Int

  /// The numbers of bytes that a later edit removes before and after the bytes inserted by this
  /// edit; nil if the two edits do not touch.
  func overhang(of next: EditSpan) -> (ahead: Int, behind: Int)? {
    let (end, nextEnd) = (offset + inserted, next.offset + next.removed)
    if next.offset > end || nextEnd < offset { return nil }
    return (max(0, offset - next.offset), max(0, nextEnd - end))
  }

  /// The span that covers this edit and a later one.
  func union(_ next: EditSpan) -> EditSpan {
    let lower = min(offset, next.offset)
    let upper = max(offset + inserted, next.offset + next.removed)
    return EditSpan(
      offset: lower, removed: upper - inserted + removed - lower,
      inserted: upper - next.removed + next.inserted - lower)
  }
}
