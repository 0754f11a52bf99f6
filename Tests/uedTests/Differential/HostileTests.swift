import Glibc
import Testing

@testable import Differential

/// What a stranger gives ued, in small; `make sanitize` gives more of it to ued with sanitizers.
@Suite struct HostileTests {
  private let sandbox = Sandbox()

  /// `HOSTILE_CASES` makes it longer. The fuzzer is a process of its own, which can give up root's rights.
  @Test(arguments: HostileKind.allCases, seeds())
  func `what a stranger gives ued neither ends nor stops it`(_ kind: HostileKind, _ seed: UInt64) {
    let words = [
      "--program", Program.underTest.path, "--hostile", "\(kind)", "--seed", "\(seed)", "--cases",
      "\(setting("HOSTILE_CASES", or: 6))", "--transcripts",
      packageFolder + "/Tests/uedTests/Transcripts",
    ]
    let result = sandbox.launch(Program.built("ued-fuzz"), words, [], seconds: 600)
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

  @Test func `no hostile script has a shell command but a harmless one`() {
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

  /// What the runner says of a program that is a script of the shell.
  private func fault(
    of script: String, _ arguments: [String] = ["f"], isAtTerminal: Bool = false
  ) -> String? {
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

  @Test func `a restricted program that runs another, or opens what it must not, is found`() {
    #expect(fault(of: "exit 1", ["-r", "f"]) == nil)
    #expect(fault(of: ": <f >g", ["-r", "f"]) == nil)
    #expect(fault(of: "/bin/true", ["-r", "f"]) == "runs a program with -r")
    for name in ["../secret", "dir/secret", "../other", "dir/other"] {
      let found = fault(of: "echo x >\(name)", ["-r", "f"])
      #expect(found == "opens a file with -r", "\(name)")
    }
  }
}
