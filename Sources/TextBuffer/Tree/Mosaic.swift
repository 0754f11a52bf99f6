/// Parts of several texts in a row, such as the text before changes. It is compared without being
/// built.
struct Mosaic {
  private struct Part {
    var text: Subtree
    var lower: Int
    var upper: Int
  }

  private var parts: [Part]

  init(_ text: Subtree) {
    parts = [Part(text: text, lower: 0, upper: text.summary.byteCount)]
  }

  /// Replaces the bytes from `lower` up to `upper` by a text.
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

  /// Whether `text` has the same bytes as this one from `lower` up to `upper`.
  ///
  /// - Complexity: O(log *p*) for *p* pieces of all texts, and O(*n*) up to the first difference.
  ///   Bytes at the same place in memory are not compared.
  func hasSameText(as text: Subtree, _ lower: Int, _ upper: Int) -> Bool {
    var textCursor = Cursor(text, at: lower)
    for part in slice(lower, upper) {
      var partCursor = Cursor(part.text, at: part.lower)
      while let extent = partCursor.nextMaximalExtent(upTo: part.upper) {
        var rest = extent
        while rest.count > 0,
          let match = textCursor.nextExtent(upTo: min(upper, textCursor.offset + rest.count))
        {
          if !rest.prefix(match.count).hasSameBytes(as: match) { return false }
          rest = rest.dropping(match.count)
        }
      }
    }
    return true
  }
}

extension Subtree {
  /// Whether both trees hold the same bytes.
  func hasSameText(as other: Subtree) -> Bool {
    summary == other.summary
      && (node === other.node || Mosaic(self).hasSameText(as: other, 0, summary.byteCount))
  }
}
