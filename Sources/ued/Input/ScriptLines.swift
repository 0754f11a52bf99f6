/// The lines of a script that is held in memory.
struct ScriptLines: LineSource, Sendable {
  private let bytes: [UInt8]
  /// The numbers of the lines that are text, and not commands.
  private let textLines: Set<Int>
  private var position = 0
  private(set) var lineNumber = 0
  let kind: InputKind
  let hasLineAhead = true
  let showsPrompt = false

  /// - Parameters:
  ///   - bytes: The script; an unterminated last line is dropped.
  ///   - kind: The kind of input that it counts as. An error ends a script that is a file.
  ///   - textLines: The numbers of lines that are skipped where a command is to be read.
  init(_ bytes: [UInt8], kind: InputKind = .other, textLines: Set<Int> = []) {
    self.bytes = bytes
    self.textLines = textLines
    self.kind = kind
  }

  mutating func next(into line: inout [UInt8], for request: LineRequest) -> LineStatus {
    line.removeAll(keepingCapacity: true)
    while request.kind == .command && !textLines.isEmpty && textLines.contains(lineNumber + 1) {
      position = (bytes[position...].firstIndex(of: .newline) ?? bytes.endIndex - 1) + 1
      lineNumber += 1
    }
    guard let newline = bytes[position...].firstIndex(of: .newline) else {
      position = bytes.endIndex
      return .end
    }
    line.append(contentsOf: bytes[position..<newline])
    position = newline + 1
    lineNumber += 1
    return .line
  }

  mutating func surrenderUnread() {}
}
