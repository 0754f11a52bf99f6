import TextBuffer

extension Change {
  /// Whether a pattern matches a line that the change removed or inserted.
  ///
  /// Lines are compared only if one of them matches: most often none does.
  func hasLine(matching pattern: Pattern, _ isBinary: Bool) -> Bool {
    var subject = Subject(isBinary: isBinary)
    let (removed, inserted) = (removed, inserted)
    let isFound = [removed, inserted].map { text in
      !text.isEmpty && subject.hasMatch(of: pattern, in: text, LineRange(1, text.lineCount))
    }
    if isFound == [false, false] { return false }
    if removed.isEmpty || inserted.isEmpty { return true }
    return LineDifference(from: removed, to: inserted).hunks.contains { hunk in
      isFound[0] && subject.hasMatch(of: pattern, in: removed, hunk.old)
        || isFound[1] && subject.hasMatch(of: pattern, in: inserted, hunk.new)
    }
  }
}

extension Subject {
  /// Whether a pattern matches one of some lines.
  fileprivate mutating func hasMatch(
    of pattern: Pattern, in text: PieceTable, _ lines: LineRange
  ) -> Bool {
    if lines.count == 0 { return false }
    var isFound = false
    text.forEachLine(in: lines) { _, line in
      isFound = matches(pattern, line)
      return !isFound
    }
    return isFound
  }
}
