import TextBuffer
import TextLines

/// Comparisons of whole texts, which take long and much memory if the texts are large.
enum Comparison {
  /// The memory limit for each line of both texts together, including the display of the result.
  private static let bytesPerLine = 100

  /// Whether memory is too short to compare two texts that have so many lines together.
  static func lacksMemory(lineCount: Int) -> Bool {
    Memory.isShort(for: lineCount * bytesPerLine)
  }

  /// The size in bytes from which a comparison runs on a thread that can be abandoned.
  private static let largeText = 1 << 18

  /// Compares texts that do not change and have `byteCount` bytes together; nil after SIGINT,
  /// SIGHUP or SIGTERM, which is still pending.
  fileprivate static func run<Result>(_ byteCount: Int, _ body: @escaping () -> Result) -> Result? {
    if byteCount < largeText { return body() }
    let place = Place<Result>()
    let end = SideThread.run { place.result = body() }
    return end == .abandoned ? nil : place.result ?? body()
  }

  /// The result of the other thread; never read after the thread was abandoned.
  private final class Place<Result> {
    var result: Result?
  }
}

extension LineDifference {
  /// The difference of two texts; nil after a signal to stop.
  static func unlessInterrupted(from old: PieceTable, to new: PieceTable) -> LineDifference? {
    Comparison.run(old.byteCount + new.byteCount) { LineDifference(from: old, to: new) }
  }

  /// Compares two texts; throws `interrupted` after a signal.
  static func interruptible(
    from old: PieceTable, to new: PieceTable
  ) throws(EditorError) -> LineDifference {
    guard let difference = unlessInterrupted(from: old, to: new) else { throw .interrupted }
    return difference
  }

  /// The hunks in which two texts differ; one hunk of all lines if memory is short or a signal
  /// came.
  static func affordableHunks(from old: PieceTable, to new: PieceTable) -> [LineHunk] {
    if !Comparison.lacksMemory(lineCount: old.lineCount + new.lineCount),
      let difference = unlessInterrupted(from: old, to: new)
    {
      return difference.hunks
    }
    return [LineHunk(old: LineRange(1, old.lineCount), new: LineRange(1, new.lineCount))]
  }
}

extension [LineHunk] {
  /// The first lines that a difference removes and adds, each with the text that has it, and the
  /// number of all.
  func lines(
    from old: PieceTable, to new: PieceTable, atMost limit: Int
  ) -> (first: [(number: LineNumber, text: PieceTable, isAdded: Bool)], count: Int) {
    var (first, count) = ([(number: LineNumber, text: PieceTable, isAdded: Bool)](), 0)
    for hunk in self {
      for (lines, text, isAdded) in [(hunk.old, old, false), (hunk.new, new, true)] {
        count += lines.count
        first += lines.numbers.prefix(limit - first.count).map { ($0, text, isAdded) }
      }
    }
    return (first, count)
  }
}

extension [Change] {
  /// The number of lines that the changes add and remove; a line that is replaced counts as both.
  var lineCounts: (added: Int, removed: Int) {
    reduce((added: 0, removed: 0)) { counts, change in
      if change.removedByteCount == 0 || change.insertedByteCount == 0 {
        return (counts.added + change.insertedLineCount, counts.removed + change.removedLineCount)
      }
      let difference = LineDifference(from: change.removed, to: change.inserted)
      return (
        counts.added + difference.addedLineCount, counts.removed + difference.removedLineCount
      )
    }
  }
}

extension Draft {
  /// Replaces the lines that differ between two texts.
  mutating func replaceWhatDiffers(from old: PieceTable, to new: PieceTable) {
    for hunk in LineDifference.affordableHunks(from: old, to: new).reversed() {
      replaceLines(hunk.old, with: new.slice(new.byteRange(of: hunk.new)))
    }
  }
}

extension LineMerge {
  /// Merges two texts made from a third; throws `interrupted` after a signal.
  static func interruptible(
    of ours: PieceTable, and theirs: PieceTable, from base: PieceTable
  ) throws(EditorError) -> LineMerge {
    let byteCount = ours.byteCount + theirs.byteCount + base.byteCount
    let merge = Comparison.run(byteCount) { LineMerge(of: ours, and: theirs, from: base) }
    guard let merge else { throw .interrupted }
    return merge
  }
}

// MARK: - Lines of a change

extension Change {
  /// Whether a pattern matches a line that the change removed or inserted. Lines are compared only
  /// if one of them matches; usually none does.
  func hasLine(matching pattern: Pattern, _ isBinary: Bool) -> Bool {
    var subject = Subject(isBinary: isBinary)
    let (removed, inserted) = (removed, inserted)
    let isInRemoved = subject.hasMatch(of: pattern, in: removed)
    let isInInserted = subject.hasMatch(of: pattern, in: inserted)
    if !isInRemoved && !isInInserted { return false }
    if removed.isEmpty || inserted.isEmpty { return true }
    return LineDifference(from: removed, to: inserted).hunks.contains { hunk in
      isInRemoved && subject.hasMatch(of: pattern, in: removed, hunk.old)
        || isInInserted && subject.hasMatch(of: pattern, in: inserted, hunk.new)
    }
  }
}

extension Subject {
  /// Whether a pattern matches one of some lines, by default of all.
  fileprivate mutating func hasMatch(
    of pattern: Pattern, in text: PieceTable, _ some: LineRange? = nil
  ) -> Bool {
    if text.isEmpty { return false }
    let lines = some ?? LineRange(1, text.lineCount)
    if lines.count == 0 { return false }
    var isFound = false
    text.forEachLine(in: lines) { _, line in
      isFound = matches(pattern, line)
      return !isFound
    }
    return isFound
  }
}
