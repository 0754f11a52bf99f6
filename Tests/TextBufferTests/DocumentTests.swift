import Testing
import TextBuffer

@Suite struct `A document` {
  struct Failure: Error {}

  private func document(_ text: String) -> Document<Int> {
    Document(TextBuffer(text), context: 0)
  }

  @Test func `records a transaction with its name and time`() {
    var document = document("one\ntwo\n")
    let result = document.edit("Delete line 1", time: 7) { draft in
      draft.removeLines(LineRange(1, 1))
      return draft.buffer.lineCount
    }
    #expect(result == 1)
    #expect(document.buffer == TextBuffer("two\n"))
    #expect(document.history.current == 1 && document.isModified)
    #expect(document.history[1].name == "Delete line 1" && document.history[1].time == 7)
    #expect(document.changes(of: 1).first?.removed == TextBuffer("one\n"))
    #expect(document.changes(of: 1).first?.rangeAfter == offsets(0..<0))
    #expect(document.changes(of: 0).isEmpty)
  }

  @Test func `makes one change of many edits`() {
    var document = document("0123456789")
    document.edit { draft in
      draft.replace(offsets(4..<5), with: "four".utf8)
      draft.remove(offsets(1..<2))
      draft.insert("!".utf8, at: ByteOffset(7))
      #expect(draft.startText == TextBuffer("0123456789"))
    }
    #expect(document.buffer == TextBuffer("023four!56789"))
    #expect(document.changes(of: 1).first?.rangeBefore == offsets(1..<5))
    #expect(document.changes(of: 1).first?.inserted == TextBuffer("23four!"))
    document.undo()
    #expect(document.buffer == TextBuffer("0123456789"))
    document.redo()
    #expect(document.buffer == TextBuffer("023four!56789"))
  }

  @Test func `restores text and context when a transaction fails`() {
    var document = document("one\ntwo\n")
    for edits in 0...3 {
      #expect(throws: Failure.self) {
        try document.edit { (draft) throws(Failure) in
          for _ in 0..<edits { draft.insert("x".utf8, at: ByteOffset(1)) }
          draft.context = 5
          throw Failure()
        }
      }
      #expect(document.buffer == TextBuffer("one\ntwo\n") && document.context == 0)
      #expect(document.history.revisions.count == 1)
    }
  }

  @Test(arguments: 0...2, 0...2) func `takes back just the inner transaction that fails`(
    outer: Int, inner: Int
  ) {
    var document = document("text")
    document.edit { draft in
      for _ in 0..<outer { draft.insert("o".utf8, at: ByteOffset(0)) }
      draft.context = 1
      let before = draft.buffer
      #expect(throws: Failure.self) {
        try draft.edit { (draft) throws(Failure) in
          for _ in 0..<inner { draft.insert("i".utf8, at: ByteOffset(2)) }
          #expect(draft.startText == before)
          draft.context = 2
          throw Failure()
        }
      }
      #expect(draft.buffer == before && draft.context == 1)
      draft.edit { draft in
        for _ in 0..<inner { draft.insert("j".utf8, at: ByteOffset(4)) }
      }
      #expect(draft.startText == TextBuffer("text"))
    }
    let o = String(repeating: "o", count: outer)
    let j = String(repeating: "j", count: inner)
    var expected = Array((o + "text").utf8)
    expected.insert(contentsOf: j.utf8, at: 4)
    #expect(document.buffer.bytes == expected)
    #expect(document.history.revisions.count == (outer + inner == 0 ? 1 : 2))
    document.undo()
    #expect(document.buffer == TextBuffer("text"))
  }

  @Test func `records nothing when nothing changes in the end`() {
    var document = document("text")
    document.edit { _ in }
    document.edit { draft in draft.replace(offsets(1..<2), with: "e".utf8) }
    document.edit { draft in
      draft.insert("abc".utf8, at: ByteOffset(2))
      draft.remove(offsets(2..<5))
      draft.context = 3
    }
    #expect(document.history.revisions.count == 1 && document.context == 3)
    #expect(document.buffer == TextBuffer("text"))
  }

  @Test func `restores the context of both sides`() {
    var document = document("")
    document.context = 1
    document.edit { draft in
      draft.insert("a".utf8, at: ByteOffset(0))
      draft.context = 2
    }
    document.context = 3
    document.edit { draft in
      draft.insert("b".utf8, at: ByteOffset(1))
      draft.context = 4
    }
    #expect(document.contextBefore(2) == 3 && document.contextAfter(2) == 4)
    document.context = 9
    #expect(document.undo() == 2)
    #expect(document.context == 3)
    #expect(document.undo() == 1)
    #expect(document.context == 1)
    #expect(document.undo() == nil)
    #expect(document.redo() == 1)
    #expect(document.context == 2)
    document.move(to: 2)
    #expect(document.context == 4)
    document.move(to: 0)
    #expect(document.context == 1)
    #expect(document.redo() == 1 && document.redo() == 2 && document.redo() == nil)
  }

  @Test func `takes over a text that was built`() {
    var document = document("1\n2\n3\n4\n")
    document.edit { draft in
      let text = draft.buffer
      var builder = TextBuffer.Builder(from: text)
      builder.keep(text.byteRange(of: LineRange(1, 1)))
      builder.append("two\n".utf8)
      builder.keep(text.byteRange(of: LineRange(3, 4)))
      draft.setText(builder.finish(), changed: text.byteRange(of: LineRange(2, 2)))
    }
    #expect(document.changes(of: 1).first?.removed == TextBuffer("2\n"))
    #expect(document.changes(of: 1).first?.inserted == TextBuffer("two\n"))
    document.edit { draft in draft.setText(TextBuffer("all new")) }
    #expect(document.buffer == TextBuffer("all new"))
    document.undo()
    #expect(document.buffer == TextBuffer("1\ntwo\n3\n4\n"))
    document.undo()
    #expect(document.buffer == TextBuffer("1\n2\n3\n4\n"))
  }

  @Test func `is as easy without a context`() {
    var document = Document(TextBuffer("a"))
    document.edit { draft in draft.insert("b".utf8, at: ByteOffset(1)) }
    document.markSaved()
    #expect(document.buffer == TextBuffer("ab") && !document.isModified)
  }

  @Test(arguments: 0..<20) func `comes back to every revision`(seed: Int) {
    var generator = SeededGenerator(5000 + seed)
    var document = Document(TextBuffer(generator.bytes(upTo: 100)))
    var texts = [document.buffer.bytes]
    for _ in 0..<60 {
      if Int.random(in: 0..<3, using: &generator) == 0 {
        let id = Int.random(in: texts.indices, using: &generator)
        document.move(to: id)
        #expect(document.buffer.bytes == texts[id])
      } else {
        let edits = Int.random(in: 0...3, using: &generator)
        document.edit { draft in
          for _ in 0..<edits {
            let range = generator.range(in: draft.buffer.byteCount)
            draft.replace(offsets(range), with: generator.bytes(upTo: 12))
          }
        }
        if document.history.revisions.count > texts.count { texts.append(document.buffer.bytes) }
        #expect(document.buffer.bytes == texts[document.history.current])
      }
      document.buffer.checkInvariants()
    }
  }
}
