import CLinux
import Glibc

/// A shell command that is running, and that an interrupt, SIGHUP or SIGTERM ends.
///
/// SAFETY: system calls get the addresses of values on the stack, which outlive the calls. The process is
/// waited for once, by `wait`, so that its number is its own until then.
@safe struct ShellProcess: ~Copyable {
  /// What a signal ends.
  enum Ending: Sendable {
    /// The shell: what it has started gets the signals of the terminal.
    case shell
    /// The shell and what it has started, in a process group of their own.
    case group
  }

  /// The end of a pipe that a command gets.
  enum Stream { case input, output }

  private let process: pid_t
  private let ending: Ending

  /// How many milliseconds a command has to end when it is asked to.
  private static let grace: Int32 = 1000

  /// Starts a shell command, with other descriptors for its standard input and output if they are given.
  init(
    _ command: [UInt8], _ ending: Ending, input: Int32 = -1, output: Int32 = -1
  ) throws(SystemError) {
    process = unsafe SystemName.lend(command) {
      unsafe clinux_start_shell($0, ending == .group ? 1 : 0, input, output)
    }
    self.ending = ending
    if process < 0 { throw .last }
  }

  /// Starts a shell command at one end of a pipe.
  ///
  /// - Returns: The command, and the other end.
  static func start(
    _ command: [UInt8], _ ending: Ending, passing stream: Stream, path: [UInt8]
  ) throws(FileError) -> (ShellProcess, OpenFile) {
    do throws(SystemError) {
      var ends: [Int32] = [-1, -1]
      if unsafe pipe2(&ends, O_CLOEXEC) != 0 { throw .last }
      let (reading, writing) = (OpenFile(owning: ends[0]), OpenFile(owning: ends[1]))
      switch stream {
      case .input:
        return (try ShellProcess(command, ending, input: reading.descriptor), writing)
      case .output:
        return (try ShellProcess(command, ending, output: writing.descriptor), reading)
      }
    } catch {
      throw FileError(
        attempt: stream == .input ? .openOutput : .openInput, path: path, code: error.code)
    }
  }

  /// Waits for the end of the command. An interrupt that ends it is pending afterwards.
  ///
  /// - Returns: The exit status, or as in a shell 128 and the signal that ended it.
  consuming func wait() -> Int32 {
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
