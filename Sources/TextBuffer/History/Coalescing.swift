/// The rules for edits that form one group, undone by one undo.
///
///     var document = Document(PieceTable(), coalescing: .typing)
///     document.replace(start..<start, with: "a".utf8, time: .now)
///     document.replace(next..<next, with: "b".utf8, time: .now)  // one group: "ab"
///
/// The presets differ in the edits that may join; everything else can be set:
///
///     var coalescing = Coalescing.typing
///     coalescing.longestPause = .seconds(1)
///     coalescing.boundaries = .newlines
///
/// Times come from a clock that never goes back, and only serve to measure pauses. The time of a
/// revision, its `date` in arguments, is separate: it is for people and stores.
public struct Coalescing: Equatable, Sendable {
  /// Kinds of edits that may join a group.
  @usableFromInline package struct Rules: OptionSet, Sendable {
    /// The rules as bits.
    @usableFromInline package var rawValue: UInt8

    /// The rules with these bits.
    @usableFromInline package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Insertions where the text that the group inserted begins or ends, or where its latest
    /// insertion ended.
    package static let insertions = Rules(rawValue: 1)
    /// Insertions where the group removed text and has not inserted any.
    package static let replacements = Rules(rawValue: 2)
    /// Deletions directly before or behind the place that the group edited.
    package static let deletions = Rules(rawValue: 4)
    /// Deletions of what the group itself inserted.
    package static let corrections = Rules(rawValue: 8)
    /// Edits at several carets: as many places as the group edited. Each edit may join the group's
    /// edit at its place by the other rules.
    package static let carets = Rules(rawValue: 16)
    /// The edits of a person who types at one caret.
    static let typing: Rules = [.insertions, .replacements, .deletions, .corrections]
  }

  /// Places where a group ends even if the rules would let an edit join it.
  public struct Boundaries: OptionSet, Sendable {
    /// The boundaries as bits.
    public var rawValue: UInt8

    /// The boundaries with these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Behind an edit that inserts a newline: a group is at most one line.
    public static let newlines = Boundaries(rawValue: 1)
    /// Between a blank and the next insertion unless that begins with a blank: a group is a word
    /// and the blanks behind it. Blanks are spaces, tabs and newlines.
    public static let blanks = Boundaries(rawValue: 2)
    /// Before an edit that neither begins nor ends where the latest edit ended, because the caret
    /// has moved; for edits at one place.
    public static let caretMoves = Boundaries(rawValue: 4)
  }

  /// The edits that may join a group.
  @usableFromInline package var rules: Rules
  /// The longest time between two edits of a group; nil for any. Edits without a time come soon enough.
  public var longestPause: Duration?
  /// The places where a group ends even if the rules would let an edit join it.
  public var boundaries: Boundaries
  /// The number of bytes above which an insertion is a group of its own, as a paste; nil for none.
  public var longestInsertion: Int?

  /// A policy with some rules.
  package init(
    _ rules: Rules, longestPause: Duration? = nil, boundaries: Boundaries = [],
    longestInsertion: Int? = nil
  ) {
    self.rules = rules
    self.longestPause = longestPause
    self.boundaries = boundaries
    self.longestInsertion = longestInsertion
  }

  /// Whether more than the places of edits separates groups.
  var hasBoundaries: Bool { !boundaries.isEmpty || longestInsertion != nil }

  /// Every edit is a group of its own.
  public static let none = Coalescing([])

  /// A group is the text typed at one place, or at the same carets: insertions next to each other,
  /// deletions next to each other in both directions, and replacements of removed text.
  public static let typing = Coalescing(Rules.typing.union(.carets))

  /// A group is the text inserted at one place, or a removal and an insertion there.
  public static let commands = Coalescing([.insertions, .replacements])

  /// Whether an edit may join a group by its place and the time, whatever the boundaries. `group` has
  /// the changes of the group so far, as one; `pause` is nil if unknown.
  package func joins(_ next: Change, to group: Change, pause: Duration? = nil) -> Bool {
    isSoon(pause) && joins(next.span, to: group.span)
  }

  func isSoon(_ pause: Duration?) -> Bool {
    guard let pause, let longestPause else { return true }
    return pause <= longestPause
  }

  func separates(_ latest: EditEdge?, _ next: EditEdge) -> Bool {
    if let longestInsertion, next.inserted > longestInsertion { return true }
    guard let latest else { return false }
    if let longestInsertion, latest.inserted > longestInsertion { return true }
    if boundaries.contains(.newlines) && latest.hasNewline { return true }
    if boundaries.contains(.blanks), latest.endsInBlank, next.inserted > 0, !next.beginsWithBlank {
      return true
    }
    return boundaries.contains(.caretMoves) && latest.end != nil && next.end != nil
      && latest.end != next.start && latest.end != next.start + next.removed
  }

  /// Whether edits at several places may join a group, place by place. `latest` has the places of
  /// its latest edits.
  func joins(_ next: EditPlaces, to group: EditPlaces, after latest: EditPlaces?) -> Bool {
    if next.count != group.count { return false }
    let latest = latest?.count == next.count ? latest?.spans : nil
    return zip(next.spansBefore, group.spans).enumerated().allSatisfy { index, edit in
      latest.map { continues(edit.0, after: $0[index]) } == true || joins(edit.0, to: edit.1)
    }
  }

  /// Whether an edit inserts where the latest edit of its group ended.
  func continues(_ next: EditSpan, after latest: EditSpan) -> Bool {
    next.removed == 0 && next.offset == latest.offset + latest.inserted
      && rules.contains(latest.inserted > 0 ? .insertions : .replacements)
  }

  @inline(__always)  // saves 0.5 % of typing
  func joins(_ next: EditSpan, to group: EditSpan) -> Bool {
    if rules.isEmpty { return false }
    // The number of bytes inserted by the group that are left next to the insertion of `next`.
    var kept = group.inserted
    let end = group.offset + group.inserted
    let nextEnd = next.offset + next.removed
    if next.removed > 0 {
      if next.offset >= group.offset && nextEnd <= end {
        guard rules.contains(.corrections) else { return false }
        kept -= next.removed
      } else {
        guard rules.contains(.deletions), next.offset <= end, nextEnd >= group.offset
        else { return false }
        kept = max(0, next.offset - group.offset) + max(0, end - nextEnd)
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

/// The facts about an edit that boundaries need.
///
/// SAFETY: loads from a span are checked for its bounds, and every byte is a `UInt8`.
@safe struct EditEdge: Sendable {
  /// The beginning of the edit, in the text before it.
  var start: Int
  var removed: Int
  var inserted: Int
  /// The end of the edit, in the text after it; nil for edits at several places.
  var end: Int?
  var hasNewline: Bool
  var beginsWithBlank: Bool
  var endsInBlank: Bool

  /// An edit of bytes.
  init(_ lower: Int, _ upper: Int, _ bytes: RawSpan) {
    (start, removed, inserted) = (lower, upper - lower, bytes.byteCount)
    end = lower + bytes.byteCount
    func byte(_ index: Int) -> UInt8 {
      unsafe bytes.unsafeLoad(fromByteOffset: index, as: UInt8.self)
    }
    hasNewline = (0..<bytes.byteCount).contains { byte($0) == newline }
    beginsWithBlank = bytes.byteCount > 0 && Self.isBlank(byte(0))
    endsInBlank = bytes.byteCount > 0 && Self.isBlank(byte(bytes.byteCount - 1))
  }

  /// A transaction; with several places, its insertions are alike. Nil if it did nothing.
  init?(_ changes: [Change]) {
    guard let first = changes.first else { return nil }
    let text = first.inserted
    (start, removed) = (first.offset.value, first.removedByteCount)
    inserted = changes.reduce(0) { max($0, $1.insertedByteCount) }
    end = changes.count == 1 ? start + inserted : nil
    hasNewline = changes.contains { $0.insertedNewlineCount > 0 }
    let firstByte = text.isEmpty ? nil : text.bytes(in: ByteOffset(0)..<ByteOffset(1)).first
    beginsWithBlank = firstByte.map(Self.isBlank) ?? false
    endsInBlank = text.root.lastByte.map(Self.isBlank) ?? false
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == newline
  }
}
