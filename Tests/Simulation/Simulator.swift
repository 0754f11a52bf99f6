import Differential
import Dispatch
import Glibc
import Synchronization

/// Simulates sessions for a row of seeds, several at once.
package struct Simulator: Sendable {
  package var program: String
  package var library: DiskLibrary?
  package var seed: UInt64 = 1
  package var sessionsAllowed = Int.max
  package var secondsAllowed = Double.infinity
  package var workers = 4
  /// Whether plans list ued's answers.
  package var notesAnswers = false
  /// Whether the power fails in some sessions.
  package var hasPowerCuts = true
  /// Failures after which no more sessions begin.
  package var failuresAllowed = 5

  package init(program: String, library: DiskLibrary?) {
    (self.program, self.library) = (program, library)
    signal(SIGPIPE, SIG_IGN)
  }

  /// A session with a broken invariant.
  package struct Failure: Sendable {
    package var seed: UInt64
    package var what: String
    package var plan: [String]

    package var report: String {
      "seed \(seed): \(what)\n" + plan.map { "    \($0)\n" }.joined()
    }
  }

  package struct Result: Sendable {
    package var sessions = 0
    package var commands = 0
    package var processes = 0
    package var failures: [Failure] = []

    package init() {}
  }

  /// Simulates one session.
  package func simulate(_ seed: UInt64, into result: inout Result) -> [String] {
    let session = SimulatedSession(
      seed: seed, program: program, library: library, hasPowerCuts: hasPowerCuts)
    session.notesAnswers = notesAnswers
    let what = session.run()
    result.sessions += 1
    result.commands += session.commandCount
    result.processes += session.processCount
    if let what { result.failures.append(Failure(seed: seed, what: what, plan: session.plan)) }
    return session.plan
  }

  /// Simulates sessions from the seed on, until the time or their number is over.
  package func run() -> Result {
    let deadline = Process.now() + secondsAllowed
    let state = State()
    let group = DispatchGroup()
    let queue = DispatchQueue(label: "sessions", attributes: .concurrent)
    for _ in 0..<workers {
      queue.async(group: group) {
        while Process.now() < deadline, let index = state.next(sessionsAllowed, failuresAllowed) {
          var part = Result()
          _ = simulate(seed &+ UInt64(index), into: &part)
          state.add(part)
        }
      }
    }
    group.wait()
    return state.total.withLock { $0 }
  }

  /// The shared state of the workers.
  private final class State: Sendable {
    let total = Mutex(Result())
    private let begun = Atomic(0)

    /// The number of the next session; nil when there are enough.
    func next(_ sessions: Int, _ failures: Int) -> Int? {
      if total.withLock({ $0.failures.count >= failures }) { return nil }
      let index = begun.wrappingAdd(1, ordering: .relaxed).oldValue
      return index < sessions ? index : nil
    }

    func add(_ part: Result) {
      total.withLock {
        $0.sessions += part.sessions
        $0.commands += part.commands
        $0.processes += part.processes
        $0.failures += part.failures
      }
    }
  }
}
