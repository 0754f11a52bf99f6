import Foundation

/// The tests in `Scratch`, and the mutants each reaches.
struct Suite {
  enum Verdict: CaseIterable {
    /// A test failed or took too long.
    case killed
    /// All tests that reach the mutant passed, as far as time allowed.
    case survived
    /// No test reaches it.
    case unreached
    /// `equivalent.txt` says why no test can fail.
    case equivalent
  }

  /// A test that passes without a mutant.
  struct Test {
    var name: String
    var seconds: Double
    var reached: Set<Int>
  }

  /// The quickest test is the first.
  private(set) var tests: [Test] = []

  /// Tests that look at the sources and packages instead of running the program, or that compare times.
  private static let excluded =
    #/FloorPlan|PromiseList|The public API|Packaging|Install|Demo|Growth|\.CostTests/#
  /// The limit for the sum of `Test.seconds` of a mutant.
  private static let secondsAllowed = 200.0
  private static let program =
    "'\(Scratch.folder)/.build/debug/uedPackageTests.xctest' --testing-library swift-testing"

  /// Runs each test in a process of its own, with no mutant active.
  init(mutants count: Int) throws {
    let names = try shell("\(Self.program) --list-tests").output.split(separator: "\n")
      .map(String.init).filter { !$0.contains(Self.excluded) }
    tests = parallel(names) { name in
      let run = Self.run([name], secondsAllowed: 300, recording: count)
      if run.outcome != .passed { print("left out, as it fails without a mutant: \(name)") }
      return run.outcome == .passed
        ? Test(name: name, seconds: run.seconds, reached: run.reached) : nil
    }.compactMap(\.self).sorted { $0.seconds < $1.seconds }
  }

  /// Runs the tests that reach a mutant until one fails, in portions of doubling duration.
  func verdict(on mutant: Int) -> Verdict {
    let reaching = tests.filter { $0.reached.contains(mutant) }
    if reaching.isEmpty { return .unreached }
    var (start, spent, portion) = (0, 0.0, 2.0)
    while start < reaching.count && spent < Self.secondsAllowed {
      var (end, seconds) = (start + 1, reaching[start].seconds)
      while end < reaching.count, seconds + reaching[end].seconds <= portion {
        seconds += reaching[end].seconds
        end += 1
      }
      let names = reaching[start..<end].map(\.name)
      func outcome(_ mutant: Int?) -> Outcome {
        Self.run(names, mutant: mutant, secondsAllowed: 60 + 5 * seconds).outcome
      }
      // Rule out chance: the tests must fail again, and pass without the mutant.
      let first = outcome(mutant)
      if first == .late || first == .failed && outcome(mutant) != .passed && outcome(nil) == .passed
      {
        return .killed
      }
      (start, spent, portion) = (end, spent + seconds, portion * 2)
    }
    return .survived
  }

  private enum Outcome { case passed, failed, late }

  /// Runs tests in one process, with a folder of their own.
  private static func run(
    _ names: [String], mutant: Int? = nil, secondsAllowed: Double, recording count: Int = 0
  ) -> (outcome: Outcome, seconds: Double, reached: Set<Int>) {
    let start = Date()
    let filters = names.flatMap { name in
      ["--filter", "^" + name.replacing(#/[\[\](){}.*+?|^$\\]/#) { "\\" + $0.output }]
    }
    guard
      let folder = try? shell("mktemp -d /dev/shm/ued-m.XXXXXX | tr -d '\\n'").output,
      let result = try? shell(
        """
        chmod 1777 "$UED_MUTANT_FOLDER"; umask 0
        head -c \(count) /dev/zero >"$UED_MUTANT_FOLDER/reached"; umask 022
        ulimit -c 0 -t 600 -v 8388608; cd '\(Scratch.folder)'
        timeout -s KILL \(Int(secondsAllowed)) \(program) "$@" >"$UED_MUTANT_FOLDER/output" 2>&1
        """, filters, ["UED_MUTANT": "\(mutant ?? -1)", "UED_MUTANT_FOLDER": folder]),
      let output = FileManager.default.contents(atPath: folder + "/output"),
      let record = FileManager.default.contents(atPath: folder + "/reached")
    else { fatalError("no tests can be run") }
    let seconds = Date().timeIntervalSince(start)
    cleanUp(folder)
    let isComplete = output.range(of: Data("Test run with \(names.count) test".utf8)) != nil
    if result.status == 0 && !isComplete { fatalError("not all were run of \(names)") }
    let reached = record.enumerated().filter { $0.element != 0 }.map(\.offset)
    let outcome: Outcome = result.status == 0 ? .passed : result.status == 137 ? .late : .failed
    return (outcome, seconds, Set(reached))
  }

  /// Removes the folder of a run, and ends the processes that failed tests have left.
  private static func cleanUp(_ folder: String) {
    let mark = Data("UED_MUTANT_FOLDER=\(folder)\0".utf8)
    for id in (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? [] {
      let file = FileHandle(forReadingAtPath: "/proc/\(id)/environ")
      guard let id = pid_t(id), let environment = try? file?.readToEnd() else { continue }
      if environment.range(of: mark) != nil { kill(id, SIGKILL) }
    }
    try? FileManager.default.removeItem(atPath: folder)
  }
}

/// The results for all elements, made on all processors.
func parallel<Element, Result>(_ elements: [Element], _ work: @escaping (Element) -> Result)
  -> [Result]
{
  let lock = NSLock()
  var results: [Int: Result] = [:]
  DispatchQueue.concurrentPerform(iterations: elements.count) { index in
    let result = work(elements[index])
    lock.withLock { results[index] = result }
  }
  return results.sorted { $0.key < $1.key }.map(\.value)
}
