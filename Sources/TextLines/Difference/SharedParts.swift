import TextBuffer

/// The parts that two texts share in memory, found without reading a byte.
enum SharedParts {
  private struct Placed {
    var extent: Extent
    var offset: Int

    /// The address behind the last byte.
    var end: UInt { extent.address + UInt(extent.count) }
  }

  /// The shared parts in the given ranges that form the chain with the most bytes: ascending and
  /// without overlaps in both texts. Parts shorter than
  /// `leastCount` are left out, as they are likely to be a coincidence.
  ///
  /// - Complexity: O(*p* log *p*), for *p* pieces in both.
  static func chain(
    _ old: PieceTable, _ oldRange: Range<Int>, _ new: PieceTable, _ newRange: Range<Int>,
    leastCount: Int
  ) -> [Match] {
    let oldExtents = extents(of: old, in: oldRange, leastCount: leastCount)
      .sorted { ($0.extent.address, $0.extent.count) < ($1.extent.address, $1.extent.count) }
    var parts: [Match] = []
    for extent in extents(of: new, in: newRange, leastCount: leastCount) {
      appendParts(of: extent, in: oldExtents, leastCount: leastCount, to: &parts)
    }
    return parts.heaviestChain()
  }

  private static func extents(
    of text: PieceTable, in range: Range<Int>, leastCount: Int
  ) -> [Placed] {
    var result: [Placed] = []
    var cursor = Cursor(text, at: range.lowerBound)
    var offset = range.lowerBound
    while let extent = cursor.nextMaximalExtent(upTo: range.upperBound) {
      if extent.count >= leastCount { result.append(Placed(extent: extent, offset: offset)) }
      offset = cursor.offset
    }
    return result
  }

  /// Appends the parts that `new` shares with extents that are sorted by address.
  private static func appendParts(
    of new: Placed, in oldExtents: [Placed], leastCount: Int, to parts: inout [Match]
  ) {
    var address = new.extent.address
    var index = oldExtents.partitionPoint { $0.extent.address <= address }
    while address < new.end {
      // Extents before `index` begin at or before `address`; usually the last one ends furthest.
      if index > 0, oldExtents[index - 1].end > address {
        let old = oldExtents[index - 1]
        let end = min(old.end, new.end)
        if Int(end - address) >= leastCount {
          parts.append(
            Match(
              oldStart: old.offset + Int(address - old.extent.address),
              newStart: new.offset + Int(address - new.extent.address), count: Int(end - address)))
        }
        address = end
      } else if index < oldExtents.count {
        address = oldExtents[index].extent.address
      } else {
        return
      }
      while index < oldExtents.count, oldExtents[index].extent.address <= address { index += 1 }
    }
  }
}
