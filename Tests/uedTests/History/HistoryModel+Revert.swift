import TextBuffer

/// Predicts `revert` from the texts that every group began with, went through and ended with.
extension HistoryModel {
  enum RevertResult: Hashable {
    /// Nothing changes, since a later group changed what the reverted one did.
    case refused(by: Int)
    /// The text after each replacement, the last one being the result, and the current line.
    case done(texts: [[Line]], line: Int)
  }

  /// Lines of an old text and the lines of a new one in their place.
  private struct Hunk: Hashable {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// Lines that the reverted group put, where they are in a later text, and what it took out there.
  private struct Part: Hashable {
    var lines: Range<Int>
    var removed: [Line]

    /// Follows a later change.
    ///
    /// - Returns: Nil when the change overlaps the lines, or puts lines just where some were taken out.
    func following(_ hunk: Hunk) -> Part? {
      let (start, end) = (lines.lowerBound, lines.upperBound)
      let overlaps = hunk.old.lowerBound < end && start < hunk.old.upperBound
      if overlaps || lines.isEmpty && hunk.old == lines { return nil }
      if hunk.old.upperBound > start { return self }
      let shift = hunk.new.count - hunk.old.count
      return Part(lines: start + shift..<end + shift, removed: removed)
    }
  }

  /// The possible results of reverting a group on the path to the present text.
  ///
  /// That is one result as a rule. There are several when a group can be described by different
  /// hunks, equally few lines each: two blocks that changed places, or lines of the same text. A
  /// group of several edits may also count edit by edit or as a whole.
  func revertResults(of id: Int) -> [RevertResult] {
    let old = revisions[revisions[id].parent ?? 0].lines
    var candidates = Self.differences(from: old, to: revisions[id].lines).map { hunks in
      hunks.map { Part(lines: $0.new, removed: Array(old[$0.old])) }
    }
    var results: [RevertResult] = []
    for later in path(to: id).back.reversed() {
      let start = revisions[revisions[later].parent ?? 0].lines
      let (steps, end) = (revisions[later].steps, revisions[later].lines)
      var next: [[Part]] = []
      for texts in steps.isEmpty ? [[start, end]] : [[start, end], [start] + steps + [end]] {
        var moved = candidates
        for (before, after) in zip(texts, texts.dropFirst()) {
          moved = Self.followed(moved, from: before, to: after) {
            results.append(.refused(by: later))
          }
        }
        next += moved
      }
      candidates = next.unique
    }
    if !results.isEmpty, let compared = comparedRevert(of: id) { results = [compared] }
    return (results + candidates.map(revert)).unique
  }

  /// The result of comparing the texts before and after a group with the present one; nil if there is a
  /// conflict, or nothing to change, or if the group moved lines, as texts do not show where those have gone.
  private func comparedRevert(of id: Int) -> RevertResult? {
    func text(_ lines: [Line]) -> PieceTable { PieceTable(lines.map { $0.text + "\n" }.joined()) }
    let old = revisions[revisions[id].parent ?? 0].lines
    if old.map(\.identity).sorted() == revisions[id].lines.map(\.identity).sorted() { return nil }
    let merge = LineMerge(of: text(lines), and: text(old), from: text(revisions[id].lines))
    let parts = merge.regions.filter { $0.kind == .theirs }.map {
      Part(
        lines: $0.ours.first.value - 1..<$0.ours.last.value,
        removed: Array(old[$0.theirs.first.value - 1..<$0.theirs.last.value]))
    }
    return merge.conflicts.isEmpty && !parts.isEmpty ? revert(parts) : nil
  }

  /// All parts of each candidate where they are after a step, in each way to describe the step.
  private static func followed(
    _ candidates: [[Part]], from old: [Line], to new: [Line], orRefuse refuse: () -> Void
  ) -> [[Part]] {
    var result: [[Part]] = []
    for hunks in differences(from: old, to: new) {
      for parts in candidates {
        let moved = parts.compactMap { part in
          hunks.reversed().reduce(part) { part, hunk in part?.following(hunk) }
        }
        if moved.count == parts.count { result.append(moved) } else { refuse() }
      }
    }
    return result
  }

  /// Puts back what each part took out.
  private func revert(_ parts: [Part]) -> RevertResult {
    var texts = [lines]
    for part in parts.reversed() {
      texts.append(texts[texts.count - 1])
      texts[texts.count - 1].replaceSubrange(part.lines, with: part.removed)
    }
    let count = texts[texts.count - 1].count
    let line = parts.first.map { $0.lines.lowerBound + max($0.removed.count, 1) } ?? self.line
    return .done(texts: Array(texts.dropFirst()), line: min(line, count))
  }

  /// Every way to tell two texts apart that keeps as many lines as possible.
  private static func differences(from old: [Line], to new: [Line]) -> [[Hunk]] {
    // The number of lines that can be kept of what follows the first i and j lines.
    var kept = [[Int]](repeating: [Int](repeating: 0, count: new.count + 1), count: old.count + 1)
    for i in old.indices.reversed() {
      for j in new.indices.reversed() {
        kept[i][j] =
          old[i].text == new[j].text ? kept[i + 1][j + 1] + 1 : max(kept[i + 1][j], kept[i][j + 1])
      }
    }
    func ways(_ start: Int, _ newStart: Int) -> [[Hunk]] {
      func hunk(_ i: Int, _ j: Int) -> [Hunk] {
        i == start && j == newStart ? [] : [Hunk(old: start..<i, new: newStart..<j)]
      }
      if kept[start][newStart] == 0 { return [hunk(old.count, new.count)] }
      return (start..<old.count).flatMap { i in
        (newStart..<new.count).flatMap { j -> [[Hunk]] in
          guard old[i].text == new[j].text, kept[i + 1][j + 1] + 1 == kept[start][newStart] else {
            return []
          }
          return ways(i + 1, j + 1).map { hunk(i, j) + $0 }
        }
      }
    }
    return ways(0, 0)
  }
}

extension Array where Element: Hashable {
  /// The elements in their order, each once.
  fileprivate var unique: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
