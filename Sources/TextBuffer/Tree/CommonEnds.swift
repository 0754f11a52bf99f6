/// The lengths of the common prefix and the common suffix of two texts. Bytes at the same place in
/// memory are not compared.
enum CommonEnds {
  /// The length of the common prefix of two ranges, in bytes.
  static func prefixCount(
    _ old: Subtree, _ oldRange: Range<Int>, _ new: Subtree, _ newRange: Range<Int>
  ) -> Int {
    let longest = min(oldRange.count, newRange.count)
    var mine = Cursor(old, at: oldRange.lowerBound)
    var theirs = Cursor(new, at: newRange.lowerBound)
    var count = 0
    while let extent = mine.nextExtent(upTo: oldRange.lowerBound + longest) {
      var rest = extent
      while rest.count > 0, let match = theirs.nextExtent(upTo: theirs.offset + rest.count) {
        let same = rest.prefix(match.count).commonPrefixCount(match)
        count += same
        if same < match.count { return count }
        rest = rest.dropping(same)
      }
    }
    return count
  }

  /// The length of the common suffix of two ranges, in bytes.
  static func suffixCount(
    _ old: Subtree, _ oldRange: Range<Int>, _ new: Subtree, _ newRange: Range<Int>
  ) -> Int {
    let longest = min(oldRange.count, newRange.count)
    var count = 0
    while count < longest {
      let mine = old.extent(before: oldRange.upperBound - count).suffix(longest - count)
      let theirs = new.extent(before: newRange.upperBound - count).suffix(mine.count)
      let same = mine.suffix(theirs.count).commonSuffixCount(theirs)
      count += same
      if same < theirs.count { break }
    }
    return count
  }
}

extension Subtree {
  /// The part of a piece that ends at `offset`, which must not be 0.
  fileprivate func extent(before offset: Int) -> Extent {
    let place = location(of: offset - 1)
    return place.leaf[piece: place.index].extent(0, offset - place.before.byteCount)
  }
}

extension Extent {
  /// The last `length` bytes, or all if there are fewer.
  fileprivate func suffix(_ length: Int) -> Extent { dropping(max(0, count - length)) }

  /// The length of the common prefix of two extents of equal length.
  fileprivate func commonPrefixCount(_ other: Extent) -> Int {
    Self.commonCount(of: count) {
      let (mine, theirs) = (dropping($0.lowerBound), other.dropping($0.lowerBound))
      return mine.prefix($0.count).hasSameBytes(as: theirs.prefix($0.count))
    }
  }

  /// The length of the common suffix of two extents of equal length.
  fileprivate func commonSuffixCount(_ other: Extent) -> Int {
    Self.commonCount(of: count) {
      let (mine, theirs) = (suffix($0.upperBound), other.suffix($0.upperBound))
      return mine.prefix($0.count).hasSameBytes(as: theirs.prefix($0.count))
    }
  }

  /// The number of equal bytes from one end up to the first difference, by a binary search. The
  /// ranges passed to `areSame` count from that end.
  private static func commonCount(of count: Int, _ areSame: (Range<Int>) -> Bool) -> Int {
    if areSame(0..<count) { return count }
    // The first difference is in the bytes from `lower` up to `upper`.
    var (lower, upper) = (0, count)
    while upper - lower > 1 {
      let middle = (lower + upper) / 2
      if areSame(lower..<middle) { lower = middle } else { upper = middle }
    }
    return lower
  }
}
