import Differential
import Glibc
import Simulation

// Simulates sessions of ued with other programs and faults, and checks the files. With
// `--crash-states`, checks what power cuts may leave in the scenarios named with PART.

let usage = """
  usage: ued-simulate [--program PATH] [--library PATH] [--seconds N] [--sessions N] [--seed N]
                      [--jobs N] [--failures N] [--verbose] [--crash-states PART]

  """

func complain(_ text: String) -> Never {
  _ = write(2, text, text.utf8.count)
  exit(2)
}

var library = Disk.programFolder + "/libUedDisk.so"
var isVerbose = false
var crashStates: String?
var simulator = Simulator(program: Program.ued.path, library: nil)
var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  func value() -> String { words.popFirst() ?? { complain(usage) }() }
  func number() -> Int { Int(value()) ?? { complain(usage) }() }
  switch word {
  case "--program": simulator.program = value()
  case "--library": library = value()
  case "--seconds": simulator.secondsAllowed = Double(number())
  case "--sessions": simulator.sessionsAllowed = number()
  case "--seed": simulator.seed = UInt64(truncatingIfNeeded: number())
  case "--jobs": simulator.workers = number()
  case "--failures": simulator.failuresAllowed = number()
  case "--crash-states": crashStates = value()
  case "--verbose": (isVerbose, simulator.notesAnswers) = (true, true)
  default: complain(usage)
  }
}
if access(library, R_OK) == 0 {
  simulator.library = DiskLibrary(path: library)
} else {
  print("without faults: there is no \(library)")
}
if let crashStates {
  let run = CrashRun(
    program: simulator.program, library: library, part: crashStates, seed: simulator.seed,
    failuresAllowed: simulator.failuresAllowed)
  exit(run.run() ? 0 : 1)
}
if isVerbose {
  var result = Simulator.Result()
  for step in simulator.simulate(simulator.seed, into: &result) { print(step) }
  print(result.failures.first?.what ?? "all is as it must be")
  exit(result.failures.isEmpty ? 0 : 1)
}
let start = Process.now()
let result = simulator.run()
let seconds = max(0.001, Process.now() - start)
for failure in result.failures { print(failure.report) }
print(
  "seed \(simulator.seed): \(result.sessions) sessions in \(Int(seconds)) s, "
    + "\(Int(Double(result.sessions) / seconds)) a second; "
    + "\(result.processes) processes, \(result.commands) commands")
print("\(result.failures.count) sessions with a broken invariant")
exit(result.failures.isEmpty ? 0 : 1)
