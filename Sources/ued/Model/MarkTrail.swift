import TextBuffer

/// What the edits since the undo point did to whole lines, by which marks follow `u`.
///
/// `u` brings back the lines that were there and removes those that came in their place, even where their
/// texts are the same; the changes of the text don't tell that.
struct MarkTrail: Sendable {
  private enum Edit: Sendable {
    /// Lines were replaced by new ones.
    case replaced(first: Int32, removed: Int32, inserted: Int32)
    /// An edit of `others` was made.
    case made(Int32)
    /// An edit of `others` was undone.
    case undone(Int32)

    var inverse: Edit {
      switch self {
      case .replaced(let first, let removed, let inserted):
        .replaced(first: first, removed: inserted, inserted: removed)
      case .made(let index): .undone(index)
      case .undone(let index): .made(index)
      }
    }
  }

  /// How a mark was lost.
  private struct Loss: Sendable {
    /// The index of the edit that removed its line.
    var edit: Int
    /// The line, as numbered before that edit.
    var line: LineNumber
  }

  private var edits: [Edit] = []
  private var others: [LineEdit] = []
  /// The latest loss of each mark.
  private var losses: [Int: Loss] = [:]

  /// Notes that lines were replaced by new ones. `marks` are those before.
  mutating func noteReplacement(of lines: LineRange, by count: Int, _ marks: Marks) {
    let (first, removed, inserted) = (
      Int32(clamping: lines.first.value), Int32(clamping: lines.count), Int32(clamping: count)
    )
    if case .replaced(let start, let old, let new) = edits.last, old == new, start + old == first {
      edits[edits.count - 1] = .replaced(
        first: start, removed: old + removed, inserted: new + inserted)
    } else {
      edits.append(.replaced(first: first, removed: removed, inserted: inserted))
    }
    for (mark, line) in marks.lines where lines.contains(line) {
      losses[mark] = Loss(edit: edits.count - 1, line: line)
    }
  }

  /// Notes an edit that removes no line with a mark, or none at all.
  mutating func note(_ edit: LineEdit) {
    edits.append(.made(Int32(clamping: others.count)))
    others.append(edit)
  }

  /// Moves marks to where their lines were before the edits, and becomes the trail of going back.
  mutating func goBack(_ marks: inout Marks) {
    var back = MarkTrail()
    back.others = others
    back.edits.reserveCapacity(edits.count)
    for index in edits.indices.reversed() {
      let edit = edits[index].inverse
      back.edits.append(edit)
      if !marks.areUsed { continue }
      let returning = losses.filter { $0.value.edit == index && marks.isLost($0.key) }
      for (mark, line) in marks.lines {
        if let there = place(of: line, after: edit) {
          marks[mark] = there
        } else {
          marks.lose(mark)
          losses[mark] = nil
          back.losses[mark] = Loss(edit: back.edits.count - 1, line: line)
        }
      }
      for (mark, loss) in returning { marks[mark] = loss.line }
    }
    self = back
  }

  /// The number that a line has after an edit; nil if it was removed.
  private func place(of line: LineNumber, after edit: Edit) -> LineNumber? {
    switch edit {
    case .replaced(let first, let removed, let inserted):
      let (first, removed) = (LineNumber(Int(first)), Int(removed))
      if line < first { return line }
      return line < first + removed ? nil : line + (Int(inserted) - removed)
    case .made(let index): return others[Int(index)].line(after: line)
    case .undone(let index): return others[Int(index)].line(before: line)
    }
  }
}
