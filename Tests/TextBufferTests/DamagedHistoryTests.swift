import Foundation
import TextBuffer
import TextLines
import Testing
import TextBufferTesting

/// Stored histories that are wrong.
@Suite struct `A damaged history` {
  private static func change(_ offset: Int, _ removed: String, _ inserted: String) -> Change {
    var maker = Change.Maker(for: PieceTable())
    return maker.change(
      at: ByteOffset(offset), removing: Array(removed.utf8).span.bytes,
      inserting: Array(inserted.utf8).span.bytes)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var records: [RevisionRecord]
    var changes: [[Change]]
    var current: Int
    var saved: Int?
    var error: RestoringError

    init(
      _ name: String, records: [RevisionRecord], changes: [[Change]]? = nil, current: Int = 2,
      saved: Int? = 0, error: RestoringError
    ) {
      (testDescription, self.records, self.current) = (name, records, current)
      self.changes = changes ?? [[], [change(0, "", "a")], [change(1, "", "b")]]
      (self.saved, self.error) = (saved, error)
    }
  }

  private static let chain = [
    RevisionRecord(parent: nil), RevisionRecord(parent: 0), RevisionRecord(parent: 1),
  ]

  private static func chain(_ id: Int, _ body: (inout RevisionRecord) -> Void) -> [RevisionRecord] {
    var records = chain
    body(&records[id])
    return records
  }

  static let rows = [
    Row("nothing", records: [], changes: [], error: .noRevisions),
    Row("no changes", records: chain, changes: [[]], error: .counts),
    Row("no parent", records: chain(1) { $0.parent = nil }, error: .parent(of: 1)),
    Row("a cycle", records: chain(1) { $0.parent = 2 }, error: .parent(of: 1)),
    Row("itself", records: chain(2) { $0.parent = 2 }, error: .parent(of: 2)),
    Row("below 0", records: chain(2) { $0.parent = -1 }, error: .parent(of: 2)),
    Row("too far", records: chain(2) { $0.parent = .max }, error: .parent(of: 2)),
    Row("a first one with a parent", records: chain(0) { $0.parent = 0 }, error: .parent(of: 0)),
    Row("a dropped parent", records: chain(1) { $0.isDropped = true }, error: .parent(of: 2)),
    Row("a revert of itself", records: chain(2) { $0.reverts = 2 }, error: .reverts(of: 2)),
    Row("a revert of the first one", records: chain(2) { $0.reverts = 0 }, error: .reverts(of: 2)),
    Row("a first one that reverts", records: chain(0) { $0.reverts = 0 }, error: .reverts(of: 0)),
    Row(
      "a preferred child of another", records: chain(0) { $0.preferredChild = 2 },
      error: .preferredChild(of: 0)),
    Row(
      "no preferred child", records: chain(0) { $0.preferredChild = .max },
      error: .preferredChild(of: 0)),
    Row("current below 0", records: chain, current: -1, error: .current(-1)),
    Row("current too far", records: chain, current: 3, error: .current(3)),
    Row("a dropped one", records: chain(2) { $0.isDropped = true }, error: .current(2)),
    Row("saved too far", records: chain, saved: 3, error: .saved(3)),
    Row(
      "a change behind the text", records: chain,
      changes: [[], [change(0, "", "a")], [change(9, "", "b")]], error: .steps(of: 2)),
    Row(
      "an offset below 0", records: chain,
      changes: [[], [change(-1, "", "a")], [change(0, "", "b")]], error: .steps(of: 1)),
    Row(
      "a huge offset", records: chain,
      changes: [[], [change(0, "", "a")], [change(.max, "x", "b")]], error: .steps(of: 2)),
    Row(
      "more removed than there is, further on", records: chain,
      changes: [[], [change(0, "", "a")], [change(0, "abcdef", "b")]], current: 0,
      error: .steps(of: 2)),
  ]

  @Test(arguments: rows) func `is an error`(_ row: Row) {
    #expect(throws: row.error) {
      try Document(
        restoring: PieceTable("ab"), row.records, changes: row.changes, current: row.current,
        saved: row.saved)
    }
  }

  @Test func `has no weave`() throws {
    let source = RevisionSource<Change>(
      count: 3, records: { Array(Self.chain[$0]) },
      steps: { [[], [Self.change(0, "", "a")], [Self.change(9, "xy", "")]][$0] })
    let document = try Document(
      restoring: PieceTable("0\n1\n"), source,
      contexts: { $0.map { _ in .init(before: (), after: ()) } }, current: 2, saved: 0)
    var weave = Weave(PieceTable("0\n1\n"))
    #expect(!document.bring(&weave, to: 2))
    #expect(document.history.isDamaged)
  }

  @Test func `is not one that was encoded and decoded`() throws {
    var document = Document(PieceTable("one\ntwo\n"))
    document.edit("First", date: 12) { draft in draft.removeLines(LineRange(1, 1)) }
    document.edit { draft in draft.insert([0, 255], at: ByteOffset(1)) }
    document.setName("v1", of: 2)
    let records = document.history.revisions.map { RevisionRecord($0) }
    let changes = document.history.revisions.indices.map { document.changes(of: $0) }
    let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
    let restored = try Document(
      restoring: document.buffer,
      decoder.decode([RevisionRecord].self, from: encoder.encode(records)),
      changes: decoder.decode([[Change]].self, from: encoder.encode(changes)), current: 2,
      saved: nil)
    #expect(restored.history.revisions.elementsEqual(document.history.revisions))
    #expect(restored.text(of: 0) == PieceTable("one\ntwo\n"))
    let text = String(decoding: try encoder.encode(changes[2][0]), as: UTF8.self)
    for part in [#""offset":1"#, #""removed":[]"#, #""inserted":[0,255]"#] {
      #expect(text.contains(part))
    }
    #expect(throws: DecodingError.self) {
      let text = #"{"offset":-1,"removed":[],"inserted":[]}"#
      return try decoder.decode(Change.self, from: Data(text.utf8))
    }
  }
}
