/// Bytes of an old text and of a new one that are the same because they are in one place in memory.
struct SharedPart: Equatable {
  var oldStart: Int
  var newStart: Int
  var count: Int

  var oldEnd: Int { oldStart + count }
}

/// What two texts of one history have in common without looking at any byte.
enum SharedParts {
  /// A run of a text with the offset where it begins.
  private struct Placed {
    var run: Run
    var offset: Int

    /// The address behind the last byte.
    var end: UInt { run.address + UInt(run.count) }
  }

  /// Shared parts that follow each other in both texts, with as many bytes as possible.
  ///
  /// - Parameters:
  ///   - old: A text.
  ///   - oldRange: The bytes of it to look at.
  ///   - new: Another text.
  ///   - newRange: The bytes of that one to look at.
  ///   - leastCount: Shorter parts are left out: they say little about what belongs together.
  /// - Returns: The parts, in ascending order and without overlaps in either text.
  /// - Complexity: O(*p* log *p*), for *p* pieces in both.
  static func chain(
    _ old: Subtree, _ oldRange: Range<Int>, _ new: Subtree, _ newRange: Range<Int>,
    leastCount: Int
  ) -> [SharedPart] {
    let oldRuns = runs(of: old, in: oldRange, leastCount: leastCount)
      .sorted { ($0.run.address, $0.run.count) < ($1.run.address, $1.run.count) }
    var parts: [SharedPart] = []
    for run in runs(of: new, in: newRange, leastCount: leastCount) {
      appendParts(of: run, in: oldRuns, leastCount: leastCount, to: &parts)
    }
    return heaviestChain(parts)
  }

  private static func runs(
    of text: Subtree, in range: Range<Int>, leastCount: Int
  ) -> [Placed] {
    var result: [Placed] = []
    var cursor = Cursor(text, at: range.lowerBound)
    var offset = range.lowerBound
    while let run = cursor.nextMaximalRun(upTo: range.upperBound) {
      if run.count >= leastCount { result.append(Placed(run: run, offset: offset)) }
      offset = cursor.offset
    }
    return result
  }

  /// Appends what `new` has in common with runs that are sorted by address.
  private static func appendParts(
    of new: Placed, in oldRuns: [Placed], leastCount: Int, to parts: inout [SharedPart]
  ) {
    var address = new.run.address
    var index = oldRuns.partitionPoint { $0.run.address <= address }
    while address < new.end {
      // The runs before `index` begin at `address` or below; the last one reaches furthest, as a rule.
      if index > 0, oldRuns[index - 1].end > address {
        let old = oldRuns[index - 1]
        let end = min(old.end, new.end)
        if Int(end - address) >= leastCount {
          parts.append(
            SharedPart(
              oldStart: old.offset + Int(address - old.run.address),
              newStart: new.offset + Int(address - new.run.address), count: Int(end - address)))
        }
        address = end
      } else if index < oldRuns.count {
        address = oldRuns[index].run.address
      } else {
        return
      }
      while index < oldRuns.count, oldRuns[index].run.address <= address { index += 1 }
    }
  }

  /// The parts of a chain that ascends in the old text too; `parts` ascend in the new one.
  private static func heaviestChain(_ parts: [SharedPart]) -> [SharedPart] {
    let ends = parts.map(\.oldEnd).sorted()
    var weights = [Int](repeating: 0, count: parts.count)
    var previous = [Int?](repeating: nil, count: parts.count)
    // A Fenwick tree: the heaviest chain among those that end in a span of `ends`.
    var best = [Int?](repeating: nil, count: ends.count + 1)
    func heavier(_ lhs: Int?, _ rhs: Int?) -> Int? {
      guard let lhs else { return rhs }
      guard let rhs else { return lhs }
      return weights[rhs] > weights[lhs] ? rhs : lhs
    }
    for (number, part) in parts.enumerated() {
      var slot = ends.partitionPoint { $0 <= part.oldStart }
      while slot > 0 {
        previous[number] = heavier(previous[number], best[slot])
        slot -= slot & -slot
      }
      weights[number] = part.count + (previous[number].map { weights[$0] } ?? 0)
      slot = ends.partitionPoint { $0 < part.oldEnd } + 1
      while slot < best.count {
        best[slot] = heavier(best[slot], number)
        slot += slot & -slot
      }
    }
    var chain: [SharedPart] = []
    var link = parts.indices.reduce(nil) { heavier($0, $1) }
    while let number = link {
      chain.append(parts[number])
      link = previous[number]
    }
    return chain.reversed()
  }
}

extension Array {
  /// The number of elements from the front that satisfy `isBefore`, which no later one does.
  fileprivate func partitionPoint(_ isBefore: (Element) -> Bool) -> Int {
    var (lower, upper) = (0, count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if isBefore(self[middle]) { lower = middle + 1 } else { upper = middle }
    }
    return lower
  }
}
