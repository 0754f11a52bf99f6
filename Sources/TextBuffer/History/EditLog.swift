/// What a transaction has done to a text so far.
///
/// Few edits are their own record; those that touch are one. Only when there are more is the text
/// of the start kept beside the text: from then on the two share structure, and edits copy what
/// they touch.
enum EditLog: Sendable {
  case nothing
  case one(Change)
  /// From two to ``mostChanges``, in the order in which they were made.
  case few([Change])
  case many(start: TextBuffer, span: EditSpan)

  /// So many edits are recorded one by one.
  static let mostChanges = 4

  /// Both logs as one, the edits of `next` made after those of this one.
  ///
  /// - Parameters:
  ///   - next: What was done last.
  ///   - text: The text after all of it.
  /// - Returns: What was done in all.
  func followed(by next: EditLog, in text: TextBuffer) -> EditLog {
    switch (self, next) {
    case (.nothing, _): return next
    case (_, .nothing): return self
    case (.one(let change), .one(let second)):
      // The most frequent ones: a line that is moved is taken out and put elsewhere.
      guard let both = change.followed(by: second) else { return .few([change, second]) }
      if both.isSmall { return .one(both) }
    case (.one(let change), _):
      if let both = Self.list([change], followedBy: next) { return both }
    case (.few(let changes), _):
      if let both = Self.list(changes, followedBy: next) { return both }
    // A start that is kept needs no look at the text, whose nodes would then be shared.
    case (.many(let start, let span), _):
      return .many(start: start, span: next.span.map(span.union) ?? span)
    }
    guard let first = span, let second = next.span else { return self }
    return .many(start: start(of: next.start(of: text)), span: first.union(second))
  }

  /// Few edits followed by others; nil when that makes too many, or when texts that touch are no
  /// longer small, so that putting them together costs more than keeping the start.
  private static func list(_ changes: [Change], followedBy next: EditLog) -> EditLog? {
    let others: [Change]
    switch next {
    case .nothing: others = []
    case .one(let change): others = [change]
    case .few(let changes): others = changes
    case .many: return nil
    }
    var all = changes
    for change in others {
      if let both = all[all.count - 1].followed(by: change) {
        guard both.isSmall else { return nil }
        all[all.count - 1] = both
      } else {
        all.append(change)
      }
    }
    if all.count > mostChanges { return nil }
    return all.count == 1 ? .one(all[0]) : .few(all)
  }

  /// The text before, when `text` is the text after.
  func start(of text: TextBuffer) -> TextBuffer {
    if case .many(let start, _) = self { return start }
    var start = text.withoutTail
    steps.forEach(reversed: true) { start.apply($0.inverse) }
    return start.withoutTail
  }

  /// The edits that are their own record.
  private var steps: Steps<Change> {
    switch self {
    case .nothing, .many: .none
    case .one(let change): .one(change)
    case .few(let changes): .many(changes)
    }
  }

  /// All of it as steps.
  ///
  /// - Parameter text: The text after.
  /// - Returns: The steps from the start; none when nothing is different in the end.
  func steps(to text: TextBuffer) -> Steps<Change> {
    switch self {
    case .nothing: return .none
    case .one(let change): return change.changesNothing ? .none : .one(change)
    case .few(let changes):
      if changes.cancelOut(in: text.root) { return .none }
      return changes.contains { $0.changesNothing }
        ? Steps(changes.filter { !$0.changesNothing }) : .many(changes)
    case .many(let start, let span):
      let change = Change(
        offset: span.offset,
        before: Fragment(start.root.slice(span.offset, span.offset + span.removed)),
        after: Fragment(text.root.slice(span.offset, span.offset + span.inserted)),
        storage: text.storage)
      return change.changesNothing ? .none : .one(change)
    }
  }

  /// Takes all of it back.
  func rollBack(_ text: inout TextBuffer) {
    if case .many(let start, _) = self {
      text.root = start.root
    } else {
      steps.forEach(reversed: true) { text.apply($0.inverse) }
    }
  }

  /// Where it is and how much it changes; nil when nothing was done.
  var span: EditSpan? {
    switch self {
    case .nothing: nil
    case .one(let change): change.span
    case .few(let changes): changes.totalSpan
    case .many(_, let span): span
    }
  }
}

extension Change {
  /// Whether no text of it is longer than a leaf.
  fileprivate var isSmall: Bool { before.isSmall && after.isSmall }
}
