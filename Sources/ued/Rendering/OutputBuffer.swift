import Glibc
import TextBuffer

/// Output that has not been written yet, written in the same order as ed would have written it.
///
/// ed writes what it has gathered whenever it reads a line of the script, and whenever its buffer is
/// full. That shows when a shell command, or standard error, writes in between; `catchUp` gives the
/// same order. Otherwise ued writes only when it would have to wait for the next line.
@safe struct OutputBuffer: ~Copyable {
  /// Where output goes.
  private let descriptor: Int32
  /// What has not been written yet.
  private var pending: [UInt8] = []
  /// How much of it ed would have written when it read the line of the present command.
  private var due = 0
  /// Whether some output could not be written.
  private(set) var isBroken = false
  /// Whether output goes to a terminal, where it is written before a line is read.
  let isTerminal: Bool

  /// The number of bytes that ed's output buffer holds.
  private static let blockSize = 4096
  /// Output is written when so much has gathered; a multiple of the block size.
  private static let pendingLimit = 1 << 16

  init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// Adds bytes to the output.
  mutating func write(_ bytes: [UInt8]) {
    unsafe write(bytes.span.bytes)
  }

  /// Adds bytes to the output.
  mutating func write(_ bytes: RawSpan) {
    pending.append(bytes, in: 0..<bytes.byteCount)
    writeIfFull()
  }

  /// Adds bytes and a newline to the output.
  mutating func writeLine(_ bytes: [UInt8]) {
    pending += bytes
    pending.append(.newline)
    writeIfFull()
  }

  /// Adds lines of a text to the output.
  mutating func writeLines(
    _ lines: LineRange, of text: PieceTable, as format: LineFormat, _ list: ListFormat
  ) {
    if format.isDisjoint(with: [.list, .numbered]) {
      text.forEachChunk(in: text.byteRange(of: lines)) { chunk in
        write(chunk)
        return !isBroken && !Interrupts.isInterrupted
      }
      return
    }
    text.forEachLine(in: lines) { number, line in
      if format.contains(.numbered) { write(Array("\(number.value)\t".utf8)) }
      if format.contains(.list) {
        list.append(line, startColumn: format.contains(.numbered) ? 8 : 0, to: &pending)
        writeIfFull()
      } else {
        write(line)
      }
      pending.append(.newline)
      return !isBroken && !Interrupts.isInterrupted
    }
  }

  /// Writes what has gathered if that is a lot.
  private mutating func writeIfFull() {
    guard pending.count >= Self.pendingLimit else { return }
    writePending(pending.count / Self.blockSize * Self.blockSize)
  }

  /// Writes bytes to standard error, after the output that ed would have written before them.
  mutating func writeToStandardError(_ bytes: [UInt8]) {
    writePending(due)
    try? unsafe DescriptorWriter.write(bytes.span.bytes, to: STDERR_FILENO)
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
