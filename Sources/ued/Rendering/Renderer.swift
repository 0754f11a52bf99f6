import Glibc
import TextBuffer

/// Writes what commands produce; the one place that writes to the user.
///
/// ed writes what it has gathered whenever it reads a line of the script, and whenever its buffer is
/// full. That shows when a shell command, or standard error, writes in between; `catchUp` gives the
/// same order. Otherwise ued writes only when it would have to wait for the next line.
@safe struct Renderer: ~Copyable {
  /// Where output goes.
  private let descriptor: Int32
  /// Whether the system's reasons for failures are kept quiet.
  private let isQuiet: Bool
  /// What has not been written yet.
  private var pending: [UInt8] = []
  /// How much of it ed would have written when it read the line of the present command.
  private var due = 0
  /// Whether some output could not be written.
  private(set) var isBroken = false
  /// Whether a person is told reasons together with the error.
  var isFriendly = false
  /// How lines look in the format `l`.
  var list = ListFormat()
  /// Whether output goes to a terminal, where it is written before a line is read.
  let isTerminal: Bool

  /// ed's output buffer holds so many bytes.
  private static let blockSize = 4096
  /// Output is written when so much has gathered; a multiple of the block size.
  private static let pendingLimit = 1 << 16

  init(descriptor: Int32, isQuiet: Bool = false) {
    self.descriptor = descriptor
    self.isQuiet = isQuiet
    isTerminal = isatty(descriptor) == 1
  }

  /// Prints `bytes` and a newline.
  mutating func printLine(_ bytes: [UInt8]) {
    write(bytes)
    write([.newline])
  }

  /// Prints a number on a line.
  mutating func printNumber(_ number: Int) {
    printLine(Array(String(number).utf8))
  }

  /// Prints lines of the buffer.
  mutating func printLines(_ lines: LineRange, of buffer: PieceTable, as format: LineFormat) {
    if format.isDisjoint(with: [.list, .numbered]) {
      buffer.forEachChunk(in: buffer.byteRange(of: lines)) { chunk in
        write(chunk)
        return !isBroken && !Interrupts.isInterrupted
      }
      return
    }
    buffer.forEachLine(in: lines) { number, line in
      if format.contains(.numbered) { write(Array("\(number.value)\t".utf8)) }
      if format.contains(.list) {
        list.append(line, startColumn: format.contains(.numbered) ? 8 : 0, to: &pending)
        write([])
      } else {
        write(line)
      }
      pending.append(.newline)
      return !isBroken && !Interrupts.isInterrupted
    }
  }

  /// Prints what makes one text of another; nothing when they are the same.
  ///
  /// - Parameters:
  ///   - old: The text before.
  ///   - new: The text after.
  ///   - path: The file that they are texts of; it may be empty.
  mutating func printDifference(
    from old: PieceTable, to new: PieceTable, of path: [UInt8]
  ) {
    let name = path.isEmpty ? Array("buffer".utf8) : path
    let difference = UnifiedDiff(
      old: UnifiedDiff.Side(text: old, name: name), new: UnifiedDiff.Side(text: new, name: name),
      hunks: LineDifference(from: old, to: new).hunks,
      isColored: isTerminal && TerminalOutput.allowsEscapes)
    var bytes: [UInt8] = []
    difference.write { chunk in
      bytes.append(chunk, in: 0..<chunk.byteCount)
      return true
    }
    write(bytes)
  }

  /// Tells the system's reason for a failure on standard error, at once.
  mutating func reportReason(_ error: FileError) {
    guard !isFriendly else { return }
    report(Messages.systemReason(error))
  }

  /// Tells something on standard error, at once.
  mutating func report(_ message: [UInt8]) {
    guard !isQuiet else { return }
    writePending(due)
    let line = message + [.newline]
    try? unsafe DescriptorWriter.write(line.span.bytes, to: STDERR_FILENO)
  }

  /// Adds bytes to the output.
  mutating func write(_ bytes: [UInt8]) {
    unsafe write(bytes.span.bytes)
  }

  /// Adds bytes to the output.
  mutating func write(_ bytes: RawSpan) {
    pending.append(bytes, in: 0..<bytes.byteCount)
    guard pending.count >= Self.pendingLimit else { return }
    let full = pending.count / Self.blockSize * Self.blockSize
    writePending(full)
  }

  /// Writes all that has gathered.
  mutating func flush() {
    writePending(pending.count)
  }

  /// Notes that a line of the script is about to be read.
  ///
  /// - Parameter waits: Whether that may take time, so that output has to be written first.
  mutating func commandEnds(beforeWaiting waits: Bool) {
    due = pending.count
    if waits || isTerminal { flush() }
  }

  /// Writes as much as ed would have written by now without being asked to.
  mutating func catchUp() {
    writePending(due)
    writePending(max(pending.count - 1, 0) / Self.blockSize * Self.blockSize)
  }

  private mutating func writePending(_ count: Int) {
    guard count > 0 else { return }
    if isTerminal { Progress.end() }
    if !isBroken {
      do throws(SystemError) {
        try unsafe DescriptorWriter.write(
          pending.span.bytes.extracting(first: count), to: descriptor)
      } catch {
        isBroken = true
      }
    }
    pending.removeSubrange(..<count)
    due = max(due - count, 0)
  }
}
