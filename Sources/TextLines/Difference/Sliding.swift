/// Slides changed lines over equal ones to the place where they read best.
///
/// When a block is added next to an equal one, there are several blocks to choose from:
///
///     + {          {          {
///     +   a      +   a          a
///     + }        + }          }
///       {        + {        + {
///         a          a      +   a
///       }          }        + }
///
/// Groups of changed lines that meet while they slide become one. A group then slides next to
/// changed lines of the other text, so that it replaces them, or else down as far as it can.
struct Sliding {
  private var old: Side
  private var new: Side
  /// The number of lines by which groups may still be moved in all: a bound for unusual texts.
  private var budget: Int

  /// Slides the changed lines of two texts. A number stands for each line, and equal lines have
  /// equal numbers. `isRemoved` and `isAdded` tell for each line of the old and the new text
  /// whether the other text lacks it.
  init(_ old: [Int32], _ new: [Int32], isRemoved: [Bool], isAdded: [Bool]) {
    self.old = Side(lines: old, isChanged: isRemoved)
    self.new = Side(lines: new, isChanged: isAdded)
    budget = 16 * (old.count + new.count)
    Self.slide(&self.old, beside: self.new, &budget)
    Self.slide(&self.new, beside: self.old, &budget)
  }

  /// Which lines of the old text are not in the new one.
  var isRemoved: [Bool] { old.isChanged }
  /// Which lines of the new text are not in the old one.
  var isAdded: [Bool] { new.isChanged }

  /// Slides the groups of one text. The other text has a group, which may be empty, wherever this
  /// one has.
  private static func slide(_ side: inout Side, beside other: Side, _ budget: inout Int) {
    var (group, place) = (side.firstGroup, other.firstGroup)
    repeat {
      if !group.isEmpty { slide(&group, of: &side, &place, of: other, &budget) }
    } while side.goToNext(&group) && other.goToNext(&place)
  }

  private static func slide(
    _ group: inout Range<Int>, of side: inout Side, _ place: inout Range<Int>, of other: Side,
    _ budget: inout Int
  ) {
    var count = 0
    // The number of lines to slide back up, to replace a group of the other text; nil without one.
    var distance: Int?
    // A group that others have joined may have further to go.
    repeat {
      count = group.count
      while budget > 0, side.slideUp(&group) {
        other.goToPrevious(&place)
        budget -= 1
      }
      distance = place.isEmpty ? nil : 0
      while budget > 0, side.slideDown(&group) {
        other.goToNext(&place)
        budget -= 1
        distance = place.isEmpty ? distance.map { $0 + 1 } : 0
      }
    } while group.count != count
    for _ in 0..<(distance ?? 0) where side.slideUp(&group) { other.goToPrevious(&place) }
  }

  /// The lines of a text. A group is a run of changed lines. Where unchanged lines are adjacent,
  /// the group between them is empty.
  private struct Side {
    let lines: [Int32]
    var isChanged: [Bool]

    var firstGroup: Range<Int> { 0..<end(from: 0) }

    private func end(from line: Int) -> Int {
      var end = line
      while end < lines.count, isChanged[end] { end += 1 }
      return end
    }

    private func start(from line: Int) -> Int {
      var start = line
      while start > 0, isChanged[start - 1] { start -= 1 }
      return start
    }

    /// Returns false if the group is the last one.
    @discardableResult func goToNext(_ group: inout Range<Int>) -> Bool {
      if group.upperBound == lines.count { return false }
      let start = group.upperBound + 1
      group = start..<end(from: start)
      return true
    }

    func goToPrevious(_ group: inout Range<Int>) {
      if group.lowerBound > 0 { group = start(from: group.lowerBound - 1)..<group.lowerBound - 1 }
    }

    /// Moves a group up by a line if possible; any other group that it meets becomes part of it.
    mutating func slideUp(_ group: inout Range<Int>) -> Bool {
      let (lower, upper) = (group.lowerBound - 1, group.upperBound - 1)
      if lower < 0 || lines[lower] != lines[upper] { return false }
      isChanged[upper] = false
      isChanged[lower] = true
      group = start(from: lower)..<upper
      return true
    }

    /// Moves a group down by a line if possible; any other group that it meets becomes part of it.
    mutating func slideDown(_ group: inout Range<Int>) -> Bool {
      let (lower, upper) = (group.lowerBound, group.upperBound)
      if upper == lines.count || lines[lower] != lines[upper] { return false }
      isChanged[lower] = false
      isChanged[upper] = true
      group = lower + 1..<end(from: upper + 1)
      return true
    }
  }
}
