import TextBuffer

/// The marks `a` to `z`, and the mark of an unterminated last line. A mark follows its line through
/// every edit. When the line is removed, the mark is lost, but keeps the line's identity, by which
/// undo recovers it.
struct Marks: Sendable {
  private enum Place: Equatable {
    case unset
    case line(LineNumber)
    /// The line was removed; its identity finds it again after undo.
    case lost(identity: UInt)
  }

  /// The index of the mark for a last line that the file has without a newline.
  static let unterminatedLine = 26

  /// The place of each mark; empty while all marks are unset.
  private var places: [Place] = []

  /// Whether any mark is set or lost.
  var areUsed: Bool { !places.isEmpty }

  /// The line of a mark, nil if it is unset or lost. Indices are 0 to 25 for `a` to `z`, and
  /// ``unterminatedLine``.
  subscript(mark: Int) -> LineNumber? {
    get {
      if case .line(let line) = place(mark) { line } else { nil }
    }
    set { set(mark, newValue.map { .line($0) } ?? .unset) }
  }

  /// Whether the last line of a text has the mark ``unterminatedLine``.
  func isLastLineUnterminated(of text: PieceTable) -> Bool {
    !text.isEmpty && self[Self.unterminatedLine]?.value == text.newlineCount
  }

  var lines: [(mark: Int, line: LineNumber)] {
    places.indices.compactMap { mark in self[mark].map { (mark, $0) } }
  }

  var letters: [UInt8] {
    lines.filter { $0.mark < Self.unterminatedLine }.map { UInt8(ascii: "a") + UInt8($0.mark) }
  }

  func isLost(_ mark: Int) -> Bool {
    if case .lost = place(mark) { true } else { false }
  }

  /// Makes a mark lost, because its line was removed. The identity 0 finds no line again.
  mutating func lose(_ mark: Int, identity: UInt) { set(mark, .lost(identity: identity)) }

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

  /// Updates marks after `inserted` lines have replaced a range of lines. A mark on a replaced line
  /// moves to the inserted line with the same identity, or else is lost. An empty range inserts
  /// before its first line.
  mutating func follow(
    _ lines: LineRange, inserting inserted: Int, from old: PieceTable, to new: PieceTable
  ) {
    guard areUsed else { return }
    let span = LineRange(lines.first, lines.first + (inserted - 1))
    for mark in places.indices {
      let identity: UInt
      switch places[mark] {
      case .line(let line) where line > lines.last && line >= lines.first:
        places[mark] = .line(line + (inserted - lines.count))
        continue
      case .line(let line) where line >= lines.first: identity = old.lineIdentity(line)
      case .lost(let lost): identity = lost
      case .line, .unset: continue
      }
      if inserted > 0, let line = new.firstLine(withIdentity: identity, in: span) {
        places[mark] = .line(line)
      } else {
        places[mark] = .lost(identity: identity)
      }
    }
  }

  /// Restores marks after the undo or redo of one group. The group recorded the marks `here` on the
  /// side left, and `there` on the side reached. `before` has the marks just before the move. Sets
  /// each mark to its place in `there`, unless `here` and `before` differ: then it was set since.
  /// But a mark lost in `here` and unset in `before` was dropped, not set.
  mutating func restore(from here: Marks, to there: Marks, where before: Marks) {
    guard here.areUsed || there.areUsed else { return }
    for mark in 0...Self.unterminatedLine {
      let (place, known) = (before.place(mark), here.place(mark))
      if place == known || place == .unset && here[mark] == nil { set(mark, there.place(mark)) }
    }
  }

  /// Recovers lost marks whose lines are in the range `lines` of a text.
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
