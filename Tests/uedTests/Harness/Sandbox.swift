import Differential
import Glibc
import Testing

/// A temporary folder and programs that are run in it. `$UED` is the program under test.
final class Sandbox: TemporaryFolder {
  /// Runs a shell command; another exit status than those given is recorded as an issue.
  ///
  /// - Returns: Its standard output.
  @discardableResult
  func run(
    _ command: String, _ input: [UInt8] = [], statuses: [Int32] = [0], seconds: Double = 10
  ) -> [UInt8] {
    run("/bin/sh", ["-c", command], input, statuses, seconds: seconds)
  }

  /// Runs the program under test.
  ///
  /// - Returns: Its standard output.
  @discardableResult
  func edit(
    _ arguments: [String], _ script: [UInt8], status: Int32 = 0, seconds: Double = 5
  ) -> [UInt8] {
    run(Program.underTest.path, arguments, script, [status], seconds: seconds)
  }

  /// The script that makes one file of another.
  func script(from old: String, to new: String) -> [UInt8] {
    run("/usr/bin/diff", ["-e", old, new], [], [0, 1], seconds: 5)
  }

  private var environment: [String] {
    [
      "PATH=\(path)/bin:/usr/bin:/bin", "HOME=\(path)", "LC_ALL=C",
      "UED=\(Program.underTest.path)",
      "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org",
      "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.org",
    ]
  }

  /// Runs a program to its end, whatever its exit status.
  func launch(
    _ program: String, _ arguments: [String], _ input: [UInt8], seconds: Double = 5
  ) -> (output: [UInt8], errors: [UInt8], ending: Ending) {
    launch(program, arguments, .pipe(input), seconds: seconds)
  }

  /// Runs a program to its end, whatever its exit status.
  func launch(
    _ program: String, _ arguments: [String], _ input: Process.Input, seconds: Double = 5
  ) -> (output: [UInt8], errors: [UInt8], ending: Ending) {
    var process = Process(program, arguments, environment: environment, directory: path)
    process.secondsAllowed = seconds
    // What runs long may say much.
    if seconds > 20 { process.bytesAllowed = 1 << 28 }
    do throws(Process.Failure) {
      return try process.run(input)
    } catch {
      Issue.record("\(error.what): \(String(cString: strerror(error.code)))")
      return ([], [], .timedOut)
    }
  }

  private func run(
    _ program: String, _ arguments: [String], _ input: [UInt8], _ statuses: [Int32],
    seconds: Double
  ) -> [UInt8] {
    let result = launch(program, arguments, input, seconds: seconds)
    if !statuses.contains(where: { result.ending == .exited($0) }) {
      let said = Escapes.encode(result.output.suffix(400) + result.errors)
      Issue.record("\(program) \(arguments): \(result.ending), \(said)")
    }
    return result.output
  }
}
