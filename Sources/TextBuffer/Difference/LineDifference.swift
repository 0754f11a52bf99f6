/// What has to be done to the lines of one text to get another.
///
///     let old = PieceTable("one\ntwo\nthree\n")
///     let new = PieceTable("one\n2\nthree\nfour\n")
///     LineDifference(from: old, to: new).hunks
///     // line 2 by line 2, and the gap below line 3 by line 4
///
/// The newline is part of a line here: a last line without one differs from the same with one.
///
/// As a rule no other answer has fewer lines. In big texts that differ a lot the search is cut
/// short, and then the answer may be longer than needed, but it is never wrong.
public struct LineDifference: Sendable {
  /// What differs, in ascending order. Between two hunks, before the first and after the last, all
  /// lines are the same; between two there is at least one.
  public let hunks: [LineHunk]
  /// A measure of the work that finding it took, for tests.
  package let stepCount: Int

  /// Compares two texts.
  ///
  /// - Complexity: O(*p* log *p*) for *p* pieces in parts that both texts share; besides,
  ///   O(*n* + *d* · *m*) for *n* bytes and *m* lines in those parts that differ, by *d* lines,
  ///   where *d* · *m* has a limit.
  public init(from old: PieceTable, to new: PieceTable) {
    self.init(from: old, to: new, effort: Effort())
  }

  /// Compares two texts with other limits than those that users get.
  package init(from old: PieceTable, to new: PieceTable, effort: Effort) {
    let pair = TextPair(old: old.withoutTail, new: new.withoutTail)
    self.init(pair, pair.everything, effort)
  }

  /// Compares a text with what a change makes of it.
  ///
  /// Lines that the change only puts back as they were are no part of the answer.
  ///
  /// - Parameters:
  ///   - change: What is done.
  ///   - text: The text before.
  /// - Precondition: The bytes that the change replaces are in the text.
  /// - Complexity: As `init(from:to:)` for the lines that the change touches, and O(log *p*) for
  ///   the *p* pieces of the rest.
  public init(of change: Change, in text: PieceTable) {
    let old = text.withoutTail
    var new = old
    new.apply(change)
    let pair = TextPair(old: old, new: new)
    self.init(pair, pair.region(of: change), Effort())
  }

  private init(_ pair: TextPair, _ region: LineRegion, _ effort: Effort) {
    guard let differing = pair.trimmed(region) else {
      hunks = []
      stepCount = 0
      return
    }
    var regions = [differing]
    if differing.lineCount > effort.wholeLineCount {
      regions = pair.regionsBetweenSharedParts(differing, leastCount: effort.sharedByteCount)
        .compactMap { pair.trimmed($0) }
    }
    let lineCount = regions.reduce(0) { $0 + $1.lineCount }
    var found: [LineHunk] = []
    var steps = 0
    for region in regions {
      // Every region gets its share of the steps.
      var share = effort
      share.stepCount = Int(Double(effort.stepCount) * Double(region.lineCount) / Double(lineCount))
      let comparison = RegionComparison(region, of: pair, effort: share)
      found += comparison.hunks.map { LineHunk($0) }
      steps += comparison.stepCount
    }
    hunks = found
    stepCount = steps
  }

  /// The number of lines in the new text that are not in the old one.
  public var addedLineCount: Int { hunks.reduce(0) { $0 + $1.new.count } }

  /// The number of lines in the old text that are not in the new one.
  public var removedLineCount: Int { hunks.reduce(0) { $0 + $1.old.count } }
}

extension LineDifference {
  /// How hard to look for the shortest difference.
  package struct Effort: Sendable {
    /// Regions with more lines are cut at long parts that the texts have in common.
    package var wholeLineCount: Int
    /// Parts that share memory are long when they have so many bytes.
    package var sharedByteCount: Int
    /// About how many steps a search may take in all.
    package var stepCount: Int
    /// So many edits are always searched for.
    package var leastCost: Int

    /// The limits that users get; tests have smaller ones, so that short texts reach them.
    package init(
      wholeLineCount: Int = 20_000, sharedByteCount: Int = 4096, stepCount: Int = 1 << 27,
      leastCost: Int = 128
    ) {
      self.wholeLineCount = wholeLineCount
      self.sharedByteCount = sharedByteCount
      self.stepCount = stepCount
      self.leastCost = leastCost
    }
  }
}
