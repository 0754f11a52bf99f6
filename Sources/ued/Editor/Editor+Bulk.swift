import TextBuffer

/// The command lists that are done in one pass over the text instead of line by line: `d`, `m0`,
/// `m$` and a substitution, each as the whole of a list. The outcome is the same.
extension Editor {
  /// Runs a list on each of several lines if it is one that can be done in one pass.
  ///
  /// - Returns: Whether it was.
  mutating func runInOnePass<Source: LineSource & ~Copyable>(
    _ list: [ParsedCommand], onEachOf lines: [Int], reading source: inout Source
  ) throws(EditorError) -> Bool {
    guard list.count == 1, let only = list.first, lines.count > 1,
      only.addresses.isEmpty, only.format.isEmpty, only.fault == nil, !marks.areUsed
    else { return false }
    switch only.command {
    case .delete:
      delete(eachOf: lines)
    case .move(let target) where target == Addresses([.number(0)]):
      gather(lines.reversed(), before: true)
    case .move(let target) where target == Addresses([.last]):
      gather(lines, before: false)
    case .substitute(let substitution) where substitution.format.isEmpty:
      try substitute(only, onEachOf: lines, reading: &source)
    default: return false
    }
    return true
  }

  /// Removes lines; the last of them goes to the cut buffer.
  private mutating func delete(eachOf lines: [Int]) {
    let old = buffer
    var builder = PieceTable.Builder(
      from: old, copyingBelow: Memory.leastShared(of: old.byteCount))
    let span = LineRange(lines[0], lines[lines.count - 1])
    keep(span, of: old, without: lines, in: &builder)
    yank(LineRange(span.last))
    replace(span, with: builder.finish())
    currentLine = min(span.last.value - lines.count + 1, lastLine)
  }

  /// Moves lines to the start or to the end of the text.
  private mutating func gather(_ lines: some Collection<Int>, before: Bool) {
    let old = buffer
    let ascending = lines.sorted()
    var builder = PieceTable.Builder(
      from: old, copyingBelow: Memory.leastShared(of: old.byteCount))
    let all = LineRange(1, lastLine)
    if !before { keep(all, of: old, without: ascending, in: &builder) }
    for line in lines { builder.keep(old.byteRange(of: LineRange(line, line))) }
    if before { keep(all, of: old, without: ascending, in: &builder) }
    replace(all, with: builder.finish())
    currentLine = before ? 1 : lastLine
  }

  /// Keeps a range of lines but for some of them.
  private func keep(
    _ lines: LineRange, of text: PieceTable, without excluded: [Int],
    in builder: inout PieceTable.Builder
  ) {
    var next = lines.first.value
    for line in excluded {
      if next < line { builder.keep(text.byteRange(of: LineRange(next, line - 1))) }
      next = line + 1
    }
    if next <= lines.last.value {
      builder.keep(text.byteRange(of: LineRange(next, lines.last.value)))
    }
  }

  private mutating func replace(_ lines: LineRange, with text: PieceTable) {
    document.edit { $0.replaceLines(lines, with: text) }
    noteEdit()
    isModified = true
  }
}
