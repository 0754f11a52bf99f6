import Glibc

/// A program that keeps running on pipes.
package final class HeldProgram {
  /// Why the awaited output has not come.
  package enum Silence: Error {
    /// The program has closed its output.
    case end
    /// No output for too long.
    case hung
  }

  package private(set) var child: pid_t = 0
  private var input: Int32
  private let output: Int32
  private let errorOutput: Int32
  private var unread: [UInt8] = []
  private var unreadStart = 0
  /// The bytes on standard error so far.
  package private(set) var errors: [UInt8] = []
  /// Seconds that it may take for anything.
  package var patience = Process.patience

  package init(_ process: Process) throws(Process.Failure) {
    // The end of its output tells that a program has ended.
    Glibc.signal(SIGPIPE, SIG_IGN)
    let commands = try Process.pipe()
    let answers = try Process.pipe()
    let complaints = try Process.pipe()
    (input, output, errorOutput) = (commands.write, answers.read, complaints.read)
    _ = fcntl(errorOutput, F_SETFL, O_NONBLOCK)
    defer { for end in [commands.read, answers.write, complaints.write] { close(end) } }
    child = try process.start(commands.read, answers.write, complaints.write)
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

  /// Sends bytes, as many as the program takes.
  package func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  package func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  /// Sends a signal to the program alone.
  package func signal(_ signal: Int32) { kill(child, signal) }

  /// The next line of its output, without the newline.
  package func line() throws(Silence) -> [UInt8] { try output(before: [0x0A]) }

  /// Reads past a text; returns the part before.
  package func output(before text: [UInt8]) throws(Silence) -> [UInt8] {
    let deadline = Process.now() + patience
    var searched = unreadStart
    while true {
      while let start = unread[searched...].firstIndex(of: text[0]) {
        searched = start
        if unread.count < start + text.count { break }
        if unread[start...].starts(with: text) {
          let found = Array(unread[unreadStart..<start])
          unreadStart = start + text.count
          if unreadStart == unread.count { (unread, unreadStart) = ([], 0) }
          return found
        }
        searched += 1
      }
      searched = max(searched, unread.count - text.count + 1)
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

  /// Reads the available bytes of standard error.
  package func readErrors() {
    var block = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(errorOutput, &block, block.count)
      if count <= 0 { return }
      errors += block[..<count]
    }
  }

  /// Waits until it closes its output.
  package func awaitEnd() throws(Silence) {
    let deadline = Process.now() + patience
    while try more(until: deadline) > 0 {}
  }

  /// The processor time it has used, in seconds, until ``ending()``.
  package var processorTime: Double { ProcessState(of: child).processorTime }

  /// Whether the program waits for its output to be read, or has read all input and waits.
  private var isIdle: Bool {
    var unread: Int32 = 0
    if input >= 0 { _ = ioctl(input, UInt(FIONREAD), &unread) }
    return ProcessState(of: child).isWaiting(
      in: unread > 0 ? ProcessState.writingCalls : ProcessState.waitingCalls)
  }

  /// Waits until the program has read all input, waits for something, and has answered every
  /// signal.
  ///
  /// - Returns: False if the wait fails.
  @discardableResult
  package func awaitIdle() -> Bool { awaits { isIdle } }

  /// Waits until the program is idle, or has computed for a while with its input.
  package func awaitWork() {
    let start = processorTime
    _ = awaits { isIdle || processorTime > start + 0.03 }
  }

  private func awaits(_ isReached: () -> Bool) -> Bool {
    let deadline = Process.now() + patience
    while !isReached() {
      if hasEnded || Process.now() > deadline { return false }
      usleep(500)
    }
    return true
  }

  /// Whether it has ended, and was not waited for.
  private var hasEnded: Bool {
    var info = siginfo_t()
    waitid(P_PID, id_t(child), &info, WEXITED | WNOHANG | WNOWAIT)
    return info.si_signo != 0
  }

  /// Waits until the program ends; does not ask it to.
  package func awaitExit() {
    _ = awaits { hasEnded }
  }

  /// Waits for the end of the program, whose output is left alone.
  package func ending() -> Ending {
    defer { child = 0 }
    return Process.end(of: child, by: Process.now() + patience)
  }

  /// Ends the input, and waits for the end of the program.
  ///
  /// - Returns: The rest of its output.
  package func finish() throws(Silence) -> (output: [UInt8], ending: Ending) {
    closeInput()
    let deadline = Process.now() + patience
    while try more(until: deadline) > 0 { readErrors() }
    let ending = ending()
    if ending == .timedOut { throw .hung }
    readErrors()
    let rest = Array(unread[unreadStart...])
    (unread, unreadStart) = ([], 0)
    return (rest, ending)
  }

  /// Opens a pipe for writing as soon as a process reads it.
  ///
  /// - Returns: The descriptor; -1 if the program has ended, or no process reads for too long.
  package func openPipe(_ path: String) -> Int32 {
    let deadline = Process.now() + patience
    while true {
      let pipe = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      if pipe >= 0 || hasEnded || Process.now() > deadline { return pipe }
      usleep(1000)
    }
  }
}
