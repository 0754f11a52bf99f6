import Differential
import Glibc

// Compares a program with GNU ed on generated cases, or records transcripts.

let usage = """
  usage: ued-fuzz [--program PATH] [--oracle PATH] [--seconds N] [--cases N] [--seed N]
                  [--category NAME] [--jobs N] [--failures N] [--save FOLDER]
                  [--no-shrink] [--alone] [--show INDEX]
         ued-fuzz [--program PATH] --record FOLDER
                  writes the expected files of transcripts that have none: what GNU ed does, or the
                  program where a script has words, filters or options that ed does not have
         ued-fuzz [--program PATH] --record-all FOLDER
         ued-fuzz --hostile KIND [--program PATH] [--seconds N] [--cases N] [--seed N]
                  [--jobs N] [--save FOLDER] [--transcripts FOLDER] [--show INDEX]
                  runs ued alone on what a stranger could give it: databases, patches, scripts,
                  settings (.editrc) or keys; no case may crash, hang, or get a sanitizer's report

  """

func complain(_ text: String) -> Never {
  _ = write(2, text, text.utf8.count)
  exit(2)
}

func number(_ text: String) -> Int {
  guard let value = Int(text) else { complain("ued-fuzz: not a number: \(text)\n") }
  return value
}

func record(_ folder: String, by fuzzer: Fuzzer, all: Bool) {
  let runner = CaseRunner()
  for path in Transcript.all(in: folder) where all || Disk.read(path + ".out") == nil {
    let test = Transcript(path: path).test
    let program = OwnWords.areIn(test) ? fuzzer.program : fuzzer.oracle
    Transcript(path: path, test, result: runner.run(test, program)).save()
    print("recorded \(path) by \(program.path)")
  }
}

var fuzzer = Fuzzer(program: .ued, seed: 1)
var saved: String?
var shown: Int?
var hostile: HostileKind?
var transcripts: String?
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  func value() -> String {
    words.popFirst() ?? { complain(usage) }()
  }
  switch word {
  case "--program": fuzzer.program = Program(value())
  case "--oracle": fuzzer.oracle = Program(value())
  case "--seconds": fuzzer.secondsAllowed = Double(number(value()))
  case "--cases": fuzzer.casesAllowed = number(value())
  case "--seed": fuzzer.seed = UInt64(truncatingIfNeeded: number(value()))
  case "--jobs": fuzzer.workers = number(value())
  case "--failures": fuzzer.failuresAllowed = number(value())
  case "--alone": fuzzer.isAlone = true
  case "--no-shrink": fuzzer.shrinks = false
  case "--save": saved = value()
  case "--show": shown = number(value())
  case "--category":
    guard let category = Category(rawValue: value()) else { complain(usage) }
    fuzzer.category = category
  case "--hostile":
    guard let kind = HostileKind(rawValue: value()) else { complain(usage) }
    hostile = kind
  case "--transcripts": transcripts = value()
  case "--record", "--record-all":
    record(value(), by: fuzzer, all: word == "--record-all")
    exit(0)
  default: complain(usage)
  }
}

if let hostile {
  exit(await attack(hostile, fuzzer, transcripts: transcripts, saved: saved, shown: shown))
}

if let shown {
  let comparison = Comparison(
    fuzzer.makeCase(shown).0, of: fuzzer.program, against: fuzzer.oracle, by: CaseRunner())
  print(comparison.report)
  exit(comparison.differences.isEmpty ? 0 : 1)
}

let start = Process.now()
let result = await fuzzer.run()
let seconds = max(0.001, Process.now() - start)
for failure in result.failures {
  let count = result.kinds[failure.comparison.kind, default: 1]
  print("seed \(fuzzer.seed) case \(failure.index) (\(failure.category)), \(count) like it:")
  print(failure.comparison.report)
  if let saved {
    Transcript(
      path: "\(saved)/\(fuzzer.seed)-\(failure.index)", failure.comparison.test,
      result: failure.comparison.oracle
    ).save()
  }
}
let rate = Int(Double(result.cases) / seconds)
print("seed \(fuzzer.seed): \(result.cases) cases in \(Int(seconds)) s, \(rate) a second")
print(
  "  \(result.clean) ended with 0; \(result.lines) script lines, \(result.answers) answered by ?")
for (name, count) in result.categories.sorted(by: { $0.key < $1.key }) {
  print("  \(name): \(count)")
}
print("\(result.failures.count) differences in kind, \(result.kinds.values.reduce(0, +)) in all")
exit(result.failures.isEmpty ? 0 : 1)
