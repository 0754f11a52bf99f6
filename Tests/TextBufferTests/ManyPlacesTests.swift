import Testing
import TextBufferTesting

@testable import TextBuffer

/// Groups of edits at many places.
@Suite struct `A group of edits at many places` {
  @Test(arguments: [5, 6, 65, 1000]) func `has a change for each of them`(count: Int) {
    let lines = String(repeating: "0123456789\n", count: count)
    for isBackwards in [false, true] {
      var document = Document(PieceTable(lines))
      document.edit { draft in
        for index in 0..<count {
          let line = isBackwards ? count - 1 - index : index
          draft.insert("ab".utf8, at: ByteOffset(line * (isBackwards ? 11 : 13) + 3))
        }
      }
      let changes = document.changes(of: 1)
      #expect(changes.count == count)
      #expect(changes.map(\.offset.value) == (0..<count).map { $0 * 13 + 3 })
      #expect(changes.allSatisfy { $0.removedByteCount == 0 && $0.insertedByteCount == 2 })
      document.undo()
      #expect(document.buffer == PieceTable(lines))
      document.redo()
      #expect(document.byteCount == count * 13)
    }
  }

  @Test func `is one change when there are more than a few thousand`() {
    var document = Document(PieceTable(String(repeating: "ab", count: 5000)))
    document.edit { draft in
      for index in 0..<5000 { draft.insert("-".utf8, at: ByteOffset(index * 3)) }
    }
    #expect(document.changes(of: 1).count == 1)
    document.undo()
    #expect(document.buffer == PieceTable(String(repeating: "ab", count: 5000)))
  }

  @Test func `keeps one change for each caret`() {
    let carets = 100
    var document = Document(
      PieceTable(String(repeating: "0123456789", count: carets)), coalescing: .typing)
    for key in 0..<5 {
      document.begin()
      for caret in 0..<carets {
        let place = ByteOffset(caret * 10 + 5 + key * (caret + 1) + caret)
        document.replace(place..<place, with: "x".utf8)
      }
      document.commit()
    }
    #expect(document.history.current == 1)
    #expect(document.changes(of: 1).map(\.insertedByteCount) == Array(repeating: 5, count: carets))
  }

  @Test func `is not recorded if it cancels out`() {
    var document = Document(PieceTable(String(repeating: "a\n", count: 20)))
    document.edit { draft in
      for index in 0..<10 { draft.remove(offsets(index * 2..<index * 2 + 2)) }
      for index in 0..<10 { draft.insert("a\n".utf8, at: ByteOffset(index * 2)) }
    }
    #expect(document.history.current == 0)
  }

  @Test(arguments: 0..<40) func `gives each text that an array had`(seed: Int) {
    var generator = SeededGenerator(seed)
    var model = generator.bytes(upTo: 400)
    var document = Document(PieceTable(model), coalescing: seed % 2 == 0 ? .typing : .none)
    var texts = [model]
    for _ in 0..<6 {
      document.begin()
      for step in 0..<Int.random(in: 1...60, using: &generator) {
        let longest = step % 9 == 0 ? 60 : 3
        let lower = Int.random(in: 0...model.count, using: &generator)
        let upper = min(model.count, lower + Int.random(in: 0...longest, using: &generator))
        let bytes = generator.bytes(upTo: 3)
        let isInner = step % 5 == 0
        if isInner { document.begin() }
        document.replace(offsets(lower..<upper), with: bytes)
        model.replaceSubrange(lower..<upper, with: bytes)
        if isInner { document.commit() }
      }
      document.commit(coalescing: Coalescing.none)
      document.buffer.checkInvariants()
      #expect(document.buffer.bytes == model)
      if document.history.current == texts.count { texts.append(model) }
    }
    for id in texts.indices.reversed() {
      document.move(to: id)
      #expect(document.buffer.bytes == texts[id])
    }
    for id in texts.indices.dropFirst() {
      var text = PieceTable(texts[id - 1])
      var end = -1
      for change in document.changes(of: id) {
        #expect(text.slice(change.rangeBefore) == change.removed)
        text.apply(change)
        if document.changes(of: id).count > EditLog.mostChanges {
          #expect(change.offset.value > end, "ascending, and none touches the one before")
        }
        end = change.rangeAfter.upperBound.value
      }
      #expect(text.bytes == texts[id])
    }
  }

  @Test(arguments: 0..<40) func `knows its places as a list does`(seed: Int) {
    var generator = SeededGenerator(500 + seed)
    var places = EditPlaces()
    var list: [EditSpan] = []
    var length = 1000
    for _ in 0..<200 {
      let offset = Int.random(in: 0...length, using: &generator)
      let removed = min(length - offset, Int.random(in: 0...20, using: &generator))
      let edit = EditSpan(
        offset: offset, removed: removed, inserted: Int.random(in: 0...6, using: &generator))
      length += edit.inserted - edit.removed
      places.add(edit)
      let touched = list.filter {
        $0.offset + $0.inserted >= edit.offset && $0.offset <= edit.offset + edit.removed
      }
      let before = list.filter { $0.offset + $0.inserted < edit.offset }
      var behind = list.filter { $0.offset > edit.offset + edit.removed }
      for index in behind.indices { behind[index].offset += edit.inserted - edit.removed }
      let all = (touched + [edit]).dropFirst().reduce((touched + [edit])[0]) { $0.union($1) }
      list = before + [all] + behind
      #expect(places.spans == list && places.count == list.count)
    }
  }
}
