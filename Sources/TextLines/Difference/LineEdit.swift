import TextBuffer

/// The effect of an edit on whole lines: maps lines of the text before it to lines of the text
/// after it, and the other way round.
///
///     let edit = LineEdit.replaced(LineRange(2, 3), by: 1)
///     edit.line(after: LineNumber(5))  // 4
///     edit.line(after: LineNumber(2))  // nil: it was removed
///
/// A line changed in place is still the same line. Texts are not compared: the edit itself says
/// which lines it keeps.
public enum LineEdit: Hashable, Sendable {
  /// Lines were replaced by `by` others; an empty range inserts before its first line. The first
  /// `keeping` lines were only changed in place.
  case replaced(LineRange, by: Int, keeping: Int = 0)
  /// Lines were moved below a line that is not one of them.
  case moved(LineRange, after: LineNumber)
  /// Lines, in ascending order, were removed.
  case removed([LineNumber])
  /// Lines, in ascending order, became several each; the first of these is still the line.
  case split([Split])
  /// Lines were moved, in the given order, below the first `below` other lines.
  case gathered([LineNumber], below: Int)

  /// A line that became several.
  public struct Split: Hashable, Sendable {
    /// The line, as numbered before the edit.
    public var line: LineNumber
    /// The number of lines that it became, at least one.
    public var count: Int

    /// A line that became `count` lines.
    public init(_ line: LineNumber, into count: Int) {
      self.line = line
      self.count = count
    }
  }

  /// The line that `line` is after the edit; nil if it was removed.
  ///
  /// - Complexity: O(1), or O(*n*) for an edit that lists *n* lines.
  public func line(after line: LineNumber) -> LineNumber? {
    switch self {
    case .replaced(let lines, let count, let kept):
      return Self.follow(line, lines, by: count, keeping: kept)
    case .moved(let lines, let target):
      let isUp = target < lines.first
      if lines.contains(line) {
        return line + (isUp ? target + 1 - lines.first : target - lines.last)
      }
      if isUp { return target < line && line < lines.first ? line + lines.count : line }
      return lines.last < line && line <= target ? line - lines.count : line
    case .removed(let lines):
      let above = lines.partitionPoint { $0 < line }
      return above < lines.count && lines[above] == line ? nil : line - above
    case .split(let splits):
      return line + splits.prefix { $0.line < line }.reduce(0) { $0 + $1.count - 1 }
    case .gathered(let lines, let below):
      if let index = lines.firstIndex(of: line) { return LineNumber(below + index + 1) }
      let rank = line - lines.count { $0 < line }
      return rank.value <= below ? rank : rank + lines.count
    }
  }

  /// The line that `line` was before the edit; nil if it is new.
  ///
  /// - Complexity: O(1), or O(*n* log *n*) for an edit that lists *n* lines.
  public func line(before line: LineNumber) -> LineNumber? {
    switch self {
    case .replaced(let lines, let count, let kept):
      return Self.follow(
        line, LineRange(lines.first, lines.first + (count - 1)), by: lines.count, keeping: kept)
    case .moved(let lines, let target):
      let isUp = target < lines.first
      let landing = isUp ? target + 1 : target - (lines.count - 1)
      let back = isUp ? lines.last : lines.first - 1
      return Self.moved(LineRange(landing, landing + (lines.count - 1)), after: back)
        .line(after: line)
    case .removed(let lines):
      return Self.line(ofRank: line, among: lines)
    case .split(let splits):
      var growth = 0
      for split in splits {
        let first = split.line + growth
        if line <= first { break }
        if line < first + split.count { return nil }
        growth += split.count - 1
      }
      return line - growth
    case .gathered(let lines, let below):
      let index = line.value - below - 1
      if lines.indices.contains(index) { return lines[index] }
      return Self.line(ofRank: index < 0 ? line : line - lines.count, among: lines.sorted())
    }
  }

  /// The place of a line after lines were replaced by `count` others.
  private static func follow(
    _ line: LineNumber, _ lines: LineRange, by count: Int, keeping kept: Int
  ) -> LineNumber? {
    if line < lines.first + kept { return line }
    return line <= lines.last ? nil : line + (count - lines.count)
  }

  /// The line with a rank among the lines that are not excluded.
  private static func line(ofRank rank: LineNumber, among excluded: [LineNumber]) -> LineNumber {
    var line = rank
    for other in excluded {
      if other > line { break }
      line = line + 1
    }
    return line
  }
}

extension LineEdit {
  /// The move that the changes make; nil for others.
  static func move(
    by changes: [Change], in text: PieceTable
  ) -> (lines: LineRange, target: LineNumber)? {
    guard changes.count == 2, changes[0].insertedByteCount == 0, changes[1].removedByteCount == 0,
      changes[0].removedByteCount == changes[1].insertedByteCount,
      changes[0].coversLines(of: text), changes[0].removed == changes[1].inserted
    else { return nil }
    let first = text.lineNumber(at: changes[0].offset)
    let lines = LineRange(first, first + (changes[0].removedNewlineCount - 1))
    var rest = text
    rest.apply(changes[0])
    guard changes[1].coversLines(of: rest) else { return nil }
    let target = rest.lineNumber(at: changes[1].offset) - 1
    return (lines, target < lines.first ? target : target + lines.count)
  }
}

extension Change {
  /// Whether it replaces whole lines of a text by whole lines.
  func coversLines(of text: PieceTable) -> Bool {
    (removedByteCount == 0 || removed.endsWithNewline)
      && (insertedByteCount == 0 || inserted.endsWithNewline)
      && text.offset(ofLine: text.lineNumber(at: offset)) == offset
  }
}

/// The lines that a group of changes touched: those that it wrote, and those that it moved. A step
/// depends on the texts, not on the way of editing: a line replaced by an equal one is not touched.
/// `LineEdit` instead follows the identity of a line, even through a change of its whole text.
enum TouchedLines {
  /// Lines were replaced by others, or only added or removed: hunks in ascending order.
  case replaced([LineHunk])
  /// Lines were moved below a line that is not one of them.
  case moved(LineRange, after: LineNumber)

  /// The effect of changes, in order, on the lines of a text.
  ///
  /// - Complexity: O(log *p*), for *p* pieces, if a single change replaces at most one line. If no
  ///   two changes touch the same line, the cost of one `LineDifference` for each change.
  ///   Otherwise, the cost of a `LineDifference` of the two texts.
  init(of changes: [Change], from before: PieceTable, to after: PieceTable) {
    if let move = LineEdit.move(by: changes, in: before) {
      self = .moved(move.lines, after: move.target)
    } else if changes.count == 1 {
      self = .replaced(Self.hunks(of: changes[0], in: before))
    } else {
      self = .replaced(
        Self.hunks(of: changes, in: before)
          ?? LineDifference(from: before, to: after).placed(from: before, to: after))
    }
  }

  private static func hunks(of change: Change, in text: PieceTable) -> [LineHunk] {
    let (old, new) = (change.removedNewlineCount, change.insertedNewlineCount)
    // If lines are only added or removed, or one replaces one, no comparison is needed.
    guard old == 0 || new == 0 || old == 1 && new == 1, change.coversLines(of: text) else {
      let difference = LineDifference(of: change, in: text)
      if difference.hunks.count < 2 { return difference.hunks }
      var after = text
      after.apply(change)
      return difference.placed(from: text, to: after)
    }
    if change.changesNothing { return [] }
    let first = text.lineNumber(at: change.offset)
    return [
      LineHunk(old: LineRange(first, first + (old - 1)), new: LineRange(first, first + (new - 1)))
    ]
  }

  /// The hunks of changes in ascending order; nil if two meet or are out of order.
  private static func hunks(of changes: [Change], in before: PieceTable) -> [LineHunk]? {
    var (hunks, text, growth, end) = ([LineHunk](), before, 0, LineNumber.zero)
    for change in changes {
      for hunk in Self.hunks(of: change, in: text) {
        if end > .zero && hunk.old.first <= end + 1 { return nil }
        hunks.append(
          LineHunk(
            old: LineRange(hunk.old.first - growth, hunk.old.last - growth), new: hunk.new))
      }
      text.apply(change)
      growth = text.lineCount - before.lineCount
      end = hunks.last?.new.last ?? .zero
    }
    return hunks
  }
}
