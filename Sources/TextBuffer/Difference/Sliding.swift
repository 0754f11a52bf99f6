/// Slides hunks over equal lines to where they read best.
///
/// When a block is added next to an equal one, there are several hunks to choose from:
///
///     + {          {          {
///     +   a      +   a          a
///     + }        + }          }
///       {        + {        + {
///         a          a      +   a
///       }          }        + }
///
/// Hunks that can slide together are merged; others slide down as far as they can.
struct Sliding {
  private let old: [Int32]
  private let new: [Int32]
  /// The number of lines by which hunks may still be moved in all: a bound for odd texts.
  private var budget: Int

  /// Slides hunks between two texts whose lines have these numbers.
  init(_ old: [Int32], _ new: [Int32]) {
    self.old = old
    self.new = new
    budget = 8 * (old.count + new.count)
  }

  /// Moves hunks to where they read best.
  ///
  /// - Parameter hunks: Regions in ascending order that do not touch.
  /// - Returns: As many hunks or fewer, in ascending order, that do not touch.
  mutating func slide(_ hunks: [LineRegion]) -> [LineRegion] {
    var result: [LineRegion] = []
    var next = 0
    while next < hunks.count {
      var hunk = hunks[next]
      next += 1
      while moveUp(&hunk, below: result.last), let above = result.popLast() {
        hunk = above.joined(hunk)
      }
      while moveDown(&hunk, above: next < hunks.count ? hunks[next] : nil) {
        hunk = hunk.joined(hunks[next])
        next += 1
      }
      result.append(hunk)
    }
    return result
  }

  /// Moves a hunk up as far as it can go.
  ///
  /// - Returns: Whether it touches the hunk `above` then.
  private mutating func moveUp(_ hunk: inout LineRegion, below above: LineRegion?) -> Bool {
    guard hunk.isOneSided else { return false }
    let (lines, range) = side(of: hunk)
    var count = 0
    let room = hunk.new.lowerBound - (above?.new.upperBound ?? 0)
    while count < room, budget > 0,
      lines[range.lowerBound - count - 1] == lines[range.upperBound - count - 1]
    {
      count += 1
      budget -= 1
    }
    hunk = hunk.shifted(by: -count)
    return above != nil && count == room
  }

  /// Moves a hunk down as far as it can go.
  ///
  /// - Returns: Whether it touches the hunk `below` then.
  private mutating func moveDown(_ hunk: inout LineRegion, above below: LineRegion?) -> Bool {
    guard hunk.isOneSided else { return false }
    let (lines, range) = side(of: hunk)
    var count = 0
    let room = (below?.new.lowerBound ?? new.count) - hunk.new.upperBound
    while count < room, budget > 0,
      lines[range.lowerBound + count] == lines[range.upperBound + count]
    {
      count += 1
      budget -= 1
    }
    hunk = hunk.shifted(by: count)
    return below != nil && count == room
  }

  /// The text with the lines of a one-sided hunk, and the range of these.
  private func side(of hunk: LineRegion) -> ([Int32], Range<Int>) {
    hunk.old.isEmpty ? (new, hunk.new) : (old, hunk.old)
  }
}
