import Testing
import TextBuffer
import TextBufferTesting

@Suite struct `A branch that is added` {
  /// Adds a revision with another text.
  private func add(
    _ text: [UInt8], from parent: (id: Int, text: [UInt8]), to document: inout Document<Int>
  ) -> Int? {
    var buffer = PieceTable(parent.text)
    let all = offsets(0..<parent.text.count)
    // A separate text, like one read from a file.
    let change = buffer.replace(all, with: PieceTable(text))
    return document.addBranch([change], from: parent.id, name: "Other", date: 5, context: -1)
  }

  @Test func `does not change text, context, revision and redo`() throws {
    var document = Document(PieceTable("one\n"), context: 0)
    document.edit { draft in
      draft.insert("1".utf8, at: ByteOffset(0))
      draft.context = 7
    }
    let id = try #require(add(Array("other\n".utf8), from: (0, Array("one\n".utf8)), to: &document))
    #expect(document.history.current == 1 && document.buffer == PieceTable("1one\n"))
    #expect(document.context == 7 && document.history.children(of: 0) == [1, id])
    #expect(document.history[id].parent == 0 && document.history[id].time == 5)
    document.undo()
    #expect(document.redo()?.to == 1 && document.buffer == PieceTable("1one\n"))
    document.move(to: id)
    #expect(document.buffer == PieceTable("other\n") && document.context == -1)
    document.undo()
    #expect(document.buffer == PieceTable("one\n") && document.redo()?.to == id)
  }

  @Test func `is redone only after an undo, and is nil if the text is the same`() {
    var document = Document(PieceTable("one\n"), context: 0)
    #expect(add(Array("one\n".utf8), from: (0, Array("one\n".utf8)), to: &document) == nil)
    #expect(add([], from: (0, Array("one\n".utf8)), to: &document) == 1)
    #expect(!document.history.canRedo && document.redo() == nil)
    #expect(document.history.current == 0 && !document.isModified)
  }

  @Test func `waits for no transaction`() {
    var document = Document(PieceTable("one\n"), context: 0)
    document.begin()
    document.replace(offsets(0..<0), with: "1".utf8)
    document.begin()
    #expect(add([], from: (0, Array("one\n".utf8)), to: &document) == 1)
    document.replace(offsets(0..<0), with: "2".utf8)
    document.rollBack()
    #expect(document.commit()?.to == 2 && document.buffer == PieceTable("1one\n"))
    document.undo()
    #expect(document.redo()?.to == 2)
  }

  @Test func `must be made from a revision of the tree`() async {
    await #expect(processExitsWith: .failure) {
      var document = Document(PieceTable("one\n"))
      document.addBranch([], from: 1, context: ())
    }
  }
}
