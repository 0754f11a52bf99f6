/// Parts of several texts in a row, as one text: what a text was before some changes, to be looked
/// at without being built.
struct Mosaic {
  private struct Part {
    var text: Subtree
    var lower: Int
    var upper: Int
  }

  private var parts: [Part]

  /// All of a text.
  init(_ text: Subtree) {
    parts = [Part(text: text, lower: 0, upper: text.summary.byteCount)]
  }

  /// Puts a text in the place of the bytes from `lower` up to `upper`.
  mutating func replace(_ lower: Int, _ upper: Int, with text: Subtree) {
    let inserted = Part(text: text, lower: 0, upper: text.summary.byteCount)
    parts = slice(0, lower) + [inserted] + slice(upper, .max)
  }

  private func slice(_ lower: Int, _ upper: Int) -> [Part] {
    var slice: [Part] = []
    var start = 0
    for part in parts {
      let end = start + part.upper - part.lower
      let (from, to) = (max(lower, start), min(upper, end))
      if from < to {
        slice.append(
          Part(text: part.text, lower: part.lower + from - start, upper: part.lower + to - start))
      }
      start = end
    }
    return slice
  }

  /// Whether the bytes from `lower` up to `upper` are those that `text` has there.
  ///
  /// - Complexity: O(log *p*) for *p* pieces of all texts, and O(n) up to the first difference;
  ///   what is at the same place in memory is not compared byte by byte.
  func hasSameText(as text: Subtree, _ lower: Int, _ upper: Int) -> Bool {
    var mine = Cursor(text, at: lower)
    for part in slice(lower, upper) {
      var theirs = Cursor(part.text, at: part.lower)
      while let run = theirs.nextMaximalRun(upTo: part.upper) {
        var rest = run
        while rest.count > 0, let match = mine.nextRun(upTo: min(upper, mine.offset + rest.count)) {
          if !rest.prefix(match.count).hasSameBytes(as: match) { return false }
          rest = rest.dropping(match.count)
        }
      }
    }
    return true
  }
}
