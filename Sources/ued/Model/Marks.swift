import TextBuffer

/// The marks `a` to `z`, and the mark of an unterminated last line.
///
/// A mark follows its line through every edit. When its line is removed, the mark is lost, but keeps
/// the line's identity, so that undo can recover it.
struct Marks: Sendable {
  /// The state of a mark.
  private enum Place: Equatable {
    case unset
    case line(LineNumber)
    /// Its line was removed; the line's identity finds it again.
    case lost(identity: UInt)
  }

  /// The mark of a last line read without a newline.
  static let unterminatedLine = 26

  /// The state of each mark; empty while all are unset.
  private var places: [Place] = []

  /// Whether any mark is set or lost.
  var areUsed: Bool { !places.isEmpty }

  /// The line of a mark.
  ///
  /// - Parameter mark: 0 to 25 for `a` to `z`, or ``unterminatedLine``.
  subscript(mark: Int) -> LineNumber? {
    get {
      if case .line(let line) = place(mark) { line } else { nil }
    }
    set { set(mark, newValue.map { .line($0) } ?? .unset) }
  }

  /// Whether the last line of a text is the one read without a newline.
  func markLastLine(of text: PieceTable) -> Bool {
    !text.isEmpty && self[Self.unterminatedLine]?.value == text.newlineCount
  }

  /// The marks that are set, and their lines.
  var lines: [(mark: Int, line: LineNumber)] {
    places.indices.compactMap { mark in self[mark].map { (mark, $0) } }
  }

  /// The letters of the marks that are set.
  var letters: [UInt8] {
    lines.filter { $0.mark < Self.unterminatedLine }.map { UInt8(ascii: "a") + UInt8($0.mark) }
  }

  /// Whether a mark's line was removed.
  func isLost(_ mark: Int) -> Bool {
    if case .lost = place(mark) { true } else { false }
  }

  /// Notes that the line of a mark was removed, and can't be found by its identity.
  mutating func lose(_ mark: Int) { set(mark, .lost(identity: 0)) }

  /// Notes which lines those marks had that were lost without them.
  ///
  /// - Parameters:
  ///   - old: The marks before.
  ///   - text: The text before.
  mutating func identifyLost(_ old: Marks, in text: PieceTable) {
    for (mark, line) in old.lines where place(mark) == .lost(identity: 0) {
      set(mark, .lost(identity: text.lineIdentity(line)))
    }
  }

  private func place(_ mark: Int) -> Place { places.isEmpty ? .unset : places[mark] }

  private mutating func set(_ mark: Int, _ place: Place) {
    if places.isEmpty {
      if place == .unset { return }
      places = Array(repeating: .unset, count: Self.unterminatedLine + 1)
    }
    places[mark] = place
    if place == .unset && places.allSatisfy({ $0 == .unset }) { places = [] }
  }

  /// Unsets lost marks, when undo can no longer recover their lines.
  mutating func dropLost() {
    guard areUsed else { return }
    for mark in 0...Self.unterminatedLine {
      if case .lost = place(mark) { set(mark, .unset) }
    }
  }

  /// Updates marks for the replacement of lines by `inserted` others.
  ///
  /// - Parameters:
  ///   - lines: The replaced lines; an empty range inserts before its first line.
  ///   - inserted: The number of inserted lines.
  ///   - old: The text before the replacement.
  ///   - shift: The difference between `lines` and their numbers in `old`.
  ///   - new: The text after it, for finding marks on replaced lines by line identity; without it
  ///     they are lost.
  mutating func follow(
    _ lines: LineRange, inserting inserted: Int, from old: PieceTable, shift: Int = 0,
    to new: PieceTable? = nil
  ) {
    guard areUsed else { return }
    let span = LineRange(lines.first, lines.first + (inserted - 1))
    for mark in places.indices {
      let identity: UInt
      switch places[mark] {
      case .line(let line) where line > lines.last && line >= lines.first:
        places[mark] = .line(line + (inserted - lines.count))
        continue
      case .line(let line) where line >= lines.first: identity = old.lineIdentity(line - shift)
      case .lost(let lost): identity = lost
      case .line, .unset: continue
      }
      if inserted > 0, let line = new?.firstLine(withIdentity: identity, in: span) {
        places[mark] = .line(line)
      } else {
        places[mark] = .lost(identity: identity)
      }
    }
  }

  /// Updates marks for a move of lines to after line `target`, which is not one of them.
  mutating func move(_ lines: LineRange, after target: LineNumber) {
    guard areUsed else { return }
    for mark in places.indices {
      guard case .line(let line) = places[mark] else { continue }
      if lines.contains(line) {
        places[mark] = .line(
          line + (target < lines.first ? target + 1 - lines.first : target - lines.last))
      } else if target < line && line < lines.first {
        places[mark] = .line(line + lines.count)
      } else if lines.last < line && line <= target {
        places[mark] = .line(line - lines.count)
      }
    }
  }

  /// Sets marks to their place in `there`, if their place in `before` is the one in `here`. A mark
  /// lost in `here` may have been dropped in `before`.
  mutating func restore(from here: Marks, to there: Marks, where before: Marks) {
    guard here.areUsed || there.areUsed else { return }
    for mark in 0...Self.unterminatedLine {
      let (place, known) = (before.place(mark), here.place(mark))
      if place == known || place == .unset && here[mark] == nil { set(mark, there.place(mark)) }
    }
  }

  /// Recovers lost marks whose lines are among these.
  mutating func recoverLost(in text: PieceTable, _ lines: LineRange) {
    for mark in places.indices {
      if case .lost(let identity) = places[mark],
        let line = text.firstLine(withIdentity: identity, in: lines)
      {
        places[mark] = .line(line)
      }
    }
  }
}

/// The effects of edits since the undo point on whole lines, by which marks follow `u`.
///
/// `u` brings back the old lines and removes their replacements, even if their texts are the same;
/// the changes of the text don't show that.
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

  /// The loss of a mark.
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
