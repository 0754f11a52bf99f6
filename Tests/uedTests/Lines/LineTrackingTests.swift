import Differential
import Testing
import TextBuffer

@testable import ued

/// Addresses like `12@7`.
@Suite struct LineTrackingTests {
  /// `LINE_STEPS` makes it longer.
  @Test(arguments: seeds(40))
  func `a line of a revision is where a model of identities says`(_ seed: UInt64) {
    var walk = LineWalk(seed: seed)
    for step in 1...setting("LINE_STEPS", or: 60) {
      walk.step()
      if walk.failures.isEmpty { continue }
      let scripts = walk.scripts.suffix(12).joined(separator: "\n")
      Issue.record("step \(step): \(walk.failures.joined(separator: "; "))\n\(scripts)")
      return
    }
  }
}
