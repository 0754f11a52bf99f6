import Glibc
import UedLinux

/// A running shell command, which receives each SIGINT, SIGHUP or SIGTERM that ued receives.
///
/// SAFETY: system calls get the addresses of values on the stack, which outlive the calls. Every
/// owner calls `wait`, which waits for the process once; until then its number is not reused. The
/// descriptor of the pipe is open until `wait`.
@safe struct ShellProcess: ~Copyable {
  /// The processes that get a signal, and whether ued kills those that do not end.
  enum Ending: Sendable {
    /// The shell, which is left running if it does not end. As in ed, a command without a pipe
    /// handles SIGINT from the keyboard itself.
    case patient
    /// The shell, which is killed if it does not end. Its children get the signals of the terminal.
    case shell
    /// The shell and its children, in their own process group, which is killed if it does not end.
    case group
  }

  /// A standard stream of a command.
  enum Stream { case input, output }

  private let process: pid_t
  private let ending: Ending
  /// ued's end of the pipe; negative without one.
  let pipe: Int32

  /// The time in milliseconds that a command has to end after a signal.
  private static let grace: Int32 = 1000
  /// The time in milliseconds if ued must end, too.
  private static let shortGrace: Int32 = 50

  /// Starts a shell command, with a pipe for `stream` unless it is nil. Unless it reads from the
  /// pipe, its standard input is `input`, or ued's own if negative.
  init(
    _ command: [UInt8], _ ending: Ending, passing stream: Stream? = nil, input: Int32 = -1
  ) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    if stream != nil, unsafe pipe2(&ends, O_CLOEXEC) != 0 { throw .last }
    let (own, other) = stream == .input ? (ends[1], ends[0]) : (ends[0], ends[1])
    let started = unsafe SystemName.lend(command) {
      unsafe clinux_start_shell(
        $0, ending == .group ? 1 : 0, stream == .input ? other : input,
        stream == .output ? other : -1)
    }
    let failure = SystemError.last
    if stream != nil { close(other) }
    if started < 0 {
      if stream != nil { close(own) }
      throw failure
    }
    process = started
    self.ending = ending
    pipe = own
  }

  /// Closes the pipe, waits until the command ends, and returns the exit status or, as in a shell,
  /// 128 plus the signal that ended it. Re-raises an interrupt that came meanwhile, unless it
  /// concerns the command alone.
  consuming func wait() -> Int32 {
    if pipe >= 0 { close(pipe) }
    let pidfd = clinux_open_process(process)
    if pidfd >= 0 {
      defer { close(pidfd) }
      var hasInterrupt = false
      var isOver = false
      while !isOver, Interrupts.waitForInput(pidfd) == .interrupted {
        hasInterrupt = hasInterrupt || !Interrupts.hangUp
        switch passSignalOn(pidfd) {
        case .waits: break
        case .ends: isOver = true
        case .isLeft:
          if !Interrupts.hangUp { Interrupts.renew() }
          return 128 + (Interrupts.endingSignal ?? SIGINT)
        }
      }
      // As in ed, an interrupt concerns the command alone.
      let concernsCommandOnly = ending == .patient && pipe < 0
      if hasInterrupt && !concernsCommandOnly { Interrupts.renew() }
    }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return Self.exitStatus(status)
  }

  /// The reaction of a command to a signal.
  private enum Answer { case waits, ends, isLeft }

  /// Passes a signal on. The descriptor `pidfd` becomes readable when the command ends. Returns
  /// `.waits` to keep waiting, `.ends` if the command ends or is killed, `.isLeft` if ued stops
  /// waiting for it.
  private borrowing func passSignalOn(_ pidfd: Int32) -> Answer {
    let target = ending == .group ? -process : process
    let signal = Interrupts.endingSignal
    if ending == .patient {
      // The keyboard has sent SIGINT to the command, too.
      let isSent = signal != nil || Interrupts.isSentToThisProcess
      if isSent { kill(target, signal ?? SIGINT) }
      if signal == nil && pipe < 0 && (!isSent || isatty(STDIN_FILENO) == 1) { return .waits }
      return Self.waits(for: pidfd, atMost: Self.shortGrace) ? .ends : .isLeft
    }
    kill(target, signal == nil ? SIGINT : SIGTERM)
    if !Self.waits(for: pidfd, atMost: signal == nil ? Self.grace : Self.shortGrace) {
      kill(target, SIGKILL)
    }
    return .ends
  }

  /// Waits until a descriptor can be read; false after the time limit.
  private static func waits(for descriptor: Int32, atMost milliseconds: Int32) -> Bool {
    let deadline = SystemClock.nanosecondsOfUptime + Int(milliseconds) * 1_000_000
    var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while true {
      let rest = max((deadline - SystemClock.nanosecondsOfUptime) / 1_000_000, 0)
      let ready = unsafe poll(&polled, 1, Int32(rest))
      if ready >= 0 || errno != EINTR { return ready > 0 }
    }
  }

  /// The exit status in a wait status or, as in a shell, 128 plus the signal that ended the
  /// command.
  static func exitStatus(_ status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}

/// A shell command with `%` for the name of a file; `\%` is a percent sign.
struct ShellTemplate {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The command for a file whose name is plain. No quoting works everywhere in a command.
  func command(for name: [UInt8]) -> [UInt8] {
    precondition(Self.isPlain(name))
    var command: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      if byte == .percent {
        command += name
      } else if byte == .backslash, let escaped = rest.popFirst() {
        command += escaped == .percent ? [.percent] : [.backslash, escaped]
      } else {
        command.append(byte)
      }
    }
    return command
  }

  /// Whether a name has no byte special to the shell, and does not look like an option.
  static func isPlain(_ name: [UInt8]) -> Bool {
    name.first != UInt8(ascii: "-")
      && name.allSatisfy { byte in
        byte.isLowercase || byte.isDigit || byte >= 0x80
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte
          || Array("/._+,:@-".utf8).contains(byte)
      }
  }
}
