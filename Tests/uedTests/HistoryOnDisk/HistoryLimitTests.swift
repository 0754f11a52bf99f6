import Differential
import Testing
import TextBuffer

@testable import ued

/// The limits of histories, which the manual tells. That of all histories together is in `HistoryTroubleTests`.
@Suite struct HistoryLimitTests {
  private let sandbox = Sandbox()

  @Test func `a text of more than 16 MiB has no history, and is edited and saved`() {
    sandbox.run(
      """
      set -e
      yes 'fifteen bytes..' | head -c 16777232 >f
      printf '1s/^/x/\\nw\\n' | "$UED" --history -s f 2>notices
      grep -q '^history is not kept: ' notices; test "$(wc -l <notices)" = 1
      test "$(head -c 3 f)" = xfi; test -z "$(ls .local/state/ued/*.history 2>/dev/null)"
      """, seconds: 120)
  }

  @Test func `a history stops growing at 64 MiB, and what it has is there still`() throws {
    let place = HistoryPlace(
      file: Array("\(sandbox.path)/f".utf8), folder: Array("\(sandbox.path)/state".utf8),
      name: Array("f.history".utf8))
    try place.makeDatabase()
    let store = try HistoryStore(opening: place)
    func write(_ id: Int) throws(DatabaseError) {
      var update = HistoryUpdate(count: id + 1, current: id, saved: nil)
      if id == 0 { update.firstText = PieceTable("one\n") }
      update.revisions = [
        StoredRevision(
          id: id, record: RevisionRecord(parent: id == 0 ? nil : id - 1), run: 1,
          changes: [UInt8](repeating: 1, count: id * (9 << 20))[...])
      ]
      try store.write(update)
    }
    for id in 0...2 { try write(id) }
    try write(3)
    #expect(throws: DatabaseError.self) { try write(4) }
    #expect(try store.changes(of: 3).count == 27 << 20)
    store.close()
    #expect(place.byteCount <= HistoryPlace.largestHistory)
    #expect(try HistoryStore(opening: place).load()?.count == 4)
  }
}
