/// A group that is taken over later changes of its text.
///
///     start  ──group──▶ target
///       │                 │
///     later             places
///       ▼                 ▼
///      now   ──edits──▶ result
///
/// A place of the group that no later change touches only shifts. Where both touch, the later
/// change stays. The group replaces the bytes that are left of those that it replaced in `start`,
/// and does nothing if it replaced some and none are left.
struct Passage {
  /// A replaced range, in the text before and in the text after.
  struct Place {
    var before: Range<Int>
    var after: Range<Int>
  }

  /// The edits of the text now, in ascending order: the range to replace, and the range of `target`
  /// with its new bytes.
  private(set) var edits: [(range: Range<ByteOffset>, source: Range<ByteOffset>)] = []
  /// The places of the later changes in `target` and the result, in ascending order.
  private var places: [Place] = []
  /// Whether no later change touches a place of the group.
  private(set) var isClean = true
  /// Whether bytes of `target` find no place, since nothing is left of those that they replace.
  private(set) var hasLost = false

  private let group: [Place]
  private let later: [Place]
  /// The distances from an offset of `start` to the same place of `target` and of the text now, and
  /// from the text now to the result, behind all places so far.
  private var (toTarget, toNow, toResult) = (0, 0, 0)

  /// Takes a group over later changes.
  ///
  /// - Parameters:
  ///   - group: The spans of the group's changes, in order.
  ///   - later: The spans of the later changes, in order.
  ///   - start: The text before both.
  ///   - now: The text after the later changes.
  /// - Complexity: O(*k* log *p*), for *k* places and *p* pieces; also O(*n*), for *n* bytes that
  ///   later changes have removed and inserted again.
  init(_ group: [EditSpan], over later: [EditSpan], from start: PieceTable, to now: PieceTable) {
    self.group = Self.places(of: group)
    self.later = Self.places(of: later, from: start, to: now)
    var (next, nextLater) = (0, 0)
    while next < self.group.count || nextLater < self.later.count {
      if next == self.group.count
        || nextLater < self.later.count && Self.isLeft(self.later[nextLater], of: self.group[next])
      {
        keep(self.later[nextLater])
        nextLater += 1
      } else if nextLater == self.later.count
        || Self.isLeft(of: self.later[nextLater], self.group[next])
      {
        shift(self.group[next])
        next += 1
      } else {
        (next, nextLater) = resolve(next, nextLater)
      }
    }
  }

  /// The spans of the later changes, in order, from `target` to the result.
  var spans: [EditSpan] {
    places.reversed().map {
      EditSpan(offset: $0.before.lowerBound, removed: $0.before.count, inserted: $0.after.count)
    }
  }

  /// The separate places of changes in order.
  private static func places(of spans: [EditSpan]) -> [Place] {
    var places = EditPlaces()
    for span in spans { places.add(span) }
    return zip(places.spansBefore, places.spans).map {
      Place(
        before: $0.offset..<$0.offset + $0.removed, after: $1.offset..<$1.offset + $1.inserted)
    }
  }

  /// The separate places where changes in order, which lead from one text to another, make a
  /// difference.
  static func places(
    of spans: [EditSpan], from start: PieceTable, to end: PieceTable
  ) -> [Place] {
    places(of: spans).compactMap { difference($0, start, end) }
  }

  /// A place without the characters at its ends that are the same before and after; nil if all are.
  private static func difference(_ place: Place, _ start: PieceTable, _ now: PieceTable) -> Place? {
    var (before, after) = (place.before, place.after)
    let (start, now) = (start.root, now.root)
    let same = CommonEnds.prefixCount(start, before, now, after)
    let begun = max(
      start.distanceInCharacter(before.lowerBound + same),
      now.distanceInCharacter(after.lowerBound + same))
    let prefix = max(same - begun, 0)
    before = before.lowerBound + prefix..<before.upperBound
    after = after.lowerBound + prefix..<after.upperBound
    var suffix = CommonEnds.suffixCount(start, before, now, after)
    while suffix > 0,
      start.distanceInCharacter(before.upperBound - suffix)
        + now.distanceInCharacter(after.upperBound - suffix) > 0
    { suffix -= 1 }
    before = before.lowerBound..<before.upperBound - suffix
    after = after.lowerBound..<after.upperBound - suffix
    return before.isEmpty && after.isEmpty ? nil : Place(before: before, after: after)
  }

  /// Whether a later change is to the left of a place of the group, which it does not touch.
  private static func isLeft(_ later: Place, of group: Place) -> Bool {
    // At one point, the group's bytes come first.
    later.before.upperBound <= group.before.lowerBound
      && !(later.before.isEmpty && group.before.isEmpty
        && later.before.lowerBound == group.before.lowerBound)
  }

  /// Whether a later change is to the right of a place of the group, which it does not touch.
  private static func isLeft(of later: Place, _ group: Place) -> Bool {
    group.before.upperBound <= later.before.lowerBound
  }

  private mutating func keep(_ place: Place) {
    add(place.before + toTarget, place.after + toResult)
    toNow = place.shift
  }

  private mutating func add(_ before: Range<Int>, _ after: Range<Int>) {
    if !before.isEmpty || !after.isEmpty { places.append(Place(before: before, after: after)) }
  }

  private mutating func shift(_ place: Place) {
    replace(place.before + toNow, from: place.after)
    toTarget = place.shift
  }

  private mutating func replace(_ range: Range<Int>, from source: Range<Int>) {
    edits.append((range.offsets, source.offsets))
    toResult += source.count - range.count
  }

  /// Resolves places of the group and later changes that touch each other, beginning with the given
  /// ones; returns the first places behind them.
  private mutating func resolve(_ first: Int, _ firstLater: Int) -> (Int, Int) {
    isClean = false
    var (end, laterEnd) = (first + 1, firstLater + 1)
    while true {
      if laterEnd < later.count, Self.touch(group[end - 1], later[laterEnd]) {
        laterEnd += 1
      } else if end < group.count, Self.touch(group[end], later[laterEnd - 1]) {
        end += 1
      } else {
        break
      }
    }
    let lower = min(group[first].before.lowerBound, later[firstLater].before.lowerBound)
    let upper = max(group[end - 1].before.upperBound, later[laterEnd - 1].before.upperBound)
    // The offsets behind the last bytes of the group in `target` and in the result.
    var (behind, behindAfter) = (lower + toTarget, lower + toNow + toResult)
    for place in group[first..<end] {
      let rest = rest(of: place, after: later[firstLater..<laterEnd])
      if rest.isEmpty && !place.after.isEmpty { hasLost = true }
      for (index, range) in rest.enumerated() {
        if index > 0 {
          replace(range, from: place.after.upperBound..<place.after.upperBound)
        } else {
          let start = range.lowerBound + toResult
          add(behind..<place.after.lowerBound, behindAfter..<start)
          (behind, behindAfter) = (place.after.upperBound, start + place.after.count)
          replace(range, from: place.after)
        }
      }
    }
    (toTarget, toNow) = (group[end - 1].shift, later[laterEnd - 1].shift)
    add(behind..<upper + toTarget, behindAfter..<upper + toNow + toResult)
    return (end, laterEnd)
  }

  private static func touch(_ group: Place, _ later: Place) -> Bool {
    !isLeft(later, of: group) && !isLeft(of: later, group)
  }

  /// The ranges of the text now that are left of a place of the group; an empty one for a place that
  /// was empty.
  private func rest(of place: Place, after later: ArraySlice<Place>) -> [Range<Int>] {
    var (rest, lower, distance) = ([Range<Int>](), place.before.lowerBound, toNow)
    for change in later {
      if Self.isLeft(of: change, place) { break }
      if !Self.isLeft(change, of: place) {
        if place.before.isEmpty { return [change.after.lowerBound..<change.after.lowerBound] }
        if lower < change.before.lowerBound {
          let kept = change.before.lowerBound - lower
          rest.append(change.after.lowerBound - kept..<change.after.lowerBound)
        }
        lower = max(lower, change.before.upperBound)
      }
      distance = change.shift
    }
    if lower < place.before.upperBound {
      rest.append(lower + distance..<place.before.upperBound + distance)
    }
    return rest
  }
}

extension Passage.Place {
  /// The distance from an offset behind this place in the text before to the one after.
  fileprivate var shift: Int { after.upperBound - before.upperBound }
}

extension Range<Int> {
  fileprivate var offsets: Range<ByteOffset> { ByteOffset(lowerBound)..<ByteOffset(upperBound) }

  fileprivate static func + (range: Self, distance: Int) -> Self {
    range.lowerBound + distance..<range.upperBound + distance
  }
}
