import TextBuffer

/// Two texts that were made from a third, joined line by line.
///
///     let base = PieceTable("one\ntwo\nthree\n")
///     let merge = LineMerge(
///       of: PieceTable("1\ntwo\nthree\n"), and: PieceTable("one\ntwo\nthree\n4\n"), from: base)
///     merge.text  // "1\ntwo\nthree\n4\n"
///
/// Changes of both texts that touch, without an unchanged line between them, are a conflict unless
/// both are the same change of the same lines, as in `diff3` and `git merge-file`.
public struct LineMerge: Sendable {
  /// The result for some lines of the base. Both texts kept the lines above and below them.
  public struct Region: Hashable, Sendable {
    /// The texts that changed the lines.
    public enum Kind: Hashable, Sendable {
      /// Only the first text differs from the base.
      case ours
      /// Only the second one does.
      case theirs
      /// Both do, and are the same.
      case both
      /// Both do, and are not the same.
      case conflict
    }

    /// The texts that changed the lines.
    public var kind: Kind
    /// The lines in the base; an empty range is a gap, as in `LineHunk`.
    public var base: LineRange
    /// The lines of the first text at this place.
    public var ours: LineRange
    /// The lines of the second text at this place.
    public var theirs: LineRange

    /// A region of the three texts.
    public init(kind: Kind, base: LineRange, ours: LineRange, theirs: LineRange) {
      (self.kind, self.base, self.ours, self.theirs) = (kind, base, ours, theirs)
    }

    fileprivate var isConflict: Bool { kind == .conflict }
  }

  /// The text that both were made from.
  public let base: PieceTable
  /// The first text.
  public let ours: PieceTable
  /// The second text.
  public let theirs: PieceTable
  /// All lines that are not the same in the three texts, in ascending order.
  public let regions: [Region]

  /// Merges two texts.
  ///
  /// - Parameters:
  ///   - ours: The first text.
  ///   - theirs: The second text.
  ///   - base: The text that both were made from.
  /// - Complexity: The cost of comparing both with the base (`LineDifference`).
  public init(of ours: PieceTable, and theirs: PieceTable, from base: PieceTable) {
    (self.base, self.ours, self.theirs) = (base, ours, theirs)
    var joined = Regions(
      ours: LineDifference(from: base, to: ours).hunks,
      theirs: LineDifference(from: base, to: theirs).hunks)
    var regions: [Region] = []
    while var region = joined.next() {
      if region.isConflict,
        ours.slice(ours.byteRange(of: region.ours))
          == theirs.slice(theirs.byteRange(of: region.theirs))
      {
        region.kind = .both
      }
      regions.append(region)
    }
    self.regions = regions
  }

  /// The regions that both changed in different ways.
  public var conflicts: [Region] { regions.filter(\.isConflict) }

  /// The merged text; nil if there are conflicts.
  ///
  /// - Complexity: O(*r* log *p*), for *r* regions and *p* pieces.
  public var text: PieceTable? {
    if regions.contains(where: \.isConflict) { return nil }
    var text = ours
    for region in regions.reversed() where region.kind == .theirs {
      text.replace(
        text.byteRange(of: region.ours), with: theirs.slice(theirs.byteRange(of: region.theirs)))
    }
    return text
  }
}

/// Joins the hunks of two differences from the same text to regions.
private struct Regions {
  private var ours: Side
  private var theirs: Side

  init(ours: [LineHunk], theirs: [LineHunk]) {
    self.ours = Side(hunks: ours[...])
    self.theirs = Side(hunks: theirs[...])
  }

  mutating func next() -> LineMerge.Region? {
    guard let start = [ours, theirs].compactMap({ $0.hunks.first?.old.first }).min() else {
      return nil
    }
    let (ourGrowth, theirGrowth) = (ours.growth, theirs.growth)
    // The line below the region.
    var end = start
    var (isOurs, isTheirs) = (false, false)
    while true {
      if let next = ours.take(upTo: end) {
        end = max(end, next)
        isOurs = true
      } else if let next = theirs.take(upTo: end) {
        end = max(end, next)
        isTheirs = true
      } else {
        break
      }
    }
    return LineMerge.Region(
      kind: isOurs && isTheirs ? .conflict : isOurs ? .ours : .theirs,
      base: LineRange(start, end - 1),
      ours: LineRange(start + ourGrowth, end - 1 + ours.growth),
      theirs: LineRange(start + theirGrowth, end - 1 + theirs.growth))
  }

  private struct Side {
    /// The hunks not yet in a region.
    var hunks: ArraySlice<LineHunk>
    /// The number of lines added by earlier hunks.
    var growth = 0

    /// Takes the next hunk if it begins at a line or above, and returns the line below the hunk.
    mutating func take(upTo line: LineNumber) -> LineNumber? {
      guard let hunk = hunks.first, hunk.old.first <= line else { return nil }
      hunks.removeFirst()
      growth += hunk.new.count - hunk.old.count
      return hunk.old.last + 1
    }
  }
}
