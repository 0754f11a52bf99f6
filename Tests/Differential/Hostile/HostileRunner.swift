import Glibc

/// Runs hostile cases in a separate folder, and judges the results.
///
/// The folder has `w`, where ued runs, `home`, and the file `secret`, which ued must not touch.
package final class HostileRunner {
  private let root = TemporaryFolder()
  private let program: Program
  /// Whether reports name the lines of the program, which takes seconds.
  package var explains = false
  /// Two histories, each as files by name, for `.databases`.
  private lazy var histories: [[String: [UInt8]]] = ["merged", "branches"].map { makeHistory($0) }

  package init(_ program: Program) {
    self.program = program
    Disk.remove(contentsOf: root.path, keepingFolder: true)
  }

  private static let secret = Array("top-secret-content\n".utf8)
  /// A run that uses 20 s of processor time ends sooner.
  private static let secondsAllowed = 200.0
  private static let state = "home/.local/state/ued"

  private func layOut() {
    Disk.remove(contentsOf: root.path, keepingFolder: true)
    for folder in ["w", "w/dir", "home", "reports", "home/.local", "home/.local/state", Self.state]
    {
      mkdir(root.path + "/" + folder, 0o700)
    }
    root["secret"] = Self.secret
    root["w/dir/secret"] = Self.secret
    symlink("../secret", root.path + "/w/link")
  }

  /// Runs a case.
  ///
  /// - Returns: Its first fault, nil if there was none.
  package func run(_ test: HostileCase, _ kind: HostileKind, seed: UInt64) -> HostileFault? {
    layOut()
    for (path, bytes) in test.files { root[path] = bytes }
    var note = test.note
    if kind == .databases { note = layOutDatabases(seed) }
    for (number, run) in test.runs.enumerated() {
      root["input-\(number + 1)"] = run.input
      var fault = self.fault(of: run)
      if fault == nil, let text = run.textAfter, root["w/f"] != text {
        fault = HostileFault(kind: "the file has another text", details: "")
      }
      if fault == nil, kind == .patches, root["secret"] != Self.secret {
        fault = HostileFault(kind: "a patch has written outside", details: "")
      }
      if var fault {
        fault.details =
          "run \(number + 1): \(run.arguments) \(run.environment) \(note)\n\(fault.details)"
        return fault
      }
    }
    return nil
  }

  /// Keeps the folder of the last case for inspection, with the input of each run.
  package func save(to folder: String) {
    _ = try? Process("/bin/cp", ["-a", root.path + "/.", folder], directory: "/").run(.pipe([]))
  }

  // MARK: - Running

  private func fault(of run: HostileRun) -> HostileFault? {
    let trace = root.path + "/trace"
    var words = [program.path] + run.arguments
    if run.isRestricted { words = RestrictedTrace.words(words, to: trace) }
    let result: (errors: [UInt8], ending: Ending)
    do throws(Process.Failure) {
      result = try launch(words, run)
    } catch {
      return HostileFault(
        kind: "the harness failed",
        details: "\(error.what): \(String(cString: strerror(error.code)))")
    }
    let said = String(decoding: result.errors.suffix(2000), as: UTF8.self)
    if let report = Disk.names(in: root.path + "/reports").first {
      let text = String(decoding: root["reports/" + report] ?? [], as: UTF8.self)
      return HostileFault(kind: Self.kind(ofReport: text), details: String(text.prefix(6000)))
    }
    if run.isRestricted, let fault = RestrictedTrace(Disk.read(trace) ?? [], root: root.path).fault
    {
      return fault
    }
    switch result.ending {
    case .exited(0...4), .flooded: return nil
    case .signalled(SIGHUP) where run.isAtTerminal, .signalled(SIGQUIT) where run.isAtTerminal:
      return nil
    case .timedOut: return HostileFault(kind: "hangs", details: said)
    case .signalled(SIGXCPU): return HostileFault(kind: "takes too long", details: said)
    default: return HostileFault(kind: "\(result.ending)", details: said)
    }
  }

  private func launch(_ words: [String], _ run: HostileRun) throws(Process.Failure) -> (
    errors: [UInt8], ending: Ending
  ) {
    var process = Process(
      words[0], Array(words.dropFirst()), environment: environment(of: run),
      directory: root.path + "/w")
    process.secondsAllowed = Self.secondsAllowed
    if run.isAtTerminal {
      return ([], try Keyboard(sizes: run.sizes).run(process, typing: run.input))
    }
    let result = try process.run(.pipe(run.input))
    return (result.errors, result.ending)
  }

  private func environment(of run: HostileRun) -> [String] {
    let options = "log_path=\(root.path)/reports/r:symbolize=\(explains ? 1 : 0)"
    return [
      // libedit must not find programs that it would run at a terminal, such as vi.
      run.isAtTerminal ? "PATH=/nonexistent" : "PATH=/usr/bin:/bin", "HOME=\(root.path)/home",
      "SWIFT_BACKTRACE=enable=\(explains ? "yes,color=no,output-to=\(root.path)/reports/backtrace" : "no")",
      "ASAN_OPTIONS=\(options):detect_leaks=0:handle_sigill=0:handle_sigtrap=0:allocator_may_return_null=1",
      "TSAN_OPTIONS=\(options):die_after_fork=0",
    ]
      + (run.isAtTerminal
        ? ["TERM=xterm", "LC_ALL=C.UTF-8"].filter { usual in
          !run.environment.contains { $0.prefix(3) == usual.prefix(3) }
        } : []) + run.environment
  }

  /// The line of a report that names the fault, without addresses and process numbers.
  private static func kind(ofReport text: String) -> String {
    let line = text.split(separator: "\n").first { $0.contains("Sanitizer:") } ?? "report"
    return line.split(separator: " ").filter { !$0.contains("0x") && !$0.contains("==") }
      .prefix(8).joined(separator: " ")
  }

  // MARK: - Databases

  /// Makes a history with ued, and gives all files of its folder.
  private func makeHistory(_ kind: String) -> [String: [UInt8]] {
    layOut()
    root["w/f"] = HostileGenerator.text
    var scripts = [
      "1d\n2s/3/x/\nname foo\nbegin g\n$a\nq\n.\n1m$\nend\nundo\n3d\nw\n$d\nQ\n",
      "1d\nw\n2d\n,p\n1,$blame\nname c\nQ\n",
    ]
    if kind == "merged" {
      scripts = ["1d\nw\nundo\n$d\nmerge 1\nw\n2d\nrevert 1\nundo\n3d\npick 4\n5d\nQ\n"]
    }
    for (number, script) in scripts.enumerated() {
      _ = fault(
        of: HostileRun(
          arguments: ["--history", "--run=r\(number + 1)", "-s", "f"], input: Array(script.utf8)))
    }
    root["w/f"] = HostileGenerator.text
    _ = fault(
      of: HostileRun(
        arguments: ["f"], input: Array("p\rs/l/L/\rundo\r".utf8), isAtTerminal: true,
        environment: ["UED_HISTORY=on"]))
    var files: [String: [UInt8]] = [:]
    for name in Disk.names(in: root.path + "/" + Self.state) {
      files[name] = root[Self.state + "/" + name]
    }
    return files
  }

  /// Lays out a history, its index and recalled commands, one or two of them damaged.
  private func layOutDatabases(_ seed: UInt64) -> String {
    var random = SeededGenerator(seed: seed)
    let history = histories[random.below(histories.count)]
    layOut()
    root["w/f"] = HostileGenerator.text
    for (name, bytes) in history {
      let path = root.path + "/" + Self.state + "/" + name
      Disk.write(path, bytes)
      chmod(path, 0o600)
    }
    let names = history.keys.filter { !$0.hasSuffix("-shm") }.sorted()
    guard !names.isEmpty else { return "no history" }
    var note = ""
    for _ in 0...random.below(2) {
      let name = random.pick(
        names + names.filter { $0.hasSuffix(".history") } + [names[0] + "-wal"])
      let path = root.path + "/" + Self.state + "/" + name
      if name.hasSuffix("-wal"), Disk.read(path) == nil {
        Disk.write(path, Mutation.noise(random.below(9000), by: &random))
        chmod(path, 0o600)
      }
      note += HistoryDamage(path).damage(by: &random) + " "
    }
    return note
  }
}
