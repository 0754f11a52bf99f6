import TextBuffer
import TextBufferModels
import TextBufferTesting
import Testing

@Suite struct `A change outside of undo` {
  /// A document of bytes whose own groups insert, one after the other, each of `texts` at an offset.
  private func document(_ start: String, _ edits: (Int, Int, String)...) -> Document<Int> {
    var document = Document(PieceTable(start), context: 0)
    for (index, edit) in edits.enumerated() {
      document.edit("Own \(index + 1)") { draft in
        draft.replace(offsets(edit.0..<edit.0 + edit.1), with: edit.2)
        draft.context = index + 1
      }
    }
    return document
  }

  @Test func `is passed over by undo and redo, which come back to the same revisions`() {
    var document = document("one two three", (0, 3, "1"), (2, 3, "2"))
    document.editFromOutside("Theirs", date: 5) { draft in
      draft.replace(offsets(4..<9), with: "THREE")
      draft.insert("> ", at: ByteOffset(0))
    }
    #expect(document.buffer == "> 1 2 THREE" && document.history[3].isOutside)
    #expect(document.history[3].name == "Theirs" && document.history[3].time == 5)
    #expect(document.undoName == "Own 2" && document.canUndo && !document.canRedo)

    #expect(document.undo()?.to == 4)
    #expect(document.buffer == "> 1 two THREE" && document.history[4].isOutside)
    #expect(document.undoName == "Own 1" && document.redoName == "Own 2")
    #expect(document.undo()?.to == 5)
    #expect(document.buffer == "> one two THREE" && !document.canUndo && document.undo() == nil)
    for _ in 1...3 {
      #expect(document.redo()?.to == 4 && document.redo()?.to == 3 && document.redo() == nil)
      #expect(document.buffer == "> 1 2 THREE")
      #expect(document.undo()?.to == 4 && document.undo()?.to == 5 && document.undo() == nil)
      #expect(document.buffer == "> one two THREE")
    }
    document.checkInvariants()
    document.move(to: 2)
    #expect(document.buffer == "1 2 three")
  }

  @Test func `has transitions that lead from text to text, and events`() {
    var document = document("one two", (0, 3, "1"))
    document.collectEvents()
    document.editFromOutside { draft in draft.replace(offsets(2..<5), with: "2!") }
    var text = document.buffer
    let undone = document.undo()
    undone?.steps.forEach { text.apply($0) }
    #expect(text == "one 2!" && text == document.buffer && undone?.from == 2 && undone?.to == 3)
    let redone = document.redo()
    redone?.steps.forEach { text.apply($0) }
    #expect(text == "1 2!" && text == document.buffer && redone?.from == 3 && redone?.to == 2)
    #expect(document.takeEvents().map(\.kind) == [.recorded, .undone, .redone])
  }

  @Test func `keeps the contexts of the groups`() {
    var document = document("one two", (0, 3, "1"), (2, 3, "2"))
    document.context = 9
    document.editFromOutside { draft in draft.insert("x", at: ByteOffset(3)) }
    #expect(document.context == 9)
    document.undo()
    #expect(
      document.context == 1 && document.contextAfter(4) == 1 && document.contextBefore(4) == 9)
    document.undo()
    #expect(document.context == 0)
    document.redo()
    #expect(document.context == 1)
    document.editFromOutside { draft in draft.insert("y", at: ByteOffset(0)) }
    document.redo()
    #expect(document.context == 2 && document.buffer == "y1 2x")
  }

  @Test func `leaves redo as it is, also that of groups made after it`() {
    var document = document("a b", (1, 0, "1"), (4, 0, "2"))
    document.undo()
    document.editFromOutside { draft in draft.insert("X", at: ByteOffset(0)) }
    #expect(document.canRedo && document.redoName == "Own 2")
    document.redo()
    #expect(document.buffer == "Xa1 b2")
    document.undo()
    #expect(document.buffer == "Xa1 b" && document.history.current == 3)
    document.edit("Own 3") { draft in draft.insert("3", at: ByteOffset(5)) }
    document.undo()
    document.undo()
    #expect(document.buffer == "Xa b" && document.redoName == "Own 1")
    document.editFromOutside { draft in draft.insert("Y", at: ByteOffset(0)) }
    document.redo()
    #expect(document.buffer == "YXa1 b" && document.redoName == "Own 3")
    document.redo()
    #expect(document.buffer == "YXa1 b3" && !document.canRedo)
    document.checkInvariants()
  }

  struct Conflict: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The replacement of the group in `start`, and of the outside change after it.
    var start: String
    var own: (Int, Int, String)
    var theirs: (Int, Int, String)
    var undone: String
  }

  @Test(arguments: [
    Conflict(
      testDescription: "inside of inserted bytes", start: "..", own: (1, 0, "abc"),
      theirs: (2, 0, "X"), undone: ".X."),
    Conflict(
      testDescription: "inside of a replacement", start: ".old.", own: (1, 3, "abc"),
      theirs: (2, 0, "X"), undone: ".oldX."),
    Conflict(
      testDescription: "at the start of a replacement", start: ".old.", own: (1, 3, "abc"),
      theirs: (0, 1, "<"), undone: "<old."),
    Conflict(
      testDescription: "a part of the inserted bytes gone", start: "..", own: (1, 0, "abc"),
      theirs: (2, 1, ""), undone: ".."),
    Conflict(
      testDescription: "all inserted bytes gone", start: ".old.", own: (1, 3, "abc"),
      theirs: (0, 5, "X"), undone: "X"),
    Conflict(
      testDescription: "around removed bytes", start: "(old)", own: (1, 3, ""),
      theirs: (0, 2, "X"), undone: "oldX"),
    Conflict(
      testDescription: "in a part of a character", start: "..", own: (1, 0, "\u{A4}"),
      theirs: (1, 2, "\u{A5}"), undone: ".\u{A5}."),
    Conflict(
      testDescription: "behind a part of a character", start: "..", own: (1, 0, "\u{A4}"),
      theirs: (1, 2, "\u{E4}"), undone: ".\u{E4}."),
    Conflict(
      testDescription: "where bytes were removed", start: "(old)", own: (1, 3, ""),
      theirs: (1, 0, "X"), undone: "(oldX)"),
  ])
  func `stays where a group conflicts with it`(conflict: Conflict) {
    var document = document(conflict.start, conflict.own)
    document.editFromOutside { draft in
      draft.replace(
        offsets(conflict.theirs.0..<conflict.theirs.0 + conflict.theirs.1), with: conflict.theirs.2)
    }
    let both = document.buffer
    document.undo()
    #expect(document.buffer == PieceTable(conflict.undone))
    document.checkInvariants()
    document.redo()
    #expect(document.buffer == both)
    document.undo()
    document.editFromOutside { draft in draft.insert("Y", at: ByteOffset(draft.buffer.byteCount)) }
    document.redo()
    #expect(document.buffer.bytes == both.bytes + "Y".utf8)
    document.undo()
    #expect(document.buffer == PieceTable(conflict.undone + "Y"))
    document.checkInvariants()
  }

  @Test func `counts for redo and undo even if others follow`() {
    var document = document("pq", (1, 0, "XY"))
    document.editFromOutside { draft in draft.remove(offsets(1..<2)) }
    for index in 1...3 {
      document.undo()
      document.editFromOutside { draft in draft.insert("R", at: ByteOffset(0)) }
      let theirs = String(repeating: "R", count: index) + "p"
      #expect(document.buffer == PieceTable(theirs + "q"))
      document.redo()
      #expect(document.buffer == PieceTable(theirs + "Yq"))
      document.editFromOutside { draft in
        draft.insert("S", at: ByteOffset(draft.buffer.byteCount))
      }
      document.undo()
      document.editFromOutside { draft in
        draft.remove(offsets(draft.buffer.byteCount - 1..<draft.buffer.byteCount))
      }
      document.redo()
      #expect(document.buffer == PieceTable(theirs + "Yq"))
    }
    document.checkInvariants()
  }

  @Test func `leaves no group without bytes that it has removed`() {
    var document = document("a/b", (1, 1, "678"))
    document.editFromOutside { draft in draft.insert("9", at: ByteOffset(2)) }
    document.undo()
    #expect(document.buffer == "a/9b")
    document.redo()
    document.editFromOutside { draft in draft.remove(offsets(1..<2)) }
    #expect(document.buffer == "a978b")
    document.undo()
    #expect(document.buffer == "a9/b")
    document.redo()
    #expect(document.buffer == "a978b")
    document.checkInvariants()
  }

  @Test func `ends a group, and no edit joins it`() {
    var document = Document(PieceTable(), coalescing: .typing)
    document.replace(offsets(0..<0), with: "a")
    document.editFromOutside { draft in draft.insert("X", at: ByteOffset(1)) }
    document.replace(offsets(1..<1), with: "b")
    document.edit(coalescing: .commands) { draft in draft.insert("c", at: ByteOffset(2)) }
    #expect(document.buffer == "abcX" && document.history.revisions.count == 5)
    document.undo()
    document.undo()
    #expect(document.buffer == "aX" && document.history.current == 2)
    document.undo()
    #expect(document.buffer == "X" && document.history.current == 5)
  }

  @Test func `is nothing if it changes nothing or fails`() {
    struct Refusal: Error {}
    var document = document("one", (0, 1, "O"))
    document.editFromOutside { _ in }
    #expect(throws: Refusal.self) {
      try document.editFromOutside { (draft) throws(Refusal) in
        draft.insert("x", at: ByteOffset(0))
        throw Refusal()
      }
    }
    #expect(document.history.current == 1 && document.buffer == "One")
  }

  @Test func `counts for the level limit`() {
    var document = Document(PieceTable("."), context: 0)
    document.levelLimit = 3
    for index in 1...4 {
      document.edit { draft in draft.insert("\(index)", at: ByteOffset(0)) }
      document.editFromOutside { draft in
        draft.insert("X", at: ByteOffset(draft.buffer.byteCount))
      }
    }
    #expect(document.buffer == "4321.XXXX" && !document.history.canMove(to: 4))
    document.undo()
    #expect(document.buffer == "321.XXXX" && !document.canUndo && document.undo() == nil)
    document.redo()
    #expect(document.buffer == "4321.XXXX" && !document.canRedo)
    document.checkInvariants()
    document.levelLimit = 0
    document.edit { draft in draft.insert("5", at: ByteOffset(0)) }
    document.editFromOutside { draft in draft.insert("X", at: ByteOffset(0)) }
    #expect(!document.canUndo && document.undo() == nil && document.buffer == "X54321.XXXX")
  }

  /// Own groups edit small letters, and outside changes capital ones, so that both are known apart
  /// where they touch.
  @Test(arguments: 0..<60)
  func `mixes with groups, undo, redo and restoring as in a model`(seed: Int) throws {
    var generator = SeededGenerator(seed)
    let start = Array("abcdef".utf8)
    var document = Document(PieceTable(start), context: 0, coalescing: .typing)
    var (groups, place, theirs) = ([start], 0, [UInt8]())
    for step in 0..<100 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0...2:
        let before = document.history.current
        Self.makeGroup(in: &document, using: &generator)
        if document.history.current != before {
          groups[(place + 1)...] = [Self.letters(Self.small, of: document)]
          place += 1
        }
      case 3...5:
        document.editFromOutside { draft in
          for _ in 0...Int.random(in: 0..<3, using: &generator) {
            let edit = Self.edit(of: draft.buffer.bytes, Self.capital, using: &generator)
            draft.replace(offsets(edit.range), with: edit.bytes)
          }
        }
        theirs = Self.letters(Self.capital, of: document)
      case 6, 7:
        #expect((document.undo() != nil) == (place > 0))
        place = max(0, place - 1)
      case 8:
        #expect((document.redo() != nil) == (place < groups.count - 1))
        place = min(groups.count - 1, place + 1)
      default: document = try Self.restored(document)
      }
      try #require(Self.letters(Self.small, of: document) == groups[place], "step \(step)")
      try #require(Self.letters(Self.capital, of: document) == theirs, "step \(step)")
      try #require(document.canUndo == (place > 0), "step \(step)")
      try #require(document.canRedo == (place < groups.count - 1), "step \(step)")
    }
    while document.undo() != nil {}
    #expect(Self.letters(Self.small, of: document) == start)
    #expect(Self.letters(Self.capital, of: document) == theirs)
    while document.redo() != nil {}
    #expect(Self.letters(Self.small, of: document) == groups.last)
    #expect(Self.letters(Self.capital, of: document) == theirs)
    document.checkInvariants()
  }

  @Test(arguments: Array(0..<40) + [663, 1893, 2005])
  func `leaves every text in reach, also with conflicts and a limit`(seed: Int) throws {
    var generator = SeededGenerator(seed)
    var document = Document(PieceTable("abcdef"), context: 0, coalescing: .typing)
    if seed % 3 == 0 { document.levelLimit = seed % 8 }
    for step in 0..<80 {
      var text = document.buffer
      var transition: Transition<Change>?
      switch Int.random(in: 0..<13, using: &generator) {
      case 0, 1: Self.makeGroup(in: &document, using: &generator)
      case 2...4:
        document.editFromOutside { draft in
          let edit = RandomEdit(of: draft.buffer.bytes, using: &generator)
          draft.replace(offsets(edit.range), with: edit.bytes)
        }
      case 5...7:
        let (name, canUndo) = (document.undoName, document.canUndo)
        transition = document.undo()
        try #require((transition != nil) == canUndo && document.redoName == name, "step \(step)")
        if transition != nil {
          let before = text
          let undone = document.buffer
          document.redo()
          try #require(document.buffer == before && document.undoName == name, "step \(step)")
          document.undo()
          try #require(document.buffer == undone, "step \(step)")
        }
      case 8 where document.levelLimit == nil:
        // A change behind the text has no effect on groups.
        let before = document.buffer.bytes
        let count = (1...3).prefix { _ in document.undo() != nil }.count
        document.editFromOutside { draft in
          draft.insert("Y", at: ByteOffset(draft.buffer.byteCount))
        }
        for _ in 0..<count { document.redo() }
        try #require(document.buffer.bytes == before + "Y".utf8, "step \(step)")
      case 8, 9:
        let canRedo = document.canRedo
        transition = document.redo()
        try #require((transition != nil) == canRedo, "step \(step)")
      case 10:
        let ids = document.history.revisions.indices.filter { document.history.canMove(to: $0) }
        guard let id = ids.randomElement(using: &generator) else { break }
        text = document.text(of: id)
        document.move(to: id)
        try #require(document.buffer == text, "step \(step)")
      case 11:
        let id = document.history.current
        guard let parent = document.history[id].parent, document.history.canMove(to: parent)
        else { break }
        let before = document.text(of: parent)
        transition = document.revert(id)
        try #require(document.buffer == before, "step \(step)")
      default:
        if document.levelLimit == nil {
          document = try Self.restored(document)
        } else {
          document.compact()
        }
      }
      if let transition {
        for change in transition.steps { text.apply(change) }
        try #require(document.buffer == text, "step \(step)")
      }
    }
    document.checkInvariants()
  }

  private static let small = UInt8(ascii: "a")...UInt8(ascii: "z")
  private static let capital = UInt8(ascii: "A")...UInt8(ascii: "Z")

  private static func letters(
    _ letters: ClosedRange<UInt8>, of document: Document<Int>
  ) -> [UInt8] {
    document.buffer.bytes.filter { letters.contains($0) }
  }

  /// Makes a group of a transaction, perhaps with an inner one that fails, or of typed bytes.
  private static func makeGroup(
    in document: inout Document<Int>, using generator: inout SeededGenerator
  ) {
    let count = Int.random(in: 1...3, using: &generator)
    if Bool.random(using: &generator) {
      let edit = Self.edit(of: document.buffer.bytes, small, using: &generator)
      document.replace(offsets(edit.range), with: edit.bytes)
      // Keys where the first one ended join it.
      var place = edit.range.lowerBound + edit.bytes.count
      for _ in 1..<count {
        document.replace(offsets(place..<place), with: "k")
        place += 1
      }
      return document.closeGroup()
    }
    document.begin()
    for _ in 0..<count {
      let edit = Self.edit(of: document.buffer.bytes, small, using: &generator)
      document.begin()
      document.replace(offsets(edit.range), with: edit.bytes)
      if Int.random(in: 0..<4, using: &generator) == 0 {
        document.rollBack()
      } else {
        document.commit()
      }
    }
    document.commit(coalescing: Coalescing.none)
  }

  /// A random edit that removes only some letters, and inserts such letters anywhere.
  private static func edit(
    of text: [UInt8], _ letters: ClosedRange<UInt8>, using generator: inout SeededGenerator
  ) -> (range: Range<Int>, bytes: [UInt8]) {
    let lower = Int.random(in: 0...text.count, using: &generator)
    let run = text[lower...].prefix { letters.contains($0) }.count
    let upper = lower + Int.random(in: 0...min(run, 4), using: &generator)
    let bytes = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
      UInt8.random(in: letters, using: &generator)
    }
    return (lower..<upper, bytes)
  }

  /// A document as a store would restore it.
  private static func restored(_ document: Document<Int>) throws -> Document<Int> {
    let revisions = document.history.revisions
    return try Document(
      restoring: document.buffer, revisions.map { RevisionRecord($0) },
      changes: revisions.map { document.changes(of: $0.id) },
      contexts: revisions.map {
        (before: document.contextBefore($0.id), after: document.contextAfter($0.id))
      }, current: document.history.current, saved: document.history.saved, coalescing: .typing)
  }
}
