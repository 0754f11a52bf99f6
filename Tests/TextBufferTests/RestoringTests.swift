import TextBuffer
import TextBufferModels
import TextBufferTesting
import Testing

/// Histories that were kept elsewhere.
@Suite struct RestoringTests {
  /// A document restored from the records that a store would have.
  private func copy(_ document: Document<Int>, text: [UInt8]) throws -> Document<Int> {
    let buffer = PieceTable(text)
    var maker = Change.Maker(for: buffer)
    var changes: [[Change]] = []
    let revisions = document.history.revisions
    for revision in revisions {
      changes.append(
        document.changes(of: revision.id).map { change in
          let (removed, inserted) = (change.removed.bytes, change.inserted.bytes)
          return maker.change(
            at: change.offset, removing: removed.span.bytes, inserting: inserted.span.bytes)
        })
    }
    return try Document(
      restoring: buffer,
      revisions.map {
        RevisionRecord(
          parent: $0.parent, preferredChild: $0.preferredChild, name: $0.name, time: $0.time,
          wasSaved: $0.wasSaved, isDropped: $0.isDropped, isDiscardable: $0.isDiscardable,
          isOutside: $0.isOutside)
      }, changes: changes,
      contexts: revisions.map {
        (before: document.contextBefore($0.id), after: document.contextAfter($0.id))
      }, current: document.history.current, saved: document.history.saved)
  }

  @Test func `each new or changed revision is reported once, on request`() {
    var document = Document(PieceTable("one\n"))
    document.edit { draft in draft.insert("a".utf8, at: ByteOffset(0)) }
    #expect(document.takeChangedRevisions() == [])
    document.trackChanges()
    document.edit { draft in draft.insert("b".utf8, at: ByteOffset(0)) }
    document.setName("both", of: 2)
    #expect(document.takeChangedRevisions() == [1, 2])
    #expect(document.takeChangedRevisions() == [])
    document.undo()
    document.redo()
    #expect(document.takeChangedRevisions() == [])
    document.markSaved()
    #expect(document.takeChangedRevisions() == [2])
    document.move(to: 0)
    document.edit { draft in draft.insert("c".utf8, at: ByteOffset(0)) }
    document.move(to: 2)
    #expect(document.takeChangedRevisions() == [0, 3])
  }

  @Test func `a revision without a redo has none after restoring`() throws {
    var document = Document(PieceTable("a"))
    var other = document.buffer
    document.addBranch([other.insert("b", at: ByteOffset(0))], from: 0, context: ())
    #expect(!document.canRedo)
    let restored = try Document(
      restoring: document.buffer, document.history.revisions.map { RevisionRecord($0) },
      changes: document.history.revisions.indices.map { document.changes(of: $0) }, current: 0,
      saved: 0)
    #expect(!restored.canRedo && restored.history.children(of: 0) == [1])
  }

  @Test func `a limit applies after restoring`() throws {
    var document = Document(PieceTable(), context: 0)
    document.levelLimit = 3
    for step in 1...8 {
      document.edit { draft in draft.insert("\(step)".utf8, at: ByteOffset(0)) }
    }
    document.undo()
    var restored = try copy(document, text: document.buffer.bytes)
    #expect(restored.history.oldest == 5)
    restored.levelLimit = 3
    #expect(restored.history.oldest == 5)
    restored.redo()
    restored.edit { draft in draft.insert("9".utf8, at: ByteOffset(0)) }
    #expect(restored.history.oldest == 6)
    while restored.undo() != nil {}
    #expect(restored.buffer == PieceTable("654321"))
    #expect(!restored.history.canMove(to: 5))
  }

  @Test func `discardable revisions stay so when restored`() throws {
    var history = History<Replacement<Int>>()
    history.record(Replacement(before: 0, after: 1))
    history.markSaved()
    history.record(Replacement(before: 1, after: 2), isDiscardable: true)
    let records = history.revisions.map {
      RevisionRecord(parent: $0.parent, isDiscardable: $0.isDiscardable)
    }
    let restored = try History(
      restoring: records, steps: history.revisions.indices.map { history.steps(of: $0) },
      current: 2, saved: 1)
    #expect(!history.isModified && !restored.isModified)
  }
}
