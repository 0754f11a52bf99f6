import TextBuffer

/// Finds where hunks fit into a text: exactly and in order. A hunk fits at its line plus the drift
/// of the hunk before, or else at the only matching place below that hunk.
///
/// The text must have all old lines of a hunk, unchanged. Of several matching places, the nearest
/// may be a copy of the right one, so such a hunk is rejected. A hunk moves with the hunk before it
/// only if its counts are right, and it has equally many context lines above and below. If all old
/// lines of the patch end with CR, but no line of the text does, the CRs are dropped. Without old
/// lines, all headers and new lines must end with CR.
struct HunkPlacement {
  /// Lines to be replaced.
  struct Change: Equatable, Sendable {
    /// Empty if lines are only added.
    var lines: LineRange
    var new: [UInt8]
  }

  /// The replacements, in ascending order.
  private(set) var changes: [Change] = []
  /// Whether the patched text lacks its last newline; nil if the hunks do not change it.
  private(set) var lacksNewline: Bool?

  private let text: PieceTable
  private let lineCount: Int
  /// Whether the last line lacks its newline in the file; nil if unknown.
  private let isUnterminated: Bool?
  /// Whether carriage returns at the ends of the patch's lines are dropped.
  private var dropsReturns: Bool
  private var index: LineIndex?
  /// The last line covered by the hunks so far; `latestStart` is the first line of the last hunk.
  private var frozen = 0
  /// The first line of each hunk.
  private var starts: [Int] = []
  private var latestStart = 0
  /// The distance of the last hunk from the line in its header; nil if that has no line number.
  private var drift: Int? = 0
  /// The lines of the text that occur in some hunk, by their hashes; nil before the first search.
  private var knownLines: [UInt64: [Int]]?
  private var hunks: [Hunk] = []
  /// The places of the hunks' anchors; nil before the first search.
  private var anchors: AnchorIndex?
  /// The steps left for all searches: places to examine, and lines to compare.
  private var budget: Int

  /// Places hunks, in the order of the patch, into a text of whole lines that end with LF.
  /// `isUnterminated` says whether the last line lacks its newline in the file (nil if unknown),
  /// and `usesCRLF` whether lines end with CR LF there.
  ///
  /// - Throws: `isAppliedAlready` with the places of added lines if the text already has the result
  ///   of the hunks; otherwise the first hunk that does not fit.
  /// - Complexity: O(text + patch). For each hunk that has not moved like the hunk before it, adds
  ///   the number of lines in the text that equal its rarest line. Rejects a hunk once these
  ///   searches take more steps than the budget.
  init(
    of hunks: [Hunk], in text: PieceTable, isUnterminated: Bool?, usesCRLF: Bool = false,
    budget: Int = 1 << 28
  ) throws(PatchError) {
    self.init(text, isUnterminated, usesCRLF, budget)
    if try placeAll(hunks) { return }
    var inverse = HunkPlacement(text, isUnterminated, usesCRLF, budget)
    // If a hunk fits, or its result has no line, the text can't show that it was applied.
    if changes.isEmpty, hunks.allSatisfy({ $0.newCount > 0 }),
      inverse.canPlaceAll(hunks.map(\.inverse)),
      zip(hunks, inverse.starts).allSatisfy({ inverse.mayBeApplied($0, at: $1) })
    {
      throw .isAppliedAlready(at: inverse.changes.map(\.lines).filter { $0.count > 0 })
    }
    throw failure ?? .hasNoChanges
  }

  private var failure: PatchError?

  private init(_ text: PieceTable, _ isUnterminated: Bool?, _ usesCRLF: Bool, _ budget: Int) {
    self.text = text
    self.budget = budget
    dropsReturns = usesCRLF
    self.isUnterminated = isUnterminated
    lineCount = text.newlineCount
  }

  private mutating func canPlaceAll(_ hunks: [Hunk]) -> Bool {
    (try? placeAll(hunks)) ?? false
  }

  /// Places all hunks; false if the first failing hunk may already be applied.
  private mutating func placeAll(_ hunks: [Hunk]) throws(PatchError) -> Bool {
    let onlyAdds = hunks.allSatisfy { $0.oldCount == 0 }
    let haveReturns = hunks.allSatisfy {
      onlyAdds
        ? $0.headerHasReturn && $0.newReturnCount == $0.newCount : $0.oldReturnCount == $0.oldCount
    }
    if haveReturns { dropsReturns = dropsReturns || !text.hasReturns }
    self.hunks = hunks
    for (number, hunk) in inOrder(hunks) {
      let old = hunk.oldLines(droppingReturns: dropsReturns)
      switch place(hunk, old) {
      case .success(let line) where hunk.needsEnd && line - 1 + hunk.oldCount < lineCount:
        throw .isCutOff(line: hunk.patchLine)
      case .success(let line):
        if let lines = linesAlreadyAdded(by: hunk, old, at: line) {
          failure = .isRejected(
            HunkRejection(hunk: number + 1, patchLine: hunk.patchLine, reason: .isThere(lines)))
          return false
        }
        starts.append(line)
        addChanges(of: hunk, at: line)
        (latestStart, frozen) = (line, line - 1 + hunk.oldCount)
        drift = hunk.oldStart.map { line - Self.firstLine(hunk, $0) }
      case .failure(let failure):
        var rejection = HunkRejection(
          hunk: number + 1, patchLine: hunk.patchLine, reason: failure.reason)
        if case .isNowhere = failure.reason {
          let all = LineRange(1, lineCount)
          let near = old.isEmpty ? nil : NearestLines(to: LineBlock(old), in: all, of: text)
          rejection.reason = .isNowhere(nearest: near)
        }
        self.failure = .isRejected(rejection)
        return false
      }
    }
    return true
  }

  /// Hunks with their numbers, in the order of the patch; unordered ones by their places.
  private mutating func inOrder(_ hunks: [Hunk]) -> [(number: Int, hunk: Hunk)] {
    let numbered = hunks.enumerated().map { (number: $0.offset, hunk: $0.element) }
    if !hunks.allSatisfy(\.isUnordered) { return numbered }
    // A hunk without a place, or with several, comes first and fails.
    let places = hunks.map { hunk in
      let old = hunk.oldLines(droppingReturns: dropsReturns)
      return (try? place(hunk, old).get()) ?? 0
    }
    return numbered.sorted { (places[$0.number], $0.number) < (places[$1.number], $1.number) }
  }

  /// The first line of a hunk, according to its header. A hunk that only adds lines begins after
  /// that line.
  private static func firstLine(_ hunk: Hunk, _ start: Int) -> Int {
    hunk.oldCount == 0 ? start + 1 : max(start, 1)
  }

  // MARK: - One hunk

  private struct Failure: Error { var reason: HunkRejection.Reason }

  private mutating func place(_ hunk: Hunk, _ old: [UInt8]) -> Result<Int, Failure> {
    let count = hunk.oldCount
    let last = lineCount - count + 1
    // An empty text has one place.
    let start = lineCount == 0 && count == 0 ? 0 : hunk.oldStart
    if count == 0 {
      let isAtEnd = hunk.isAtEnd && hunk.anchors.isEmpty
      let place = isAtEnd ? lineCount : drift.flatMap { drift in start.map { $0 + drift } }
      guard let place else { return .failure(Failure(reason: .hasNoPlace)) }
      let line = place + 1
      guard line > frozen, line <= last, fitsEnd(hunk, line) else {
        return .failure(Failure(reason: .isNowhere(nearest: nil)))
      }
      return .success(line)
    }
    // After a hunk without a line number, no line is expected.
    let expected = drift.flatMap { drift in start.map { max($0, 1) + drift } }
    if let expected, expected > frozen, expected <= last, drift == 0 || hunk.hasReliableLine,
      fits(hunk, old, at: expected)
    {
      return .success(expected)
    }
    if last <= frozen { return .failure(failureToPlace(hunk, old)) }
    return search(hunk, old, from: expected, LineNumber(frozen + 1)...LineNumber(last))
  }

  private mutating func search(
    _ hunk: Hunk, _ old: [UInt8], from expected: Int?, _ places: ClosedRange<LineNumber>
  ) -> Result<Int, Failure> {
    let anchors = anchors ?? AnchorIndex(of: hunks, in: text)
    self.anchors = anchors
    let anchored = hunk.anchors.isEmpty ? nil : anchors.lines(behind: hunk.anchors)
    if let last = hunk.anchors.last, anchored == nil {
      return .failure(Failure(reason: .hasNoAnchor(Array(last))))
    }
    let index = index ?? LineIndex(text)
    self.index = index
    let knownLines = knownLines ?? linesOfHunks(index)
    self.knownLines = knownLines
    let first = max(places.lowerBound.value, anchored?.lowerBound ?? 0)
    let last = min(places.upperBound.value, anchored?.upperBound ?? .max)
    let wanted = LineIndex.block(old)
    let middle = expected ?? first
    let rarest =
      LineBlock.lines(of: old).enumerated()
      .map { (offset: $0.offset, lines: knownLines[LineIndex.hash($0.element[...])] ?? []) }
      .min { $0.lines.count < $1.lines.count } ?? (0, [])
    let start = rarest.lines.partitionPoint { $0 - rarest.offset < first }
    let possible = rarest.lines[start...].prefix { $0 - rarest.offset <= last }
    if !spend(possible.count) { return .failure(Failure(reason: .takesTooLong)) }
    var found: [Int] = []
    let starts = 1...lineCount - hunk.oldCount + 1
    func isPlace(_ line: Int) -> Bool {
      starts.contains(line)
        && index.block(from: line - 1, count: hunk.oldCount, wanted.power) == wanted.hash
    }
    let candidates = possible.map { $0 - rarest.offset }.filter(isPlace)
    for line in candidates.sorted(by: { (abs($0 - middle), $0) < (abs($1 - middle), $1) })
    where found.count < 2 {
      if !spend(hunk.oldCount) { return .failure(Failure(reason: .takesTooLong)) }
      if fits(hunk, old, at: line) { found.append(line) }
    }
    switch found.count {
    case 0:
      if let anchored, let anchor = hunk.anchors.last {
        let others = rarest.lines.map { $0 - rarest.offset }.filter { !anchored.contains($0) }
        if !spend(others.count) { return .failure(Failure(reason: .takesTooLong)) }
        if let line = others.first(where: { isPlace($0) && fits(hunk, old, at: $0) }) {
          return .failure(
            Failure(
              reason: .isNotBehindAnchor(
                LineNumber(line), Array(anchor), isBelow: anchored.upperBound < line)))
        }
      }
      return .failure(failureToPlace(hunk, old))
    case 1: return .success(found[0])
    default:
      let isNumbered = expected != nil && (drift == 0 || hunk.hasReliableLine)
      let (one, other) = (LineNumber(found[0]), LineNumber(found[1]))
      return .failure(Failure(reason: .isAmbiguous(one, other, isNumbered: isNumbered)))
    }
  }

  /// Whether a search may take further steps: the budget is not spent, and the work not interrupted.
  private mutating func spend(_ steps: Int) -> Bool {
    budget -= steps
    return budget >= 0 && !Interrupts.isInterrupted
  }

  /// The lines of the text that are old lines of some hunk, by their hashes.
  private func linesOfHunks(_ index: LineIndex) -> [UInt64: [Int]] {
    var known: [UInt64: [Int]] = [:]
    for hunk in hunks {
      for line in LineBlock.lines(of: hunk.oldLines(droppingReturns: dropsReturns)) {
        known[LineIndex.hash(line[...])] = []
      }
    }
    for line in 0..<lineCount { known[index.line(line)]?.append(line + 1) }
    return known
  }

  /// The failure of a hunk that does not fit below the previous hunks; it may fit among or above
  /// them.
  private mutating func failureToPlace(_ hunk: Hunk, _ old: [UInt8]) -> Failure {
    let index = index ?? LineIndex(text)
    self.index = index
    let wanted = LineIndex.block(old)
    for line in 1..<max(1, min(frozen, lineCount - hunk.oldCount + 1) + 1)
    where index.block(from: line - 1, count: hunk.oldCount, wanted.power) == wanted.hash
      && fits(hunk, old, at: line)
    {
      return Failure(
        reason: line < latestStart ? .isOutOfOrder(LineNumber(line)) : .overlaps(LineNumber(line)))
    }
    guard hunk.endsText, hunk.oldCount > 0 else {
      return Failure(reason: .isNowhere(nearest: nil))
    }
    let end = lineCount - hunk.oldCount + 1
    if end > frozen, hasLines(hunk, old, at: end) { return Failure(reason: .endHasNewline) }
    for line in stride(from: end - 1, to: frozen, by: -1)
    where index.block(from: line - 1, count: hunk.oldCount, wanted.power) == wanted.hash
      && hasLines(hunk, old, at: line)
    {
      return Failure(reason: .isNotAtEnd(LineNumber(line), isMarked: hunk.isAtEnd))
    }
    return Failure(reason: .isNowhere(nearest: nil))
  }

  /// Whether a hunk fits at a line: its old lines are there, and the text ends where the hunk says.
  private func fits(_ hunk: Hunk, _ old: [UInt8], at line: Int) -> Bool {
    fitsEnd(hunk, line) && hasLines(hunk, old, at: line)
  }

  private func hasLines(_ hunk: Hunk, _ old: [UInt8], at line: Int) -> Bool {
    let lines = LineRange(LineNumber(line), LineNumber(line + hunk.oldCount - 1))
    let bytes = text.byteRange(of: lines)
    return bytes.upperBound - bytes.lowerBound == old.count && text.bytes(in: bytes) == old
  }

  /// Whether a hunk agrees with the end of the text. A hunk that ends the text must end there. If
  /// its last old line is unterminated, the text must be, too, or it is unknown.
  private func fitsEnd(_ hunk: Hunk, _ line: Int) -> Bool {
    guard hunk.endsText else { return true }
    if line + hunk.oldCount - 1 != lineCount { return false }
    return !hunk.oldLacksNewline || isUnterminated != false
  }

  // MARK: - Hunks that are applied already

  /// Whether a hunk may have been applied at a line where the text has its result. A hunk that
  /// only removes lines needs a line number if it has context on both sides. With context on one
  /// side, the other is an end of the text.
  private func mayBeApplied(_ hunk: Hunk, at line: Int) -> Bool {
    let (above, below) = hunk.context
    if hunk.newCount != above + below { return true }
    if above > 0 && below > 0 { return hunk.oldStart != nil }
    return above > 0 ? line - 1 + hunk.newCount == lineCount : line == 1
  }

  /// The lines around the place of a hunk, if they are already all its new lines; otherwise nil.
  private func linesAlreadyAdded(by hunk: Hunk, _ old: [UInt8], at line: Int) -> LineRange? {
    if old.isEmpty && !hunk.isAtEnd { return nil }
    let new = LineBlock.lines(of: hunk.inverse.oldLines(droppingReturns: dropsReturns))
    return LineBlock(old).lines(new, around: LineNumber(line), of: text)
  }

  // MARK: - Changes

  private mutating func addChanges(of hunk: Hunk, at line: Int) {
    if hunk.oldLacksNewline || hunk.newLacksNewline { lacksNewline = hunk.newLacksNewline }
    var next = line
    var changes: [Change] = []
    var isOpen = false
    hunk.forEachLine { mark, bytes in
      if mark == .kept {
        isOpen = false
        next += 1
        return
      }
      if !isOpen {
        changes.append(Change(lines: LineRange(LineNumber(next), LineNumber(next - 1)), new: []))
        isOpen = true
      }
      let last = changes.count - 1
      if mark == .removed {
        changes[last].lines = LineRange(changes[last].lines.first, LineNumber(next))
        next += 1
      } else {
        changes[last].new += Hunk.line(bytes, droppingReturn: dropsReturns)
      }
    }
    self.changes += changes
  }
}

/// The lines of a text that are anchors of some hunk.
struct AnchorIndex {
  /// The lines with each anchor, ascending.
  private var places: [ArraySlice<UInt8>: [Int]] = [:]
  /// For each of these lines, the last of the lines below that are indented more. The last line of
  /// the text if no line is indented less.
  private var ends: [Int: Int] = [:]

  /// - Complexity: O(text + patch).
  init(of hunks: [Hunk], in text: PieceTable) {
    for hunk in hunks { for anchor in hunk.anchors { places[anchor] = [] } }
    let lineCount = text.newlineCount
    if places.isEmpty || lineCount == 0 { return }
    /// The anchors whose end is not yet known, the outermost first.
    var open: [(line: Int, indentation: Int)] = []
    text.forEachLine(in: LineRange(1, lineCount)) { number, line in
      var bytes: [UInt8] = []
      bytes.append(line, in: 0..<line.byteCount)
      let found = PatchParser.trimmed(bytes[...])
      if found.isEmpty { return true }
      while let last = open.last, found.startIndex <= last.indentation {
        ends[last.line] = number.value - 1
        open.removeLast()
      }
      if places[found]?.append(number.value) != nil {
        open.append((number.value, found.startIndex))
      }
      return !Interrupts.isInterrupted
    }
    for (line, _) in open { ends[line] = lineCount }
  }

  /// The lines at which a hunk with anchors may begin; nil if the text lacks an anchor. The anchors
  /// must appear in order, each below the previous one. The range goes from the last anchor to the
  /// end of the lines below that are indented more. Without such lines, or if the first anchor
  /// occurs more than once, it goes to the end of the text.
  func lines(behind anchors: [ArraySlice<UInt8>]) -> ClosedRange<Int>? {
    var last = 0
    for anchor in anchors {
      let lines = places[anchor] ?? []
      let next = lines.partitionPoint { $0 <= last }
      if next == lines.count { return nil }
      last = lines[next]
    }
    let isOnly = places[anchors[0]]?.count == anchors.count { $0 == anchors[0] }
    let end = ends[last] ?? last
    return last...(isOnly && end > last ? end : .max)
  }
}

/// Hashes of the lines of a text. The hash of any block of lines takes O(1).
struct LineIndex {
  /// The hash of all lines before each line; the last element covers the whole text.
  private let sums: [UInt64]

  private static let base: UInt64 = 0x9E37_79B9_7F4A_7C15

  init(_ text: PieceTable) {
    var sums: [UInt64] = [0]
    let lines = LineRange(LineNumber(1), LineNumber(text.newlineCount))
    if lines.count > 0 {
      sums.reserveCapacity(lines.count + 1)
      text.forEachLine(in: lines) { _, line in
        var hash = Self.seed
        for offset in 0..<line.byteCount { hash = Self.step(hash, line[offset]) }
        sums.append(sums[sums.count - 1] &* Self.base &+ hash)
        return true
      }
    }
    self.sums = sums
  }

  private static let seed: UInt64 = 0xcbf2_9ce4_8422_2325

  private static func step(_ hash: UInt64, _ byte: UInt8) -> UInt64 {
    (hash ^ UInt64(byte)) &* 0x100_0000_01b3
  }

  static func hash(_ line: ArraySlice<UInt8>) -> UInt64 { line.reduce(seed, step) }

  /// The hash of a line of the text, counted from 0.
  func line(_ index: Int) -> UInt64 { sums[index + 1] &- sums[index] &* Self.base }

  /// The hash of a block of lines, and the factor that ``block(from:count:_:)`` needs for as many
  /// lines.
  static func block(_ lines: [UInt8]) -> (hash: UInt64, power: UInt64) {
    var (sum, power, hash): (UInt64, UInt64, UInt64) = (0, 1, seed)
    for byte in lines {
      if byte == .newline {
        (sum, power, hash) = (sum &* base &+ hash, power &* base, seed)
      } else {
        hash = step(hash, byte)
      }
    }
    return (sum, power)
  }

  /// The hash of lines of the text, the first of them counted from 0.
  func block(from first: Int, count: Int, _ power: UInt64) -> UInt64 {
    sums[first + count] &- sums[first] &* power
  }
}
