import TextBuffer
import TextBufferTesting
import Testing

@Suite struct `One group taken back` {
  @Test func `leaves the later groups, and is a group itself`() {
    var document = Document(PieceTable("one two three\n"))
    document.edit("First") { draft in
      draft.replace(offsets(8..<13), with: "3")
      draft.replace(offsets(0..<3), with: "1")
    }
    document.edit("Second") { draft in draft.insert("zero ", at: ByteOffset(0)) }
    let transition = document.revert(1, name: "Not first", date: 7)
    #expect(document.buffer == "zero one two three\n" && document.history.current == 3)
    #expect(transition?.from == 2 && transition?.to == 3 && transition?.steps.count == 2)
    #expect(document.history[3].name == "Not first" && document.history[3].time == 7)
    document.undo()
    #expect(document.buffer == "zero 1 two 3\n")
    document.redo()
    #expect(document.revert(3) != nil && document.buffer == "zero 1 two 3\n")
    #expect(document.revert(2) != nil && document.buffer == "1 two 3\n")
    #expect(document.revert(5) != nil && document.buffer == "zero 1 two 3\n")
    document.checkInvariants()
  }

  @Test func `of the present revision is its parent's text, also after typing`() {
    var document = Document(PieceTable("one\n"), coalescing: .typing)
    document.replace(offsets(3..<3), with: "1")
    document.replace(offsets(4..<4), with: "2")
    document.closeGroup()
    #expect(document.revert(1)?.to == 2 && document.buffer == "one\n")
    // A revert that has nothing left to take back is none.
    #expect(document.revert(1) == nil && document.history.current == 2)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var start: String
    /// The replacements of the group and of a later one.
    var group: (Int, Int, String)
    var later: (Int, Int, String)
    /// The text without the group; nil if the groups conflict.
    var text: String?
  }

  @Test(arguments: [
    Case(
      testDescription: "before inserted bytes", start: "..", group: (1, 0, "abc"),
      later: (1, 0, "X"), text: ".X."),
    Case(
      testDescription: "behind inserted bytes", start: "..", group: (1, 0, "abc"),
      later: (4, 0, "X"), text: ".X."),
    Case(
      testDescription: "inside of inserted bytes", start: "..", group: (1, 0, "abc"),
      later: (2, 0, "X"), text: nil),
    Case(
      testDescription: "a part of the inserted bytes", start: "..", group: (1, 0, "abc"),
      later: (3, 2, ""), text: nil),
    Case(
      testDescription: "where bytes were removed", start: "(old)", group: (1, 3, ""),
      later: (1, 0, "X"), text: "(oldX)"),
    Case(
      testDescription: "next to removed bytes", start: "(old)", group: (1, 3, ""),
      later: (0, 1, "X"), text: "Xold)"),
    Case(
      testDescription: "around removed bytes", start: "(old)", group: (1, 3, ""),
      later: (0, 2, "X"), text: nil),
  ])
  func `conflicts with later changes of its bytes`(row: Case) {
    var document = Document(PieceTable(row.start))
    for edit in [row.group, row.later] {
      document.edit { draft in
        draft.replace(offsets(edit.0..<edit.0 + edit.1), with: edit.2)
      }
    }
    let before = document.buffer
    let transition = document.revert(1)
    #expect((transition == nil) == (row.text == nil))
    #expect(document.buffer == row.text.map { PieceTable($0) } ?? before)
    #expect(document.history.current == (row.text == nil ? 2 : 3))
    // Without the later group, the first one can be taken back.
    #expect(document.revert(2) != nil && document.revert(1) != nil || row.text != nil)
    if row.text == nil { #expect(document.buffer == PieceTable(row.start)) }
  }

  @Test(arguments: 0..<30)
  func `commutes with other groups elsewhere`(seed: Int) throws {
    var generator = SeededGenerator(seed)
    // Each group edits the bytes between two marks, which stay.
    var parts = (0..<8).map { _ in generator.bytes(upTo: 9).map { $0 | 0x80 } }
    var document = Document(PieceTable(Self.text(parts)))
    var others = parts
    for part in parts.indices.shuffled(using: &generator) {
      let before = parts[part]
      document.edit { draft in
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let range = generator.range(in: parts[part].count)
          let bytes = generator.bytes(upTo: 5).map { $0 | 0x80 }
          let start = Self.text(Array(parts[..<part])).count
          draft.replace(offsets(start + range.lowerBound..<start + range.upperBound), with: bytes)
          parts[part].replaceSubrange(range, with: bytes)
        }
      }
      others[part] = before
    }
    // By part, the group that changed it last.
    var newest: [Int: Int] = [:]
    for id in document.history.revisions.indices.dropFirst() {
      let start = document.changes(of: id)[0].offset
      let text = document.text(of: id - 1)
      newest[text.bytes(in: ByteOffset(0)..<start).count { $0 == 0 }] = id
    }
    for step in 0..<20 {
      guard let part = newest.keys.sorted().randomElement(using: &generator),
        let id = newest[part]
      else { break }
      try #require(document.revert(id) != nil, "step \(step)")
      (parts[part], others[part]) = (others[part], parts[part])
      newest[part] = document.history.current
      try #require(document.buffer.bytes == Self.text(parts), "step \(step)")
    }
    document.checkInvariants()
  }

  private static func text(_ parts: [[UInt8]]) -> [UInt8] { parts.flatMap { $0 + [0] } }

  @Test func `is done once, until it is reverted itself, also in a restored document`() throws {
    var document = Document(PieceTable("abc"))
    document.edit { draft in draft.remove(offsets(1..<2)) }
    document.revert(1)
    #expect(document.buffer == "abc" && document.history[2].reverts == 1)
    #expect(document.revert(1) == nil && document.history.current == 2)
    document.edit { draft in draft.insert("X", at: ByteOffset(1)) }
    #expect(document.revert(1) == nil && document.history[3].reverts == nil)
    document.undo()
    document.revert(2)
    #expect(document.buffer == "ac" && document.revert(2) == nil)
    document.revert(1)
    #expect(document.buffer == "abc" && document.revert(1) == nil)
    document.move(to: 1)
    document.revert(1)
    #expect(document.buffer == "abc")
    document.undo()
    document.redo()
    let revisions = document.history.revisions
    let records = revisions.map { RevisionRecord($0) }
    var restored = try Document(
      restoring: document.buffer, records, changes: revisions.map { document.changes(of: $0.id) },
      current: document.history.current, saved: nil)
    #expect(restored.revert(1) == nil && restored.buffer == "abc")
    restored.undo()
    #expect(restored.revert(1) != nil && restored.buffer == "abc")
  }

  @Test func `is joined by no transaction, and nothing if the level limit drops the parent`() {
    var document = Document(PieceTable("one"), coalescing: .typing)
    document.edit { draft in draft.insert("a", at: ByteOffset(0)) }
    document.revert(1)
    document.edit(coalescing: .commands) { draft in draft.insert("b", at: ByteOffset(0)) }
    #expect(document.history.current == 3)
    document.levelLimit = 3
    document.replace(offsets(4..<4), with: "c")
    #expect(document.revert(1) == nil && document.buffer == "bonec")
    #expect(document.history.current == 4 && document.undo() != nil)
  }

  @Test func `is of the present line only`() async {
    await #expect(processExitsWith: .failure) {
      var document = Document(PieceTable("one"))
      document.edit { draft in draft.insert("a", at: ByteOffset(0)) }
      document.undo()
      document.revert(1)
    }
    await #expect(processExitsWith: .failure) {
      var document = Document(PieceTable("one"))
      document.revert(0)
    }
  }
}
