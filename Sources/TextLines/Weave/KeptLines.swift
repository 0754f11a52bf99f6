import TextBuffer

extension Weave {
  /// Consecutive lines that keep their identity in a group, even if it changes their text.
  public struct KeptLines: Hashable, Sendable {
    private var storedOld, storedNew, storedCount: UInt32

    /// The number of the first line before the group, counted from 1.
    public var old: Int { Int(storedOld) }
    /// The number of the first line after it.
    public var new: Int { Int(storedNew) }
    /// The number of lines.
    public var count: Int { Int(storedCount) }

    /// Lines that are the same; numbers are at most `UInt32.max`.
    public init(old: Int, new: Int, count: Int) {
      (storedOld, storedNew, storedCount) = (UInt32(old), UInt32(new), UInt32(count))
    }
  }
}

extension LineMap {
  /// The lines that are still there.
  package var keptLines: [Weave.KeptLines] {
    shifts.map {
      let first = $0.lines.lowerBound
      return Weave.KeptLines(old: first, new: first + $0.distance, count: $0.lines.count)
    }
  }
}

/// The effect of a group on the lines of a text.
struct KeptAlignment {
  /// A replacement of lines, by the same lines changed in place, or by others.
  struct Hunk {
    var lines: LineRegion
    var isInPlace: Bool
    /// Whether some of these lines were moved.
    var hasMoved = false
  }

  /// The hunks in ascending order. A moved line is in the hunk that it left and in the one that it
  /// entered.
  private(set) var hunks: [Hunk] = []
  /// The old number of each moved line, by its new number, both counted from 0.
  private(set) var moved: [Int: Int] = [:]
  /// The old numbers of the moved lines.
  private(set) var movedAway: Set<Int> = []

  /// Hunks without known kept lines: in a hunk with as many new lines as old ones, each line counts
  /// as changed in place.
  init(_ hunks: [LineHunk]) {
    self.hunks = hunks.map { Hunk(lines: LineRegion($0), isInPlace: true) }
  }

  /// Aligns two texts by their kept lines. Nil if these do not fit: a line is outside of the
  /// texts, or has two places. Unless all lines are kept, they do not fit either if a line has
  /// changed while its old text is now on another line. Kept lines in the same order were not
  /// moved. `differing` are the hunks of a difference of the texts.
  ///
  /// - Complexity: O(*k* log *k*), for *k* kept ranges, besides the lines in the hunks and those
  ///   that were moved.
  init?(
    _ kept: [Weave.KeptLines], from before: PieceTable, to after: PieceTable,
    differing: [LineHunk]
  ) {
    let matches = kept.sorted { $0.new < $1.new }.map {
      Match(oldStart: $0.old - 1, newStart: $0.new - 1, count: $0.count)
    }
    let old = matches.map { $0.oldStart..<$0.oldEnd }.sorted { $0.lowerBound < $1.lowerBound }
    guard Self.areApart(old, in: before.lineCount),
      Self.areApart(matches.map { $0.newStart..<$0.newEnd }, in: after.lineCount)
    else { return nil }
    let areAllKept = matches.first?.count == before.lineCount && before.lineCount == after.lineCount
    let chain = matches.heaviestChain()
    let inOrder = Set(chain.map(\.newStart))
    for match in matches where !inOrder.contains(match.newStart) {
      for line in 0..<match.count { moved[match.newStart + line] = match.oldStart + line }
    }
    movedAway = Set(moved.values)
    var equal = Self.equalLines(besides: differing, lineCount: before.lineCount)[...]
    var last = Match(oldStart: 0, newStart: 0, count: 0)
    for match in chain + [Match(oldStart: before.lineCount, newStart: after.lineCount, count: 0)] {
      let gap = LineRegion(
        old: last.oldEnd..<match.oldStart, new: last.newEnd..<match.newStart)
      let hasMoved =
        gap.old.contains { movedAway.contains($0) } || gap.new.contains { moved[$0] != nil }
      if hasMoved || gap.old.isEmpty != gap.new.isEmpty {
        hunks.append(Hunk(lines: gap, isInPlace: false, hasMoved: hasMoved))
      } else if !gap.old.isEmpty {
        // Lines entered again without a change are the same.
        let (old, new) = (LineHunk(gap).old, LineHunk(gap).new)
        let (lines, others) = (
          before.slice(before.byteRange(of: old)), after.slice(after.byteRange(of: new))
        )
        for hunk in LineDifference(from: lines, to: others).hunks {
          let lines = LineRegion(hunk).shifted(old: last.oldEnd, new: last.newEnd)
          hunks.append(Hunk(lines: lines, isInPlace: false))
        }
      }
      let differing = Self.differing(match, &equal, before, after)
      // A changed line is not the same line if its old text is now on another line.
      if differing.isShift && moved.isEmpty && !areAllKept { return nil }
      hunks += differing.runs.map { Hunk(lines: $0, isInPlace: true) }
      last = match
    }
  }

  /// Whether ascending ranges are not empty, lie within a text, and do not overlap.
  private static func areApart(_ ranges: [Range<Int>], in lineCount: Int) -> Bool {
    var end = 0
    for range in ranges {
      if range.lowerBound < end || range.isEmpty { return false }
      end = range.upperBound
    }
    return end <= lineCount
  }

  /// The lines that are the same in both texts.
  private static func equalLines(besides hunks: [LineHunk], lineCount: Int) -> [Match] {
    var (old, new) = (0, 0)
    var equal: [Match] = []
    for hunk in hunks {
      equal.append(Match(oldStart: old, newStart: new, count: hunk.old.first.value - 1 - old))
      (old, new) = (hunk.old.last.value, hunk.new.last.value)
    }
    return equal + [Match(oldStart: old, newStart: new, count: lineCount - old)]
  }

  /// The changed lines of a match, as runs, and whether the old text of some is now on another
  /// line. Drops the matches before this one from `equal`, the lines that are the same in both
  /// texts.
  private static func differing(
    _ match: Match, _ equal: inout ArraySlice<Match>, _ before: PieceTable, _ after: PieceTable
  ) -> (runs: [LineRegion], isShift: Bool) {
    let distance = match.newStart - match.oldStart
    var (runs, line, isShift) = ([LineRegion](), match.oldStart, false)
    while line < match.oldEnd {
      while let first = equal.first, first.oldEnd <= line { equal.removeFirst() }
      if let first = equal.first, first.oldStart <= line,
        first.newStart - first.oldStart == distance
      {
        line = first.oldEnd
        continue
      }
      if before.line(LineNumber(line + 1)) != after.line(LineNumber(line + distance + 1)) {
        if runs.last?.old.upperBound != line {
          runs.append(LineRegion(old: line..<line, new: line + distance..<line + distance))
        }
        let end = runs[runs.count - 1]
        runs[runs.count - 1] = LineRegion(
          old: end.old.lowerBound..<line + 1, new: end.new.lowerBound..<line + distance + 1)
        isShift = isShift || equal.first.map { $0.oldStart <= line } ?? false
      }
      line += 1
    }
    return (runs, isShift)
  }
}
