/// The commands that ed does not have.
package enum OwnWords {
  /// Commands, each of which begins with a word of ued's, but for the last few.
  private static func commands(_ number: Int) -> [String] {
    [
      "undo", "undo \(number)", "redo", "redo \(number)", "jump \(number)", "jump saved", "jump N",
      "earlier \(number)s", "later 1d", "earlier \(number)f", "later \(number)f", "history",
      "history all", "history /o/", "history json", "diff", "diff \(number)", "diff \(number) 1",
      "diff undo", "diff redo", "begin", "begin N", "end", "abort", "name N", "checkpoint",
      "checkpoint N", "forget", "revert \(number)", "help", "help s", "u", "w", "1,2!sort -r",
      "undo 99999999999999999999", "jump -1", "earlier", "history /[/",
    ]
  }

  /// The words themselves.
  package static let words = Set(
    (commands(0) + ["edit"]).map { String($0.prefix { $0.isLetter }) }.filter { $0.count > 1 })

  /// A case with some of the commands between the lines of its script.
  ///
  /// - Parameters:
  ///   - test: A case for ed.
  ///   - seed: Decides which commands and where.
  /// - Returns: The case, for a program that has the words.
  package static func added(to test: Case, seed: UInt64) -> Case {
    var random = SplitMix64(seed: seed)
    var lines = test.scriptLines
    for _ in 0..<random.below(9) {
      let command = random.pick(commands(random.below(7)))
      lines.insert(Array(command.utf8), at: random.below(lines.count + 1))
    }
    var test = test
    test.script = Array(lines.joined(separator: [0x0A]))
    return test
  }

  /// Whether a case has options, words or filters that ed does not have: only ued can run it.
  package static func areIn(_ test: Case) -> Bool {
    let options = ["-e", "-f", "-i", "--diff", "--atomic", "--history"]
    if test.arguments.contains(where: { word in options.contains { word.hasPrefix($0) } }) {
      return true
    }
    return test.scriptLines.contains { line in
      let command = line.dropFirst(Case.addressCount(line))
      return Case.isFilter(line)
        || words.contains(String(String(decoding: command, as: UTF8.self).prefix { $0.isLetter }))
    }
  }
}
