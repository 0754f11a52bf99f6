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
    // A text of its own, as one that was read from a file.
    let change = buffer.replace(all, with: PieceTable(text))
    return document.addBranch([change], from: parent.id, name: "Other", date: 5, context: -1)
  }

  @Test func `leaves text, context, revision and redo as they were`() throws {
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

  @Test func `is no redo where there was none, and nothing when the text is the same`() {
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

  @Test func `has to be made from a revision of the tree`() async {
    await #expect(processExitsWith: .failure) {
      var document = Document(PieceTable("one\n"))
      document.addBranch([], from: 1, context: ())
    }
  }

  @Test(arguments: 0..<40)
  func `comes between other edits as if it did not`(_ seed: Int) {
    var generator = SeededGenerator(9000 + seed)
    let first = generator.bytes(upTo: 40)
    let policies: [Coalescing] = [.none, .typing, .commands]
    let coalescing = policies[seed % 3]
    var document = Document(PieceTable(first), context: 0, coalescing: coalescing)
    var texts = [0: first]
    for step in 1...60 {
      switch Int.random(in: 0..<8, using: &generator) {
      case 0: document.undo()
      case 1: document.redo()
      case 2: document.separateLatestEdit()
      case 3...4:
        let ids = document.history.revisions.filter { !$0.isDropped }.map(\.id)
        let parent = ids[Int.random(in: 0..<ids.count, using: &generator)]
        var copy = document
        copy.move(to: parent)
        let text = generator.bytes(upTo: 30)
        let (present, context) = (document.buffer.bytes, document.context)
        let preferred = document.history[parent].preferredChild
        // Typing that is open becomes a revision first.
        document.closeGroup()
        let current = document.history.current
        let preferredNow = document.history[parent].preferredChild
        if let id = add(text, from: (parent, copy.buffer.bytes), to: &document) {
          texts[id] = text
        }
        #expect(document.buffer.bytes == present && document.context == context)
        #expect(document.history.current == current)
        #expect(preferredNow == preferred || preferredNow == current)
        #expect(document.history[parent].preferredChild == preferredNow)
      default:
        let range = offsets(generator.range(in: document.byteCount))
        let bytes = generator.bytes(upTo: 4)
        if step % 3 == 0 {
          document.replace(range, with: bytes)
        } else {
          document.edit(coalescing: coalescing) { draft in draft.replace(range, with: bytes) }
        }
      }
      document.buffer.checkInvariants()
    }
    document.closeGroup()
    for (id, text) in texts where document.history.canMove(to: id) {
      document.move(to: id)
      #expect(document.buffer.bytes == text, "revision \(id)")
    }
    document.move(to: 0)
    #expect(document.buffer.bytes == first)
  }
}
