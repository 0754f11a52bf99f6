import CSpawn
import Differential
import Glibc
import Testing

/// The program at a terminal of its own, with somebody who waits for each prompt.
final class TerminalSession {
  /// All that was shown.
  private(set) var screen: [UInt8] = []
  private let keyboard: Int32
  private var child: pid_t = 0
  private var isRunning = true

  /// Starts the program in a workshop.
  init(_ workshop: Workshop, _ arguments: [String], environment: [String] = ["UED_HISTORY=on"]) {
    keyboard = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var unlocked: Int32 = 0
    var number: Int32 = -1
    _ = ioctl(keyboard, 0x4004_5431, &unlocked)  // TIOCSPTLCK
    _ = ioctl(keyboard, 0x8004_5430, &number)  // TIOCGPTN
    let terminal = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(terminal) }
    let program = Program.underTest.path
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    let own = ["TERM=dumb", "HOME=\(workshop.folder)", "LC_ALL=C.UTF-8", "PATH=/usr/bin:/bin"]
    var variables = (own + environment).map { strdup($0) } + [nil]
    defer { for word in words + variables { free(word) } }
    let code = cspawn_start(
      &child, program, &words, &variables, workshop.folder, terminal, terminal, terminal)
    if code != 0 { Issue.record("can't start \(program): \(code)") }
    awaitPrompt()
  }

  deinit {
    if isRunning { kill() }
    close(keyboard)
  }

  /// Types lines, each after a prompt, and waits for the next prompt.
  ///
  /// - Returns: What was shown meanwhile.
  @discardableResult
  func type(_ lines: String...) -> String {
    let start = screen.count
    for line in lines {
      let typed = screen.count
      typeAhead(line)
      // What is typed is shown first.
      while !screen[typed...].contains(UInt8(ascii: "\n")), readMore() {}
      awaitPrompt()
    }
    return shown(from: start)
  }

  /// Types a line and waits for nothing.
  func typeAhead(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(keyboard, bytes, bytes.count)
  }

  /// Ends the program as the system would.
  func kill() {
    Glibc.kill(child, SIGKILL)
    awaitEnd()
  }

  /// Types a last line and waits for the end.
  ///
  /// - Returns: What was shown meanwhile.
  @discardableResult
  func end(_ line: String = "Q") -> String {
    let start = screen.count
    typeAhead(line)
    while readMore() {}
    awaitEnd()
    return shown(from: start)
  }

  private func awaitEnd() {
    var status: Int32 = 0
    waitpid(child, &status, 0)
    isRunning = false
  }

  private func awaitPrompt() {
    while !endsWithPrompt, readMore() {}
  }

  /// A prompt for a command or for text ends what is shown, on a line of its own.
  private var endsWithPrompt: Bool {
    let line = screen.suffix(while: { $0 != UInt8(ascii: "\n") })
    return line.count < 16 && (line.last == 0x20)
      && (line.dropLast().last == UInt8(ascii: ":") || line.dropLast().last == UInt8(ascii: ">"))
      && line.first.map { $0 >= 0x30 && $0 <= 0x39 } == true
  }

  private func readMore() -> Bool {
    var polled = pollfd(fd: keyboard, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, 5000) > 0 else {
      Issue.record("nothing more is shown after \(shown(from: max(0, screen.count - 200)))")
      return false
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(keyboard, &buffer, buffer.count)
    if count > 0 { screen += buffer[..<count] }
    return count > 0
  }

  private func shown(from start: Int) -> String {
    String(decoding: screen[start...].filter { $0 != 13 }, as: UTF8.self)
  }
}

extension BidirectionalCollection {
  /// The longest end whose elements all fit.
  fileprivate func suffix(while fits: (Element) -> Bool) -> SubSequence {
    var start = endIndex
    while start > startIndex, fits(self[index(before: start)]) { start = index(before: start) }
    return self[start...]
  }
}
