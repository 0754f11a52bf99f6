import Differential
import Glibc
import Testing

/// Saves that are killed.
@Suite struct KilledSaveTests {
  private static let calls = [
    "openat", "flock", "flistxattr", "fchmod", "write", "fsync", "sendfile", "ftruncate",
    "rename,renameat,renameat2", "unlinkat", "close",
  ]

  @Test(arguments: calls)
  func
    `promise 1: a save that is killed at any step leaves a whole file, and the next one clears up`(
      _ call: String
    )
  {
    let injector = SaveInjector()
    injector.forEachStep(of: call, "signal=KILL", .replaced, when: "") { run in
      #expect(run.ending == .signalled(SIGKILL))
      let text = injector.sandbox["f"]
      #expect(text == SaveInjector.old || text == SaveInjector.new, "\(run)")
      #expect(injector.names.count <= 1, "\(run)")
      #expect(injector.namesAfterAnotherSave() == [], "\(run)")
    }
  }

  @Test(arguments: calls)
  func `promise 1: a save of a new file that is killed at any step leaves all of it or none`(
    _ call: String
  ) {
    let injector = SaveInjector()
    injector.forEachStep(of: call, "signal=KILL", .created, when: "") { run in
      #expect(run.ending == .signalled(SIGKILL))
      let text = injector.sandbox["f"]
      #expect(text == nil || text == SaveInjector.new, "\(run)")
      #expect(injector.names.count <= 1, "\(run)")
      #expect(injector.namesAfterAnotherSave() == [], "\(run)")
    }
  }

  @Test(arguments: calls)
  func `promise 3: a save in place that is killed at any step leaves the old text in reach`(
    _ call: String
  ) {
    let injector = SaveInjector()
    injector.forEachStep(of: call, "signal=KILL", .inPlace, when: "") { run in
      #expect(run.ending == .signalled(SIGKILL))
      let text = injector.sandbox["f"]
      let preserved = injector.names.first { $0.hasPrefix(".ued-old-") }
      if text != SaveInjector.old && text != SaveInjector.new {
        #expect(preserved.flatMap { injector.sandbox[$0] } == SaveInjector.old, "\(run)")
      }
      #expect(injector.namesAfterAnotherSave() == (preserved.map { [$0] } ?? []), "\(run)")
    }
  }

  @Test(arguments: ["openat", "write", "fsync", "sendfile"], SaveInjector.Method.allCases)
  func `promise 6: an interrupt does not tear a save`(_ call: String, _ method: SaveInjector.Method)
  {
    let injector = SaveInjector()
    injector.forEachStep(of: call, "signal=INT", method, when: "") { run in
      #expect(injector.sandbox["f"] == SaveInjector.new, "\(run)")
      #expect(injector.names == [], "\(run)")
    }
  }

  /// `SAVE_BYTES` makes the file bigger.
  @Test(arguments: seeds(8))
  func `promise 1: a save that is killed at any moment leaves a whole file`(_ seed: UInt64) {
    let sandbox = Sandbox()
    var random = SeededGenerator(seed: seed)
    let count = random.below(30)
    let byteCount = setting("SAVE_BYTES", or: 300_000)
    sandbox.run(
      """
      head -c \(byteCount) <(seq 100000000) >old; echo >>old
      for i in $(seq 1000); do printf '1s/^/x/\\nw\\n'; done >script
      cp old f; "$UED" -s f <script & awaits grep -q '^x\\{\(count)\\}' f; kill -9 $!; exits 137 wait $!
      { head -n 1 f | tr -d x; tail -n +2 f; } | cmp - old
      test $(ls -A | grep -c '^\\.ued-') -le 1
      printf '1s/^/y/\\nw\\n' | "$UED" -s f; test "$(head -c 1 f)" = y; fails grep '^\\.ued-' <(ls -A)
      """)
  }
}
