import Differential
import Glibc
import Testing

/// Sessions of the program under test, with JSON answers.
extension HeldProgram {
  /// Starts the program under test in a folder, as an argument of the command `others` if given.
  static func session(
    _ arguments: [String], in folder: TemporaryFolder, options: [String] = ["--json"],
    under others: [String] = []
  ) -> HeldProgram {
    let words = others + [Program.underTest.path] + options + arguments
    let process = Process(
      words[0], Array(words.dropFirst()),
      environment: ["PATH=/usr/bin:/bin", "HOME=\(folder.path)"], directory: folder.path)
    do throws(Process.Failure) {
      return try HeldProgram(process)
    } catch {
      fatalError("\(error.what): \(String(cString: strerror(error.code)))")
    }
  }

  /// Sends a command with its lines, and waits for the answer.
  func ask(_ command: String) -> ParsedJSON {
    send(command + "\n")
    return answer()
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// The next answer; null if none comes.
  func answer() -> ParsedJSON { (try? line()).flatMap { Answers.validated($0) } ?? .null }

  /// Waits until the program has printed a text; false if it does not.
  func awaitOutput(_ text: String) -> Bool { (try? output(before: Array(text.utf8))) != nil }

  /// Sends a signal to the program and its shell commands.
  func signalAll(_ signal: Int32) { kill(-child, signal) }

  /// Closes the input, and returns the last answer.
  func lastAnswer() -> ParsedJSON {
    closeInput()
    return answer()
  }
}
