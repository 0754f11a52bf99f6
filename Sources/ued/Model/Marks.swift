import TextBuffer

/// The lines that marks stand on.
///
/// A mark follows its line through every edit. When its line goes, the mark is lost, but remembers
/// the line's identity, so that undo can bring it back.
struct Marks: Sendable {
  /// Where a mark is.
  private enum Place: Equatable {
    case unset
    case line(LineNumber)
    /// Its line is gone; the identity tells it again.
    case lost(identity: UInt)
  }

  /// The mark of a last line without a newline.
  static let unterminatedLine = 26

  /// A place for each mark, or nothing while none is set or lost.
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

  private func place(_ mark: Int) -> Place { places.isEmpty ? .unset : places[mark] }

  private mutating func set(_ mark: Int, _ place: Place) {
    if places.isEmpty {
      if place == .unset { return }
      places = Array(repeating: .unset, count: Self.unterminatedLine + 1)
    }
    places[mark] = place
    if place == .unset && places.allSatisfy({ $0 == .unset }) { places = [] }
  }

  /// Forgets the lines that are gone: nothing will bring them back.
  mutating func forgetLost() {
    guard areUsed else { return }
    for mark in 0...Self.unterminatedLine {
      if case .lost = place(mark) { set(mark, .unset) }
    }
  }

  /// Follows the replacement of lines by `inserted` others.
  ///
  /// - Parameters:
  ///   - lines: The lines that go, which may be none before the first of them.
  ///   - inserted: How many lines come.
  ///   - buffer: The text before the replacement.
  ///   - shift: By how much the numbers here differ from those in `buffer`.
  mutating func replace(
    _ lines: LineRange, inserting inserted: Int, in buffer: PieceTable, shift: Int
  ) {
    guard areUsed else { return }
    for mark in places.indices {
      guard case .line(let line) = places[mark], line >= lines.first else { continue }
      if line > lines.last {
        places[mark] = .line(line + (inserted - lines.count))
      } else {
        places[mark] = .lost(identity: buffer.lineIdentity(line - shift))
      }
    }
  }

  /// Follows the move of lines to after line `target`, which is not one of them.
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

  /// Goes from one state to another where nothing has touched a mark since the first.
  mutating func takeBack(from here: Marks, to there: Marks) {
    restore(from: here, to: there, where: self)
  }

  /// Sets the marks of another state that were, in `before`, as they are in the state `here`. A mark
  /// that was lost there may have been forgotten since.
  mutating func restore(from here: Marks, to there: Marks, where before: Marks) {
    guard here.areUsed || there.areUsed else { return }
    for mark in 0...Self.unterminatedLine {
      let (place, known) = (before.place(mark), here.place(mark))
      if place == known || place == .unset && here[mark] == nil { set(mark, there.place(mark)) }
    }
  }

  /// Sets marks whose lines were gone and are among these.
  mutating func findLost(in text: PieceTable, _ lines: LineRange) {
    for mark in places.indices {
      if case .lost(let identity) = places[mark],
        let line = text.firstLine(withIdentity: identity, in: lines)
      {
        places[mark] = .line(line)
      }
    }
  }

  /// Follows a jump to another revision, whose text differs by the replacement of lines by `inserted`
  /// others.
  ///
  /// Lines in the span of the replacement are told by their identity.
  mutating func follow(
    from old: PieceTable, to new: PieceTable, _ lines: LineRange, inserting inserted: Int
  ) {
    guard areUsed else { return }
    for mark in places.indices {
      let identity: UInt
      switch places[mark] {
      case .unset: continue
      case .line(let line):
        if line < lines.first { continue }
        if line > lines.last {
          places[mark] = .line(line + (inserted - lines.count))
          continue
        }
        identity = old.lineIdentity(line)
      case .lost(let lost):
        identity = lost
      }
      let span = LineRange(lines.first, lines.first + (inserted - 1))
      if inserted > 0, let line = new.firstLine(withIdentity: identity, in: span) {
        places[mark] = .line(line)
      } else {
        places[mark] = .lost(identity: identity)
      }
    }
  }
}
