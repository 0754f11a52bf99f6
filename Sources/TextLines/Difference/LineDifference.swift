import TextBuffer

/// The lines that differ between two texts.
///
///     let old = PieceTable("one\ntwo\nthree\n")
///     let new = PieceTable("one\n2\nthree\nfour\n")
///     LineDifference(from: old, to: new).hunks
///     // line 2 is replaced by line 2, and line 4 is inserted below line 3
///
/// The newline is part of a line here: a last line without one differs from the same line with one.
///
/// The answer is minimal, unless big texts differ a lot: then the search is cut short, and the
/// answer may be longer than necessary, but it is always correct.
public struct LineDifference: Sendable {
  /// The lines that differ, in ascending order. All lines outside of hunks are the same, and there
  /// is at least one between two hunks.
  public let hunks: [LineHunk]
  /// A measure of the work, for tests.
  package let stepCount: Int

  /// Compares two texts.
  ///
  /// - Complexity: O(*p* log *p*) for the *p* pieces of the parts that both texts share, and
  ///   O(*n* + *d* · *m*) for the other parts. These have *n* bytes and *m* lines, and *d* of the
  ///   lines differ; *d* · *m* has a limit.
  public init(from old: PieceTable, to new: PieceTable) {
    self.init(from: old, to: new, effort: Effort())
  }

  /// Compares two texts with other limits than the default ones.
  package init(from old: PieceTable, to new: PieceTable, effort: Effort) {
    let pair = TextPair(old: old.withoutTail, new: new.withoutTail)
    self.init(pair, pair.everything, effort)
  }

  /// Compares a text with the text after a change. Lines that the change replaces by equal ones are
  /// not in the answer.
  ///
  /// - Parameters:
  ///   - change: The change.
  ///   - text: The text before it.
  /// - Precondition: The range that the change replaces is in the text.
  /// - Complexity: As `init(from:to:)` for the lines that the change touches, and O(log *p*) for
  ///   the *p* pieces of the rest.
  public init(of change: Change, in text: PieceTable) {
    self.init(of: change, in: text, effort: Effort())
  }

  /// Compares a text with the text after a change, with other limits than the default ones.
  package init(of change: Change, in text: PieceTable, effort: Effort) {
    let old = text.withoutTail
    var new = old
    new.apply(change)
    let pair = TextPair(old: old, new: new)
    self.init(pair, pair.region(of: change), effort)
  }

  private init(_ pair: TextPair, _ region: LineRegion, _ effort: Effort) {
    guard let differing = pair.trimmed(region) else {
      hunks = []
      stepCount = 0
      return
    }
    var regions = [differing]
    if differing.lineCount > effort.maxUncutLineCount {
      regions = pair.regionsBetweenSharedParts(differing, leastCount: effort.sharedByteCount)
        .compactMap { pair.trimmed($0) }
    }
    let lineCount = regions.reduce(0) { $0 + $1.lineCount }
    var found: [LineHunk] = []
    var steps = 0
    for region in regions {
      // The budget of steps is shared in proportion to the lines.
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
  /// Limits of the search for the shortest difference.
  package struct Effort: Sendable {
    /// Regions with more lines are first cut at long common parts.
    package var maxUncutLineCount: Int
    /// The least size of a long common part, which both texts share in memory, in bytes.
    package var sharedByteCount: Int
    /// The budget of steps for the whole search.
    package var stepCount: Int
    /// The number of edits that the search can find even if the budget of steps is too small.
    package var leastCost: Int

    /// The default limits; tests have smaller ones, so that short texts reach them.
    package init(
      maxUncutLineCount: Int = 20_000, sharedByteCount: Int = 4096, stepCount: Int = 1 << 27,
      leastCost: Int = 128
    ) {
      self.maxUncutLineCount = maxUncutLineCount
      self.sharedByteCount = sharedByteCount
      self.stepCount = stepCount
      self.leastCost = leastCost
    }
  }
}

extension LineDifference {
  /// The hunks of the difference of two texts, with lines that are rewritten in their places.
  ///
  /// When a block is indented, an inner brace may become the outer one, and the shortest difference
  /// takes these for the same line. Hunks that together add as many lines as they remove may be such
  /// a block. Each of its lines is compared with the new line of the same rank. If more lines are
  /// equal or similar there than the difference keeps, the lines stay in their places. A line is
  /// similar to another with at most one insertion or removal, blanks aside.
  ///
  /// - Complexity: O(bytes of such lines).
  package func placed(from old: PieceTable, to new: PieceTable) -> [LineHunk] {
    if old.endsWithNewline != new.endsWithNewline { return hunks }
    var (placed, open, growth) = ([LineHunk](), [LineHunk](), 0)
    for hunk in hunks {
      open.append(hunk)
      growth += hunk.new.count - hunk.old.count
      if growth != 0 { continue }
      placed += open.count > 1 ? Self.inPlace(open, old, new) ?? open : open
      open = []
    }
    return placed + open
  }

  private static func inPlace(
    _ hunks: [LineHunk], _ old: PieceTable, _ new: PieceTable
  ) -> [LineHunk]? {
    let (first, last) = (hunks[0], hunks[hunks.count - 1])
    let distance = first.new.first - first.old.first
    var (changed, explained) = ([LineHunk](), 0)
    let all = LineRange(first.old.first, last.old.last)
    for line in all.numbers {
      let (before, after) = (old.line(line), new.line(line + distance))
      if before == after {
        explained += 1
        continue
      }
      if isRewritten(before, as: after) { explained += 1 }
      if let end = changed.last, end.old.last + 1 == line {
        changed[changed.count - 1].old = LineRange(end.old.first, line)
        changed[changed.count - 1].new = LineRange(end.new.first, line + distance)
      } else {
        changed.append(
          LineHunk(old: LineRange(line, line), new: LineRange(line + distance, line + distance)))
      }
    }
    return explained > all.count - hunks.reduce(0) { $0 + $1.old.count } ? changed : nil
  }

  /// Whether one of two lines is the other with at most one insertion, blanks aside.
  private static func isRewritten(_ old: [UInt8], as new: [UInt8]) -> Bool {
    func isText(_ byte: UInt8) -> Bool { byte != UInt8(ascii: " ") && byte != UInt8(ascii: "\t") }
    let (old, new) = (old.filter(isText), new.filter(isText))
    let shorter = min(old.count, new.count)
    if shorter == 0 { return old.count == new.count }
    let start = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.reversed(), new.reversed()).prefix { $0 == $1 }.count
    return start + end >= shorter
  }
}

/// Lines of one text, and the lines of another that replace them.
///
/// An empty range is a gap: its `first` is the line below the gap, its `last` the line above.
public struct LineHunk: Hashable, Sendable {
  /// The lines in the old text that are not in the new one; empty where lines were only added.
  public var old: LineRange
  /// The lines in the new text that are not in the old one; empty where lines were only removed.
  public var new: LineRange

  /// The lines `old` of one text replaced by the lines `new` of another.
  public init(old: LineRange, new: LineRange) {
    self.old = old
    self.new = new
  }
}
