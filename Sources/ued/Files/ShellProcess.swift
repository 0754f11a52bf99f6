import UedLinux
import Glibc

/// A shell command that is running, and that an interrupt, SIGHUP or SIGTERM ends.
///
/// SAFETY: system calls get the addresses of values on the stack, which outlive the calls. The process is
/// waited for once, by `wait`, which every owner calls, so that its number is its own until then. The
/// descriptor of the pipe is open until `wait`.
@safe struct ShellProcess: ~Copyable {
  /// What a signal ends.
  enum Ending: Sendable {
    /// The shell: what it has started gets the signals of the terminal.
    case shell
    /// The shell and what it has started, in a process group of their own.
    case group
  }

  /// A standard stream of a command.
  enum Stream { case input, output }

  private let process: pid_t
  private let ending: Ending
  /// This side of the pipe; negative without one.
  let pipe: Int32

  /// How many milliseconds a command has to end when it is asked to.
  private static let grace: Int32 = 1000

  /// Starts a shell command.
  ///
  /// - Parameters:
  ///   - command: The command.
  ///   - ending: What a signal ends.
  ///   - stream: Which of its standard streams is a pipe; nil for none.
  /// - Throws: Why it can't be started.
  init(
    _ command: [UInt8], _ ending: Ending, passing stream: Stream? = nil
  ) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    if stream != nil, unsafe pipe2(&ends, O_CLOEXEC) != 0 { throw .last }
    let (own, other) = stream == .input ? (ends[1], ends[0]) : (ends[0], ends[1])
    let started = unsafe SystemName.lend(command) {
      unsafe clinux_start_shell(
        $0, ending == .group ? 1 : 0, stream == .input ? other : -1, stream == .output ? other : -1)
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

  /// Closes the pipe, and waits for the end of the command. An interrupt that ends it is pending afterwards.
  ///
  /// - Returns: The exit status, or as in a shell 128 and the signal that ended it.
  consuming func wait() -> Int32 {
    if pipe >= 0 { close(pipe) }
    let ended = clinux_open_process(process)
    if ended >= 0 {
      if Interrupts.waitForInput(ended) == .interrupted {
        if !Interrupts.hangUp { Interrupts.renew() }
        let target = ending == .group ? -process : process
        kill(target, Interrupts.hangUp ? SIGTERM : SIGINT)
        var polled = pollfd(fd: ended, events: Int16(POLLIN), revents: 0)
        if unsafe poll(&polled, 1, Self.grace) <= 0 { kill(target, SIGKILL) }
      }
      close(ended)
    }
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 && errno == EINTR {}
    return Self.exitStatus(status)
  }

  /// The exit status in the result of a wait, or as in a shell 128 and the signal that ended a command.
  static func exitStatus(_ status: Int32) -> Int32 {
    let signal = status & 0x7F
    return signal == 0 ? status >> 8 & 0xFF : 128 + signal
  }
}
