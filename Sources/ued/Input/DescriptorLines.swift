import Glibc

/// The lines of a file, a pipe, a socket, or a terminal without line editing.
///
/// It reads ahead a block at a time but can return what it has not used, so that shell commands can
/// take their input from the middle of a script.
struct DescriptorLines: ~Copyable, LineSource {
  private let descriptor: PeekedDescriptor
  private var block: [UInt8]
  /// The part of `block` that has been read ahead but not taken is `position..<end`.
  private var position = 0
  private var end = 0
  private(set) var lineNumber = 0
  /// True at a terminal, where output is flushed before a line is read.
  let showsPrompt: Bool
  /// Whether a program sends the lines, each of which counts: an unterminated last one, too, and what an
  /// interrupt has come in the middle of.
  private let isDialogue: Bool
  /// Whether the end of the input, for which a terminal shows nothing, ends the line of a prompt.
  private let endsPrompts: Bool
  /// ed's limit for a line; a longer one is an error.
  private static let longestLine = Int(Int32.max)

  var kind: InputKind { descriptor.kind }

  /// Always true for a regular file, on which reading never blocks.
  var hasLineAhead: Bool {
    kind == .regularFile || block[position..<end].contains(.newline)
  }

  /// - Parameters:
  ///   - descriptor: An open descriptor; it is not closed here.
  ///   - isDialogue: Whether a program sends the lines.
  ///   - endsPrompts: Whether the end of the input ends the line of a prompt.
  init(descriptor: Int32, isDialogue: Bool = false, endsPrompts: Bool = false) {
    self.isDialogue = isDialogue
    self.endsPrompts = endsPrompts
    self.descriptor = PeekedDescriptor(descriptor)
    block = [UInt8](repeating: 0, count: self.descriptor.blockSize)
    showsPrompt = self.descriptor.kind == .terminal && isatty(STDOUT_FILENO) == 1
  }

  mutating func next(into line: inout [UInt8], for request: LineRequest) -> LineStatus {
    line.removeAll(keepingCapacity: true)
    if showsPrompt { TerminalOutput.write(request.prompt) }
    var isInterrupted = false
    // An interrupt is that of the command whose lines are read; between commands it means nothing.
    defer { if isInterrupted && request.kind != .command { Interrupts.renew() } }
    while true {
      if position == end {
        surrenderUnread()
        let status = readBlock()
        if isDialogue && status == .interrupted && !Interrupts.hangUp {
          isInterrupted = true
          continue
        }
        if status == .end && isDialogue && !line.isEmpty {
          lineNumber += 1
          return .line
        }
        if status != .line {
          // Like ed, drop an unterminated last line but count it.
          if status == .end && !line.isEmpty { lineNumber += 1 }
          if status == .end && showsPrompt && endsPrompts && !(request.prompt + line).isEmpty {
            TerminalOutput.write([.newline])
          }
          line.removeAll(keepingCapacity: true)
          return status
        }
      }
      let (count, isWhole) = descriptor.append(position..<end, of: block, to: &line)
      position += count
      if isWhole {
        lineNumber += 1
        return .line
      }
      if line.count > Self.longestLine { return .failed(0) }
    }
  }

  mutating func takeAhead<State: ~Copyable>(
    _ state: inout State, _ take: (inout State, RawSpan) -> LinesTaken
  ) -> Int {
    if position == end { return 0 }
    // SAFETY: every byte is a value of its own.
    let taken = unsafe take(&state, block.span.bytes.extracting(position..<end))
    position += taken.byteCount
    lineNumber += taken.lineCount
    return taken.lineCount
  }

  /// Reads the next block ahead.
  ///
  /// - Returns: `.line` if there is one.
  private mutating func readBlock() -> LineStatus {
    switch Progress.paused({ descriptor.peek(into: &block) }) {
    case .bytes(let count):
      end = count
      return .line
    case .end: return .end
    case .failed(let code): return .failed(code)
    case .interrupted:
      if showsPrompt { TerminalOutput.write([.newline]) }
      return .interrupted
    }
  }

  mutating func surrenderUnread() {
    descriptor.take(position, of: end, scratch: &block)
    position = 0
    end = 0
  }
}
