import EditorKit
import TextBuffer
import TextBufferModels

/// The open documents, and the answers to requests about them.
struct Server {
  private var models: [String: EditorModel] = [:]

  /// Does what a request asks for.
  ///
  /// - Returns: The answer; nil for a notification, which has no number.
  mutating func answer(_ request: Request) -> Response? {
    var response = Response(id: request.id)
    do {
      try answer(request, &response)
    } catch {
      response.error = error.description
    }
    return request.id == nil && response.error == nil ? nil : response
  }

  /// The reasons to refuse a request.
  enum Problem: Error, CustomStringConvertible {
    case unknownMethod(String)
    case notOpen(String)
    case noSuchPlace

    var description: String {
      switch self {
      case .unknownMethod(let method): "unknown method '\(method)'"
      case .notOpen(let uri): "'\(uri)' is not open; send didOpen first"
      case .noSuchPlace: "there is no such line, or the range ends before it starts"
      }
    }
  }

  private mutating func answer(_ request: Request, _ response: inout Response) throws(Problem) {
    if request.method == "didOpen" {
      models[request.uri] = EditorModel(request.text ?? "")
      return
    }
    guard var model = models[request.uri] else { throw .notOpen(request.uri) }
    switch request.method {
    case "didChange": try Self.change(&model, request.changes ?? [])
    case "hover":
      guard let offset = request.position?.offset(in: model.document.buffer) else {
        throw .noSuchPlace
      }
      (response.word, response.range) = Self.word(at: offset, in: model.document.buffer)
    case "undo": response.changes = model.undo().map(TextChange.init)
    case "redo": response.changes = model.redo().map(TextChange.init)
    default: throw .unknownMethod(request.method)
    }
    models[request.uri] = model
  }

  /// Makes the changes of a notification, each in the text that the one before has left, as one step.
  private static func change(_ model: inout EditorModel, _ changes: [TextChange]) throws(Problem) {
    try model.edit("Edit") { (draft) throws(Problem) in
      for change in changes {
        guard let range = change.range else {
          draft.setText(PieceTable(change.text))
          continue
        }
        let text = draft.buffer
        guard let lower = range.start.offset(in: text), let upper = range.end.offset(in: text),
          lower <= upper
        else { throw .noSuchPlace }
        draft.replace(lower..<upper, with: change.text.utf8)
      }
    }
  }

  /// The word at a place: letters, digits and underscores on both sides of it.
  private static func word(
    at offset: ByteOffset, in text: PieceTable
  ) -> (String?, TextRange?) {
    let position = text.position(at: offset, in: .utf16)
    let line = text.contentRange(ofCaretLine: position.line)
    let content = String(decoding: text.bytes(in: line), as: UTF8.self)
    let place = content.utf8.index(
      content.startIndex, offsetBy: offset - line.lowerBound)
    let isPart = { (character: Character) in
      character.isLetter || character.isNumber || character == "_"
    }
    let before = content[..<place].reversed().prefix(while: isPart).reversed()
    let word = String(before) + content[place...].prefix(while: isPart)
    if word.isEmpty { return (nil, nil) }
    let start = position.column - String(before).utf16.count
    return (
      word,
      TextRange(
        start: Position(line: position.line.value - 1, character: start),
        end: Position(line: position.line.value - 1, character: start + word.utf16.count))
    )
  }
}

extension TextChange {
  /// An edit that undo or redo has made.
  init(_ edit: UTF16Edit) {
    self.init(
      range: TextRange(start: Position(edit.start), end: Position(edit.end)), text: edit.string)
  }
}
