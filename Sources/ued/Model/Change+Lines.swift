import TextBuffer

extension Change {
  /// Whether a pattern matches a line that the change removed or inserted.
  ///
  /// Lines are compared only if one of them matches: most often none does.
  func hasLine(matching pattern: Pattern, _ isBinary: Bool) -> Bool {
    var subject = Subject(isBinary: isBinary)
    let (removed, inserted) = (removed, inserted)
    let isInRemoved = subject.hasMatch(of: pattern, in: removed)
    let isInInserted = subject.hasMatch(of: pattern, in: inserted)
    if !isInRemoved && !isInInserted { return false }
    if removed.isEmpty || inserted.isEmpty { return true }
    return LineDifference(from: removed, to: inserted).hunks.contains { hunk in
      isInRemoved && subject.hasMatch(of: pattern, in: removed, hunk.old)
        || isInInserted && subject.hasMatch(of: pattern, in: inserted, hunk.new)
    }
  }
}

extension Subject {
  /// Whether a pattern matches one of some lines, by default of all.
  fileprivate mutating func hasMatch(
    of pattern: Pattern, in text: PieceTable, _ some: LineRange? = nil
  ) -> Bool {
    if text.isEmpty { return false }
    let lines = some ?? LineRange(1, text.lineCount)
    if lines.count == 0 { return false }
    var isFound = false
    text.forEachLine(in: lines) { _, line in
      isFound = matches(pattern, line)
      return !isFound
    }
    return isFound
  }
}
