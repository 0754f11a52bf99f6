import Differential
import Glibc
import Testing

/// Saves with a failure of each step in turn.
@Suite struct FailingSaveTests {
  /// A call that a save makes, and an error that it may give.
  struct Fault: CustomTestStringConvertible, Sendable {
    var call: String
    var error: String
    var testDescription: String { "\(call) \(error)" }
  }

  /// Errors besides EIO. `EVERY_ERROR` tries ENOSPC and EINTR on every call, too.
  static let faults = [
    Fault(call: "openat", error: "ENOSPC"), Fault(call: "write", error: "ENOSPC"),
    Fault(call: "fchmod", error: "EPERM"), Fault(call: "flock", error: "ENOLCK"),
  ]
  static let errors = setting("EVERY_ERROR", or: 0) == 0 ? ["EIO"] : ["EIO", "ENOSPC", "EINTR"]

  private let injector = SaveInjector()

  @Test(arguments: faults, SaveInjector.Method.allCases)
  func `errors besides EIO lose no text`(_ fault: Fault, _ method: SaveInjector.Method) {
    checkOnce(fault, method)
    checkForGood(fault, method)
  }

  @Test(arguments: SaveInjector.Method.allCases, errors)
  func `promise 4: a call that fails once leaves a whole file, and the next save works`(
    _ method: SaveInjector.Method, _ error: String
  ) {
    for call in injector.calls(of: method) { checkOnce(Fault(call: call, error: error), method) }
  }

  @Test(arguments: SaveInjector.Method.allCases, errors)
  func `a call that fails for good leaves the old text in reach`(
    _ method: SaveInjector.Method, _ error: String
  ) {
    for call in injector.calls(of: method) { checkForGood(Fault(call: call, error: error), method) }
  }

  private func checkOnce(_ fault: Fault, _ method: SaveInjector.Method) {
    injector.forEachStep(of: fault.call, "error=\(fault.error)", method, when: "") { run in
      // Either a fallback worked, or `w` failed, `q` was refused, and the second `w` worked.
      #expect(run.output == (run.ending == .exited(0) ? "" : "?\n?\n"), "\(run)")
      #expect((run.ending == .exited(0)) == run.errors.isEmpty, "\(run)")
      #expect(injector.sandbox["f"] == SaveInjector.new, "\(run)")
    }
  }

  private func checkForGood(_ fault: Fault, _ method: SaveInjector.Method) {
    injector.forEachStep(of: fault.call, "error=\(fault.error)", method, when: "+") { run in
      let text = injector.sandbox["f"]
      if run.ending == .exited(0) {
        #expect(run.output == "" && text == SaveInjector.new, "\(run)")
      } else {
        #expect(run.output.hasPrefix("?\n?\n") && !run.errors.isEmpty, "\(run)")
        let isWhole = text == method.old || text == SaveInjector.new
        #expect(isWhole || preserved(run.errors) == SaveInjector.old, "\(run)")
      }
      let left = injector.namesAfterAnotherSave()
      // Old text stays if it could not be put back or removed.
      #expect(left.allSatisfy { $0.hasPrefix(".ued-old-") }, "\(run) left \(left)")
      #expect(left.isEmpty || method == .inPlace, "\(run) left \(left)")
    }
  }

  /// The file that a message names as the place of the old text.
  private func preserved(_ errors: String) -> [UInt8]? {
    let mark = "the old text is in "
    for line in errors.split(separator: "\n") {
      let parts = line.split(separator: mark, maxSplits: 1)
      if parts.count == 2 { return Disk.read(String(parts[1])) }
    }
    return nil
  }
}
