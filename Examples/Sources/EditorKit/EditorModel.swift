import TextBuffer
import TextBufferModels

/// A replacement as editors describe it: in UTF-16 units, and by lines and columns of them.
public struct UTF16Edit: Hashable, Sendable {
  /// The units to be replaced.
  public var range: Range<Int>
  /// Where the range begins; lines are counted from 1.
  public var start: LinePosition
  /// Where the range ends.
  public var end: LinePosition
  /// What comes in its place.
  public var string: String

  /// An edit that makes what a change does to a text.
  ///
  /// A change can begin or end inside a character, where two have a byte in common. The edit replaces whole ones.
  init(_ change: Change, in text: PieceTable) {
    let (old, new) = (change.rangeBefore, change.inserted)
    let first = text.utf16Offset(at: old.lowerBound)
    var last = text.utf16Offset(at: old.upperBound)
    while text.byteOffset(utf16: last) < old.upperBound { last += 1 }
    range = first..<last
    let bytes = text.byteRange(utf16: range)
    start = text.position(at: bytes.lowerBound, in: .utf16)
    end = text.position(at: bytes.upperBound, in: .utf16)
    let before = text.bytes(in: bytes.lowerBound..<old.lowerBound)
    let after = text.bytes(in: old.upperBound..<bytes.upperBound)
    string = String(decoding: before + new.bytes + after, as: UTF8.self)
  }
}

/// A document whose user counts UTF-16 units: a text view, or the client of a language server.
public struct EditorModel: Sendable {
  /// The text and its history.
  public private(set) var document: Document<Void>

  /// A model of some text; what is typed in one go is undone in one go.
  public init(_ text: String) {
    document = Document(PieceTable(text), coalescing: .typing)
  }

  /// Replaces what the user has replaced.
  public mutating func replace(utf16 range: Range<Int>, with string: String) {
    document.replace(document.buffer.byteRange(utf16: range), with: string.utf8)
  }

  /// Makes one step of all that a closure does, or none when it throws.
  public mutating func edit<E>(
    _ name: String, _ body: (inout Draft<Void>) throws(E) -> Void
  ) throws(E) {
    try document.edit(name, body)
  }

  /// Takes the latest step back.
  ///
  /// - Returns: The edits that the user has to make, one after another, to have the same text.
  public mutating func undo() -> [UTF16Edit] {
    document.closeGroup()
    let (text, id) = (document.buffer, document.history.current)
    guard document.canUndo else { return [] }
    document.undo()
    return edits(document.changes(of: id).reversed().map(\.inverse), in: text)
  }

  /// Makes the step again that was taken back last; see `undo()`.
  public mutating func redo() -> [UTF16Edit] {
    document.closeGroup()
    let text = document.buffer
    guard document.history.canRedo else { return [] }
    document.redo()
    return edits(document.changes(of: document.history.current), in: text)
  }

  private func edits(_ changes: [Change], in text: PieceTable) -> [UTF16Edit] {
    var text = text
    return changes.map { change in
      defer { text.apply(change) }
      return UTF16Edit(change, in: text)
    }
  }
}
