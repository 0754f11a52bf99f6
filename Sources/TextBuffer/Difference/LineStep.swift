/// Which lines a group of changes touched: those that it wrote, and those that it moved.
///
/// It is about what a text is, not about how it was edited: a line that is replaced by the same is not
/// touched. `LineEdit` says which line became which, also where all of it was changed.
public enum LineStep: Hashable, Sendable {
  /// Lines were replaced by others, or only added or removed: hunks in ascending order.
  case replaced([LineHunk])
  /// Lines were moved to after a line that is not one of them.
  case moved(LineRange, after: LineNumber)

  /// What changes did to the lines of a text.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order.
  ///   - before: The text before them.
  ///   - after: The text after them.
  /// - Complexity: O(log *p*), for *p* pieces, if a single change replaces at most one line; otherwise as a
  ///   `LineDifference`.
  public init(of changes: [Change], from before: PieceTable, to after: PieceTable) {
    if let move = LineEdit.move(by: changes, in: before) {
      self = .moved(move.lines, after: move.target)
    } else if changes.count == 1 {
      self = .replaced(Self.hunks(of: changes[0], in: before))
    } else {
      self = .replaced(LineDifference(from: before, to: after).hunks)
    }
  }

  /// The step as hunks in ascending order: a move removes lines in one place and adds them in the other.
  public var hunks: [LineHunk] {
    switch self {
    case .replaced(let hunks): return hunks
    case .moved(let lines, let target):
      let count = lines.count
      if target < lines.first {
        let added = LineRange(target + 1, target + count)
        let gap = LineRange(lines.last + 1, lines.last)
        return [
          LineHunk(old: LineRange(target + 1, target), new: added), LineHunk(old: lines, new: gap),
        ]
      }
      let landing = LineRange(target - (count - 1), target)
      return [
        LineHunk(old: lines, new: LineRange(lines.first, lines.first - 1)),
        LineHunk(old: LineRange(target + 1, target), new: landing),
      ]
    }
  }

  private static func hunks(of change: Change, in text: PieceTable) -> [LineHunk] {
    let (old, new) = (change.removedNewlineCount, change.insertedNewlineCount)
    // Whole lines by whole lines, on one side or one by one: there is nothing to compare.
    guard old == 0 || new == 0 || old == 1 && new == 1, change.coversLines(of: text) else {
      return LineDifference(of: change, in: text).hunks
    }
    if change.changesNothing { return [] }
    let first = text.lineNumber(at: change.offset)
    return [
      LineHunk(old: LineRange(first, first + (old - 1)), new: LineRange(first, first + (new - 1)))
    ]
  }
}
