import Testing
import TextBuffer
import TextBufferTesting

@Suite struct `A document` {
  struct Failure: Error {}

  private func document(_ text: String) -> Document<Int> {
    Document(PieceTable(text), context: 0)
  }

  @Test func `a separated edit survives a later limit`() {
    var document = Document(PieceTable(), coalescing: .commands)
    for (place, letter) in ["a", "b"].enumerated() {
      document.begin()
      document.replace(offsets(place..<place), with: letter.utf8)
      document.commit()
    }
    document.markSaved()
    document.levelLimit = 0
    #expect(document.separateLatestEdit() == 2 && document.history.current == 1)
    #expect(document.text(of: 2) == "a" && document.buffer == "ab")
    document.checkInvariants()
    // Without a group to undo, nothing joins.
    for letter in ["c", "d"] {
      document.begin()
      let end = document.byteCount
      document.replace(offsets(end..<end), with: letter.utf8)
      document.commit()
    }
    #expect(document.history.current == 4)
    document.checkInvariants()
  }

  @Test func `unfinished typing is not separated from earlier joined edits`() {
    var document = Document(PieceTable(), coalescing: .commands)
    for (place, letter) in ["a", "b"].enumerated() {
      document.begin()
      document.replace(offsets(place..<place), with: letter.utf8)
      document.commit()
    }
    document.replace(offsets(0..<0), with: "typed".utf8)
    #expect(document.separateLatestEdit() == nil)
    document.closeGroup()
    #expect(document.text(of: 1) == "ab" && document.text(of: 2) == "typedab")
    document.checkInvariants()
  }

  @Test func `records a transaction with its name and time`() {
    var document = document("one\ntwo\n")
    let result = document.edit("Delete line 1", date: 7) { draft in
      draft.removeLines(LineRange(1, 1))
      return draft.buffer.lineCount
    }
    #expect(result == 1)
    #expect(document.buffer == PieceTable("two\n"))
    #expect(document.history.current == 1 && document.isModified)
    #expect(document.history[1].name == "Delete line 1" && document.history[1].time == 7)
    #expect(document.changes(of: 1).first?.removed == PieceTable("one\n"))
    #expect(document.changes(of: 1).first?.rangeAfter == offsets(0..<0))
    #expect(document.changes(of: 0).isEmpty)
  }

  @Test func `keeps four edits in order, and joins adjacent ones`() {
    var document = document("0123456789")
    document.edit { draft in
      draft.replace(offsets(4..<5), with: "four".utf8)
      draft.remove(offsets(1..<2))
      draft.insert("!".utf8, at: ByteOffset(7))
      draft.insert("?".utf8, at: ByteOffset(8))
      #expect(draft.startText == PieceTable("0123456789"))
    }
    #expect(document.buffer == PieceTable("023four!?56789"))
    let changes = document.changes(of: 1)
    #expect(changes.map(\.rangeBefore) == [offsets(4..<5), offsets(1..<2), offsets(7..<7)])
    #expect(changes.map(\.inserted) == ["four", "", "!?"].map { PieceTable($0) })
    #expect(document.latestChanges == changes)
    document.undo()
    #expect(document.buffer == PieceTable("0123456789") && document.latestChanges.isEmpty)
    document.redo()
    #expect(document.buffer == PieceTable("023four!?56789"))
  }

  @Test(arguments: 1...8) func `keeps the changes of many edits`(count: Int) {
    var document = document("0123456789abcdef")
    document.edit { draft in
      for index in 0..<count { draft.replace(offsets(2 * index..<2 * index + 1), with: "-".utf8) }
      #expect(draft.startText == PieceTable("0123456789abcdef"))
    }
    let changes = document.changes(of: 1)
    #expect(changes.map(\.rangeBefore) == (0..<count).map { offsets(2 * $0..<2 * $0 + 1) })
    let text = document.buffer
    document.undo()
    #expect(document.buffer == PieceTable("0123456789abcdef"))
    document.redo()
    #expect(document.buffer == text && document.changes(of: 1) == changes)
  }

  @Test func `puts the edits of inner transactions in a row`() {
    var document = document("0123456789")
    document.begin()
    document.edit { draft in draft.replace(offsets(0..<1), with: "a".utf8) }
    document.begin()
    document.edit { draft in draft.replace(offsets(5..<6), with: "bb".utf8) }
    document.edit { draft in draft.replace(offsets(3..<4), with: "".utf8) }
    #expect(document.commit() == nil)
    #expect(document.latestChanges.map(\.rangeBefore) == [offsets(5..<6), offsets(3..<4)])
    document.begin()
    for offset in [8, 6, 2] {
      document.edit { draft in draft.insert("x".utf8, at: ByteOffset(offset)) }
    }
    document.rollBack()
    #expect(document.buffer == PieceTable("a124bb6789") && document.latestChanges.isEmpty)
    document.edit { draft in draft.remove(offsets(9..<10)) }
    #expect(document.commit()?.to == 1)
    #expect(document.changes(of: 1).map(\.offset.value) == [0, 5, 3, 9])
    #expect(document.latestChanges == document.changes(of: 1))
    document.undo()
    #expect(document.buffer == PieceTable("0123456789"))
    document.redo()
    #expect(document.buffer == PieceTable("a124bb678"))
  }

  @Test func `records nothing when a few edits cancel out`() {
    // Equal lines change places.
    var document = document("same\nsame\nother\nsame\n")
    func move(_ line: Int, after target: Int, in document: inout Document<Int>) {
      document.edit { draft in
        let text = draft.removeLines(LineRange(line, line)).removed
        draft.insertLines(text, after: LineNumber(target))
      }
    }
    move(1, after: 1, in: &document)
    move(4, after: 0, in: &document)
    #expect(document.changes(of: 1).count == 2)
    #expect(document.buffer == PieceTable("same\nsame\nsame\nother\n"))
    move(3, after: 0, in: &document)
    #expect(document.history.revisions.count == 2 && document.history.current == 1)
    // Two places, each changed and changed back.
    document.edit { draft in
      draft.remove(offsets(0..<1))
      draft.insert("x".utf8, at: ByteOffset(9))
      draft.remove(offsets(9..<10))
      draft.insert("s".utf8, at: ByteOffset(0))
    }
    #expect(document.history.revisions.count == 2)
    document.buffer.checkInvariants()
  }

  /// Moves `aa` past `a`, before `b`: only the byte that is passed may be compared.
  @Test(arguments: [(removed: 1, inserted: 0), (removed: 0, inserted: 1)])
  func `records nothing when equal bytes move past an equal byte`(
    removed: Int, inserted: Int
  ) {
    var document = document("ab")
    document.edit { $0.insert("aa".utf8, at: ByteOffset(1)) }
    document.edit { draft in
      draft.remove(offsets(removed..<(removed + 2)))
      draft.insert("aa".utf8, at: ByteOffset(inserted))
    }
    #expect(document.buffer == PieceTable("aaab"))
    #expect(document.history.revisions.count == 2)
  }

  @Test func `lets nothing join a group of several changes`() {
    var document = document("1\n2\n3\n")
    document.edit(coalescing: .typing) { draft in
      draft.insertLines("a\n".utf8, after: LineNumber(0))
      draft.insertLines("b\n".utf8, after: LineNumber(3))
    }
    document.edit(coalescing: .typing) { draft in
      draft.insertLines("c\n".utf8, after: LineNumber(4))
    }
    #expect(document.history.current == 2 && document.separateLatestEdit() == nil)
    document.edit(coalescing: .typing) { draft in
      draft.insertLines("d\n".utf8, after: LineNumber(5))
      draft.insertLines("e\n".utf8, after: LineNumber(0))
    }
    #expect(document.history.current == 3)
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
      #expect(document.buffer == PieceTable("one\ntwo\n") && document.context == 0)
      #expect(document.history.revisions.count == 1)
    }
  }

  @Test(arguments: 0...2, 0...2) func `rolls back only the failing inner transaction`(
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
      #expect(draft.startText == PieceTable("text"))
    }
    let o = String(repeating: "o", count: outer)
    let j = String(repeating: "j", count: inner)
    var expected = Array((o + "text").utf8)
    expected.insert(contentsOf: j.utf8, at: 4)
    #expect(document.buffer.bytes == expected)
    #expect(document.history.revisions.count == (outer + inner == 0 ? 1 : 2))
    document.undo()
    #expect(document.buffer == PieceTable("text"))
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
    #expect(document.buffer == PieceTable("text"))
  }

  @Test func `restores contexts before and after`() {
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
    #expect(document.undo()?.from == 2)
    #expect(document.context == 3)
    #expect(document.undo()?.from == 1)
    #expect(document.context == 1)
    #expect(document.undo() == nil)
    #expect(document.redo()?.to == 1)
    #expect(document.context == 2)
    document.move(to: 2)
    #expect(document.context == 4)
    document.move(to: 0)
    #expect(document.context == 1)
    #expect(document.redo()?.to == 1 && document.redo()?.to == 2 && document.redo() == nil)
  }

  @Test func `sets a text from a builder`() {
    var document = document("1\n2\n3\n4\n")
    document.edit { draft in
      let text = draft.buffer
      var builder = PieceTable.Builder(from: text)
      builder.keep(text.byteRange(of: LineRange(1, 1)))
      builder.append("two\n".utf8)
      builder.keep(text.byteRange(of: LineRange(3, 4)))
      draft.setText(builder.finish(), changed: text.byteRange(of: LineRange(2, 2)))
    }
    #expect(document.changes(of: 1).first?.removed == PieceTable("2\n"))
    #expect(document.changes(of: 1).first?.inserted == PieceTable("two\n"))
    document.edit { draft in draft.setText(PieceTable("all new")) }
    #expect(document.buffer == PieceTable("all new"))
    document.undo()
    #expect(document.buffer == PieceTable("1\ntwo\n3\n4\n"))
    document.undo()
    #expect(document.buffer == PieceTable("1\n2\n3\n4\n"))
  }

  @Test func `is as easy without a context`() {
    var document = Document(PieceTable("a"))
    document.edit { draft in draft.insert("b".utf8, at: ByteOffset(1)) }
    document.markSaved()
    #expect(document.buffer == PieceTable("ab") && !document.isModified)
  }

  @Test(arguments: 0..<40) func `makes one change of touching edits, whatever they remove`(
    seed: Int
  ) {
    var generator = SeededGenerator(seed)
    let start = (0..<600).map { _ in UInt8.random(in: 10...12, using: &generator) }
    var document = Document(PieceTable(start), context: 0)
    var bytes = start
    document.edit { draft in
      var place = 300..<300
      for _ in 0..<2 + seed {
        let lower = Int.random(in: place.lowerBound - 6...place.upperBound, using: &generator)
        let upper = Int.random(
          in: max(lower, place.lowerBound)...place.upperBound + 6, using: &generator)
        let inserted = generator.bytes(upTo: 8)
        draft.replace(offsets(lower..<upper), with: inserted)
        bytes.replaceSubrange(lower..<upper, with: inserted)
        place =
          min(lower, place.lowerBound)..<max(upper, place.upperBound) + inserted.count
          - (upper - lower)
        #expect(draft.startText.bytes == start)
      }
      if seed % 2 == 1 {
        draft.edit { $0.insert("elsewhere".utf8, at: ByteOffset(0)) }
        bytes.insert(contentsOf: "elsewhere".utf8, at: 0)
        #expect(draft.startText.bytes == start)
      }
    }
    #expect(document.buffer.bytes == bytes)
    var again = PieceTable(start)
    for change in document.changes(of: 1) { again.apply(change) }
    #expect(again.bytes == bytes)
    if seed % 2 == 0 { #expect(document.changes(of: 1).count == 1) }
    document.undo()
    #expect(document.buffer.bytes == start)
    document.redo()
    #expect(document.buffer.bytes == bytes)
    document.buffer.checkInvariants()
  }

  @Test func `refuses an edit outside the text, also when edits continue the last one`() async {
    await #expect(processExitsWith: .failure) {
      var document = Document(PieceTable("abc"), coalescing: .typing)
      type(&document, -1, 2, "")
    }
    await #expect(processExitsWith: .failure) {
      var document = Document(PieceTable("abc"), coalescing: .typing)
      type(&document, 3, 3, "d")
      document.closeGroup()
      type(&document, -1, -1, "e")
    }
    await #expect(processExitsWith: .failure) {
      var document = Document(PieceTable("abc"), coalescing: .typing)
      type(&document, 3, 3, "d")
      type(&document, 4, 5, "")
    }
    await #expect(processExitsWith: .failure) {
      var document = Document(PieceTable("abc"), coalescing: .typing)
      type(&document, 1, 1, "d")
      type(&document, -1, 2, "")
    }
  }
}

private func type(_ document: inout Document<Void>, _ lower: Int, _ upper: Int, _ text: String) {
  document.replace(ByteOffset(lower)..<ByteOffset(upper), with: text.utf8)
}
