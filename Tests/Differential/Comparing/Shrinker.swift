/// Makes a failing case small: each step tries a simpler case and keeps it if it still fails.
package struct Shrinker {
  /// The remaining number of runs; a case of thirty lines takes a few hundred.
  package var runsLeft = 1500
  private let fails: (Case) -> Bool

  package init(fails: @escaping (Case) -> Bool) {
    self.fails = fails
  }

  package mutating func shrink(_ test: Case) -> Case {
    var best = test
    while runsLeft > 0 {
      let before = best
      shrinkScript(&best)
      shrinkSettings(&best)
      shrinkText(&best)
      shrinkWithinLines(&best)
      if best == before { break }
    }
    return best
  }

  private mutating func keep(_ best: inout Case, _ change: (inout Case) -> Void) -> Bool {
    var candidate = best
    change(&candidate)
    guard candidate != best, runsLeft > 0 else { return false }
    runsLeft -= 1
    guard fails(candidate) else { return false }
    best = candidate
    return true
  }

  /// Removes ever smaller runs of elements as long as the rest still fails.
  private mutating func removeChunks<Element>(
    _ elements: [Element], atLeast smallest: Int = 1, from best: inout Case,
    put: (inout Case, [Element]) -> Void
  ) {
    var elements = elements
    var size = max(smallest, elements.count / 2)
    while size >= 1 && !elements.isEmpty && runsLeft > 0 {
      var start = 0
      while start < elements.count && runsLeft > 0 {
        var rest = elements
        rest.removeSubrange(start..<min(start + size, elements.count))
        if keep(&best, { put(&$0, rest) }) { elements = rest } else { start += size }
      }
      size /= 2
    }
  }

  private mutating func shrinkScript(_ best: inout Case) {
    removeChunks(best.scriptLines, from: &best) { $0.scriptLines = $1 }
  }

  private mutating func shrinkText(_ best: inout Case) {
    if keep(&best, { $0.text = Array(Fixture.text.utf8) }) { return }
    guard let text = best.text, text != Array(Fixture.text.utf8) else { return }
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    removeChunks(lines, from: &best) { $0.text = Array($1.joined(separator: [0x0A])) }
    if let text = best.text, text.count < 200 { removeChunks(text, from: &best) { $0.text = $1 } }
  }

  private mutating func shrinkSettings(_ best: inout Case) {
    _ = keep(&best) { $0.environment = ["LC_ALL=C"] }
    _ = keep(&best) { $0.standardInput = .pipe }
    _ = keep(&best) { $0.arguments = ["-s", "f"] }
    guard best.arguments != ["-s", "f"] else { return }
    for index in best.arguments.indices.reversed() where index < best.arguments.count {
      _ = keep(&best) { $0.arguments.remove(at: index) }
    }
  }

  /// Shortens lines, but not those with a `!`: half a shell command could be anything.
  private mutating func shrinkWithinLines(_ best: inout Case) {
    for index in best.scriptLines.indices where !best.scriptLines[index].contains(0x21) {
      guard best.scriptLines[index].count < 400 else { continue }
      removeChunks(best.scriptLines[index], from: &best) { test, line in
        test.scriptLines[index] = line
      }
    }
  }
}
