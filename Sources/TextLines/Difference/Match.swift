import TextBuffer

/// A part that two texts or sequences have in common.
struct Match: Equatable {
  var oldStart: Int
  var newStart: Int
  var count: Int

  var oldEnd: Int { oldStart + count }
  var newEnd: Int { newStart + count }
}

extension [Match] {
  /// The heaviest chain: matches in ascending order in both texts, with the greatest sum of counts.
  ///
  /// - Precondition: The matches are in ascending order in the new text and do not overlap there.
  /// - Complexity: O(*n* log *n*).
  func heaviestChain() -> [Match] {
    let ends = map(\.oldEnd).sorted()
    var weights = [Int](repeating: 0, count: count)
    var previous = [Int?](repeating: nil, count: count)
    // A Fenwick tree over `ends`: the last match of the heaviest chain that ends in each span.
    var best = [Int?](repeating: nil, count: ends.count + 1)
    func heavier(_ lhs: Int?, _ rhs: Int?) -> Int? {
      guard let lhs else { return rhs }
      guard let rhs else { return lhs }
      return weights[rhs] > weights[lhs] ? rhs : lhs
    }
    for (number, match) in enumerated() {
      var slot = ends.partitionPoint { $0 <= match.oldStart }
      while slot > 0 {
        previous[number] = heavier(previous[number], best[slot])
        slot -= slot & -slot
      }
      weights[number] = match.count + (previous[number].map { weights[$0] } ?? 0)
      slot = ends.partitionPoint { $0 < match.oldEnd } + 1
      while slot < best.count {
        best[slot] = heavier(best[slot], number)
        slot += slot & -slot
      }
    }
    var chain: [Match] = []
    var link = indices.reduce(nil) { heavier($0, $1) }
    while let number = link {
      chain.append(self[number])
      link = previous[number]
    }
    return chain.reversed()
  }
}

extension Array {
  /// The number of leading elements that satisfy `isBefore`; no later element may satisfy it.
  package func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
    var (lower, upper) = (0, count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if isBefore(self[middle]) { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }
}
