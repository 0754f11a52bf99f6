import Glibc
import TextBuffer

/// Buffered output, which appears in the same order relative to other writers as that of ed.
///
/// ed flushes its output before it reads a line of the script, and when its buffer is full. The order is
/// visible when a shell command, or ed on standard error, writes in between: then `catchUp` writes what
/// ed would have written by now. Otherwise ued writes only before reading blocks.
@safe struct OutputBuffer: ~Copyable {
  private let descriptor: Int32
  /// Output that has not been written yet.
  private var pending: [UInt8] = []
  /// How much of `pending` ed would have written before it read the current command.
  private var due = 0
  /// Whether writing some output has failed.
  private(set) var isBroken = false
  /// Whether output is held back, until it is known to be wanted.
  var isHeld = false
  /// Whether output goes to a terminal, where it is flushed before a line is read.
  let isTerminal: Bool

  /// The size of ed's output buffer.
  private static let blockSize = 4096
  /// The size at which pending output is written; a multiple of the block size.
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

  /// Writes whole blocks of pending output once there are many.
  private mutating func writeIfFull() {
    guard pending.count >= Self.pendingLimit else { return }
    writePending(pending.count / Self.blockSize * Self.blockSize)
  }

  /// Writes bytes to standard error, after the output that ed would have written before them.
  mutating func writeToStandardError(_ bytes: [UInt8]) {
    writePending(due)
    try? unsafe DescriptorWriter.write(bytes.span.bytes, to: STDERR_FILENO)
  }

  /// Writes all pending output.
  mutating func flush() {
    writePending(pending.count)
  }

  /// Marks the end of a command, before the line of the next one is read.
  ///
  /// - Parameter waits: Whether reading may block, so that output has to be written first.
  mutating func commandEnds(beforeWaiting waits: Bool) {
    due = pending.count
    if waits || isTerminal { flush() }
  }

  /// Writes as much pending output as ed would have written by now without a flush.
  mutating func catchUp() {
    writePending(due)
    writePending(max(pending.count - 1, 0) / Self.blockSize * Self.blockSize)
  }

  /// Drops all pending output.
  mutating func discard() {
    pending = []
    due = 0
  }

  private mutating func writePending(_ count: Int) {
    guard count > 0, !isHeld else { return }
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
