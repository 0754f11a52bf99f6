import Differential
import Glibc
import Testing

/// A folder for one test, and shell commands run in it. `$UED` is the program under test.
final class Workshop {
  let folder = Disk.temporaryFolder()

  deinit {
    Disk.remove(contentsOf: folder)
  }

  /// What a shell command writes to standard output; a failure of it is recorded as an issue.
  @discardableResult
  func run(
    _ command: String, _ input: [UInt8] = [], statuses: [Int32] = [0], seconds: Double = 10
  ) -> [UInt8] {
    var process = Process(
      "/bin/sh", ["-c", command], environment: environment, directory: folder)
    process.secondsAllowed = seconds
    return perform(process, input, statuses)
  }

  /// What the program under test writes to standard output.
  @discardableResult
  func edit(
    _ arguments: [String], _ script: [UInt8], status: Int32 = 0, seconds: Double = 5
  ) -> [UInt8] {
    let program = Program.underTest.path
    var process = Process(program, arguments, environment: environment, directory: folder)
    process.secondsAllowed = seconds
    return perform(process, script, [status])
  }

  /// The script that makes one file of another.
  func script(from old: String, to new: String) -> [UInt8] {
    perform(
      Process("/usr/bin/diff", ["-e", old, new], environment: environment, directory: folder), [],
      [0, 1])
  }

  subscript(name: String) -> [UInt8]? {
    get { Disk.read(folder + "/" + name) }
    set { if let newValue { Disk.write(folder + "/" + name, newValue) } }
  }

  private var environment: [String] {
    [
      "PATH=\(folder)/bin:/usr/bin:/bin", "HOME=\(folder)", "LC_ALL=C",
      "UED=\(Program.underTest.path)",
      "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org",
      "GIT_COMMITTER_NAME=C", "GIT_COMMITTER_EMAIL=c@example.org",
    ]
  }

  private func perform(_ process: Process, _ input: [UInt8], _ statuses: [Int32]) -> [UInt8] {
    do throws(Process.Failure) {
      let result = try process.run(.pipe(input))
      let ends = statuses.map { Ending.exited($0) }
      if !ends.contains(result.ending) {
        let said = Escapes.encode(result.output.suffix(400) + result.errors)
        Issue.record("\(process.program) \(process.arguments): \(result.ending), \(said)")
      }
      return result.output
    } catch {
      Issue.record("\(error.what): \(String(cString: strerror(error.code)))")
      return []
    }
  }
}
