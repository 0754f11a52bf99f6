import TextBuffer
import TextBufferModels

/// A place as the protocol counts: lines from 0, and UTF-16 units from 0 in a line.
struct Position: Codable, Hashable {
  var line: Int
  var character: Int

  init(line: Int, character: Int) {
    self.line = line
    self.character = character
  }

  init(_ position: LinePosition) {
    self.init(line: position.line.value - 1, character: position.column)
  }

  /// The offset in a text; nil when it has no such line. Behind the end of a line, it is that end.
  func offset(in text: PieceTable) -> ByteOffset? {
    guard (0..<text.caretLineCount).contains(line), character >= 0 else { return nil }
    let place = LinePosition(LineNumber(line + 1), column: character)
    let offset = text.offset(of: place, in: .utf16)
    let isInsideLineEnd =
      offset > ByteOffset(0) && offset < ByteOffset(text.byteCount)
      && text.bytes(in: offset - 1..<offset + 1) == Array("\r\n".utf8)
    return isInsideLineEnd ? offset - 1 : offset
  }
}

/// What lies between two places.
struct TextRange: Codable, Hashable {
  var start: Position
  var end: Position
}

/// The replacement of a range by a text; without a range, of all.
struct TextChange: Codable, Hashable {
  var range: TextRange?
  var text: String
}

/// A line of standard input.
struct Request: Codable {
  var id: Int?
  var method: String
  var uri: String
  var text: String?
  var changes: [TextChange]?
  var position: Position?
}

/// A line of standard output.
struct Response: Codable, Hashable {
  var id: Int?
  /// The word at the position of `hover`, and where it is.
  var word: String?
  var range: TextRange?
  /// What the client has to do after `undo` or `redo`, one after another.
  var changes: [TextChange]?
  var error: String?
}
