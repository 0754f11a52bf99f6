/// What a transaction has done to a text so far.
///
/// One edit is its own record, and so are several that touch. Only when there are more is the text
/// of the start kept beside the text: from then on the two share structure, and edits copy what
/// they touch.
enum EditLog: Sendable {
  case nothing
  case one(Change)
  case many(start: TextBuffer, span: EditSpan)

  /// Both logs as one, the edits of `next` made after those of this one.
  ///
  /// - Parameters:
  ///   - next: What was done last.
  ///   - text: The text after all of it.
  /// - Returns: What was done in all.
  func followed(by next: EditLog, in text: TextBuffer) -> EditLog {
    if case .one(let mine) = self, case .one(let change) = next,
      let both = mine.followed(by: change)
    {
      return .one(both)
    }
    guard let first = span else { return next }
    guard let second = next.span else { return self }
    // A start that is kept needs no look at the text, whose nodes would then be shared.
    if case .many(let start, _) = self { return .many(start: start, span: first.union(second)) }
    return .many(start: start(of: next.start(of: text)), span: first.union(second))
  }

  /// The text before, when `text` is the text after.
  func start(of text: TextBuffer) -> TextBuffer {
    switch self {
    case .nothing: return text.withoutTail
    case .one(let change):
      var start = text.withoutTail
      start.apply(change.inverse)
      return start.withoutTail
    case .many(let start, _): return start
    }
  }

  /// All of it as one change; nil when nothing is different in the end.
  ///
  /// - Parameter text: The text after.
  /// - Returns: A change of the text of the start.
  func change(in text: TextBuffer) -> Change? {
    let change: Change
    switch self {
    case .nothing: return nil
    case .one(let only): change = only
    case .many(let start, let span):
      change = Change(
        offset: span.offset,
        before: Fragment(start.root.slice(span.offset, span.offset + span.removed)),
        after: Fragment(text.root.slice(span.offset, span.offset + span.inserted)),
        storage: text.storage)
    }
    return change.changesNothing ? nil : change
  }

  /// Where it is and how much it changes; nil when nothing was done.
  var span: EditSpan? {
    switch self {
    case .nothing: nil
    case .one(let change): change.span
    case .many(_, let span): span
    }
  }
}
