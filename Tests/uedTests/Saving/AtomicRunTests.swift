import Differential
import Glibc
import Testing

/// `ued --atomic -i` over five files, in which each system call that changes the disk fails, or is the last one.
///
/// One file is replaced, one has two links and is written in place, one is in another folder, one is a link to
/// a file, and all have backups.
@Suite struct AtomicRunTests {
  private let sandbox = Sandbox()
  private static let names = ["a", "hard", "d/b", "link", "e"]
  private static let old = Array("one\ntwo\n".utf8)
  private static let new = Array("two\n".utf8)

  /// The calls, and the error that each may give.
  static let faults = [
    ("openat", "ENOSPC"), ("write", "ENOSPC"), ("fsync", "EIO"), ("renameat2", "EIO"),
    ("renameat", "EIO"), ("mkdirat", "EACCES"), ("flock", "ENOLCK"), ("ftruncate", "EIO"),
    ("linkat", "EPERM"), ("sendfile", "EIO"), ("fchmod", "EPERM"), ("unlinkat", "EIO"),
  ]

  private func reset() {
    sandbox.run(
      """
      rm -rf a hard k d link e *.bak; mkdir d
      for name in a hard d/b d/t e; do printf 'one\\ntwo\\n' >$name; done
      ln hard k; ln -s d/t link
      """)
  }

  /// Runs ued once for each time that a call is made after the program has been loaded.
  private func forEachStep(
    of call: String, _ injection: String, _ check: (_ ending: Ending, _ step: Int) -> Void
  ) {
    reset()
    let arguments = [Program.underTest.path, "-i.bak", "--atomic", "-e", "1d"] + Self.names
    let counted = sandbox.launch(
      "/usr/bin/strace", ["-qqq", "-o", "trace", "-e", "trace=\(call)"] + arguments, [])
    #expect(counted.ending == .exited(0))
    #expect(texts == Self.names.map { _ in Self.new })
    let count = (sandbox["trace"] ?? []).count { $0 == 0x0A }
    for step in stride(from: 1, through: count, by: 1) {
      reset()
      let run = sandbox.launch(
        "/usr/bin/strace",
        ["-qqq", "-o", "trace", "-e", "inject=\(call):\(injection):when=\(step)"] + arguments, [])
      check(run.ending, step)
    }
  }

  private var texts: [[UInt8]?] { Self.names.map { sandbox[$0] } }
  private var isOld: Bool { texts.allSatisfy { $0 == Self.old } && sandbox["k"] == Self.old }
  private var isNew: Bool { texts.allSatisfy { $0 == Self.new } && sandbox["k"] == Self.new }

  private var left: String {
    String(decoding: sandbox.run("find . -name '.ued-*'"), as: UTF8.self)
  }

  @Test(arguments: faults)
  func `promise 18: a call that fails leaves all files old or all new`(
    _ call: String, _ error: String
  ) {
    forEachStep(of: call, "error=\(error)") { ending, step in
      #expect(isOld || isNew, "\(call) \(step): \(ending) \(texts)")
      if isNew { #expect(ending == .exited(0), "\(call) \(step)") }
      if isOld { #expect(ending != .exited(0), "\(call) \(step)") }
      // What could not be removed is removed by the next run.
      for name in Self.names { sandbox.edit(["-i", "-e", "$p", name], []) }
      #expect(left == "", "\(call) \(step)")
    }
  }

  @Test(arguments: faults.map(\.0))
  func `promise 18: a run that is killed at any call is mended by the next one`(_ call: String) {
    forEachStep(of: call, "signal=KILL") { ending, step in
      #expect(ending == .signalled(SIGKILL))
      for name in Self.names { sandbox.edit(["-i", "-e", "$p", name], []) }
      #expect(isOld || isNew, "\(call) \(step): \(texts)")
      #expect(left == "", "\(call) \(step)")
    }
  }
}
