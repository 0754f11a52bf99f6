/// Runs hostile cases of one kind until the time is over.
package struct HostileFuzzer: Sendable {
  package var program: Program
  package var kind: HostileKind
  package var seed: UInt64
  package var secondsAllowed = Double.infinity
  package var casesAllowed = Int.max
  package var workers = 2
  /// The place for the folders of failed cases; nil discards them.
  package var saved: String?
  /// Scripts, texts and options that cases are made of.
  package var corpus: [Case]

  package struct Failure: Sendable {
    package var index: Int
    package var fault: HostileFault
  }

  package struct Result: Sendable {
    package var cases = 0
    package var runs = 0
    /// The first failure of each kind, and how often there was one.
    package var failures: [Failure] = []
    package var kinds: [String: Int] = [:]

    package init() {}
  }

  package init(program: Program, kind: HostileKind, seed: UInt64, transcripts: String?) {
    self.program = program
    self.kind = kind
    self.seed = seed
    corpus = transcripts.map { Transcript.all(in: $0).map { Transcript(path: $0).test } } ?? []
  }

  /// Makes a case from its number, the seed and the corpus. Only times and names of runs in a
  /// history differ each time.
  package func makeCase(_ index: Int) -> (test: HostileCase, seed: UInt64) {
    let seed = SeededGenerator.seed(ofCase: index, in: seed)
    var generator = HostileGenerator(seed: seed, corpus: corpus)
    return (generator.makeCase(kind), seed)
  }

  package func run() async -> Result {
    let deadline = Process.now() + secondsAllowed
    var total = Result()
    for part in await parallel(workers, { work($0, until: deadline) }) {
      total.cases += part.cases
      total.runs += part.runs
      total.failures += part.failures.filter { total.kinds[$0.fault.kind] == nil }
      total.kinds.merge(part.kinds, uniquingKeysWith: +)
    }
    total.failures.sort { $0.index < $1.index }
    return total
  }

  private func work(_ worker: Int, until deadline: Double) -> Result {
    let runner = HostileRunner(program)
    var result = Result()
    var index = worker
    while index < casesAllowed, Process.now() < deadline {
      let (test, seed) = makeCase(index)
      result.cases += 1
      result.runs += test.runs.count
      if let fault = runner.run(test, kind, seed: seed) {
        result.kinds[fault.kind, default: 0] += 1
        if result.kinds[fault.kind] == 1 {
          result.failures.append(Failure(index: index, fault: fault))
          if let saved { runner.save(to: "\(saved)/\(kind)-\(self.seed)-\(index)") }
        }
      }
      index += workers
    }
    return result
  }

  /// Runs one case by its number, and explains the result.
  package func show(_ index: Int) -> HostileFault? {
    let runner = HostileRunner(program)
    runner.explains = true
    let (test, seed) = makeCase(index)
    let fault = runner.run(test, kind, seed: seed)
    if let saved { runner.save(to: saved) }
    return fault
  }
}
