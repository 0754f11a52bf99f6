import Foundation
import TextBuffer
import TextBufferModels
import Testing
import TextBufferTesting

/// Any value with a history.
@Suite struct `An undoable value` {
  struct Note: Codable, Equatable, Sendable {
    var title = ""
    var lines: [String] = []
  }

  @Test func `is edited, undone and redone, with names`() {
    var note = Undoable(Note())
    #expect(!note.canUndo && note.undoName == nil && note.undo() == nil)
    note.edit("Rename") { $0.title = "a" }
    note.edit("Add") { $0.lines.append("one") }
    note.edit("Nothing") { _ in }
    #expect(note.undoName == "Add" && note.redoName == nil && note.isModified)
    let undone = note.undo()
    #expect(undone?.from == 2 && undone?.to == 1 && undone?.steps.last?.after == Note(title: "a"))
    #expect(note.value == Note(title: "a") && note.undoName == "Rename" && note.redoName == "Add")
    #expect(note.value(of: 2).lines == ["one"] && note.value(of: 0) == Note())
    note.edit("Other") { $0.title = "b" }
    #expect(note.value(of: 2) == Note(title: "a", lines: ["one"]))
    #expect(note.move(to: 2).steps.count == 2 && note.value == note.value(of: 2))
    #expect(note.redo() == nil && note.history.children(of: 1) == [2, 3])
  }

  @Test func `has transactions that nest and fail`() {
    struct Failure: Error {}
    var number = Undoable(0)
    number.begin()
    number.edit { $0 += 1 }
    #expect(throws: Failure.self) {
      try number.edit { value throws(Failure) in
        value += 10
        throw Failure()
      }
    }
    #expect(number.value == 1 && number.history.current == 0 && number.value(of: 0) == 0)
    let done = number.commit("Count")
    #expect(done?.to == 1 && done?.steps == [Replacement(before: 0, after: 1)])
    number.begin()
    number.edit { $0 = 5 }
    number.rollBack()
    #expect(number.value == 1 && number.history.current == 1)
  }

  @Test func `joins changes by name and time`() {
    let start = ContinuousClock.now
    var text = Undoable("")
    func type(_ letter: String, _ name: String? = "Type", after seconds: Int) {
      text.edit(
        name, time: start + .seconds(seconds), date: Double(seconds),
        joining: .sameName(within: .seconds(2))
      ) { $0 += letter }
    }
    type("a", after: 0)
    type("b", after: 2)
    type("c", after: 4)
    #expect(text.history.current == 1 && text.history[1].time == 4)
    type("d", after: 7)
    type("e", "Other", after: 7)
    type("f", nil, after: 7)
    type("g", nil, after: 7)
    #expect(text.history.current == 5 && text.value(of: 1) == "abc")
    text.edit("End", joining: .sameName) { $0 += "h" }
    text.markSaved()
    text.edit("End", joining: .sameName) { $0 += "i" }
    text.edit("End", joining: .sameName) { $0.removeLast() }
    #expect(text.history.current == 6 && text.value == "abcdefgh" && !text.isModified)
    text.undo()
    text.redo()
    text.edit("End", joining: .sameName) { $0 += "j" }
    text.closeGroup()
    text.edit("End", joining: .sameName) { $0 += "k" }
    #expect(text.history.current == 9)
  }

  @Test func `limits levels, and has discardable edits`() {
    var number = Undoable(0)
    number.edit("Select", isDiscardable: true) { $0 = 1 }
    #expect(!number.isModified && number.canUndo)
    number.levelLimit = 2
    for step in 2...9 { number.edit("Step", joining: .sameName) { $0 = step } }
    #expect(number.history.current == 2)
    for step in 2...9 { number.edit { $0 = -step } }
    #expect(number.history.oldest == 8 && number.undo() != nil && number.undo() != nil)
    #expect(number.undo() == nil && number.value == -7)
    number.levelLimit = 0
    number.edit("Last", joining: .sameName) { $0 = 1 }
    number.edit("Last", joining: .sameName) { $0 = 2 }
    #expect(!number.canUndo && number.value == 2)
  }

  @Test func `is not decoded when its parts do not fit`() throws {
    let records = [RevisionRecord(parent: nil), RevisionRecord(parent: 0)]
    #expect(throws: RestoringError.steps(of: 1)) {
      try Undoable(restoring: records, values: [1, nil], current: 0, saved: nil)
    }
    #expect(throws: RestoringError.counts) {
      try Undoable(restoring: records, values: [1], current: 0, saved: nil)
    }
    #expect(throws: DecodingError.self) {
      let text = #"{"revisions":[],"values":[],"current":0}"#
      return try JSONDecoder().decode(Undoable<Int>.self, from: Data(text.utf8))
    }
  }

  @Test func `a value may be nil, and is stored as such`() throws {
    var value = Undoable<Int?>(nil)
    value.edit { $0 = 1 }
    value.edit { $0 = nil }
    value.undo()
    value.edit { $0 = 2 }
    let bytes = try JSONEncoder().encode(value)
    let restored = try JSONDecoder().decode(Undoable<Int?>.self, from: bytes)
    #expect((0..<4).map { restored.value(of: $0) } == [nil, 1, nil, 2])
    #expect(restored.value == 2)
  }

  /// The steps of a revision have its value: only revision 0 needs a path.
  @Test func `reading a value takes as long in a long history`() throws {
    var value = Undoable(0)
    for number in 1...20_000 { value.edit { $0 = number } }
    for _ in 1...10_000 { value.undo() }
    let values = (0...20_000).map { value.value(of: $0) }
    #expect(values == Array(0...20_000))
  }

  @Test func `an event sequence ends with its Observed object`() async {
    var events: AsyncStream<History<Replacement<Int>>.Event>
    do {
      let observed = Observed(Undoable(1))
      events = observed.events()
      observed.update { value in value.edit { $0 = 2 } }
    }
    var count = 0
    for await _ in events { count += 1 }
    #expect(count == 1)
  }

  @Test func `a revision equals one with the same public properties`() throws {
    var value = Undoable(0)
    value.edit { $0 = 1 }
    value.undo()
    value.edit { $0 = 2 }
    let bytes = try JSONEncoder().encode(value)
    let restored = try JSONDecoder().decode(Undoable<Int>.self, from: bytes)
    for id in 0..<3 { #expect(restored.history[id] == value.history[id]) }
    var other = value
    other.setName("two", of: 2)
    #expect(other.history[2] != value.history[2])
  }

  @Test func `tells observers`() {
    let observed = Observed(Undoable(0))
    var mirror = 0
    observed.addObserver { event in
      if let last = event.transition.steps.last { mirror = last.after }
    }
    for step in 1...3 { observed.update { $0.edit("n", joining: .sameName) { $0 = step } } }
    #expect(mirror == 3 && observed.value.history.current == 1)
    observed.update { _ = $0.undo() }
    #expect(mirror == 0)
  }
}

/// The text of a revision.
@Suite struct `Another revision` {
  @Test func `has its text without a move`() {
    var document = Document(PieceTable("0"), coalescing: .typing)
    for step in 1...4 {
      document.edit("Step \(step)") { draft in
        draft.insert("\(step)".utf8, at: ByteOffset(step % 2))
      }
      if step == 2 { document.undo() }
    }
    document.replace(offsets(0..<0), with: "typed".utf8)
    for id in 0...4 {
      let text = document.text(of: id)
      var copy = document
      copy.move(to: id)
      #expect(text == copy.buffer)
    }
    #expect(document.canUndo && document.undoName == nil && document.redoName == nil)
    document.closeGroup()
    document.undo()
    #expect(document.undoName == "Step 4" && document.redoName == nil && document.canRedo)
    document.undo()
    #expect(document.undoName == "Step 3" && document.redoName == "Step 4")
  }
}
