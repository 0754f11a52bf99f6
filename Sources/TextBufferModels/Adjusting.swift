import TextBuffer

// Adjusting places of a text to later changes.

extension ByteOffset {
  /// The side of an insertion on which a place stays if the insertion is made exactly there.
  public enum Affinity: Hashable, Sendable {
    /// The place stays before the inserted text, like the end of a selection or a bookmark.
    case before
    /// The place moves behind the inserted text, like a caret where someone types.
    case after
  }

  /// Maps this place of the text before a change to the text after it.
  ///
  ///     before   o n e|t w o         an insertion of "-" at 3, where the place is
  ///     after    o n e|- t w o       .before
  ///     after    o n e -|t w o       .after
  ///
  /// A place outside of the replaced bytes keeps the bytes next to it. A place at the beginning of
  /// removed bytes stays before their replacement, and a place at their end stays behind it. For a
  /// place between removed bytes, the affinity decides: it moves to the beginning or to the end of
  /// the replacement.
  /// - Parameters:
  ///   - change: The change.
  ///   - affinity: The side on which the place stays.
  /// - Returns: The adjusted place.
  /// - Complexity: O(1).
  public func adjusted(by change: Change, affinity: Affinity = .after) -> ByteOffset {
    let (before, after) = (change.rangeBefore, change.rangeAfter)
    if self < before.lowerBound { return self }
    if self > before.upperBound { return after.upperBound + (self - before.upperBound) }
    if !before.isEmpty && self == before.lowerBound { return after.lowerBound }
    if !before.isEmpty && self == before.upperBound { return after.upperBound }
    return affinity == .before ? after.lowerBound : after.upperBound
  }

  /// Maps this place of the text before some changes to the text after them.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order: each applies to the text after those before.
  ///   - affinity: The side of insertions on which the place stays.
  /// - Returns: The adjusted place.
  /// - Complexity: O(*c*), for *c* changes.
  public func adjusted(by changes: [Change], affinity: Affinity = .after) -> ByteOffset {
    changes.reduce(self) { $0.adjusted(by: $1, affinity: affinity) }
  }
}

extension Range where Bound == ByteOffset {
  /// Maps this range of the text before a change to the text after it.
  ///
  /// Text inserted inside the range belongs to it. An empty range is a caret, which moves behind
  /// text inserted there, or grows to include it.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - includesEdges: Whether text inserted at either end belongs to the range, too.
  /// - Returns: The adjusted range.
  /// - Complexity: O(1).
  public func adjusted(by change: Change, includesEdges: Bool = false) -> Range<ByteOffset> {
    let lower = lowerBound.adjusted(by: change, affinity: includesEdges ? .before : .after)
    let upper = upperBound.adjusted(by: change, affinity: includesEdges ? .after : .before)
    return lower..<Swift.max(lower, upper)
  }

  /// Maps this range of the text before some changes to the text after them.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order: each applies to the text after those before.
  ///   - includesEdges: Whether text inserted at either end belongs to the range, too.
  /// - Returns: The adjusted range.
  /// - Complexity: O(*c*), for *c* changes.
  public func adjusted(by changes: [Change], includesEdges: Bool = false) -> Range<ByteOffset> {
    changes.reduce(self) { $0.adjusted(by: $1, includesEdges: includesEdges) }
  }
}
