import Differential
import Testing
import TextBuffer

@testable import ued

/// Histories whose old revisions are packed.
@Suite struct PackedHistoryTests {
  private let sandbox = Sandbox()
  private static let groupCount = 1500

  private func place(_ name: String) -> HistoryPlace {
    HistoryPlace(
      file: Array("\(sandbox.path)/f".utf8), folder: Array("\(sandbox.path)/state".utf8),
      name: Array("\(name).history".utf8))
  }

  /// The revisions of a tree with names, checkpoints of earlier versions, contexts, and now and then long changes.
  private func revisions() -> [StoredRevision] {
    (0...Self.groupCount).map { id in
      var record = RevisionRecord(
        parent: id == 0 ? nil : id % 7 == 0 ? id / 2 : id - 1, time: Double(id))
      if id % 50 == 1 { record.name = "group \(id)" }
      let context = EditorContext(line: LineNumber(id % 9), marks: Marks())
      var revision = StoredRevision(
        id: id, record: record, isCheckpoint: id % 70 == 1, run: 1 + id / 500,
        title: Array("Count to \(id)\(id % 70 == 1 ? "\0c\(id)" : "")".utf8)[...],
        context: StoredContexts.bytes(before: context, after: context))
      if id > 0 {
        let text = Array(String(repeating: "\(id) ", count: id % 30 == 3 ? 900 : 3).utf8) + [10]
        var bytes: [UInt8] = []
        for number in [0, 0, text.count] { bytes.append(varint: number) }
        revision.changes = (bytes + text)[...]
      }
      return revision
    }
  }

  /// Stores the revisions, 100 in each transaction.
  private func makeHistory(_ name: String, packing: Bool, damage: String? = nil) throws
    -> HistoryStore
  {
    let place = place(name)
    try place.makeDatabase()
    let store = try HistoryStore.opened(at: place)
    store.packing.threshold = packing ? 0 : .max
    let all = revisions()
    for start in stride(from: 0, to: all.count, by: 100) {
      let end = min(start + 100, all.count)
      var update = HistoryUpdate(count: end, current: end - 1, saved: nil)
      if start == 0 { update.firstText = PieceTable("first\n") }
      update.revisions = Array(all[start..<end])
      try store.write(update)
      if start == 100, let damage { try #require(store.database).run(damage) }
    }
    return store
  }

  private func packedCount(_ store: HistoryStore) throws -> (rows: Int, changes: Int) {
    let database = try #require(store.database)
    return (
      try database.number("SELECT count(*) FROM revision WHERE title IS NULL"),
      try database.number("SELECT count(*) FROM packed_changes")
    )
  }

  private func content(of store: HistoryStore) throws -> [[ArraySlice<UInt8>]] {
    let reader = RevisionReader(store, count: Self.groupCount + 1, length: 6)
    return try (0...Self.groupCount).map { id in
      let revision = try #require(try reader.block(id..<id + 1).first)
      let texts = try reader.changes(of: id).flatMap {
        [$0.removed.bytes[...], $0.inserted.bytes[...]]
      }
      return [revision.title, revision.context, Array((revision.namedRecord.name ?? "").utf8)[...]]
        + texts
    }
  }

  @Test func `what is packed reads as what is not, and takes less room`() throws {
    let (packed, plain) = (
      try makeHistory("packed", packing: true), try makeHistory("plain", packing: false)
    )
    let count = try packedCount(packed)
    #expect(count.rows >= 256 && count.changes > 10)
    #expect(try content(of: packed) == content(of: plain))
    packed.close()
    plain.close()
    let again = try HistoryStore.opened(at: place("packed"))
    #expect(try again.load()?.count == Self.groupCount + 1)
    #expect(try content(of: again) == content(of: HistoryStore.opened(at: place("plain"))))
    let database = try #require(again.database)
    #expect(try database.number("PRAGMA freelist_count") < database.number("PRAGMA page_count") / 2)
  }

  @Test func `packed groups are found, named and taken back as others`() throws {
    let store = try makeHistory("packed", packing: true)
    _ = try store.load()
    let pattern = try Pattern(
      Array("^\\(33 \\)*$\\|^63 63 63 63\\|Count to 77$".utf8), extended: false, ignoreCase: false,
      isPlainText: false)
    #expect(try store.groups(matching: pattern, since: 0).map(\.id) == [33, 63, 77])
    var renamed = try #require(try store.revisions(40..<41, of: Self.groupCount + 1).first)
    renamed.record.name = "forty"
    var update = HistoryUpdate(count: Self.groupCount + 1, current: 40, saved: 40)
    update.details = [renamed]
    let replaced = try #require(try store.content(replacedBy: update))
    try store.write(update)
    let before = try content(of: store)
    #expect(before[40][2] == Array("forty".utf8)[...])
    try store.restore(replaced)
    let after = try content(of: store)
    #expect(after[40][2].isEmpty)
    #expect(before.enumerated().allSatisfy { $0 == 40 || $1 == after[$0] })
    store.close()
  }

  @Test func `a block that can't be read is not packed, and new groups are stored`() throws {
    let store = try makeHistory(
      "packed", packing: true, damage: "UPDATE revision SET title = x'00' WHERE id = 70")
    let database = try #require(store.database)
    #expect(try database.number("SELECT max(id) FROM revision") == Self.groupCount)
    #expect(
      try database.number(
        "SELECT count(*) FROM revision WHERE id >= 64 AND id < 128 AND title IS NULL") == 0)
    #expect(try packedCount(store).rows >= 192)
    store.close()
  }

  @Test(arguments: [
    "UPDATE packed_block SET bytes = x'789c' WHERE number = 2",
    "UPDATE packed_block SET size = 9223372036854775807 WHERE number = 2",
    "UPDATE packed_block SET size = size + 1 WHERE number = 2",
    "UPDATE packed_block SET bytes = (SELECT bytes FROM packed_block WHERE number = 1) WHERE number = 2",
    "DELETE FROM packed_block WHERE number = 2",
    "UPDATE packed_changes SET size = -1 WHERE id > 128 AND id < 192",
    "UPDATE packed_changes SET bytes = zeroblob(99) WHERE id > 128 AND id < 192",
    "DELETE FROM packed_changes WHERE id > 128 AND id < 192", "DROP TABLE packed_changes",
    "PRAGMA user_version = 1",
  ])
  func `a damaged pack is damage`(_ damage: String) throws {
    let store = try makeHistory("packed", packing: true)
    store.close()
    try Database(path: place("packed").database, mayCreate: false).run(damage)
    #expect(throws: DatabaseError.self) {
      let store = try HistoryStore.opened(at: place("packed"))
      _ = try store.load()
      try _ = content(of: store)
    }
  }
}
