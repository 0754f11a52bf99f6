import Foundation
import TextBuffer
import TextBufferModels
import Testing
import TextBufferTesting

/// Random sessions with the whole library, compared with plain values.
///
/// `FIRST_SEED=1 SEEDS=50000` makes more, and `STEPS` longer ones. `SESSION_LOG=1` prints
/// each seed first, to find a session that traps. Sessions with even seeds have valid Unicode text,
/// the others any bytes.
@Suite struct `A session` {
  private static let first = setting("FIRST_SEED", or: 1)
  private static let last = setting("SEEDS", or: 200)

  /// Ranges of seeds: a test case for each seed would cost more than its session.
  static let portions = stride(from: first, through: max(first, last), by: 50).map {
    $0...min($0 + 49, max(first, last))
  }

  @Test(arguments: portions)
  func `with a document is the same as with plain values`(seeds: ClosedRange<Int>) {
    let isLogged = setting("SESSION_LOG", or: 0) > 0
    var kinds: Set<History<Change>.Event.Kind> = []
    for seed in seeds {
      if isLogged { print("seed \(seed)") }
      var session = LibrarySession(seed: seed)
      let count = setting("STEPS", or: seed % 20 == 0 ? 100 : 6 + seed % 17)
      do {
        try session.run(count)
      } catch {
        Issue.record("seed \(seed), step \(session.step), \(session.action): \(error)")
      }
      kinds.formUnion(session.mirror.kinds)
    }
    #expect(
      seeds.count < 50
        || kinds.isSuperset(of: [.recorded, .typed, .undone, .rolledBack, .saved, .named]))
  }

  @Test(arguments: portions)
  func `with an undoable value is the same as with plain values`(seeds: ClosedRange<Int>) {
    for seed in seeds {
      var session = UndoableSession(seed: seed)
      do {
        try session.run(20)
      } catch {
        Issue.record("seed \(seed), \(session.action): \(error)")
      }
    }
  }
}

/// A number from the environment, for tests that are run longer by hand.
func setting(_ name: String, or usual: Int) -> Int {
  ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? usual
}
