import EditorKit
import Testing
import TextBuffer
import TextBufferModels
import TextBufferTesting

/// A string that a text view would have, which is told only the edits of a model.
private struct View {
  var units: [UInt16]

  mutating func show(_ edits: [UTF16Edit]) {
    for edit in edits { units.replaceSubrange(edit.range, with: edit.string.utf16) }
  }
}

@Suite struct EditorModelTests {
  @Test func `typing is undone in one go, and told in UTF-16 units`() {
    var model = EditorModel("😀 = 1\n")
    for (index, letter) in "ab".enumerated() {
      model.replace(utf16: 2 + index..<2 + index, with: "\(letter)")
    }
    #expect(model.document.buffer == PieceTable("😀ab = 1\n"))
    let edits = model.undo()
    #expect(edits.map(\.range) == [2..<4] && edits.map(\.string) == [""])
    #expect(edits[0].start == LinePosition(LineNumber(1), column: 2))
    #expect(model.undo().isEmpty)
    #expect(model.redo().map(\.string) == ["ab"])
    #expect(model.redo().isEmpty)
  }

  @Test func `an edit inside a character replaces the whole character`() {
    var model = EditorModel("xéy")
    // é and è have the first of their bytes in common.
    model.edit("Change the accent") { draft in
      draft.replace(ByteOffset(2)..<ByteOffset(3), with: [0xA8])
    }
    #expect(model.document.buffer == PieceTable("xèy"))
    let edits = model.undo()
    #expect(edits.map(\.range) == [1..<2] && edits.map(\.string) == ["é"])
  }

  @Test(arguments: 0..<20) func `a view that is told the edits has the text of the model`(
    seed: Int
  ) {
    var generator = SeededGenerator(seed)
    var model = EditorModel("start 😀\r\n")
    var view = View(units: Array("start 😀\r\n".utf16))
    for _ in 0..<100 {
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: view.show(model.undo())
      case 1: view.show(model.redo())
      case 2:
        let edit = RandomEdit(of: model.document.buffer.bytes, .unicode, using: &generator)
        model.edit("Edit") { draft in edit.apply(to: &draft) }
        view.units = Array(String(decoding: model.document.buffer.bytes, as: UTF8.self).utf16)
      default:
        let text = model.document.buffer
        let edit = RandomEdit(of: text.bytes, .unicode, using: &generator)
        let range = text.utf16Range(of: edit.offsets)
        let string = String(decoding: edit.bytes, as: UTF8.self)
        model.replace(utf16: range, with: string)
        view.units.replaceSubrange(range, with: string.utf16)
      }
      #expect(
        String(decoding: view.units, as: UTF16.self).utf8.elementsEqual(model.document.buffer.bytes)
      )
    }
    model.document.checkInvariants()
  }
}
