/// What a transaction has done to a text so far.
///
/// Few edits are their own record; those that touch are one, of which only what they took out is put
/// together. Only when there are more is the text of the start kept beside the text: from then on the
/// two share structure, and edits copy what they touch.
enum EditLog: Sendable {
  case nothing
  case one(EditedPlace)
  /// From two to ``mostChanges``, in the order in which they were made.
  case few([Change])
  case many(start: PieceTable, span: EditSpan)

  /// So many edits are recorded one by one.
  static let mostChanges = 4

  /// One change.
  init(_ change: Change) { self = .one(EditedPlace(change)) }

  /// Both logs as one, the edits of `next` made after those of this one.
  ///
  /// - Parameters:
  ///   - next: What was done last.
  ///   - text: The text after all of it.
  /// - Returns: What was done in all.
  func followed(by next: EditLog, in text: PieceTable) -> EditLog {
    switch (self, next) {
    case (.nothing, _): return next
    case (_, .nothing): return self
    case (.one(let place), .one(let second)):
      // The most frequent ones: edits at one place, or a line that is taken out and put elsewhere.
      switch place.followed(by: second) {
      case .one(let both): return .one(both)
      case .apart: return .few([place.change(in: text, before: second), second.change(in: text)])
      case .costly: break
      }
    // A start that is kept needs no look at the text, whose nodes would then be shared.
    case (.many(let start, let span), _):
      return .many(start: start, span: next.span.map(span.union) ?? span)
    default:
      if let both = list(followedBy: next, in: text) { return both }
    }
    guard let first = span, let second = next.span else { return self }
    return .many(start: start(of: next.start(of: text)), span: first.union(second))
  }

  /// Few edits followed by others; nil when that makes too many, or when texts that touch are no
  /// longer small, so that putting them together costs more than keeping the start.
  private func list(followedBy next: EditLog, in text: PieceTable) -> EditLog? {
    var all: [Change]
    switch self {
    case .one(let place):
      guard let change = place.knownChange(in: text) else { return nil }
      all = [change]
    case .few(let changes): all = changes
    case .nothing, .many: return nil
    }
    let others: [Change]
    switch next {
    case .one(let place): others = [place.change(in: text)]
    case .few(let changes): others = changes
    case .nothing, .many: return nil
    }
    for change in others {
      if let both = all[all.count - 1].followed(by: change) {
        guard both.isSmall else { return nil }
        all[all.count - 1] = both
      } else {
        all.append(change)
      }
    }
    if all.count > Self.mostChanges { return nil }
    return all.count == 1 ? EditLog(all[0]) : .few(all)
  }

  /// The text before, when `text` is the text after.
  func start(of text: PieceTable) -> PieceTable {
    if case .many(let start, _) = self { return start }
    var start = text.withoutTail
    takeBack(&start)
    return start.withoutTail
  }

  /// All of it as steps.
  ///
  /// - Parameter text: The text after.
  /// - Returns: The steps from the start; none when nothing is different in the end.
  func steps(to text: PieceTable) -> Steps<Change> {
    switch self {
    case .nothing: return .none
    case .one(let place):
      let change = place.change(in: text)
      return change.changesNothing ? .none : .one(change)
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
  func takeBack(_ text: inout PieceTable) {
    switch self {
    case .nothing: break
    case .one(let place): text.restore(place.before, in: place.rangeAfter)
    case .few(let changes):
      for change in changes.reversed() { text.restore(change.before, in: change.rangeAfter) }
    case .many(let start, _): text.root = start.root
    }
  }

  /// Where it is and how much it changes; nil when nothing was done.
  var span: EditSpan? {
    switch self {
    case .nothing: nil
    case .one(let place): place.span
    case .few(let changes): changes.totalSpan
    case .many(_, let span): span
    }
  }
}

/// What edits have done to one place of a text, each of which touched what those before it had done.
struct EditedPlace: Sendable {
  /// What was there.
  let before: Fragment
  /// What is there now, unless that is better read from the text.
  private let after: Fragment?
  /// Where it is and how much it changes.
  let span: EditSpan
  /// How often more than a leaf holds was put together.
  private var joinCount = 0

  /// So often that costs less than to keep the text of the start.
  private static let mostJoins = 8

  private init(before: Fragment, span: EditSpan, joinCount: Int) {
    self.before = before
    after = nil
    self.span = span
    self.joinCount = joinCount
  }

  /// What one change did.
  init(_ change: Change) {
    before = change.before
    after = change.after
    span = change.span
  }

  /// The bytes that are there now.
  var rangeAfter: Range<ByteOffset> {
    ByteOffset(span.offset)..<ByteOffset(span.offset + span.inserted)
  }

  /// What two edits, or more of them, come to.
  enum Both {
    case one(EditedPlace)
    /// They do not touch.
    case apart
    /// Putting together what they took out, again and again, would cost more than keeping the text of
    /// the start.
    case costly
  }

  /// What these edits come to together with those of `next`, which were made after them.
  func followed(by next: EditedPlace) -> Both {
    guard let (ahead, behind) = span.overhang(of: next.span) else { return .apart }
    let union = span.union(next.span)
    if ahead == 0 && behind == 0 {
      return .one(EditedPlace(before: before, span: union, joinCount: joinCount))
    }
    let all = next.before.prefix(ahead) + before + next.before.suffix(behind)
    let count = all.isSmall ? joinCount : joinCount + 1
    return count > Self.mostJoins
      ? .costly : .one(EditedPlace(before: all, span: union, joinCount: count))
  }

  /// What was done, if that can be told without the text after it.
  func knownChange(in text: PieceTable) -> Change? {
    after.map { Change(offset: span.offset, before: before, after: $0, storage: text.storage) }
  }

  /// What was done.
  ///
  /// - Parameters:
  ///   - text: The text after it, or after `next` too.
  ///   - next: Edits elsewhere that were made after these.
  /// - Returns: One change, of the text before it.
  func change(in text: PieceTable, before next: EditedPlace? = nil) -> Change {
    if let change = knownChange(in: text) { return change }
    var start = span.offset
    if let next, next.span.offset < start { start += next.span.inserted - next.span.removed }
    return Change(
      offset: span.offset, before: before,
      after: Fragment(text.root.slice(start, start + span.inserted)), storage: text.storage)
  }
}

extension Change {
  /// Whether no text of it is longer than a leaf.
  fileprivate var isSmall: Bool { before.isSmall && after.isSmall }
}
