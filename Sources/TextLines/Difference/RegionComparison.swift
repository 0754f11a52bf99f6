/// The hunks of one region of two texts, found by a search for a short list of edits.
struct RegionComparison {
  private(set) var hunks: [LineRegion] = []
  /// The work of the search; see `EditSearch.stepCount`.
  private(set) var stepCount = 0

  init(_ region: LineRegion, of pair: TextPair, effort: LineDifference.Effort) {
    // Line numbers are `Int32` from here on, so a region with too many lines becomes one hunk.
    guard region.lineCount < Int(Int32.max) / 2 else {
      hunks = [region]
      return
    }
    var numbering = LineNumbering(lineCount: region.lineCount)
    let old = numbering.numbers(
      of: pair.old, in: TextPair.bytes(of: region.old, in: pair.old), lineCount: region.old.count)
    let new = numbering.numbers(
      of: pair.new, in: TextPair.bytes(of: region.new, in: pair.new), lineCount: region.new.count,
      like: old)

    // Only lines found in both texts take part in the search; all others have changed.
    let isInOld = Self.occurrences(in: old, below: numbering.count)
    let isInNew = Self.occurrences(in: new, below: numbering.count)
    let search = EditSearch(
      from: old.filter { isInNew[Int($0)] }, to: new.filter { isInOld[Int($0)] },
      effort: effort)
    stepCount = search.stepCount
    let isRemoved = Self.spread(search.isRemoved, over: old, where: isInNew)
    let isAdded = Self.spread(search.isAdded, over: new, where: isInOld)

    let sliding = Sliding(old, new, isRemoved: isRemoved, isAdded: isAdded)
    hunks = Self.regions(sliding.isRemoved, sliding.isAdded).map {
      $0.shifted(old: region.old.lowerBound, new: region.new.lowerBound)
    }
  }

  private static func occurrences(in lines: [Int32], below count: Int) -> [Bool] {
    var result = [Bool](repeating: false, count: count)
    for line in lines { result[Int(line)] = true }
    return result
  }

  /// Extends the search results to all lines. A line that took no part has changed: true.
  private static func spread(
    _ answers: [Bool], over lines: [Int32], where isAsked: [Bool]
  ) -> [Bool] {
    var index = 0
    return lines.map { line in
      guard isAsked[Int(line)] else { return true }
      index += 1
      return answers[index - 1]
    }
  }

  private static func regions(_ isRemoved: [Bool], _ isAdded: [Bool]) -> [LineRegion] {
    var result: [LineRegion] = []
    var (old, new) = (0, 0)
    while old < isRemoved.count || new < isAdded.count {
      let (oldStart, newStart) = (old, new)
      while old < isRemoved.count, isRemoved[old] { old += 1 }
      while new < isAdded.count, isAdded[new] { new += 1 }
      if old > oldStart || new > newStart {
        result.append(LineRegion(old: oldStart..<old, new: newStart..<new))
      } else {
        old += 1
        new += 1
      }
    }
    return result
  }
}
