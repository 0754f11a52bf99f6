/// Lines of a script held in memory.
struct ScriptLines: LineSource, Sendable {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var lineNumber = 0
  let kind = InputKind.other
  let hasLineAhead = true
  let showsPrompt = false

  /// - Parameter bytes: The script; a last line without a newline is dropped.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func next(into line: inout [UInt8], for purpose: LinePurpose) -> LineStatus {
    line.removeAll(keepingCapacity: true)
    guard let newline = bytes[position...].firstIndex(of: UInt8(ascii: "\n")) else {
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
