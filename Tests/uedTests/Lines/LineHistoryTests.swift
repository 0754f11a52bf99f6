import Differential
import Testing
import TextBuffer

@testable import ued

/// `blame`, and `history`, `undo` and `revert` with addresses.
@Suite struct LineHistoryTests {
  /// `LINE_STEPS` makes it longer.
  @Test(arguments: seeds(40))
  func `the history of lines is that of a model of identities`(_ seed: UInt64) {
    var walk = LineHistoryWalk(seed: seed)
    for step in 1...setting("LINE_STEPS", or: 40) where walk.end == nil {
      walk.step()
      if walk.failures.isEmpty { continue }
      let scripts = walk.scripts.joined(separator: "\n")
      Issue.record("step \(step): \(walk.failures.joined(separator: "; "))\n\(scripts)")
      return
    }
    if setting("LINE_COUNTS", or: 0) > 0 { print("counts", walk.counts, walk.end ?? "to the end") }
  }
}
