/// Where the lines of a text are after many edits of lines: the edits composed into one.
///
///     var map = LineMap(lineCount: 9)
///     map.add(.replaced(LineRange(2, 3), by: 1))
///     map.line(after: LineNumber(5))  // 4
///     map.line(after: LineNumber(2))  // nil: it was removed
package struct LineMap: Sendable {
  /// Consecutive lines that are consecutive still.
  struct Segment {
    var first, count: Int
    /// Where the first line is now.
    var place: Int
  }

  /// The lines that are still there, in ascending order.
  private(set) var segments: [Segment]

  /// The map of a text with a number of lines, before any edit.
  package init(lineCount: Int) {
    segments = lineCount > 0 ? [Segment(first: 1, count: lineCount, place: 1)] : []
  }

  /// The line that `line` is now; nil if it was removed, or there was none.
  ///
  /// - Complexity: O(log *s*), for *s* segments: at most one more than an edit has cut.
  package func line(after line: LineNumber) -> LineNumber? {
    let index = segments.partitionPoint { $0.first <= line.value } - 1
    guard index >= 0 else { return nil }
    let (segment, offset) = (segments[index], line.value - segments[index].first)
    return offset < segment.count ? LineNumber(segment.place + offset) : nil
  }

  /// Adds an edit that was made after the others.
  ///
  /// - Complexity: O(*s*), for *s* segments.
  package mutating func add(_ edit: LineEdit) {
    let shifts = edit.shifts
    /// The segments that do not stay whole, with what is left of them.
    var cuts: [(index: Int, rest: [Segment])] = []
    var slot = 0
    for index in segments.indices {
      let segment = segments[index]
      let places = segment.place..<segment.place + segment.count
      // Neighbours usually move together.
      if !(slot < shifts.count && shifts[slot].lines.contains(places.lowerBound)) {
        slot = shifts.partitionPoint { $0.lines.upperBound <= places.lowerBound }
      }
      if slot < shifts.count && shifts[slot].lines.lowerBound <= places.lowerBound
        && places.upperBound <= shifts[slot].lines.upperBound
      {
        segments[index].place += shifts[slot].distance
        continue
      }
      var rest: [Segment] = []
      for shift in shifts[slot...] {
        if shift.lines.lowerBound >= places.upperBound { break }
        let kept = shift.lines.clamped(to: places)
        rest.append(
          Segment(
            first: segment.first + (kept.lowerBound - places.lowerBound), count: kept.count,
            place: kept.lowerBound + shift.distance))
      }
      cuts.append((index, rest))
    }
    if cuts.isEmpty { return }
    var all: [Segment] = []
    all.reserveCapacity(segments.count + cuts.count * 2)
    var next = 0
    for cut in cuts {
      all += segments[next..<cut.index]
      all += cut.rest
      next = cut.index + 1
    }
    segments = all + segments[next...]
  }
}

/// Lines that an edit moves by the same distance.
struct LineShift {
  var lines: Range<Int>
  var distance: Int
}

extension LineEdit {
  /// How far it moves each line that it keeps: ranges in ascending order, not empty, the last one without end.
  var shifts: [LineShift] {
    switch self {
    case .replaced(let lines, let count, let kept):
      return Self.shifts([
        (lines.first.value + kept, 0), (lines.last.value + 1, nil),
        (.max, count - lines.count),
      ])
    case .moved(let lines, let target):
      let (first, last, target) = (lines.first.value, lines.last.value, target.value)
      return target < first
        ? Self.shifts([
          (target + 1, 0), (first, lines.count), (last + 1, target + 1 - first), (.max, 0),
        ])
        : Self.shifts([
          (first, 0), (last + 1, target - last), (target + 1, -lines.count), (.max, 0),
        ])
    case .removed(let lines):
      var cuts: [(Int, Int?)] = []
      for (rank, line) in lines.enumerated() {
        cuts += [(line.value, -rank), (line.value + 1, nil)]
      }
      return Self.shifts(cuts + [(.max, -lines.count)])
    case .split(let splits):
      var growth = 0
      var cuts: [(Int, Int?)] = []
      for split in splits {
        cuts.append((split.line.value + 1, growth))
        growth += split.count - 1
      }
      return Self.shifts(cuts + [(.max, growth)])
    case .gathered(let lines, let below):
      var cuts: [(Int, Int?)] = []
      let sorted = lines.enumerated().sorted { $0.element < $1.element }
      for (rank, (index, line)) in sorted.enumerated() {
        // The lines that stay go above or below the gathered ones.
        cuts += [(min(below + rank + 1, line.value), -rank), (line.value, lines.count - rank)]
        cuts.append((line.value + 1, below + index + 1 - line.value))
      }
      return Self.shifts(cuts + [(below + lines.count + 1, -lines.count), (.max, 0)])
    }
  }

  /// The shifts of lines up to but not including ascending ends; those without a distance are removed.
  private static func shifts(_ ends: [(end: Int, distance: Int?)]) -> [LineShift] {
    var shifts: [LineShift] = []
    var start = 1
    for (end, distance) in ends where end > start {
      if let distance { shifts.append(LineShift(lines: start..<end, distance: distance)) }
      start = end
    }
    return shifts
  }
}
