import TextBuffer
import TextBufferModels
import Testing
import TextBufferTesting

/// The results of undo, redo, moves and commits.
@Suite struct `A transition` {
  @Test func `reports the change of the text`() {
    var document = Document(PieceTable("0123456789"))
    document.begin()
    document.replace(offsets(8..<9), with: "eight".utf8)
    document.replace(offsets(1..<1), with: "-".utf8)
    let done = document.commit()
    #expect(done?.from == 0 && done?.to == 1 && done?.changes == document.changes(of: 1))
    document.edit { draft in draft.remove(offsets(0..<3)) }
    let undone = document.undo()
    #expect(undone?.from == 2 && undone?.to == 1)
    #expect(undone?.changes == document.changes(of: 2).map(\.inverse))
    let moved = document.move(to: 0)
    #expect(moved.changes == document.changes(of: 1).reversed().map(\.inverse))
    let redone = document.redo()
    #expect(redone?.from == 0 && redone?.to == 1 && redone?.changes == document.changes(of: 1))
    #expect(document.move(to: 1).changes.isEmpty)
  }

  @Test func `of a joined transaction has only its own changes`() {
    var document = Document(PieceTable(), coalescing: .typing)
    document.begin()
    document.replace(offsets(0..<0), with: "ab".utf8)
    document.commit()
    document.begin()
    document.replace(offsets(2..<2), with: "c".utf8)
    let joined = document.commit()
    #expect(joined?.from == 1 && joined?.to == 1 && joined?.changes.map(\.insertedByteCount) == [1])
    document.begin()
    document.replace(offsets(0..<3), with: [])
    let cancelled = document.commit()
    #expect(cancelled?.from == 1 && cancelled?.to == 0 && cancelled?.changes.count == 1)
    document.begin()
    #expect(document.commit() == nil)
  }
}

/// Places of a text after changes of it.
@Suite struct `A place` {
  private func change(_ range: Range<Int>, _ bytes: String) -> Change {
    var text = PieceTable("0123456789")
    return text.replace(offsets(range), with: bytes.utf8)
  }

  @Test(arguments: [
    // Offset, changed range, inserted byte count, place for affinity before, for after.
    (3, 3..<3, 2, 3, 5), (2, 3..<3, 2, 2, 2), (4, 3..<3, 2, 6, 6),
    (3, 3..<6, 2, 3, 3), (6, 3..<6, 2, 5, 5), (4, 3..<6, 2, 3, 5), (7, 3..<6, 2, 6, 6),
    (4, 3..<6, 0, 3, 3), (10, 10..<10, 1, 10, 11), (0, 0..<0, 1, 0, 1),
  ]) func `stays on its side`(_ row: (Int, Range<Int>, Int, Int, Int)) {
    let change = change(row.1, String(repeating: "x", count: row.2))
    #expect(ByteOffset(row.0).adjusted(by: change, affinity: .before) == ByteOffset(row.3))
    #expect(ByteOffset(row.0).adjusted(by: change) == ByteOffset(row.4))
  }

  @Test func `as a range includes its edges on request`() {
    #expect(offsets(2..<5).adjusted(by: change(5..<5, "xx")) == offsets(2..<5))
    #expect(offsets(2..<5).adjusted(by: change(5..<5, "xx"), includesEdges: true) == offsets(2..<7))
    #expect(offsets(2..<5).adjusted(by: change(2..<2, "xx")) == offsets(4..<7))
    #expect(offsets(2..<5).adjusted(by: change(2..<2, "xx"), includesEdges: true) == offsets(2..<7))
    #expect(offsets(2..<5).adjusted(by: change(3..<3, "xx")) == offsets(2..<7))
    #expect(offsets(2..<2).adjusted(by: change(2..<2, "xx")) == offsets(4..<4))
    #expect(offsets(2..<5).adjusted(by: change(0..<9, "")) == offsets(0..<0))
    #expect(
      offsets(2..<5).adjusted(by: [change(0..<0, "x"), change(4..<4, "y")]) == offsets(3..<7))
  }
}

/// Observers.
@Suite struct `An observer` {
  @Test func `is notified of changes that can't be undone, too`() {
    let observed = Observed(Document(PieceTable("ab"), coalescing: .typing))
    observed.update { $0.levelLimit = 0 }
    var mirror = PieceTable("ab")
    observed.addObserver { event in
      for change in event.transition.changes { mirror.apply(change) }
    }
    observed.update { document in
      document.begin()
      document.replace(offsets(1..<2), with: "cd".utf8)
      let done = document.commit(coalescing: Coalescing.none)
      #expect(done?.changes.map(\.inserted) == ["cd"])
      #expect(document.latestChanges.map(\.removed) == ["b"])
    }
    #expect(mirror == "acd" && observed.value.changes(of: 1).isEmpty && !observed.value.canUndo)
    observed.update { document in
      document.replace(offsets(0..<0), with: "x".utf8)
      document.closeGroup()
      #expect(document.latestChanges.map(\.inserted) == ["x"])
    }
    #expect(mirror == "xacd")
  }

  @Test func `does not affect typing`() {
    let pasted = [UInt8](repeating: 0x61, count: 100)
    for isSecond in [false, true] {
      let observed = Observed(Document(PieceTable("0123456789"), coalescing: .typing))
      observed.addObserver { _ in }
      var plain = observed.value
      func act(_ document: inout Document<Void>) {
        if isSecond {
          // The latest edit is empty, and at the caret.
          document.replace(offsets(0..<0), with: "a".utf8, date: 1)
          document.replace(offsets(1..<1), with: [], date: 2)
        } else {
          // Removes a part of the pasted text, and replaces the text before it.
          document.replace(offsets(8..<8), with: pasted)
          document.replace(offsets(5..<45), with: [])
          document.replace(offsets(3..<5), with: "xy".utf8)
        }
        document.closeGroup()
      }
      observed.update { act(&$0) }
      act(&plain)
      #expect(plain.history.revisions.elementsEqual(observed.value.history.revisions))
      #expect(plain.history.current == (isSecond ? 1 : 2))
      #expect(!isSecond || plain.history[1].time == 2)
    }
  }

  @Test(arguments: 0..<20) func `is notified of every edit typed in one update`(seed: Int) {
    var generator = SeededGenerator(400 + seed)
    let observed = Observed(Document(PieceTable(), coalescing: .typing))
    var mirror = PieceTable()
    observed.addObserver { event in event.transition.changes.forEach { mirror.apply($0) } }
    for _ in 0..<30 {
      observed.update { document in
        if Int.random(in: 0..<8, using: &generator) == 0 { document.undo() }
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let end = document.byteCount
          let lower = Int.random(in: max(0, end - 1)...end, using: &generator)
          document.replace(offsets(lower..<end), with: "ab")
        }
      }
      #expect(mirror == observed.value.buffer)
    }
  }

  @Test func `need not be alone, and is not copied`() {
    let observed = Observed(Document(PieceTable()))
    var told: [String] = []
    let first = observed.addObserver { told.append("1 \($0.kind)") }
    observed.addObserver { told.append("2 \($0.kind)") }
    observed.update { $0.edit { draft in draft.insert("a".utf8, at: ByteOffset(0)) } }
    var copy = observed.value
    copy.undo()
    observed.removeObserver(first)
    observed.update { $0.markSaved() }
    #expect(told == ["1 recorded", "2 recorded", "2 saved"])
  }

  @Test func `may update the value, and is notified of that afterwards`() {
    let observed = Observed(Document(PieceTable()))
    var told: [String] = []
    observed.addObserver { [unowned observed] event in
      told.append("\(event.kind) \(observed.value.byteCount)")
      if event.kind == .recorded { observed.update { $0.markSaved() } }
    }
    observed.addObserver { told.append("\($0.kind)") }
    observed.update { $0.edit { draft in draft.insert("a".utf8, at: ByteOffset(0)) } }
    #expect(told == ["recorded 1", "recorded", "saved 1", "saved"])
    struct Failure: Error {}
    let error = #expect(throws: Failure.self) {
      try observed.update { document throws(Failure) in
        try document.edit { draft throws(Failure) in
          draft.insert("b".utf8, at: ByteOffset(0))
          throw Failure()
        }
      }
    }
    #expect(error != nil && told.last == "rolledBack" && observed.value.byteCount == 1)
  }

  @Test func `gets its events as a sequence, too`() async {
    let observed = Observed(History<Replacement<Int>>())
    var events = observed.events().makeAsyncIterator()
    observed.update { $0.record(Replacement(before: 0, after: 1)) }
    observed.update { _ = $0.undo() }
    let (first, second) = (await events.next(), await events.next())
    #expect(first?.kind == .recorded && first?.transition.steps.map(\.after) == [1])
    #expect(second?.kind == .undone && second?.transition.steps.map(\.after) == [0])
  }
}
