import Differential
import Glibc
import Simulation
import Testing

@Suite struct SimulationTests {
  static let library = Program.built("libUedDisk.so")

  private func simulator(seed: UInt64) -> Simulator {
    #expect(access(Self.library, R_OK) == 0, "the library is built")
    var simulator = Simulator(
      program: Program.underTest.path, library: DiskLibrary(path: Self.library))
    simulator.seed = seed
    return simulator
  }

  /// `SESSIONS` makes it longer; `make simulate` runs an optimized build.
  @Test(arguments: seeds())
  func `sessions lose no group, tear no file, and leave file and history in agreement`(
    _ seed: UInt64
  ) {
    var simulator = simulator(seed: seed)
    simulator.sessionsAllowed = setting("SESSIONS", or: 25)
    let result = simulator.run()
    #expect(result.sessions > 0)
    for failure in result.failures { Issue.record("\(failure.report)") }
  }

  /// The past faults, and the seeds that found them.
  @Test(
    arguments: [
      // A missing history was reported only for the last of several files.
      20_426, 30_808,
      // A run failed at its end, when all was written, because another one had added to the history.
      256,
      // The staged file of a killed save stayed in the folder of a run's files.
      309,
    ] as [UInt64])
  func `a session that once broke an invariant keeps it now`(_ seed: UInt64) {
    var (simulator, result) = (simulator(seed: seed), Simulator.Result())
    simulator.hasPowerCuts = false
    _ = simulator.simulate(seed, into: &result)
    for failure in result.failures { Issue.record("\(failure.report)") }
  }

  @Test(
    arguments: [
      // A finished run was undone after a power cut, because one of its files was overwritten in
      // place.
      7_006_649, 7_006_736,
      // A history under construction at the cut was taken for a damaged one.
      7_005_373, 8_001_048, 8_008_439,
      // The remains of a killed run stayed, since no file was left for the check to run on.
      30_016_811,
      // The check rejected a permitted copy of a failed save, and a group reported as not kept.
      30_044_714, 30_020_892,
      // An unsynced new file had zeros, which the check could not read.
      31_018_195,
      // A move among equal lines was taken for a group.
      31_045_425,
      // After a save of the text that another program had written too, the next save was refused.
      30_049_785,
      // After a save with an unfinished open group, the group's row was taken for a revision: a
      // trap.
      35_440_673, 35_325_210,
      // A save that changed nothing was answered while the file was not on the disk for good.
      35_421_127,
      // A group that a save had hashed got further lines after the save had failed.
      35_335_336,
      // Lines stored before a kill were in the previous group; the check did not expect them there.
      35_416_190,
      // The index contradicted itself after a power cut.
      35_475_768,
      // A history under construction at the cut was reported as damaged, since it could not be
      // deleted at once.
      36_007_928,
      // A history whose maker was killed before the sync was used as if it were on the disk.
      36_233_845,
      // A group that could not be stored got further lines, and was stored later: the check did not expect that.
      36_265_938,
      // The undo of a run added a last newline, since an earlier run had not recorded that it was
      // missing.
      36_400_846,
    ] as [UInt64])
  func `a session whose power cut once broke an invariant keeps it now`(
    _ seed: UInt64
  ) {
    var result = Simulator.Result()
    _ = simulator(seed: seed).simulate(seed, into: &result)
    for failure in result.failures { Issue.record("\(failure.report)") }
  }

  @Test func `a seed gives the same session again`() {
    var result = Simulator.Result()
    func steps() -> [String] {
      // A message of a program may contain the name of the folder.
      simulator(seed: 5).simulate(5, into: &result).filter { !$0.hasPrefix("  (") }
    }
    #expect(steps() == steps() && result.failures.isEmpty)
  }

  @Test(arguments: [("1:EIO:once:write", ["a"]), ("2:EIO:once:fsync", ["a", "b", "c"])])
  func `a run over several files reports each file that it can't store`(
    _ fault: String, _ names: [String]
  ) {
    let sandbox = Sandbox()
    sandbox.run(
      """
      for f in a b c d; do echo one >$f; done
      "$UED" -s --history -e '$a' -e two -e . -e w d
      """)
    let text = sandbox.shell(
      """
      export UED_DISK_ROOT="$HOME" UED_DISK_FAIL=\(fault)
      LD_PRELOAD=\(Self.library) "$UED" -s --atomic --history -e '$a' -e two -e . -e w a b c
      """)
    let told = text.split(separator: "\n")
    #expect(told.count == names.count, "\(text)")
    for (line, name) in zip(told, names) {
      #expect(line.hasPrefix("ued: \(name): history is not kept: "))
    }
    for name in ["a", "b", "c"] { #expect(sandbox[name] == Array("one\ntwo\n".utf8)) }
  }

  @Test func `a finished run ignores later additions to the history`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      echo one >f
      "$UED" -s --history -e '$a' -e two -e . -e w \
        -e '!"$UED" -s -i --history -e "\\$a" -e three -e . f' f
      """)
    #expect(sandbox["f"] == Array("one\ntwo\nthree\n".utf8))
  }

  @Test func `a run removes staged files that a killed save has left in its folder`() {
    let sandbox = Sandbox()
    sandbox.run(
      """
      echo one >a; echo one >b; echo stale >.ued-$(id -u)-0
      "$UED" -s --atomic -e '$a' -e two -e . -e w a b
      fails grep '^\\.ued-' <(ls -A)
      """)
  }
}
