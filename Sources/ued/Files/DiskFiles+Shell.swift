import UedLinux
import Glibc
import TextBuffer

/// Shell commands.
///
/// SAFETY: `memfd_create` gets a constant string; descriptors are closed once, by the function that opened them.
extension DiskFiles {
  /// `MFD_CLOEXEC`.
  private static let closesOnExec: UInt32 = 1

  /// Reads the output of a shell command, whose standard input is that of ued unless `input` is given.
  ///
  /// - Throws: Why it can't be run.
  func output(
    of command: [UInt8], reading input: Int32 = -1, strippingCR: Bool
  ) throws(FileError) -> LoadedText {
    let path = [.bang] + command
    let shell: ShellProcess
    do {
      shell = try ShellProcess(command, shellEnding, passing: .output, input: input)
    } catch {
      throw FileError(attempt: .openInput, path: path, code: error.code)
    }
    var loaded = load(from: shell.pipe, sizeHint: 0, path: path, strippingCR: strippingCR)
    loaded.shellStatus = shell.wait()
    if loaded.shellStatus != 0, loaded.failure == nil, !isForPlainScript {
      loaded.failure = FileError(
        attempt: .closeInput, path: path, code: 0, shellStatus: loaded.shellStatus)
    }
    return loaded
  }

  /// Filters a part of a text through a shell command.
  ///
  /// - Returns: The output of the command, and whether it has read any of its input.
  /// - Throws: Why it can't be run.
  func output(
    of command: [UInt8], from text: PieceTable, _ range: Range<ByteOffset>
  ) throws(FileError) -> (LoadedText, hasRead: Bool) {
    let path = [.bang] + command
    let input = unsafe memfd_create("ued", Self.closesOnExec)
    guard input >= 0 else { throw FileError(attempt: .openInput, path: path, code: errno) }
    defer { close(input) }
    try FileContent(text: text, range: range, path: path).write(to: input)
    lseek(input, 0, SEEK_SET)
    let loaded = try output(of: command, reading: input, strippingCR: false)
    // The command shares our file offset.
    return (loaded, lseek(input, 0, SEEK_CUR) > 0)
  }

  /// Writes a text to a shell command.
  ///
  /// - Throws: Why not all could be written, or that the command failed.
  func write(
    _ text: PieceTable, toCommand command: [UInt8]
  ) throws(FileError) {
    let path = [.bang] + command
    let all = ByteOffset(0)..<ByteOffset(text.byteCount)
    let content = FileContent(text: text, range: all, path: path)
    let shell: ShellProcess
    do {
      shell = try ShellProcess(command, shellEnding, passing: .input)
    } catch {
      throw FileError(attempt: .openOutput, path: path, code: error.code)
    }
    var failure: FileError?
    do throws(FileError) {
      try content.write(to: shell.pipe, isInterruptible: true)
    } catch {
      failure = error
    }
    let status = shell.wait()
    if let failure { throw failure }
    if status != 0, Interrupts.isInterrupted || !isForPlainScript {
      let code = Interrupts.isInterrupted ? EINTR : 0
      throw FileError(attempt: .closeOutput, path: path, code: code, shellStatus: status)
    }
  }

  /// Runs a shell command.
  ///
  /// - Returns: Its exit status, or as in a shell 128 and the signal that ended it; nil if no shell could
  ///   be started.
  func run(_ command: [UInt8]) -> Int32? {
    guard let shell = try? ShellProcess(command, shellEnding) else { return nil }
    return shell.wait()
  }
}
