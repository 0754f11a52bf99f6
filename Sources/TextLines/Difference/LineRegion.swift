import TextBuffer

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
