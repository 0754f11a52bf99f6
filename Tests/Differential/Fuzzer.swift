/// Runs generated cases until the time is over, and makes the failing ones small.
package struct Fuzzer: Sendable {
  package var program: Program
  package var oracle = Program.oracle
  package var seed: UInt64
  package var secondsAllowed = Double.infinity
  package var casesAllowed = Int.max
  package var category: Category?
  package var workers = 2
  /// Kinds of failure after which a worker stops.
  package var failuresAllowed = 10
  package var shrinks = true
  /// Runs the program alone, with words of its own in the scripts: it must not crash or hang.
  package var isAlone = false

  package init(program: Program, seed: UInt64) {
    self.program = program
    self.seed = seed
  }

  package struct Failure: Sendable {
    package var index: Int
    package var category: Category
    package var comparison: Comparison
  }

  package struct Result: Sendable {
    package var cases = 0
    /// The first failing case of each kind, and how often there was one of the kind.
    package var failures: [Failure] = []
    package var kinds: [String: Int] = [:]
    package var categories: [String: Int] = [:]
    /// Cases that ended with status 0; the lines of all scripts; answers `?` of ed.
    package var clean = 0
    package var lines = 0
    package var answers = 0

    package init() {}
  }

  /// Makes a case from its number, the category and the seed.
  package func makeCase(_ index: Int) -> (Case, Category) {
    var generator = ScriptGenerator(seed: SeededGenerator.seed(ofCase: index, in: seed))
    return generator.makeCase(category)
  }

  package func run() async -> Result {
    let deadline = Process.now() + secondsAllowed
    var total = Result()
    for part in await parallel(workers, { work($0, until: deadline) }) {
      total.cases += part.cases
      total.clean += part.clean
      total.lines += part.lines
      total.answers += part.answers
      total.failures += part.failures.filter { total.kinds[$0.comparison.kind] == nil }
      total.kinds.merge(part.kinds, uniquingKeysWith: +)
      total.categories.merge(part.categories, uniquingKeysWith: +)
    }
    total.failures.sort { $0.index < $1.index }
    return total
  }

  private func work(_ worker: Int, until deadline: Double) -> Result {
    let runner = CaseRunner()
    var result = Result()
    var index = worker
    while index < casesAllowed, Process.now() < deadline, result.failures.count < failuresAllowed {
      run(index, by: runner, into: &result)
      index += workers
    }
    return result
  }

  /// Runs one case, by its number.
  package func run(_ index: Int, by runner: CaseRunner, into result: inout Result) {
    let (test, category) = makeCase(index)
    if isAlone {
      let test = OwnWords.added(to: test, seed: seed &+ UInt64(index))
      runAlone(test, category, index, by: runner, into: &result)
      return
    }
    let comparison = compare(test, by: runner)
    result.cases += 1
    result.categories[category.rawValue, default: 0] += 1
    if comparison.oracle.ending == .exited(0) { result.clean += 1 }
    result.lines += test.scriptLines.count
    result.answers += comparison.oracle.output.split(separator: 0x0A).count { $0 == [0x3F] }
    guard let aspect = comparison.differences.first else { return }
    var small = comparison
    if shrinks {
      var shrinker = Shrinker { compare($0, by: runner).differences.first == aspect }
      small = compare(shrinker.shrink(test), by: runner)
    }
    result.kinds[small.kind, default: 0] += 1
    guard result.kinds[small.kind] == 1 else { return }
    result.failures.append(Failure(index: index, category: category, comparison: small))
  }

  private func runAlone(
    _ test: Case, _ category: Category, _ index: Int, by runner: CaseRunner,
    into result: inout Result
  ) {
    result.cases += 1
    result.categories[category.rawValue, default: 0] += 1
    result.lines += test.scriptLines.count
    let ending = runner.run(test, program).ending
    if ending == .exited(0) { result.clean += 1 }
    // `g` with a list that doubles lines can print more than is kept.
    if [.exited(0), .exited(1), .exited(2), .flooded].contains(ending) { return }
    var shrinker = Shrinker { runner.run($0, self.program).ending == ending }
    let small = shrinks ? shrinker.shrink(test) : test
    result.kinds["\(ending)", default: 0] += 1
    guard result.kinds["\(ending)"] == 1 else { return }
    result.failures.append(
      Failure(index: index, category: category, comparison: compare(small, by: runner)))
  }

  private func compare(_ test: Case, by runner: CaseRunner) -> Comparison {
    var comparison = Comparison(test, of: program, against: oracle, by: runner)
    for _ in 0..<4 where !comparison.differences.isEmpty && test.dependsOnChance {
      comparison = Comparison(test, of: program, against: oracle, by: runner)
    }
    return comparison
  }
}

/// The results of parallel workers, in the order in which they finished.
func parallel<Part: Sendable>(_ workers: Int, _ work: @escaping @Sendable (_ worker: Int) -> Part)
  async -> [Part]
{
  await withTaskGroup(of: Part.self) { group in
    for worker in 0..<workers { group.addTask { work(worker) } }
    return await group.reduce(into: []) { $0.append($1) }
  }
}
