import Differential
import Glibc
import Testing

/// Runs saves with `strace`, which interferes at one step after the other.
struct SaveBench {
  /// How the file is written.
  enum Way: String, CaseIterable {
    /// By a new file in its place.
    case replaced
    /// Over its bytes, since it has two links.
    case inPlace

    /// Whether a call belongs to this way.
    func uses(_ call: String) -> Bool {
      switch self {
      case .replaced: !["sendfile", "ftruncate", "unlinkat", "lseek"].contains(call)
      case .inPlace: !["flistxattr", "fchmod"].contains(call)
      }
    }
  }

  static let old = Array((1...2000).map { "old \($0)\n" }.joined().utf8)
  /// What the save makes of it.
  static let new = Array((2...2000).map { "old \($0)\n" }.joined().utf8)

  let sandbox = Sandbox()

  /// What a run with a fault in it has shown.
  struct Run {
    var fault: String
    var ending: Ending
    var output: String
    var errors: String
    /// Whether the fault has come up.
    var isFaulty: Bool
  }

  /// Saves once for each time that a call is made for the files in question, and interferes there.
  ///
  /// - Parameters:
  ///   - call: The name of the call, or some with commas.
  ///   - injection: What happens to it, as `strace` has it.
  ///   - way: How the file is written.
  ///   - suffix: `+` when it happens from then on.
  ///   - check: Called after each run.
  func forEachStep(
    of call: String, _ injection: String, _ way: Way, when suffix: String, _ check: (Run) -> Void
  ) {
    sandbox["f"] = Self.old
    if way == .inPlace { link(sandbox.path + "/f", sandbox.path + "/k") }
    run("trace=\(call)", "q\n")
    let callsBefore = (sandbox["trace"] ?? []).count { $0 == 0x0A }
    for step in (callsBefore + 1)...(callsBefore + 40) {
      sandbox["f"] = Self.old
      let result = run(
        "inject=\(call):\(injection):when=\(step)\(suffix)", "1d\nw\nq\nw\n")
      if !result.isFaulty {
        #expect(step > callsBefore + 1 || !way.uses(call), "\(call) is never called")
        break
      }
      check(result)
      for name in names { unlink(sandbox.path + "/" + name) }
    }
  }

  @discardableResult
  private func run(_ expression: String, _ script: String) -> Run {
    // A name as it is given, and the path that an open file has.
    let paths = ["f", ".", ".ued-\(geteuid())-0", "\(sandbox.path)/.ued-\(geteuid())-0"]
      .flatMap { ["-P", $0] }
    let process = Process(
      "/usr/bin/strace",
      ["-qqq", "-o", "trace", "-e", expression] + paths + [Program.underTest.path, "-s", "f"],
      environment: ["PATH=/usr/bin:/bin", "HOME=\(sandbox.path)"], directory: sandbox.path)
    guard let result = try? process.run(.pipe(Array(script.utf8))),
      result.ending != .timedOut
    else {
      Issue.record("\(expression) did not end")
      return Run(
        fault: expression, ending: .timedOut, output: "", errors: "", isFaulty: false)
    }
    let errors = String(decoding: result.errors, as: UTF8.self).split(separator: "\n")
    let trace = String(decoding: sandbox["trace"] ?? [], as: UTF8.self)
    return Run(
      fault: expression, ending: result.ending,
      output: String(decoding: result.output, as: UTF8.self),
      errors: errors.filter { !$0.hasPrefix("/usr/bin/strace:") }.joined(separator: "\n"),
      isFaulty: trace.contains("(INJECTED)") || trace.contains("--- SIGINT")
        || result.ending == .signalled(SIGKILL))
  }

  /// The names of what ued has made beside the file.
  var names: [String] {
    Disk.names(in: sandbox.path).filter { $0.hasPrefix(".ued-") }
  }

  /// The same after a save without interference.
  func namesAfterAnotherSave() -> [String] {
    sandbox["f"] = Self.old
    sandbox.edit(["-s", "f"], Array("w\n".utf8))
    return names
  }
}
