/// The edits of a transaction so far. A few edits are kept as changes. Edits that touch are kept as
/// one place, for which only the removed text is put together: the inserted text is still in the
/// tree. Many edits are kept as the text at the start, and the places where it differs. The start
/// shares structure with the text, so edits copy the path that they touch.
enum EditLog: Sendable {
  case nothing
  case one(EditedPlace)
  /// From two to ``mostChanges``, in the order of editing; more for the steps of a revision.
  case few([Change])
  /// The text at the start, the span outside which nothing has changed, and the places inside it;
  /// nil if the places are too many.
  case many(start: PieceTable, span: EditSpan, places: EditPlaces?)

  /// The largest number of changes that are kept one by one.
  static let mostChanges = 4

  init(_ change: Change) { self = .one(EditedPlace(change)) }

  init(_ steps: Steps<Change>) {
    switch steps {
    case .none: self = .nothing
    case .one(let change): self.init(change)
    case .many(let changes): self = .few(changes)
    }
  }

  /// Adds edits made after the edits of this log; `text` is the text after both.
  mutating func append(_ next: EditLog, in text: PieceTable) {
    guard case .many(let start, var span, var places) = self else {
      self = followed(by: next, in: text)
      return
    }
    guard let nextSpan = next.span else { return }
    // The kept start serves for both; a look at the text would share its nodes.
    span = span.union(nextSpan)
    self = .nothing  // keeps the places from being copied
    if case .one(let place) = next {
      places?.add(place.span)
    } else if let nextPlaces = next.places {
      places?.add(nextPlaces)
    } else {
      places = nil
    }
    self = .many(start: start, span: span, places: places?.isTooMany == true ? nil : places)
  }

  /// Both logs as one; the edits of `next` were made after those of this log, which are not many.
  private func followed(by next: EditLog, in text: PieceTable) -> EditLog {
    switch (self, next) {
    case (.nothing, _): return next
    case (_, .nothing): return self
    case (.one(let place), .one(let second)):
      // The most frequent cases: edits at one place, or a line removed and put elsewhere.
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

  /// The touched places; nil if they are too many.
  var places: EditPlaces? {
    switch self {
    case .nothing: EditPlaces()
    case .one(let place): EditPlaces([place.span])
    case .few(let changes): EditPlaces(changes.map(\.span))
    case .many(_, _, let places): places
    }
  }

  /// A list of changes followed by others; nil if they are too many, or the texts to put together
  /// are so big that keeping the start costs less.
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

  /// The edits, from the start to `text` after all, as steps; none if the text is the same as at
  /// the start.
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

  /// The change of a part of the text, which begins at `offset` in the text at the start. All parts
  /// before it have been changed.
  private static func change(
    _ offset: Int, _ span: EditSpan, from start: PieceTable, to text: PieceTable
  ) -> Change {
    Change(
      offset: span.offset, before: Fragment(start.root.slice(offset, offset + span.removed)),
      after: Fragment(text.root.slice(span.offset, span.offset + span.inserted)),
      storage: text.storage)
  }

  /// Undoes all edits.
  func takeBack(_ text: inout PieceTable) {
    switch self {
    case .nothing: break
    case .one(let place): text.restore(place.before, in: place.rangeAfter)
    case .few(let changes):
      for change in changes.reversed() { text.restore(change.before, in: change.rangeAfter) }
    case .many(let start, _, _): text.root = start.root
    }
  }

  /// The part of the text outside which nothing has changed; nil without edits.
  var span: EditSpan? {
    switch self {
    case .nothing: nil
    case .one(let place): place.span
    case .few(let changes): changes.totalSpan
    case .many(_, let span, _): span
    }
  }
}

/// The edits at one place of a text, each of which touched the edits before it.
struct EditedPlace: Sendable {
  let before: Fragment
  /// The inserted text; nil if it must be read from the text.
  private let after: Fragment?
  /// The offset of the place, and the numbers of removed and inserted bytes.
  let span: EditSpan
  /// The number of times that removed text of more than a leaf was put together.
  private var joinCount = 0

  /// The largest `joinCount` up to which putting text together costs less than keeping the start.
  private static let mostJoins = 8

  private init(before: Fragment, span: EditSpan, joinCount: Int) {
    self.before = before
    after = nil
    self.span = span
    self.joinCount = joinCount
  }

  init(_ change: Change) {
    before = change.before
    after = change.after
    span = change.span
  }

  /// The bytes of the place now.
  var rangeAfter: Range<ByteOffset> {
    ByteOffset(span.offset)..<ByteOffset(span.offset + span.inserted)
  }

  /// Two places as one, the second edited after the first.
  enum Merge {
    /// The places touch.
    case one(EditedPlace)
    /// The places do not touch.
    case apart
    /// The places touch, but keeping the start costs less than putting the removed text together
    /// again.
    case costly
  }

  /// Merges this place with `next`, whose edits were made later.
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

  /// The edits as one change; nil if the inserted text must be read from the text.
  func knownChange(in text: PieceTable) -> Change? {
    after.map { Change(offset: span.offset, before: before, after: $0, storage: text.storage) }
  }

  /// The edits as one change of the text before them. `text` is the text after them, and after the
  /// later edits of `next`, another place, if given.
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
  /// Whether both of its texts are at most as long as a leaf.
  fileprivate var isSmall: Bool { before.isSmall && after.isSmall }
}
