import Glibc

/// Lines of a file, a pipe, a socket, or a terminal without line editing.
///
/// A whole block is looked at at a time; what is not used of it can be given back, so that shell
/// commands may take their input from the middle of a script.
struct DescriptorLines: ~Copyable, LineSource {
  private let descriptor: PeekedDescriptor
  private var block: [UInt8]
  /// The part of `block` that has been seen and not taken: `position..<end`.
  private var position = 0
  private var end = 0
  private(set) var lineNumber = 0
  /// At a terminal; what the program has to say has been written before a line is asked for there.
  let showsPrompt: Bool
  /// As in ed; what goes on longer has no end.
  private static let longestLine = Int(Int32.max)

  var kind: InputKind { descriptor.kind }

  /// A file is never waited for.
  var hasLineAhead: Bool {
    kind == .regularFile || descriptor.hasNewline(position..<end, of: block)
  }

  /// - Parameter descriptor: An open descriptor, which is not closed here.
  init(descriptor: Int32) {
    self.descriptor = PeekedDescriptor(descriptor)
    block = [UInt8](repeating: 0, count: self.descriptor.blockSize)
    showsPrompt = self.descriptor.kind == .terminal && isatty(STDOUT_FILENO) == 1
  }

  mutating func next(into line: inout [UInt8], for purpose: LinePurpose) -> LineStatus {
    line.removeAll(keepingCapacity: true)
    if showsPrompt { TerminalOutput.write(purpose.prompt) }
    while true {
      if position == end {
        surrenderUnread()
        let peek = Progress.paused { descriptor.peek(into: &block) }
        switch peek {
        case .bytes(let count):
          end = count
        case .end:
          // Dropped, but counted, as ed does.
          if !line.isEmpty { lineNumber += 1 }
          line.removeAll(keepingCapacity: true)
          return .end
        case .failed(let code):
          line.removeAll(keepingCapacity: true)
          return .failed(code)
        case .interrupted:
          line.removeAll(keepingCapacity: true)
          if showsPrompt { TerminalOutput.write([0x0A]) }
          return .interrupted
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

  mutating func surrenderUnread() {
    descriptor.take(position, of: end, scratch: &block)
    position = 0
    end = 0
  }
}
