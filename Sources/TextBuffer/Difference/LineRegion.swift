/// Lines of an old text and the lines of a new one that they are compared with, counted from 0: the
/// number of a line is the number of newlines before it.
struct LineRegion: Equatable, Sendable {
  var old: Range<Int>
  var new: Range<Int>

  /// The number of lines in both texts.
  var lineCount: Int { old.count + new.count }

  /// The region further down by different numbers of lines in the two texts.
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
