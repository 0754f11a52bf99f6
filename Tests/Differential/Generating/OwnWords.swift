/// The commands that ed does not have, strewn into scripts of ed's.
package enum OwnWords {
  /// A case with some words between the lines of its script.
  ///
  /// - Parameters:
  ///   - test: A case for ed.
  ///   - seed: Says which words and where.
  /// - Returns: The case, for a program that has the words.
  package static func added(to test: Case, seed: UInt64) -> Case {
    var random = SplitMix64(seed: seed)
    var lines = test.scriptLines
    for _ in 0..<random.below(9) {
      lines.insert(line(&random), at: random.below(lines.count + 1))
    }
    var test = test
    test.script = Array(lines.joined())
    return test
  }

  private static func line(_ random: inout SplitMix64) -> [UInt8] {
    let number = random.below(7)
    let line = random.pick([
      "undo", "undo \(number)", "redo", "redo \(number)", "jump \(number)", "jump saved",
      "jump N", "earlier \(number)s", "later 1d", "earlier \(number)f", "later \(number)f",
      "history", "history all", "history /o/", "history json", "diff", "diff \(number)",
      "diff \(number) 1", "diff undo", "diff redo", "begin", "begin N", "end", "abort", "name N",
      "checkpoint", "checkpoint N", "forget", "revert \(number)", "help", "help s", "u", "w",
      "1,2!sort -r", "undo 99999999999999999999", "jump -1", "earlier", "history /[/",
    ])
    return Array(line.utf8) + [0x0A]
  }
}
