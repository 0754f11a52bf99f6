import Differential
import Glibc
import Testing

@testable import Differential

@Suite struct DifferentialTests {
  // GNU ed must be installed: the tests compare with it.

  /// `FUZZ_CASES` makes it longer.
  @Test(arguments: Category.allCases, seeds())
  func `generated scripts have equal results in GNU ed`(_ category: Category, _ seed: UInt64) {
    var fuzzer = Fuzzer(program: .underTest, seed: seed)
    fuzzer.category = category
    let runner = CaseRunner()
    var result = Fuzzer.Result()
    for index in 0..<setting("FUZZ_CASES", or: 25) where result.failures.isEmpty {
      fuzzer.run(index, by: runner, into: &result)
    }
    for failure in result.failures {
      Issue.record("seed \(fuzzer.seed) case \(failure.index)\n\(failure.comparison.report)")
    }
  }

  @Test func `a seed gives the same case again`() {
    let fuzzer = Fuzzer(program: .oracle, seed: 5)
    for index in 0..<50 {
      #expect(fuzzer.makeCase(index).0 == fuzzer.makeCase(index).0)
    }
  }

  @Test func `a case is shrunk to the cause of its failure`() {
    let test = Case(script: Array("1p\n2p\nfoo\n,s/o/x/g\n$p\n".utf8))
    var shrinker = Shrinker { $0.scriptLines.contains { $0.contains(UInt8(ascii: "s")) } }
    #expect(shrinker.shrink(test).script == Array("s".utf8))
  }

  @Test func `decoding reverses the escapes`() {
    let bytes = (0...255).map { UInt8($0) }
    #expect(Escapes.decode(Escapes.encode(bytes)) == bytes)
  }
}

@Suite struct TranscriptTests {
  static let paths = Transcript.all(in: packageFolder + "/Tests/uedTests/Transcripts")

  @Test(arguments: paths)
  func `a transcript is played as written`(_ path: String) {
    let transcript = Transcript(path: path)
    let result = CaseRunner().run(transcript.test, .underTest)
    let output = Transcript.withoutTimes(result.output)
    #expect(Escapes.encode(output) == Escapes.encode(transcript.output))
    #expect(Escapes.encode(result.errors) == Escapes.encode(transcript.errors))
    #expect(result.text.map(Escapes.encode) == transcript.text.map(Escapes.encode))
    #expect(result.ending == .exited(transcript.status))
  }

  @Test func `there are transcripts`() {
    #expect(!Self.paths.isEmpty)
  }
}

/// A short run of the hostile fuzzer; `make sanitize` runs more cases, on ued with sanitizers.
@Suite struct HostileTests {
  private let sandbox = Sandbox()

  /// `HOSTILE_CASES` makes it longer. The fuzzer is a separate process, which can give up root's
  /// rights.
  @Test(arguments: HostileKind.allCases, seeds())
  func `hostile input neither crashes ued nor makes it hang`(_ kind: HostileKind, _ seed: UInt64) {
    let words = [
      "--program", Program.underTest.path, "--hostile", "\(kind)", "--seed", "\(seed)", "--cases",
      "\(setting("HOSTILE_CASES", or: 4))", "--transcripts",
      packageFolder + "/Tests/uedTests/Transcripts",
    ]
    let result = sandbox.launch(Program.built("ued-fuzz"), words, [])
    #expect(result.ending == .exited(0), "\(String(decoding: result.output, as: UTF8.self))")
  }

  @Test(arguments: HostileKind.allCases)
  func `a seed gives the same hostile case again`(_ kind: HostileKind) {
    let fuzzer = HostileFuzzer(
      program: .oracle, kind: kind, seed: 5,
      transcripts: packageFolder + "/Tests/uedTests/Transcripts")
    for index in 0..<30 {
      let (one, other) = (fuzzer.makeCase(index).test, fuzzer.makeCase(index).test)
      #expect(one.files == other.files && one.runs.map(\.input) == other.runs.map(\.input))
      #expect(one.runs.map(\.arguments) == other.runs.map(\.arguments))
    }
  }

  @Test func `hostile scripts run only harmless shell commands`() {
    let fuzzer = HostileFuzzer(
      program: .oracle, kind: .scripts, seed: 3,
      transcripts: packageFolder + "/Tests/uedTests/Transcripts")
    let harmless = Set(["!true", "!cat", "!sort", "!echo x", "!tr a b", "!head -n 1"])
    for index in 0..<200 {
      let test = fuzzer.makeCase(index).test
      let script = (test.files["w/script"] ?? []) + (test.runs.first?.input ?? [])
      for line in script.split(separator: 0x0A) {
        guard let place = line.firstIndex(of: UInt8(ascii: "!")) else { continue }
        #expect(harmless.contains(String(decoding: line[place...], as: UTF8.self)))
      }
    }
  }

  /// The fault that the runner reports for a shell script as the program.
  private func fault(of script: String, _ arguments: [String] = ["f"], isAtTerminal: Bool = false)
    -> String?
  {
    sandbox["fake"] = Array("#!/bin/sh\n\(script)\n".utf8)
    chmod(sandbox.path + "/fake", 0o755)
    var run = HostileRun(arguments: arguments)
    run.isAtTerminal = isAtTerminal
    let test = HostileCase(files: ["w/f": Array("one\n".utf8)], runs: [run])
    return HostileRunner(Program(sandbox.path + "/fake")).run(test, .scripts, seed: 1)?.kind
  }

  @Test func `a program that crashes, or that a sanitizer complains about, is found`() {
    #expect(fault(of: "exit 2") == nil)
    #expect(fault(of: "exit 77") == "exited(77)")
    #expect(fault(of: "kill -SEGV $$") == "signalled(11)")
    #expect(fault(of: "kill -SEGV $$", isAtTerminal: true) == "signalled(11)")
    #expect(
      fault(of: "echo '==1==ERROR: AddressSanitizer: stack-overflow' >../reports/r.1")
        == "AddressSanitizer: stack-overflow")
  }

  @Test func `a restricted program that runs another, or opens a forbidden file, is found`() {
    #expect(fault(of: "exit 1", ["-r", "f"]) == nil)
    #expect(fault(of: ": <f >g", ["-r", "f"]) == nil)
    #expect(fault(of: "/bin/true", ["-r", "f"]) == "runs a program with -r")
    for name in ["../secret", "dir/secret", "../other", "dir/other"] {
      let found = fault(of: "echo x >\(name)", ["-r", "f"])
      #expect(found == "opens a file with -r", "\(name)")
    }
  }
}
