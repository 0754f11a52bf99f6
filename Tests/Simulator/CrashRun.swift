import Crashes
import Differential
import Dispatch
import Glibc
import Synchronization

/// Checks every state that a power cut may leave in the scenarios with `part` in the name.
struct CrashRun: Sendable {
  var program: String
  var library: String
  /// Empty selects all.
  var part: String
  var seed: UInt64
  /// The number of failed states that stops a scenario.
  var failuresAllowed: Int

  /// - Returns: Whether all states are as they must be.
  func run() -> Bool {
    let scenarios = CrashScenario.all.filter { part.isEmpty || $0.name.contains(part) }
    let failures = Atomic(scenarios.isEmpty ? 1 : 0)
    DispatchQueue.concurrentPerform(iterations: scenarios.count) {
      failures.wrappingAdd(check(scenarios[$0]), ordering: .relaxed)
    }
    return failures.load(ordering: .relaxed) == 0
  }

  /// - Returns: The number of states that break a promise.
  private func check(_ scenario: CrashScenario) -> Int {
    let start = Process.now()
    let check = CrashCheck(scenario, program: program, library: library)
    let states = check.allStates(seed: seed)
    say("\(scenario): \(check.changes.count) changes, \(states.count) states")
    var failed = check.changes.isEmpty ? 1 : 0
    for index in 0..<states.count where failed < failuresAllowed {
      if index % 10_000 == 9_999 { say("\(scenario): \(index + 1) of \(states.count) states") }
      let state = states[index]
      let failures = check.failures(in: state)
      if failures.isEmpty { continue }
      failed += 1
      say("\(scenario): state \(index), cut at \(state.cut): \(failures.joined(separator: "; "))")
    }
    let seconds = Int(Process.now() - start)
    say("\(scenario): \(failed) of \(states.count) states break a promise; \(seconds) s")
    return failed
  }

  private func say(_ text: String) {
    print(text)
    fflush(nil)
  }
}
