import Differential
import Glibc

/// Runs hostile cases, and prints the results.
///
/// - Returns: The exit status.
func attack(
  _ kind: HostileKind, _ settings: Fuzzer, transcripts: String?, saved: String?, shown: Int?
) async -> Int32 {
  var fuzzer = HostileFuzzer(
    program: settings.program, kind: kind, seed: settings.seed, transcripts: transcripts)
  (fuzzer.secondsAllowed, fuzzer.casesAllowed) = (settings.secondsAllowed, settings.casesAllowed)
  fuzzer.workers = settings.workers
  fuzzer.saved = saved
  let own = becomeNobody(&fuzzer.program)
  defer { withExtendedLifetime(own) {} }
  if let shown {
    let fault = fuzzer.show(shown)
    print(fault.map { "\($0.kind)\n\($0.details)" } ?? "no fault")
    return fault == nil ? 0 : 1
  }
  let start = Process.now()
  let result = await fuzzer.run()
  for failure in result.failures {
    let count = result.kinds[failure.fault.kind, default: 1]
    print(
      "\(kind), seed \(fuzzer.seed) case \(failure.index): \(failure.fault.kind), \(count) like it")
    print(failure.fault.details)
  }
  let faults = result.kinds.values.reduce(0, +)
  print(
    "\(kind): seed \(fuzzer.seed), \(result.cases) cases, \(result.runs) runs of ued in "
      + "\(Int(Process.now() - start)) s, \(faults) faults of \(result.failures.count) kinds")
  return result.failures.isEmpty ? 0 : 1
}

/// Gives up root's rights, since a script could harm the whole system with them.
///
/// - Parameter program: The path of the program; changes to a copy that everyone can run.
/// - Returns: The folder of the copy.
private func becomeNobody(_ program: inout Program) -> TemporaryFolder? {
  guard geteuid() == 0 else { return nil }
  let folder = TemporaryFolder()
  folder["ued"] = Disk.read(program.path)
  program = Program(folder.path + "/ued")
  let nobody: uid_t = 65534
  guard chmod(program.path, 0o755) == 0, chmod(folder.path, 0o755) == 0,
    chown(folder.path, nobody, nobody) == 0, setgroups(0, nil) == 0, setgid(nobody) == 0,
    setuid(nobody) == 0
  else { complain("ued-fuzz: can't give up root's rights\n") }
  return folder
}
