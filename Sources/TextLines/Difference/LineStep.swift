import TextBuffer

/// The lines that a group of changes touched: those that it wrote, and those that it moved. A step
/// depends on the texts, not on the way of editing: a line replaced by an equal one is not touched.
/// `LineEdit` instead follows the identity of a line, even through a change of its whole text.
enum LineStep {
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
        Self.hunks(of: changes, in: before) ?? LineDifference(from: before, to: after).hunks)
    }
  }

  private static func hunks(of change: Change, in text: PieceTable) -> [LineHunk] {
    let (old, new) = (change.removedNewlineCount, change.insertedNewlineCount)
    // Whole lines are only added, only removed, or one replaces one: no comparison is needed.
    guard old == 0 || new == 0 || old == 1 && new == 1, change.coversLines(of: text) else {
      return LineDifference(of: change, in: text).hunks
    }
    if change.changesNothing { return [] }
    let first = text.lineNumber(at: change.offset)
    return [
      LineHunk(old: LineRange(first, first + (old - 1)), new: LineRange(first, first + (new - 1)))
    ]
  }

  /// The hunks of changes from the top to the bottom; nil if two touch the same line.
  private static func hunks(of changes: [Change], in before: PieceTable) -> [LineHunk]? {
    var (hunks, text, growth, end) = ([LineHunk](), before, 0, LineNumber.zero)
    for change in changes {
      for hunk in LineDifference(of: change, in: text).hunks {
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
