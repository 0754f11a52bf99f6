import Differential
import Glibc
import Testing

/// `ued --atomic -i` over five files: each system call that changes the disk fails, or kills ued.
///
/// One file is replaced, one has two links and is written in place, one is in another folder, one is a link to
/// a file, and all have backups.
@Suite struct AtomicRunTests {
  private let sandbox = Sandbox()
  private static let names = ["a", "hard", "d/b", "link", "e"]
  private static let old = Array("one\ntwo\n".utf8)
  private static let new = Array("two\n".utf8)

  /// The calls that change the disk, and the error that each may give.
  static let faults = [
    ("openat", "ENOSPC"), ("write", "ENOSPC"), ("fsync", "EIO"), ("renameat2", "EIO"),
    ("renameat", "EIO"), ("mkdirat", "EACCES"), ("flock", "ENOLCK"), ("ftruncate", "EIO"),
    ("linkat", "EPERM"), ("sendfile", "EIO"), ("fchmod", "EPERM"), ("unlinkat", "EIO"),
  ]

  /// The other calls for files.
  static let furtherFaults = [
    ("close", "EIO"), ("faccessat2", "EIO"), ("fcntl", "ENOLCK"), ("flistxattr", "EIO"),
    ("fstatfs", "EIO"), ("getdents64", "EIO"), ("ioctl", "EIO"), ("lseek", "EIO"), ("mkdir", "EIO"),
    ("newfstatat", "EIO"), ("read", "EIO"), ("readlink", "EIO"), ("readlinkat", "EIO"),
    ("sync_file_range", "EIO"), ("renameat2", "EINVAL"), ("renameat2", "EBUSY"),
  ]
  /// Calls that are not about files.
  private static let otherCalls: Set<String> = [
    "brk", "exit_group", "futex", "geteuid", "getrandom", "gettid", "madvise", "mmap", "mprotect",
    "munmap", "prlimit64", "rt_sigaction", "rt_sigprocmask", "sysinfo", "umask",
  ]

  private func reset() {
    Disk.remove(contentsOf: sandbox.path, keepingFolder: true)
    mkdir(sandbox.path + "/d", 0o755)
    for name in ["a", "hard", "d/b", "d/t", "e"] { sandbox[name] = Self.old }
    link(sandbox.path + "/hard", sandbox.path + "/k")
    symlink("d/t", sandbox.path + "/link")
  }

  private let arguments = [Program.underTest.path, "-i.bak", "--atomic", "-e", "1d"] + names

  /// Each run makes a new key, inside the sandbox even if the state folder fails.
  private var strace: [String] { ["-qqq", "-o", "trace", "-E", "TMPDIR=\(sandbox.path)"] }

  /// The calls of a run without a fault: their names before and after it looks at the first file.
  private func calls(_ others: [String] = []) -> (before: [String], after: [String]) {
    reset()
    let traced = sandbox.launch("/usr/bin/strace", strace + others + arguments, [])
    #expect(traced.ending == .exited(0) && isNew)
    let lines = String(decoding: sandbox["trace"] ?? [], as: UTF8.self).split(separator: "\n")
    let first = lines.firstIndex { $0.contains("\"a\"") && !$0.hasPrefix("execve") } ?? 0
    let names = lines.map { String($0.prefix { $0 != "(" }) }
    return (Array(names[..<first]), Array(names[first...]))
  }

  /// Runs ued once for each occurrence of a call, from its first look at a file on.
  private func forEachStep(
    of call: String, _ injection: String, with others: [String] = [],
    _ check: (_ ending: Ending, _ errors: [UInt8], _ step: Int) -> Void
  ) {
    let (before, after) = calls(others)
    let count = after.count { $0 == call }
    // `EVERY_STEP` tries every instance of a frequent call.
    let stride = setting("EVERY_STEP", or: 0) == 0 ? 1 + count / 6 : 1
    let first = before.count { $0 == call } + 1
    for step in Swift.stride(from: first, to: first + count, by: stride) {
      reset()
      let injected = injection.replacing("STEP", with: "\(step)")
      // With a filter, strace stops ued only at these calls, but can't inject a signal.
      let filter = ["-f", "--seccomp-bpf", "-e", "trace=\(call),renameat2"]
      let run = sandbox.launch(
        "/usr/bin/strace",
        strace + (injection.hasPrefix("error") ? filter : []) + others
          + ["-e", "inject=\(call):\(injected)"] + arguments, [])
      let isInjected = sandbox.text("trace")?.contains("(INJECTED)") == true
      #expect(isInjected || run.ending == .signalled(SIGKILL), "\(call) \(step)")
      check(run.ending, run.errors, step)
    }
  }

  private var texts: [[UInt8]?] { Self.names.map { sandbox[$0] } }
  private var isOld: Bool { texts.allSatisfy { $0 == Self.old } && sandbox["k"] == Self.old }
  private var isNew: Bool { texts.allSatisfy { $0 == Self.new } && sandbox["k"] == Self.new }

  private var left: [String] {
    ["", "/d"].flatMap { Disk.names(in: sandbox.path + $0) }
      .filter { $0.hasPrefix(".ued-") && !$0.hasSuffix("-key") }
  }

  /// Lets the next run repair an unfinished one.
  private func mend() { sandbox.edit(["-i", "-e", "$p"] + Self.names, []) }

  @Test func `a removed file that is still open is written through its descriptor`() {
    sandbox.run(
      """
      echo one >f; exec 3<>f; rm f; echo other >'f (deleted)'
      "$UED" --atomic -i -e '1s/$/!/' /dev/fd/3
      test "$(cat /dev/fd/3 'f (deleted)')" = "$(printf '%s\n' 'one!' other)"
      """)
  }

  @Test func `all calls for files are tried`() {
    let tried = Set((Self.faults + Self.furtherFaults).map(\.0))
    #expect(Set(calls().after).subtracting(tried).subtracting(Self.otherCalls) == [])
  }

  @Test(arguments: faults + furtherFaults)
  func `promise 18: a call that fails leaves all files old or all new`(
    _ call: String, _ error: String
  ) {
    forEachStep(of: call, "error=\(error):when=STEP") { ending, errors, step in
      #expect(isOld || isNew, "\(call) \(step): \(ending) \(texts)")
      if isNew { #expect(ending == .exited(0), "\(call) \(step)") }
      if isOld { #expect(ending != .exited(0) && !errors.isEmpty, "\(call) \(step)") }
      // The next run removes the files that could not be removed.
      mend()
      #expect(left == [], "\(call) \(step)")
    }
  }

  @Test(arguments: faults + furtherFaults)
  func `promise 18: if a call keeps failing, the next run mends all, and works`(
    _ call: String, _ error: String
  ) {
    forEachStep(of: call, "error=\(error):when=STEP+") { ending, errors, step in
      let said = String(decoding: errors, as: UTF8.self)
      #expect(ending != .exited(0) || isNew, "\(call) \(step): \(said)")
      // If every write fails, so does the message.
      #expect(ending == .exited(0) || !errors.isEmpty || call == "write", "\(call) \(step)")
      mend()
      #expect(isOld || isNew, "\(call) \(step): \(texts) \(said)")
      #expect(left == [], "\(call) \(step)")
      if isOld { sandbox.edit(Array(arguments.dropFirst()), []) }
      #expect(isNew, "\(call) \(step)")
    }
  }

  /// No exchange of files, or a file that can't be replaced.
  @Test(arguments: [
    ("EINVAL", "linkat"), ("EINVAL", "renameat"), ("EINVAL", "unlinkat"), ("EBUSY", "ftruncate"),
    ("EBUSY", "fsync"), ("EBUSY", "sendfile"),
  ])
  func `promise 18: where a file can't be exchanged, a failure or a kill is mended, too`(
    _ error: String, _ call: String
  ) {
    _ = calls()
    let renames = String(decoding: sandbox["trace"] ?? [], as: UTF8.self).split(separator: "\n")
      .filter { $0.hasPrefix("renameat2(") }
    let first = renames.firstIndex { $0.contains("EXCHANGE") } ?? 0
    let when = error == "EBUSY" ? "\(first + 1)" : "1+"
    let others = ["-e", "inject=renameat2:error=\(error):when=\(when)"]
    for injection in ["error=EIO", "signal=KILL"] {
      var count = 0
      forEachStep(of: call, "\(injection):when=STEP", with: others) { ending, errors, step in
        count += 1
        mend()
        #expect(isOld || isNew && (injection != "error=EIO" || ending == .exited(0)), "\(step)")
        #expect(left == [], "\(injection) \(step)")
      }
      #expect(count > 0)
    }
  }

  @Test(arguments: faults.map(\.0))
  func `promise 18: a run that is killed at any call is mended by the next one`(_ call: String) {
    forEachStep(of: call, "signal=KILL:when=STEP") { ending, _, step in
      #expect(ending == .signalled(SIGKILL))
      mend()
      #expect(isOld || isNew, "\(call) \(step): \(texts)")
      #expect(left == [], "\(call) \(step)")
    }
  }
}
