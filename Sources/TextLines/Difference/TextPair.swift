import TextBuffer

/// Two texts to compare, and the search for the regions that need a comparison line by line.
struct TextPair {
  let old: PieceTable
  let new: PieceTable

  /// The number of equal lines that a region keeps above and below the differing ones, so that
  /// hunks can slide over them.
  private static let margin = 8

  /// All lines of both texts.
  var everything: LineRegion {
    LineRegion(old: 0..<old.lineCount, new: 0..<new.lineCount)
  }

  /// The lines touched by `change`, which turns `old` into `new`.
  func region(of change: Change) -> LineRegion {
    let first = old.newlineCount(before: change.offset)
    let oldEnd = old.newlineCount(before: change.rangeBefore.upperBound) + 1
    let newEnd = new.newlineCount(before: change.rangeAfter.upperBound) + 1
    return LineRegion(
      old: first..<max(first, min(oldEnd, old.lineCount)),
      new: first..<max(first, min(newEnd, new.lineCount)))
  }

  /// The region without the equal lines at its ends, apart from a margin; nil if all lines are
  /// equal.
  func trimmed(_ region: LineRegion) -> LineRegion? {
    var oldBytes = Self.bytes(of: region.old, in: old)
    var newBytes = Self.bytes(of: region.new, in: new)
    let prefix = old.commonPrefixCount(oldBytes, with: new, newBytes)
    if prefix == oldBytes.count && prefix == newBytes.count { return nil }
    let start =
      old.newlineCount(before: ByteOffset(oldBytes.lowerBound + prefix)) - region.old.lowerBound
    oldBytes = Self.bytes(of: region.old.dropFirst(start), in: old)
    newBytes = Self.bytes(of: region.new.dropFirst(start), in: new)
    let suffix = old.commonSuffixCount(oldBytes, with: new, newBytes)
    // The common suffix may begin inside a line, so the region includes that line.
    let end = old.newlineCount(before: ByteOffset(oldBytes.upperBound - suffix)) + 1
    let above = max(0, start - Self.margin)
    let below = max(0, region.old.upperBound - end - Self.margin)
    return LineRegion(
      old: region.old.lowerBound + above..<region.old.upperBound - below,
      new: region.new.lowerBound + above..<region.new.upperBound - below)
  }

  /// Cuts a region at long parts that both texts share in memory, of at least `leastCount` bytes.
  /// Returns the regions in between.
  func regionsBetweenSharedParts(_ region: LineRegion, leastCount: Int) -> [LineRegion] {
    let chain = SharedParts.chain(
      old, Self.bytes(of: region.old, in: old), new, Self.bytes(of: region.new, in: new),
      leastCount: leastCount)
    var regions: [LineRegion] = []
    var rest = region
    for part in chain {
      // The whole lines of the shared part, less a margin at each end.
      let firstOld = old.newlineCount(before: ByteOffset(part.oldStart)) + 1 + Self.margin
      let firstNew = new.newlineCount(before: ByteOffset(part.newStart)) + 1 + Self.margin
      let count = old.newlineCount(before: ByteOffset(part.oldEnd)) - firstOld - Self.margin
      if count <= 0 { continue }
      regions.append(
        LineRegion(
          old: rest.old.lowerBound..<firstOld, new: rest.new.lowerBound..<firstNew))
      rest.old = firstOld + count..<region.old.upperBound
      rest.new = firstNew + count..<region.new.upperBound
    }
    return regions + [rest]
  }

  /// The byte range of `lines`, which count from 0.
  static func bytes(of lines: Range<Int>, in text: PieceTable) -> Range<Int> {
    let range = text.byteRange(of: LineRange(lines.lowerBound + 1, lines.upperBound))
    return range.lowerBound.value..<range.upperBound.value
  }
}

extension PieceTable {
  fileprivate func newlineCount(before offset: ByteOffset) -> Int {
    lineNumber(at: offset).value - 1
  }
}

/// A range of lines in an old text, and the range in a new text that it is compared with. Lines are
/// counted from 0.
struct LineRegion: Equatable, Sendable {
  var old: Range<Int>
  var new: Range<Int>

  /// The sum of the line counts in both texts.
  var lineCount: Int { old.count + new.count }

  /// The region moved down by `oldCount` lines in the old text and `newCount` in the new one.
  func shifted(old oldCount: Int, new newCount: Int) -> LineRegion {
    LineRegion(
      old: old.lowerBound + oldCount..<old.upperBound + oldCount,
      new: new.lowerBound + newCount..<new.upperBound + newCount)
  }
}

extension LineRegion {
  init(_ hunk: LineHunk) {
    self.init(
      old: hunk.old.first.value - 1..<hunk.old.last.value,
      new: hunk.new.first.value - 1..<hunk.new.last.value)
  }
}

extension LineHunk {
  /// The region as lines counted from 1.
  init(_ region: LineRegion) {
    self.init(
      old: LineRange(region.old.lowerBound + 1, region.old.upperBound),
      new: LineRange(region.new.lowerBound + 1, region.new.upperBound))
  }
}
