import TextBuffer

/// Maps lines of a text through many line edits, composed into one.
///
///     let map = LineMap(lineCount: 9, [.replaced(LineRange(2, 3), by: 1)])
///     map.line(after: LineNumber(5))  // 4
///     map.line(after: LineNumber(2))  // nil: it was removed
package struct LineMap: Sendable {
  /// The surviving lines, in ascending order, and how far they moved.
  private(set) var shifts: [LineShift]

  /// A map from a text of `lineCount` lines through edits made one after the other.
  ///
  /// - Complexity: O(*s* log² *s*), for *s* lines that the edits name.
  package init(lineCount: Int, _ edits: [LineEdit]) {
    shifts = [LineShift(lines: 1..<lineCount + 1, distance: 0)]
      .followed(by: [LineShift](composing: edits[...]))
  }

  /// The number of `line` after the edits; nil if the line was removed, or did not exist.
  ///
  /// - Complexity: O(log *s*), for *s* ranges of lines that moved together.
  package func line(after line: LineNumber) -> LineNumber? {
    let index = shifts.partitionPoint { $0.lines.upperBound <= line.value }
    guard index < shifts.count, shifts[index].lines.contains(line.value) else { return nil }
    return LineNumber(line.value + shifts[index].distance)
  }
}

extension [LineShift] {
  /// The composition of edits: the shifts of the first half, followed by the shifts of the second.
  fileprivate init(composing edits: ArraySlice<LineEdit>) {
    switch edits.count {
    case 0: self = [LineShift(lines: 1..<Int.max, distance: 0)]
    case 1: self = edits[edits.startIndex].shifts
    default:
      let middle = edits.startIndex + edits.count / 2
      self = Self(composing: edits[..<middle]).followed(by: Self(composing: edits[middle...]))
    }
  }

  /// The composition of these shifts and `next`: the lines that both keep. Adjacent ranges that
  /// move by the same distance become one.
  fileprivate func followed(by next: [LineShift]) -> [LineShift] {
    var all: [LineShift] = []
    for shift in self {
      let isEndless = shift.lines.upperBound == .max
      let start = shift.lines.lowerBound + shift.distance
      let end = isEndless ? .max : shift.lines.upperBound + shift.distance
      for other in next[next.partitionPoint { $0.lines.upperBound <= start }...] {
        if other.lines.lowerBound >= end { break }
        let kept = other.lines.clamped(to: start..<end)
        let last = kept.upperBound == .max ? .max : kept.upperBound - shift.distance
        let lines = kept.lowerBound - shift.distance..<last
        let distance = shift.distance + other.distance
        if let before = all.last, before.lines.upperBound == lines.lowerBound,
          before.distance == distance
        {
          all[all.count - 1].lines = before.lines.lowerBound..<lines.upperBound
        } else {
          all.append(LineShift(lines: lines, distance: distance))
        }
      }
    }
    return all
  }
}

/// Lines that an edit moves by the same distance.
struct LineShift {
  var lines: Range<Int>
  var distance: Int
}

extension LineEdit {
  /// The kept lines, and the distance that each moves: ascending, non-empty ranges, the last one
  /// endless.
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
      var cuts: [Cut] = []
      cuts.reserveCapacity(2 * lines.count + 1)
      for (rank, line) in lines.enumerated() {
        cuts.append((line.value, -rank))
        cuts.append((line.value + 1, nil))
      }
      cuts.append((.max, -lines.count))
      return Self.shifts(cuts)
    case .split(let splits):
      var growth = 0
      var cuts: [Cut] = []
      for split in splits {
        cuts.append((split.line.value + 1, growth))
        growth += split.count - 1
      }
      cuts.append((.max, growth))
      return Self.shifts(cuts)
    case .gathered(let lines, let below):
      var cuts: [Cut] = []
      let sorted = lines.enumerated().sorted { $0.element < $1.element }
      for (rank, (index, line)) in sorted.enumerated() {
        // All other lines go above or below the gathered ones.
        cuts.append((min(below + rank + 1, line.value), -rank))
        cuts.append((line.value, lines.count - rank))
        cuts.append((line.value + 1, below + index + 1 - line.value))
      }
      return Self.shifts(cuts + [(below + lines.count + 1, -lines.count), (.max, 0)])
    }
  }

  /// The lines from the previous cut up to, but not including, `end`, and the distance that they
  /// move; nil if they are removed.
  private typealias Cut = (end: Int, distance: Int?)

  /// The shifts of lines between ascending cuts.
  private static func shifts(_ cuts: [Cut]) -> [LineShift] {
    var shifts: [LineShift] = []
    var start = 1
    for (end, distance) in cuts where end > start {
      if let distance { shifts.append(LineShift(lines: start..<end, distance: distance)) }
      start = end
    }
    return shifts
  }
}
