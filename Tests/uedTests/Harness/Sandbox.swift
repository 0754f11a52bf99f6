import Differential
import Glibc
import Testing

/// A temporary folder and programs that are run in it. `$UED` is the program under test.
///
/// A test must fail if ued does nothing:
///
/// - Every script must end with the one exit status that the test gives. `Process.shell` runs it;
///   see there for the command that ends a script early, and for helpers for assertions.
/// - `make check` repeats all tests that start ued, with a program in its place that does nothing
///   (`Tests/null-programs.sh`), and fails if a test passes. A test therefore compares the output
///   or the files, and does not only check for a failure.
/// - A wait for ued must end when ued does: use `awaits`, not a loop with `sleep`.
final class Sandbox: TemporaryFolder {
  private let variables: [String]

  /// Makes an empty folder. The variables are added to the environment of the programs.
  init(_ variables: String...) { self.variables = variables }

  /// Runs a script, and records an issue unless it exits with `status`.
  ///
  /// - Returns: Its standard output.
  @discardableResult
  func run(
    _ script: String, _ input: [UInt8] = [], status: Int32 = 0,
    at location: SourceLocation = #_sourceLocation
  ) -> [UInt8] {
    // Without the trap, a failure would not show the command that ended the script.
    let trace = "trap 'echo \"status $?: $BASH_COMMAND\" >&2' ERR\n"
    let result = ending(of: status == 0 ? trace + script : script, input)
    expect(result, status, of: script, at: location)
    return result.output
  }

  /// Runs a script, and records an issue unless it exits with `status`.
  ///
  /// - Returns: Its standard output and its standard error.
  @discardableResult
  func shell(
    _ script: String, status: Int32 = 0, at location: SourceLocation = #_sourceLocation
  ) -> String {
    let output = run("exec 2>&1\n" + script, status: status, at: location)
    return String(decoding: output, as: UTF8.self)
  }

  /// Runs a script.
  ///
  /// - Returns: Its standard output and its standard error, and its exit status in a last line.
  func transcript(_ script: String) -> String {
    let result = ending(of: "exec 2>&1\n" + script, [])
    let status =
      if case .exited(let status) = result.ending { "\(status)" } else { "\(result.ending)" }
    return String(decoding: result.output, as: UTF8.self) + status + "\n"
  }

  private func ending(of script: String, _ input: [UInt8]) -> (
    output: [UInt8], errors: [UInt8], ending: Ending
  ) {
    // Records that the test starts ued.
    if script.contains("UED") { _ = Program.underTest }
    return launch(.shell(script, environment: environment, directory: path), .pipe(input))
  }

  /// Runs the program under test.
  ///
  /// - Returns: Its standard output.
  @discardableResult
  func edit(
    _ arguments: [String], _ script: [UInt8], status: Int32 = 0,
    at location: SourceLocation = #_sourceLocation
  ) -> [UInt8] {
    let program = Program.underTest.path
    let result = launch(program, arguments, script)
    expect(result, status, of: "ued \(arguments)", at: location)
    return result.output
  }

  /// The ed script that turns the file `old` into the file `new`.
  func script(from old: String, to new: String) -> [UInt8] {
    run("diff -e \(old) \(new) || test $? = 1")
  }

  private var environment: [String] {
    [
      "PATH=\(path)/bin:/usr/bin:/bin", "HOME=\(path)", "LC_ALL=C", "UED=\(Program.tested.path)",
      "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org",
      "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.org",
    ] + variables
  }

  /// Runs a program to its end, whatever its exit status.
  func launch(_ program: String, _ arguments: [String], _ input: [UInt8]) -> (
    output: [UInt8], errors: [UInt8], ending: Ending
  ) {
    launch(program, arguments, .pipe(input))
  }

  /// Runs a program to its end, whatever its exit status.
  func launch(_ program: String, _ arguments: [String], _ input: Process.Input) -> (
    output: [UInt8], errors: [UInt8], ending: Ending
  ) {
    launch(Process(program, arguments, environment: environment, directory: path), input)
  }

  private func launch(_ process: consuming Process, _ input: Process.Input) -> (
    output: [UInt8], errors: [UInt8], ending: Ending
  ) {
    // Some tests print large texts.
    process.bytesAllowed = 1 << 28
    do throws(Process.Failure) {
      return try process.run(input)
    } catch {
      Issue.record("\(error.what): \(String(cString: strerror(error.code)))")
      return ([], [], .timedOut)
    }
  }

  private func expect(
    _ result: (output: [UInt8], errors: [UInt8], ending: Ending), _ status: Int32, of work: String,
    at location: SourceLocation
  ) {
    if result.ending == .exited(status) { return }
    let said = Escapes.encode(result.output.suffix(400) + result.errors)
    Issue.record("\(result.ending), \(said)\n\(work)", sourceLocation: location)
  }
}
