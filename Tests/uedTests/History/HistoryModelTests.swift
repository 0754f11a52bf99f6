import Glibc
import Testing

/// `HISTORY_SEEDS`, `HISTORY_FIRST` and `HISTORY_STEPS` make it longer and different.
@Suite struct HistoryModelTests {
  private static func number(_ name: String, or usual: Int) -> Int {
    getenv(name).flatMap { Int(String(cString: $0) as String) } ?? usual
  }

  private static let seeds: Range<Int> = {
    let first = number("HISTORY_FIRST", or: 0)
    return first..<first + number("HISTORY_SEEDS", or: 12)
  }()

  @Test(arguments: seeds)
  func `the history is what a list of all texts says it is`(seed: Int) {
    var walk = HistoryWalk(seed: UInt64(seed))
    let steps = Self.number("HISTORY_STEPS", or: 300)
    for step in 1...steps {
      walk.step()
      walk.compare()
      if step % 100 == 0 || step == steps { walk.compareRevisions(upTo: step == steps ? .max : 50) }
      if walk.failures.isEmpty { continue }
      let commands = walk.scripts.suffix(Self.number("HISTORY_SHOWN", or: 40))
      Issue.record(
        "step \(step): \(walk.failures.joined(separator: "; "))\n\(commands.joined(separator: "\n"))"
      )
      return
    }
  }
}
