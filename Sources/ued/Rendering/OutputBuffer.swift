import Glibc
import TextBuffer

/// Buffered output, in ed's order relative to other writers.
///
/// ed flushes its output before it reads a line of the script, and when its buffer is full. The
/// order is visible when a shell command, or ed on standard error, writes in between: `catchUp`
/// then writes the output that ed would have written by now. Otherwise ued writes large blocks, and
/// before a read that may block.
@safe struct OutputBuffer: ~Copyable {
  private let descriptor: Int32
  /// Output that has not been written yet.
  private var pending: [UInt8] = []
  /// The number of bytes of `pending` that ed would have written before reading the current
  /// command.
  private var due = 0
  /// Whether ed would have written some output before it read the current command.
  var hasDue: Bool { due > 0 }
  /// Whether writing some output has failed.
  private(set) var isBroken = false
  /// Whether a message could not be written to standard error, which is open.
  private(set) var hasLostMessage = false
  /// Whether output is held back, until the caller releases or drops it.
  var isHeld = false
  var hasPending: Bool { !pending.isEmpty }
  /// The number of held bytes at which memory is checked next.
  private var nextCheck = firstCheck
  /// Whether output has its visible form: on a terminal, unless ued imitates ed.
  let showsVisibly: Bool
  /// Whether messages on standard error are written in visible form.
  private let showsErrorsVisibly: Bool
  /// The pager for output that does not fit the screen; nil without one.
  var pager: Pager?
  /// Whether output goes to a terminal, where it is flushed before a line is read.
  let isTerminal: Bool

  /// The size of ed's output buffer.
  private static let blockSize = 4096
  private static let firstCheck = 1 << 20
  /// The size at which pending output is written; a multiple of the block size.
  private static let pendingLimit = 1 << 16

  init(descriptor: Int32, isRaw: Bool = false) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
    showsVisibly = isTerminal && !isRaw
    showsErrorsVisibly = !isRaw && isatty(STDERR_FILENO) == 1
  }

  mutating func write(_ bytes: [UInt8]) {
    unsafe write(bytes.span.bytes)
  }

  mutating func write(_ bytes: RawSpan) {
    // Memory may be short for a copy of a block, which may be a long line.
    for start in stride(from: 0, to: bytes.byteCount, by: Self.pendingLimit) {
      pending.append(bytes, in: start..<min(start + Self.pendingLimit, bytes.byteCount))
      writeIfFull()
    }
  }

  mutating func writeLine(_ bytes: [UInt8]) {
    pending += showsVisibly ? VisibleText.of(bytes) : bytes
    pending.append(.newline)
    writeIfFull()
  }

  /// Whether further output of a command would be seen.
  var takesMore: Bool { !isBroken && pager?.hasQuit != true }

  /// Adds lines of a text to the output, and colours the matches that `marks` finds.
  mutating func writeLines(
    _ lines: LineRange, of text: PieceTable, as format: LineFormat, _ list: ListFormat,
    marking marks: MatchFinder? = nil
  ) {
    if format.isDisjoint(with: [.list, .numbered]) && marks == nil {
      return showsVisibly ? writeVisibly(lines, of: text) : writeBytes(lines, of: text)
    }
    var marks = marks
    text.forEachLine(in: lines) { write($0, $1, as: format, list, &marks) }
  }

  /// Adds some lines of a text to the output; see `writeLines(_:of:as:_:marking:)`.
  mutating func writeLines(
    _ lines: [LineNumber], of text: PieceTable, as format: LineFormat, _ list: ListFormat
  ) {
    var marks: MatchFinder?
    text.forEachLine(lines) { write($0, $1, as: format, list, &marks) }
  }

  /// Adds parts of a text to the output: whole lines, in ascending order.
  mutating func writeParts(_ parts: [Range<ByteOffset>], of text: PieceTable) {
    guard let first = parts.first, let last = parts.last else { return }
    var visible = VisibleText()
    var (index, start) = (0, first.lowerBound)
    text.forEachChunk(in: first.lowerBound..<last.upperBound) { chunk in
      let end = start + chunk.byteCount
      defer { start = end }
      while index < parts.count, parts[index].lowerBound < end {
        let part = parts[index].clamped(to: start..<end)
        write(
          chunk.extracting(part.lowerBound - start..<part.upperBound - start), shownAs: &visible)
        if !takesMore || Interrupts.isInterrupted { return false }
        if parts[index].upperBound > end { break }
        index += 1
      }
      return true
    }
    visible.end(&pending)
  }

  /// Adds a line, and returns whether more can be added.
  private mutating func write(
    _ number: LineNumber, _ line: RawSpan, as format: LineFormat, _ list: ListFormat,
    _ marks: inout MatchFinder?
  ) -> Bool {
    if format.contains(.numbered) { write(Array("\(number.value)\t".utf8)) }
    if format.contains(.list) {
      var (offset, column) = (0, format.contains(.numbered) ? 8 : 0)
      var hasMore = true
      while hasMore {
        hasMore = list.append(line, from: &offset, &column, to: &pending)
        writeIfFull()
        if !takesMore || Interrupts.isInterrupted { break }
      }
    } else if let matches = marks?.matches(in: line), !matches.isEmpty {
      write(line, marking: matches)
    } else {
      writeShown(line)
    }
    pending.append(.newline)
    return takesMore && !Interrupts.isInterrupted
  }

  /// Adds lines of a text to the output, each after its lead.
  mutating func writeLines(
    _ lines: LineRange, of text: PieceTable, after lead: (LineNumber) -> [UInt8]
  ) {
    text.forEachLine(in: lines) { number, line in
      write(lead(number))
      writeShown(line)
      pending.append(.newline)
      return takesMore && !Interrupts.isInterrupted
    }
  }

  private mutating func writeBytes(_ lines: LineRange, of text: PieceTable) {
    text.forEachChunk(in: text.byteRange(of: lines)) { chunk in
      write(chunk)
      return takesMore && !Interrupts.isInterrupted
    }
  }

  private mutating func writeVisibly(_ lines: LineRange, of text: PieceTable) {
    var visible = VisibleText()
    text.forEachChunk(in: text.byteRange(of: lines)) { chunk in
      write(chunk, as: &visible)
      return takesMore && !Interrupts.isInterrupted
    }
    visible.end(&pending)
  }

  /// Adds a block of a text in visible form, part by part, because that form may be much longer.
  private mutating func write(_ block: RawSpan, as visible: inout VisibleText) {
    for start in stride(from: 0, to: block.byteCount, by: Self.pendingLimit) {
      let end = min(start + Self.pendingLimit, block.byteCount)
      visible.append(block.extracting(start..<end), to: &pending)
      writeIfFull()
      if !takesMore || Interrupts.isInterrupted { return }
    }
  }

  /// Adds a part of a line, in visible form if `showsVisibly`.
  mutating func writeShown(_ part: RawSpan) {
    guard showsVisibly else { return write(part) }
    var visible = VisibleText()
    write(part, as: &visible)
    visible.end(&pending)
  }

  /// Adds a block of bytes, in visible form if `showsVisibly`.
  mutating func write(_ block: RawSpan, shownAs visible: inout VisibleText) {
    if showsVisibly { write(block, as: &visible) } else { write(block) }
  }

  /// Adds a line with coloured matches. A colour never changes inside a character.
  private mutating func write(_ line: RawSpan, marking matches: [Range<Int>]) {
    /// The first offset from `offset` on that begins a character.
    func whole(_ offset: Int) -> Int {
      var offset = offset
      while offset < line.byteCount && line[offset] & 0xC0 == 0x80 { offset += 1 }
      return offset
    }
    var position = 0
    for match in matches {
      let (start, end) = (max(position, whole(match.lowerBound)), whole(match.upperBound))
      if start >= end { continue }
      writeShown(line.extracting(position..<start))
      write(Array("\(TerminalColor.match.sequence)".utf8))
      writeShown(line.extracting(start..<end))
      write(Array("\(TerminalColor.reset)".utf8))
      position = end
    }
    writeShown(line.extracting(position..<line.byteCount))
  }

  /// Writes whole blocks of pending output once the limit is reached.
  private mutating func writeIfFull() {
    guard pending.count >= Self.pendingLimit else { return }
    if isHeld { return askForMemory() }
    writePending(pending.count / Self.blockSize * Self.blockSize)
  }

  /// Drops the held output if memory can't hold twice as much and the answer made from it.
  private mutating func askForMemory() {
    guard pending.count >= nextCheck else { return }
    nextCheck = 2 * pending.count
    if !Memory.isShort(for: 12 * pending.count) { return }
    discard()
    Memory.exhaust()
  }

  /// Writes bytes to standard error, after the output that ed would have written before them.
  mutating func writeToStandardError(_ bytes: [UInt8]) {
    writePending(due)
    Progress.end()
    let bytes = showsErrorsVisibly ? VisibleText.of(bytes) : bytes
    do throws(SystemError) {
      try unsafe DescriptorWriter.write(bytes.span.bytes, to: STDERR_FILENO)
    } catch {
      if error.code != EBADF { hasLostMessage = true }
    }
  }

  mutating func flush() {
    guard let pager else { return writePending(pending.count) }
    let output = pending
    writePending(pending.count)
    if pager.finish() { return }
    // The shell could not run the pager, so the terminal gets the output.
    self.pager = nil
    pending = output
    writePending(pending.count)
  }

  /// Before a signal ends the program, writes the output that the reader takes soon.
  mutating func flushAtOnce() {
    if pager == nil && !isBroken && !isHeld {
      unsafe DescriptorWriter.writeWhatIsTaken(pending.span.bytes, by: descriptor, within: 20)
    }
    discard()
  }

  /// Marks the end of a command before the next line is read; writes output first if that read may
  /// block.
  mutating func commandEnds(beforeWaiting waits: Bool) {
    due = pending.count
    if waits || isTerminal { flush() }
  }

  /// Writes the output of earlier commands, and full blocks of the rest, as ed has.
  mutating func catchUp() {
    writePending(due)
    writePending(max(pending.count - 1, 0) / Self.blockSize * Self.blockSize)
  }

  mutating func discard() {
    if pending.isEmpty { return }
    pending.removeAll(keepingCapacity: pending.count < Self.pendingLimit)
    due = 0
    nextCheck = Self.firstCheck
  }

  /// Passes all pending output to `body`, and drops it.
  mutating func take<Result>(_ body: (RawSpan) -> Result) -> Result {
    defer { discard() }
    return unsafe body(pending.span.bytes)
  }

  private mutating func writePending(_ count: Int) {
    guard count > 0, !isHeld else { return }
    if isTerminal { Progress.end() }
    if let pager, pager.takes(pending) {
      unsafe pager.write(pending.span.bytes.extracting(first: count))
    } else if !isBroken {
      do throws(SystemError) {
        try unsafe DescriptorWriter.writeToReader(
          pending.span.bytes.extracting(first: count), of: descriptor)
      } catch {
        // As in ed, an interrupt drops the output that the reader has not taken.
        isBroken = error.code != EINTR || Interrupts.hangUp
      }
    }
    pending.removeSubrange(..<count)
    due = max(due - count, 0)
  }
}
