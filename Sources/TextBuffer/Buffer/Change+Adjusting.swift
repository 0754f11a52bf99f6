// Where a place of a text is after changes of it.

extension ByteOffset {
  /// The side of an insertion on which a place stays that is exactly where the insertion is made.
  public enum Affinity: Hashable, Sendable {
    /// The place stays before the inserted text, as the end of a selection or a bookmark does.
    case before
    /// The place moves behind the inserted text, as a caret does at which someone types.
    case after
  }

  /// Where this place of the text before a change is in the text after it.
  ///
  ///     before   o n e|t w o         an insertion of "-" at 3, where the place is
  ///     after    o n e|- t w o       .before
  ///     after    o n e -|t w o       .after
  ///
  /// A place before or behind what is replaced keeps the bytes next to it; one at the beginning of removed bytes
  /// stays before what replaces them, and one at their end behind it. Of a place between removed bytes the
  /// affinity says where it goes: to the beginning or to the end of what replaces them.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - affinity: The side on which the place stays.
  /// - Returns: Where it is then.
  /// - Complexity: O(1).
  public func adjusted(by change: Change, affinity: Affinity = .after) -> ByteOffset {
    let (before, after) = (change.rangeBefore, change.rangeAfter)
    if self < before.lowerBound { return self }
    if self > before.upperBound { return after.upperBound + (self - before.upperBound) }
    if !before.isEmpty && self == before.lowerBound { return after.lowerBound }
    if !before.isEmpty && self == before.upperBound { return after.upperBound }
    return affinity == .before ? after.lowerBound : after.upperBound
  }

  /// Where this place of the text before some changes is in the text after them.
  ///
  /// - Parameters:
  ///   - changes: The changes, in the order in which they were made: each one of the text after those before.
  ///   - affinity: The side of insertions on which the place stays.
  /// - Returns: Where it is then.
  /// - Complexity: O(*c*), for *c* changes.
  public func adjusted(by changes: [Change], affinity: Affinity = .after) -> ByteOffset {
    changes.reduce(self) { $0.adjusted(by: $1, affinity: affinity) }
  }
}

extension Range where Bound == ByteOffset {
  /// Where these bytes of the text before a change are in the text after it.
  ///
  /// What is inserted inside of the range belongs to it. An empty range is a caret, which moves behind what is
  /// inserted there, or grows to contain that.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - includesEdges: Whether what is inserted at either end belongs to the range, too.
  /// - Returns: Where it is then.
  /// - Complexity: O(1).
  public func adjusted(by change: Change, includesEdges: Bool = false) -> Range<ByteOffset> {
    let lower = lowerBound.adjusted(by: change, affinity: includesEdges ? .before : .after)
    let upper = upperBound.adjusted(by: change, affinity: includesEdges ? .after : .before)
    return lower..<Swift.max(lower, upper)
  }

  /// Where these bytes of the text before some changes are in the text after them.
  ///
  /// - Parameters:
  ///   - changes: The changes, in the order in which they were made: each one of the text after those before.
  ///   - includesEdges: Whether what is inserted at either end belongs to the range, too.
  /// - Returns: Where it is then.
  /// - Complexity: O(*c*), for *c* changes.
  public func adjusted(by changes: [Change], includesEdges: Bool = false) -> Range<ByteOffset> {
    changes.reduce(self) { $0.adjusted(by: $1, includesEdges: includesEdges) }
  }
}
