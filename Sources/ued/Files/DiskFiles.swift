import CLinux
import Glibc
import TextBuffer

/// Text as it came from a file or a command.
struct LoadedText {
  /// The text, as far as it could be read.
  var text: TextBuffer
  /// Whether there is a NUL in it.
  var hasNUL: Bool
  /// Why it is not all there, or why the command that gave it did not succeed.
  var failure: FileError?
}

/// The disk and the shell.
///
/// Invariants of the unsafe parts: names and commands are lent to the system as bytes that end with
/// NUL, for the length of a call; a descriptor or stream is closed by the function that opened it.
@safe struct DiskFiles: Sendable {
  /// How many bytes a name may have, its final NUL included.
  static let longestName = 4096

  /// What Linux calls MFD_CLOEXEC.
  private static let closesOnExec: UInt32 = 1

  /// Up to so many bytes, a stream notices that it can't write only when it is closed; ed's words for
  /// the two differ.
  private static let streamBufferSize = 4096

  /// Reads a file.
  ///
  /// - Throws: Why it can't be opened.
  func read(_ path: [UInt8], strippingCR: Bool) throws(FileError) -> LoadedText {
    let descriptor = unsafe withName(path) { unsafe Glibc.open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else {
      throw FileError(attempt: .openInput, path: path, code: errno)
    }
    defer { close(descriptor) }
    var status = stat()
    let hasSize = unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    return load(
      from: descriptor, sizeHint: hasSize ? Int(status.st_size) : 0, path: path,
      strippingCR: strippingCR)
  }

  /// The text of a file, which is empty when there is none.
  ///
  /// - Throws: Why it can't be read.
  func textIfThere(_ path: [UInt8]) throws(FileError) -> TextBuffer {
    do throws(FileError) {
      let loaded = try read(path, strippingCR: false)
      if let failure = loaded.failure { throw failure }
      return loaded.text
    } catch {
      if error.attempt == .openInput && error.code == ENOENT { return TextBuffer() }
      throw error
    }
  }

  /// Reads what a shell command prints.
  ///
  /// - Throws: Why it can't be run.
  func output(of command: [UInt8], strippingCR: Bool) throws(FileError) -> LoadedText {
    let path = [.bang] + command
    guard let stream = unsafe withName(command, { unsafe popen($0, "r") }) else {
      throw FileError(attempt: .openInput, path: path, code: errno)
    }
    var loaded = load(
      from: unsafe fileno(stream), sizeHint: 0, path: path, strippingCR: strippingCR)
    if unsafe pclose(stream) != 0, loaded.failure == nil {
      loaded.failure = FileError(attempt: .closeInput, path: path, code: 0)
    }
    return loaded
  }

  /// Reads what a shell command makes of a part of a text.
  ///
  /// - Throws: Why it can't be run.
  func output(
    of command: [UInt8], from text: TextBuffer, _ range: Range<ByteOffset>
  ) throws(FileError) -> LoadedText {
    let path = [.bang] + command
    let input = unsafe memfd_create("ued", Self.closesOnExec)
    guard input >= 0 else { throw FileError(attempt: .openInput, path: path, code: errno) }
    defer { close(input) }
    if let failure = Self.write(text, range, to: input, path: path) { throw failure }
    lseek(input, 0, SEEK_SET)
    // The shell gets the lines as its standard input: the descriptor that it inherits.
    let kept = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    dup2(input, STDIN_FILENO)
    defer {
      if kept >= 0 {
        dup2(kept, STDIN_FILENO)
        close(kept)
      } else {
        close(STDIN_FILENO)
      }
    }
    return try output(of: command, strippingCR: false)
  }

  private func load(
    from descriptor: Int32, sizeHint: Int, path: [UInt8], strippingCR: Bool
  ) -> LoadedText {
    var hasNUL = false
    var failure: FileError?
    var text = unsafe TextBuffer(sizeHint: sizeHint) { space in
      while true {
        // SAFETY: `space` is lent for this call.
        let count = unsafe Glibc.read(descriptor, space.baseAddress, space.count)
        if count > 0, !hasNUL, let base = space.baseAddress {
          hasNUL = unsafe memchr(base, 0, count) != nil
        }
        if count >= 0 { return count }
        if errno != EINTR || Interrupts.isInterrupted {
          failure = FileError(attempt: .readInput, path: path, code: errno)
          return 0
        }
      }
    }
    if failure != nil, !text.endsWithNewline, text.lineCount > 0 {
      // What could be read of a line is not a line.
      text.removeLines(LineRange(LineNumber(text.lineCount)))
    }
    if strippingCR { text = Self.strippingCR(text) }
    return LoadedText(text: text, hasNUL: hasNUL, failure: failure)
  }

  /// The text without the CR of each CR-LF.
  private static func strippingCR(_ text: TextBuffer) -> TextBuffer {
    var builder = TextBuffer.Builder(from: text)
    var start = ByteOffset(0)
    var end = start
    let lines = LineRange(LineNumber(1), LineNumber(text.newlineCount))
    if lines.count > 0 {
      text.forEachLine(in: lines) { _, line in
        end = end + (line.byteCount + 1)
        let last = line.byteCount - 1
        if last >= 0, line[last] == .carriageReturn {
          builder.keep(start..<end - 2)
          start = end - 1
        }
        return true
      }
    }
    builder.keep(start..<ByteOffset(text.byteCount))
    return builder.finish()
  }

  /// Writes a part of a text to a file, in its old place if it is there.
  ///
  /// - Throws: Why not all of it could be written.
  func write(
    _ text: TextBuffer, _ range: Range<ByteOffset>, to path: [UInt8], appending: Bool
  ) throws(FileError) {
    let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (appending ? O_APPEND : O_TRUNC)
    let descriptor = unsafe withName(path) { unsafe Glibc.open($0, flags, 0o666) }
    guard descriptor >= 0 else {
      throw FileError(attempt: .openOutput, path: path, code: errno)
    }
    let failure = Self.write(text, range, to: descriptor, path: path)
    if close(descriptor) != 0 && failure == nil {
      throw FileError(attempt: .closeOutput, path: path, code: errno)
    }
    if let failure { throw failure }
  }

  /// Writes a part of a text to a shell command.
  ///
  /// - Throws: Why not all of it could be written, or that the command did not succeed.
  func write(
    _ text: TextBuffer, _ range: Range<ByteOffset>, toCommand command: [UInt8]
  ) throws(FileError) {
    let path = [.bang] + command
    guard let stream = unsafe withName(command, { unsafe popen($0, "w") }) else {
      throw FileError(attempt: .openOutput, path: path, code: errno)
    }
    let failure = Self.write(text, range, to: unsafe fileno(stream), path: path)
    let status = unsafe pclose(stream)
    if let failure { throw failure }
    if status != 0 { throw FileError(attempt: .closeOutput, path: path, code: 0) }
  }

  /// Runs a shell command, whatever its status.
  ///
  /// - Returns: Whether a shell could be started.
  func run(_ command: [UInt8]) -> Bool {
    unsafe withName(command) { unsafe system($0) } >= 0
  }

  /// Writes a part of a text to a descriptor, small pieces gathered.
  private static func write(
    _ text: TextBuffer, _ range: Range<ByteOffset>, to descriptor: Int32, path: [UInt8]
  ) -> FileError? {
    let size = range.upperBound - range.lowerBound
    var output = BlockOutput(descriptor: descriptor)
    text.forEachChunk(in: range) { chunk in
      output.append(chunk)
      return output.failure == 0
    }
    output.flush()
    if output.failure == 0 { return nil }
    let attempt: FileError.Attempt = size <= streamBufferSize ? .closeOutput : .writeOutput
    return FileError(attempt: attempt, path: path, code: output.failure)
  }

  /// Lends a name or command to the system.
  private func withName<Result>(
    _ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    var terminated = name
    terminated.append(0)
    return unsafe terminated.withUnsafeBufferPointer { buffer in
      // SAFETY: the buffer is not empty, and ends with NUL; bytes and C characters have one layout.
      unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        guard let name = characters.baseAddress else {
          preconditionFailure("a name is never empty")
        }
        return unsafe body(name)
      }
    }
  }
}
