/// The lines of a script that is held in memory.
struct ScriptLines: LineSource, Sendable {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var lineNumber = 0
  let kind: InputKind
  let hasLineAhead = true
  let showsPrompt = false

  /// - Parameters:
  ///   - bytes: The script; an unterminated last line is dropped.
  ///   - kind: The kind of input that it counts as. An error ends a script that is a file.
  init(_ bytes: [UInt8], kind: InputKind = .other) {
    self.bytes = bytes
    self.kind = kind
  }

  mutating func next(into line: inout [UInt8], for request: LineRequest) -> LineStatus {
    line.removeAll(keepingCapacity: true)
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
