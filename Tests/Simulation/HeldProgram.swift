import CSpawn
import Differential
import Glibc

/// A program that is kept running on pipes.
final class HeldProgram {
  /// Why no line has come.
  enum Silence: Error {
    /// The program has closed its output.
    case end
    /// Nothing has come for too long.
    case hung
  }

  private(set) var child: pid_t = 0
  private var input: Int32
  private let output: Int32
  private let errorOutput: Int32
  private var unread: [UInt8] = []
  private var unreadStart = 0
  /// What it has written to standard error so far.
  private(set) var errors: [UInt8] = []
  /// Seconds that it may take for anything.
  var patience = 60.0

  init(_ program: String, _ arguments: [String], environment: [String], directory: String)
    throws(Process.Failure)
  {
    let commands = try Self.pipe()
    let answers = try Self.pipe()
    let complaints = try Self.pipe()
    (input, output, errorOutput) = (commands.write, answers.read, complaints.read)
    _ = fcntl(errorOutput, F_SETFL, O_NONBLOCK)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup($0) } + [nil]
    let code = cspawn_start(
      &child, program, &words, &variables, directory, commands.read, answers.write,
      complaints.write)
    for word in words + variables { free(word) }
    for end in [commands.read, answers.write, complaints.write] { close(end) }
    if code != 0 { throw Process.Failure(what: "start \(program)", code: code) }
  }

  private static func pipe() throws(Process.Failure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    let code = cspawn_pipe(&ends, 0)
    guard code == 0 else { throw Process.Failure(what: "pipe", code: code) }
    return (ends[0], ends[1])
  }

  deinit {
    closeInput()
    close(output)
    close(errorOutput)
    if child > 0 {
      kill(-child, SIGKILL)
      waitpid(child, nil, 0)
    }
  }

  /// Sends bytes. That the program has ended is found out when its answer is read.
  func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Sends a signal to the program.
  func signal(_ signal: Int32) { kill(child, signal) }

  /// The next line of its output, without the newline.
  func line() throws(Silence) -> [UInt8] {
    let deadline = Process.now() + patience
    var searched = unreadStart
    while true {
      if let end = unread[searched...].firstIndex(of: 0x0A) {
        let line = Array(unread[unreadStart..<end])
        unreadStart = end + 1
        if unreadStart == unread.count { (unread, unreadStart) = ([], 0) }
        return line
      }
      searched = unread.count
      if try more(until: deadline) == 0 { throw .end }
    }
  }

  private func more(until deadline: Double) throws(Silence) -> Int {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      let left = deadline - Process.now()
      if left <= 0 { throw .hung }
      if poll(&waiting, 1, Int32(left * 1000) + 1) <= 0 { continue }
      let count = read(output, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      if count > 0 { unread += block[..<count] }
      return max(0, count)
    }
  }

  /// Reads what is on standard error by now.
  func readErrors() {
    var block = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(errorOutput, &block, block.count)
      if count <= 0 { return }
      errors += block[..<count]
    }
  }

  /// Waits until it closes its output.
  func awaitEnd() throws(Silence) {
    let deadline = Process.now() + patience
    while try more(until: deadline) > 0 {}
  }

  /// Ends the input, and waits for the end of the program.
  ///
  /// - Returns: The rest of its output.
  func finish() throws(Silence) -> (output: [UInt8], ending: Ending) {
    closeInput()
    let deadline = Process.now() + patience
    while try more(until: deadline) > 0 { readErrors() }
    var status: Int32 = 0
    while waitpid(child, &status, WNOHANG) == 0 {
      if Process.now() > deadline { throw .hung }
      usleep(100)
    }
    child = 0
    readErrors()
    let signal = status & 0x7f
    let rest = Array(unread[unreadStart...])
    (unread, unreadStart) = ([], 0)
    return (rest, signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal))
  }
}
