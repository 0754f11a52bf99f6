import TextBuffer

extension Change {
  /// Whether a pattern matches a line that the change removed or inserted.
  func hasLine(matching pattern: Pattern, _ isBinary: Bool) -> Bool {
    var subject = Subject(isBinary: isBinary)
    for (part, lines) in changedLines {
      var isFound = false
      part.forEachLine(in: lines) { _, line in
        isFound = subject.matches(pattern, line)
        return !isFound
      }
      if isFound { return true }
    }
    return false
  }

  /// The ranges of lines that it removed and inserted.
  private var changedLines: [(PieceTable, LineRange)] {
    let (removed, inserted) = (removed, inserted)
    var lines: [(PieceTable, LineRange)] = []
    for hunk in LineDifference(from: removed, to: inserted).hunks {
      if hunk.old.count > 0 { lines.append((removed, hunk.old)) }
      if hunk.new.count > 0 { lines.append((inserted, hunk.new)) }
    }
    return lines
  }
}
