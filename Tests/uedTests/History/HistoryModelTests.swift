import Testing

@Suite struct HistoryModelTests {
  /// `HISTORY_STEPS` makes it longer, and `HISTORY_SHOWN` shows more commands.
  @Test(arguments: seeds(30))
  func `the history is what a list of all texts says it is`(_ seed: UInt64) {
    var walk = HistoryWalk(seed: seed)
    let steps = setting("HISTORY_STEPS", or: 300)
    for step in 1...steps {
      walk.step()
      walk.compare()
      if step % 100 == 0 || step == steps { walk.compareRevisions(upTo: step == steps ? .max : 50) }
      if walk.failures.isEmpty { continue }
      let commands = walk.scripts.suffix(setting("HISTORY_SHOWN", or: 40))
      Issue.record(
        "step \(step): \(walk.failures.joined(separator: "; "))\n\(commands.joined(separator: "\n"))"
      )
      return
    }
  }
}
