/// The separate places that a series of edits has touched, in ascending order: one for each caret when
/// several are typed at. Edits that touch belong to one place.
struct EditPlaces: Sendable {
  /// The places, at most `most` of them, with offsets in the text after all edits.
  private(set) var spans: [EditSpan] = []

  /// The number of places from which on edits are no longer kept apart.
  static let most = 64

  /// The places of edits that were made one after the other; nil when there are too many.
  init?(_ edits: some Sequence<EditSpan>) {
    for edit in edits {
      add(edit)
      if spans.count > Self.most { return nil }
    }
  }

  /// The places with offsets in the text before all edits.
  var spansBefore: [EditSpan] {
    var growth = 0
    return spans.map { span in
      defer { growth += span.inserted - span.removed }
      return EditSpan(
        offset: span.offset - growth, removed: span.removed, inserted: span.inserted)
    }
  }

  /// The places of these edits and of `next`, which were made after them; nil when there are too many.
  func followed(by next: EditPlaces) -> EditPlaces? {
    var all = self
    // From the last place to the first, so that no edit moves one that is still to come.
    for edit in next.spansBefore.reversed() { all.add(edit) }
    return all.spans.count > Self.most ? nil : all
  }

  /// Adds an edit of the text after all edits so far.
  private mutating func add(_ edit: EditSpan) {
    let first = spans.firstIndex { $0.offset + $0.inserted >= edit.offset } ?? spans.count
    let end = spans[first...].firstIndex { $0.offset > edit.offset + edit.removed } ?? spans.count
    for index in end..<spans.count { spans[index].offset += edit.inserted - edit.removed }
    let touched = spans[first..<end] + [edit]
    spans.replaceSubrange(
      first..<end, with: [touched.dropFirst().reduce(touched[first]) { $0.union($1) }])
  }
}
