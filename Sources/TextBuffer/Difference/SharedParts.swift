/// The parts that two texts share in memory, found without reading a byte.
enum SharedParts {
  /// A run of a text with its offset.
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
  ///   - leastCount: The length below which parts are left out, as they are likely to be a coincidence.
  /// - Returns: The parts, in ascending order and without overlaps in either text.
  /// - Complexity: O(*p* log *p*), for *p* pieces in both.
  static func chain(
    _ old: Subtree, _ oldRange: Range<Int>, _ new: Subtree, _ newRange: Range<Int>,
    leastCount: Int
  ) -> [Match] {
    let oldRuns = runs(of: old, in: oldRange, leastCount: leastCount)
      .sorted { ($0.run.address, $0.run.count) < ($1.run.address, $1.run.count) }
    var parts: [Match] = []
    for run in runs(of: new, in: newRange, leastCount: leastCount) {
      appendParts(of: run, in: oldRuns, leastCount: leastCount, to: &parts)
    }
    return parts.heaviestChain()
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

  /// Appends the parts that `new` shares with runs that are sorted by address.
  private static func appendParts(
    of new: Placed, in oldRuns: [Placed], leastCount: Int, to parts: inout [Match]
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
            Match(
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
}
