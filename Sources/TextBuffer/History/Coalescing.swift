/// When an edit belongs to the same group as the one before, so that one undo takes back both.
///
///     var document = Document(PieceTable(), coalescing: .typing)
///     document.replace(start..<start, with: "a".utf8, time: 0.0)
///     document.replace(next..<next, with: "b".utf8, time: 0.2)  // one group: "ab"
public struct Coalescing: Hashable, Sendable {
  /// What may follow what.
  public struct Rules: OptionSet, Hashable, Sendable {
    /// The rules as bits.
    public var rawValue: UInt8

    /// The rules with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Inserting where the insertion of the group begins or ends.
    public static let insertions = Rules(rawValue: 1)
    /// Inserting where the group removed and put nothing yet.
    public static let replacements = Rules(rawValue: 2)
    /// Removing what lies before or behind the place of the group.
    public static let deletions = Rules(rawValue: 4)
    /// Removing what the group itself inserted.
    public static let corrections = Rules(rawValue: 8)
    /// All of them.
    static let all: Rules = [.insertions, .replacements, .deletions, .corrections]
  }

  /// What may follow what.
  public var rules: Rules
  /// The longest time between two edits of a group, in the unit of the times of the edits.
  public var longestPause: Double

  /// A policy with some rules.
  public init(_ rules: Rules, longestPause: Double = .infinity) {
    self.rules = rules
    self.longestPause = longestPause
  }

  /// Every edit is a group of its own.
  public static let none = Coalescing([])

  /// A group is what was typed in one place: insertions next to each other, deletions next to
  /// each other in both directions, and what replaces what was removed.
  public static let typing = Coalescing(.all)

  /// A group is what was inserted in one place, or a removal and what was inserted there.
  public static let commands = Coalescing([.insertions, .replacements])

  /// Whether an edit belongs to a group.
  ///
  /// - Parameters:
  ///   - next: The edit.
  ///   - group: What the group did so far.
  ///   - pause: The time between them.
  /// - Returns: Whether both are one group.
  public func joins(_ next: Change, to group: Change, pause: Double = 0) -> Bool {
    joins(next.span, to: group.span, pause: pause)
  }

  @inline(__always) func joins(_ next: EditSpan, to group: EditSpan, pause: Double) -> Bool {
    if rules.isEmpty || pause > longestPause { return false }
    var kept = group.inserted
    let end = group.offset &+ group.inserted
    let nextEnd = next.offset &+ next.removed
    if next.removed > 0 {
      if next.offset >= group.offset && nextEnd <= end {
        guard rules.contains(.corrections) else { return false }
        kept &-= next.removed
      } else {
        guard rules.contains(.deletions), next.offset <= end, nextEnd >= group.offset
        else { return false }
        kept = max(0, next.offset &- group.offset) &+ max(0, end &- nextEnd)
      }
    }
    if next.inserted == 0 { return true }
    if kept == 0 {
      let hasRemoved = group.removed > 0 || next.removed > 0
      return next.offset <= end && nextEnd >= group.offset
        && rules.contains(hasRemoved ? .replacements : .insertions)
    }
    return rules.contains(.insertions) && (next.offset == group.offset || nextEnd == end)
  }
}
