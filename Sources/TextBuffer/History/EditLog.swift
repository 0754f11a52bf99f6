/// What a transaction has done to a text so far.
///
/// Few edits are kept as changes. Edits that touch are kept as one place, for which only the removed
/// text is put together: the inserted text is still in the tree. More edits are kept as the text at the
/// start, which then shares structure with the text, so that edits copy the path that they touch, and as the
/// places where the two differ.
enum EditLog: Sendable {
  case nothing
  case one(EditedPlace)
  /// From two to ``mostChanges``, in the order in which they were made; more if they are those of a revision.
  case few([Change])
  /// The text at the start, the span outside which nothing has changed, and the places inside it; nil
  /// when these are too many.
  case many(start: PieceTable, span: EditSpan, places: EditPlaces?)

  /// The number of changes up to which each is kept.
  static let mostChanges = 4

  /// One change.
  init(_ change: Change) { self = .one(EditedPlace(change)) }

  /// The steps of a revision.
  init(_ steps: Steps<Change>) {
    switch steps {
    case .none: self = .nothing
    case .one(let change): self.init(change)
    case .many(let changes): self = .few(changes)
    }
  }

  /// Adds what was done after the edits of this log.
  ///
  /// - Parameters:
  ///   - next: What was done last.
  ///   - text: The text after both.
  mutating func append(_ next: EditLog, in text: PieceTable) {
    guard case .many(let start, var span, var places) = self else {
      self = followed(by: next, in: text)
      return
    }
    guard let nextSpan = next.span else { return }
    // The start that is kept serves for both; a look at the text would share its nodes.
    span = span.union(nextSpan)
    self = .nothing  // so that the places are not copied
    if case .one(let place) = next {
      places?.add(place.span)
    } else if let nextPlaces = next.places {
      places?.add(nextPlaces)
    } else {
      places = nil
    }
    self = .many(start: start, span: span, places: places?.isTooMany == true ? nil : places)
  }

  /// Both logs as one, the edits of `next` made after those of this one, which are not many.
  private func followed(by next: EditLog, in text: PieceTable) -> EditLog {
    switch (self, next) {
    case (.nothing, _): return next
    case (_, .nothing): return self
    case (.one(let place), .one(let second)):
      // The most frequent ones: edits at one place, or a line that is removed and put elsewhere.
      switch place.followed(by: second) {
      case .one(let both): return .one(both)
      case .apart: return .few([place.change(in: text, before: second), second.change(in: text)])
      case .costly: break
      }
    default:
      if let both = list(followedBy: next, in: text) { return both }
    }
    guard let first = span, let second = next.span else { return self }
    var places = places
    if let nextPlaces = next.places { places?.add(nextPlaces) } else { places = nil }
    return .many(
      start: start(of: next.start(of: text)), span: first.union(second),
      places: places?.isTooMany == true ? nil : places)
  }

  /// The places that were touched; nil when they are too many.
  var places: EditPlaces? {
    switch self {
    case .nothing: EditPlaces()
    case .one(let place): EditPlaces([place.span])
    case .few(let changes): EditPlaces(changes.map(\.span))
    case .many(_, _, let places): places
    }
  }

  /// A list of changes followed by others; nil when there are too many, or when the texts to be put
  /// together are so big that keeping the start costs less.
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

  /// The text at the start, for the text after all edits.
  func start(of text: PieceTable) -> PieceTable {
    if case .many(let start, _, _) = self { return start }
    var start = text.withoutTail
    takeBack(&start)
    return start.withoutTail
  }

  /// The edits as steps of a revision.
  ///
  /// - Parameter text: The text after all edits.
  /// - Returns: The steps from the start; none when the text is the same as at the start.
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
    case .many(let start, let span, let places):
      let all = Self.change(span.offset, span, from: start, to: text)
      if all.changesNothing { return .none }
      guard let places, places.count > 1 else { return .one(all) }
      let changes = zip(places.spansBefore, places.spans).map {
        Self.change($0.offset, $1, from: start, to: text)
      }
      return Steps(changes.filter { !$0.changesNothing })
    }
  }

  /// What was done to a part of the text, which begins at `offset` in the text at the start. The parts before it
  /// have been changed.
  private static func change(
    _ offset: Int, _ span: EditSpan, from start: PieceTable, to text: PieceTable
  ) -> Change {
    Change(
      offset: span.offset, before: Fragment(start.root.slice(offset, offset + span.removed)),
      after: Fragment(text.root.slice(span.offset, span.offset + span.inserted)),
      storage: text.storage)
  }

  /// Takes all edits back.
  func takeBack(_ text: inout PieceTable) {
    switch self {
    case .nothing: break
    case .one(let place): text.restore(place.before, in: place.rangeAfter)
    case .few(let changes):
      for change in changes.reversed() { text.restore(change.before, in: change.rangeAfter) }
    case .many(let start, _, _): text.root = start.root
    }
  }

  /// The part of the text outside which nothing has changed; nil when nothing was done.
  var span: EditSpan? {
    switch self {
    case .nothing: nil
    case .one(let place): place.span
    case .few(let changes): changes.totalSpan
    case .many(_, let span, _): span
    }
  }
}

/// What edits have done to one place of a text, each of which touched what those before it had done.
struct EditedPlace: Sendable {
  /// The removed text.
  let before: Fragment
  /// The inserted text; nil when it has to be read from the text.
  private let after: Fragment?
  /// Where the place is, and how much was removed and inserted.
  let span: EditSpan
  /// How often removed text of more than a leaf was put together.
  private var joinCount = 0

  /// The `joinCount` up to which putting text together costs less than keeping the start.
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

  /// Two places as one, the second edited after the first.
  enum Merge {
    /// They touch.
    case one(EditedPlace)
    /// They do not touch.
    case apart
    /// They touch, but keeping the start costs less than putting the removed text together once more.
    case costly
  }

  /// This place and `next`, whose edits were made after those of this one.
  func followed(by next: EditedPlace) -> Merge {
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

  /// The edits as one change; nil when the inserted text has to be read from the text.
  func knownChange(in text: PieceTable) -> Change? {
    after.map { Change(offset: span.offset, before: before, after: $0, storage: text.storage) }
  }

  /// The edits as one change.
  ///
  /// - Parameters:
  ///   - text: The text after the edits, and after those of `next` if there are any.
  ///   - next: Edits of another place, made after these.
  /// - Returns: A change of the text before the edits.
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
  /// Whether neither of its texts is longer than a leaf.
  fileprivate var isSmall: Bool { before.isSmall && after.isSmall }
}
