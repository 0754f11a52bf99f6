/// Lines of a script held in memory.
struct ScriptLines: LineSource, Sendable {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var lineNumber = 0
  let kind: InputKind
  let hasLineAhead = true
  let showsPrompt = false

  /// - Parameters:
  ///   - bytes: The script; a last line without a newline is dropped.
  ///   - kind: What it counts as: an error ends a script that is a file.
  init(_ bytes: [UInt8], kind: InputKind = .other) {
    self.bytes = bytes
    self.kind = kind
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
