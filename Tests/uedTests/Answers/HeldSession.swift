import CSpawn
import Differential
import Glibc
import Testing

/// A program that is kept open on pipes.
final class HeldSession {
  private var child: pid_t = 0
  private var input: Int32 = -1
  private let output: Int32
  private var read: [UInt8] = []

  init(_ arguments: [String], in folder: TemporaryFolder, options: [String] = ["--json"]) {
    var (commands, answers): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    #expect(cspawn_pipe(&commands, 0) == 0 && cspawn_pipe(&answers, 0) == 0)
    (input, output) = (commands[1], answers[0])
    var words =
      ([Program.underTest.path] + options + arguments).map { strdup($0 as String) } + [nil]
    var variables =
      ["PATH=/usr/bin:/bin", "HOME=\(folder.path)"].map { strdup($0 as String) } + [nil]
    let code = cspawn_start(
      &child, Program.underTest.path, &words, &variables, folder.path, commands[0], answers[1],
      STDERR_FILENO)
    #expect(code == 0)
    for word in words + variables { free(word) }
    close(commands[0])
    close(answers[1])
  }

  deinit {
    close(output)
    if input >= 0 { close(input) }
    if child > 0 {
      kill(child, SIGKILL)
      waitpid(child, nil, 0)
    }
  }

  /// Sends a command with its lines, and waits for the answer.
  func ask(_ command: String) -> JSONValue {
    send(command + "\n")
    return answer()
  }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    #expect(write(input, bytes, bytes.count) == bytes.count)
  }

  /// The next answer; null if none comes in ten seconds.
  func answer() -> JSONValue {
    while true {
      if let end = read.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(read[..<end])
        read.removeSubrange(...end)
        return Answers.validated(line) ?? .null
      }
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      var block = [UInt8](repeating: 0, count: 1 << 16)
      guard poll(&waiting, 1, 10_000) == 1 else { return .null }
      let more = Glibc.read(output, &block, block.count)
      if more <= 0 { return .null }
      read += block[..<more]
    }
  }

  /// Waits until the program has printed a text; false if it does not in ten seconds.
  func awaitOutput(_ text: String) -> Bool {
    let wanted = Array(text.utf8)
    while true {
      if let start = read.indices.first(where: { read[$0...].starts(with: wanted) }) {
        read.removeSubrange(..<(start + wanted.count))
        return true
      }
      read.removeFirst(max(read.count - wanted.count, 0))
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      var block = [UInt8](repeating: 0, count: 1 << 16)
      guard poll(&waiting, 1, 10_000) == 1 else { return false }
      let more = Glibc.read(output, &block, block.count)
      if more <= 0 { return false }
      read += block[..<more]
    }
  }

  /// Sends a signal to the program alone.
  func signalProgram(_ signal: Int32) { kill(child, signal) }

  /// Sends a signal to the program and its shell commands.
  func signal(_ signal: Int32) { kill(-child, signal) }

  /// Closes the input, and returns the last answer.
  func finish() -> JSONValue {
    close(input)
    input = -1
    return answer()
  }

  /// Waits for the end of the program, and returns the status as `wait` gives it.
  func status() -> Int32 {
    var status: Int32 = 0
    waitpid(child, &status, 0)
    child = 0
    return status
  }
}
