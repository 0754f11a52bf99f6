import TextBuffer

/// A list of tasks, one a line, with its whole history.
///
/// A line is `[ ] ` or `[x] ` and a title. The state of the list is a document: each command is one
/// transaction, so undo needs no further code.
struct TaskList {
  private(set) var document: Document<Void>

  init(_ document: Document<Void> = Document(PieceTable())) { self.document = document }

  /// The reasons to refuse a command.
  enum Problem: Error, CustomStringConvertible {
    case noSuchTask(Int, last: Int)
    case titleOfSeveralLines
    case nothingToUndo
    case nothingToRedo

    var description: String {
      switch self {
      case .noSuchTask(let number, let last): "task \(number)? the last one is \(last)"
      case .titleOfSeveralLines: "a title is one line"
      case .nothingToUndo: "nothing to undo"
      case .nothingToRedo: "nothing to redo"
      }
    }
  }

  /// The tasks as they are shown; the first one has number 1.
  var lines: [String] { (0..<document.buffer.lineCount).map { line($0 + 1) } }

  mutating func add(_ title: String, time: Double) throws(Problem) {
    guard !title.contains(where: \.isNewline) else { throw .titleOfSeveralLines }
    let last = LineNumber(document.buffer.lineCount)
    document.edit("Add \(title)", date: time) { draft in
      draft.insertLines("[ ] \(title)\n".utf8, after: last)
    }
  }

  /// Marks a task as done.
  ///
  /// - Parameters:
  ///   - number: The number of the task, counted from 1.
  ///   - time: The present time, in seconds since 1970.
  /// - Throws: `Problem.noSuchTask`.
  mutating func finish(_ number: Int, time: Double) throws(Problem) {
    try check(number)
    let title = title(number)
    document.edit("Finish \(title)", date: time) { draft in
      draft.replaceLines(LineRange(number, number), with: "[x] \(title)\n".utf8)
    }
  }

  mutating func remove(_ number: Int, time: Double) throws(Problem) {
    try check(number)
    document.edit("Remove \(title(number))", date: time) { draft in
      draft.removeLines(LineRange(number, number))
    }
  }

  /// Moves tasks that are done behind the others, in one step.
  mutating func sort(time: Double) {
    let isDone: (String) -> Bool = { $0.hasPrefix("[x] ") }
    let sorted = lines.filter { !isDone($0) } + lines.filter(isDone)
    document.edit("Sort", date: time) { draft in
      draft.setText(PieceTable(sorted.map { $0 + "\n" }.joined()))
    }
  }

  /// Undoes the latest step.
  ///
  /// - Returns: The name of the step.
  mutating func undo() throws(Problem) -> String {
    guard let id = document.undo()?.from else { throw .nothingToUndo }
    return document.history[id].name ?? ""
  }

  /// Redoes the step that was undone last.
  ///
  /// - Returns: The name of the step.
  mutating func redo() throws(Problem) -> String {
    guard let id = document.redo()?.to else { throw .nothingToRedo }
    return document.history[id].name ?? ""
  }

  /// Replaces the text by one that another program has written, as a step.
  mutating func adopt(_ text: PieceTable, time: Double) {
    document.edit("Changed elsewhere", date: time) { draft in draft.setText(text) }
  }

  private func check(_ number: Int) throws(Problem) {
    let last = document.buffer.lineCount
    guard (0..<last).contains(number - 1) else { throw .noSuchTask(number, last: last) }
  }

  private func line(_ number: Int) -> String {
    String(decoding: document.buffer.line(LineNumber(number)), as: UTF8.self)
  }

  private func title(_ number: Int) -> String {
    let line = line(number)
    return line.hasPrefix("[ ] ") || line.hasPrefix("[x] ") ? String(line.dropFirst(4)) : line
  }
}
