import Differential
import Glibc
import Testing

/// Saves under `strace`, which makes one system call after the other fail or kills the program there.
struct SaveInjector {
  /// The way of writing the file.
  enum Method: String, CaseIterable {
    /// As a new file.
    case created
    /// A new file replaces it.
    case replaced
    /// Over its bytes, since it has two links.
    case inPlace

    /// Whether a save of this kind makes a call.
    func uses(_ call: String) -> Bool {
      switch self {
      case .created:
        !["sendfile", "ftruncate", "unlinkat", "lseek", "flistxattr", "fchmod", "fsync"].contains(
          call)
      case .replaced: !["sendfile", "ftruncate", "unlinkat", "lseek"].contains(call)
      case .inPlace: !["flistxattr", "fchmod"].contains(call)
      }
    }

    /// The text before the save; nil without a file.
    var old: [UInt8]? { self == .created ? nil : SaveInjector.old }

    /// A script that does not save, and one that saves twice.
    var scripts: (short: String, saving: String) {
      self == .created
        ? ("r old\nQ\n", "r old\n1d\nw f\nq\nw f\n") : ("q\n", "1d\nw\nq\nw\n")
    }
  }

  static let old = Array((1...2000).map { "old \($0)\n" }.joined().utf8)
  /// The text after the save.
  static let new = Array((2...2000).map { "old \($0)\n" }.joined().utf8)

  let sandbox = Sandbox()

  /// The result of a save with an injected fault.
  struct Run {
    var fault: String
    var ending: Ending
    var output: String
    var errors: String
    /// Whether the fault was injected at all.
    var isFaulty: Bool
  }

  /// Saves once for each time that a call is made for the files in question, and interferes there.
  ///
  /// - Parameters:
  ///   - call: The names of calls, with commas between.
  ///   - injection: The fault, in `strace`'s notation.
  ///   - method: The way of writing the file.
  ///   - suffix: `+` when it happens from then on.
  ///   - check: Called after each run.
  func forEachStep(
    of call: String, _ injection: String, _ method: Method, when suffix: String,
    _ check: (Run) -> Void
  ) {
    prepare(method)
    run("trace=\(call)", method.scripts.short, method)
    let callsBefore = (sandbox["trace"] ?? []).count { $0 == 0x0A }
    for step in (callsBefore + 1)...(callsBefore + 40) {
      prepare(method)
      let result = run(
        "inject=\(call):\(injection):when=\(step)\(suffix)", method.scripts.saving, method)
      if !result.isFaulty {
        #expect(step > callsBefore + 1 || !method.uses(call), "\(call) is never called")
        break
      }
      check(result)
      for name in names { unlink(sandbox.path + "/" + name) }
    }
  }

  /// The names of all calls that a save makes for the files in question.
  func calls(of method: Method) -> [String] {
    func counts(_ script: String) -> [String: Int] {
      prepare(method)
      run("trace=all", script, method)
      let lines = String(decoding: sandbox["trace"] ?? [], as: UTF8.self).split(separator: "\n")
      return lines.reduce(into: [:]) { $0[String($1.prefix { $0 != "(" }), default: 0] += 1 }
    }
    let before = counts(method.scripts.short)
    let calls = counts(method.scripts.saving).filter { $1 > before[$0] ?? 0 }.keys.sorted()
    #expect(calls.count > 7)
    return calls
  }

  /// Makes the files as they are before the save.
  private func prepare(_ method: Method) {
    sandbox["old"] = Self.old
    if let old = method.old { sandbox["f"] = old } else { unlink(sandbox.path + "/f") }
    if method == .inPlace { link(sandbox.path + "/f", sandbox.path + "/k") }
  }

  @discardableResult
  private func run(_ expression: String, _ script: String, _ method: Method) -> Run {
    // strace compares names as given, and open files' paths.
    let paths = ["f", ".", ".ued-\(geteuid())-0", "\(sandbox.path)/.ued-\(geteuid())-0"]
      .flatMap { ["-P", $0] }
    let result = sandbox.launch(
      "/usr/bin/strace",
      ["-qqq", "-o", "trace", "-e", expression] + paths + [Program.underTest.path, "-s"]
        + (method == .created ? [] : ["f"]),
      Array(script.utf8))
    if result.ending == .timedOut { Issue.record("\(expression) did not end") }
    let errors = String(decoding: result.errors, as: UTF8.self).split(separator: "\n")
    let trace = String(decoding: sandbox["trace"] ?? [], as: UTF8.self)
    return Run(
      fault: expression, ending: result.ending,
      output: String(decoding: result.output, as: UTF8.self),
      errors: errors.filter { !$0.hasPrefix("/usr/bin/strace:") }.joined(separator: "\n"),
      isFaulty: trace.contains("(INJECTED)") || trace.contains("--- SIGINT")
        || result.ending == .signalled(SIGKILL))
  }

  /// The names of the files that ued has made in the folder.
  var names: [String] {
    Disk.names(in: sandbox.path).filter { $0.hasPrefix(".ued-") }
  }

  /// The names of the files that are left after another save, without a fault.
  func namesAfterAnotherSave() -> [String] {
    sandbox["f"] = Self.old
    sandbox.edit(["-s", "f"], Array("w\n".utf8))
    return names
  }
}
