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
    for step in 1...setting("LINE_STEPS", or: 40) where !walk.isAtEnd {
      walk.step()
      if walk.failures.isEmpty { continue }
      let scripts = walk.scripts.joined(separator: "\n")
      Issue.record("step \(step): \(walk.failures.joined(separator: "; "))\n\(scripts)")
      return
    }
  }
}
