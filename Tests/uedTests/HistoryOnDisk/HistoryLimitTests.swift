import Differential
import Testing
import TextBuffer

@testable import ued

/// The limits of histories, which the manual tells. `HistoryTroubleTests` has the limit for all
/// histories together.
@Suite struct HistoryLimitTests {
  private let sandbox = Sandbox()

  @Test func `a text of more than 16 MiB has no history, and is edited and saved`() {
    sandbox.run(
      """
      head -c 16777232 <(yes 'fifteen bytes..') >f
      printf '1s/^/x/\\nw\\n' | "$UED" --history -s f 2>notices
      grep -q '^history is not kept: ' notices; test "$(wc -l <notices)" = 1
      test "$(head -c 3 f)" = xfi; test -z "$(ls .local/state/ued/*.history 2>/dev/null)"
      """)
  }

  private var place: HistoryPlace {
    HistoryPlace(
      file: Array("\(sandbox.path)/f".utf8), folder: Array("\(sandbox.path)/state".utf8),
      name: Array("f.history".utf8))
  }

  private func write(_ id: Int, _ changes: ArraySlice<UInt8>, to store: HistoryStore)
    throws(StorageError)
  {
    var update = HistoryUpdate(count: id + 1, current: id, saved: nil)
    if id == 0 { update.firstText = PieceTable("one\n") }
    update.revisions = [
      StoredRevision(
        id: id, record: RevisionRecord(parent: id == 0 ? nil : id - 1), run: 1, changes: changes)
    ]
    // A program that another test has just started holds the lock until it has its own descriptors.
    try Patience.long.wait { () throws(StorageError) in try store.open() }
    try store.write(update)
  }

  @Test func `a history stops growing at 64 MiB, and keeps its groups`() throws {
    let store = try HistoryStore.created(at: place)
    var generator = SeededGenerator(seed: 1)
    var noise: [UInt8] = []
    noise.reserveCapacity(36 << 20)
    for _ in 0..<1 << 17 { noise.append(word: Int(truncatingIfNeeded: generator.next())) }
    // zlib cannot compress it: its window is smaller.
    for _ in 1..<36 { noise += noise.prefix(1 << 20) }
    for id in 0...3 { try write(id, noise.prefix(id * (9 << 20)), to: store) }
    #expect(throws: StorageError.self) {
      try write(4, noise.prefix(36 << 20), to: store)
    }
    #expect(try store.changes(of: 3).count == 27 << 20)
    store.close()
    #expect(place.byteCount <= HistoryPlace.largestHistory)
    #expect(try HistoryStore.opened(at: place).load()?.count == 4)
  }

  @Test func `the first of too many groups stay, with one message`() {
    sandbox.run(
      """
      printf 'one\\ntwo\\n' >f
      groups() { for number in {1..50}; do echo 1c; head -c 750000 /dev/urandom | base64 -w 0; echo; echo .; done; }
      { groups; echo w; } | "$UED" -s --history f 2>said; test "$(wc -l <said)" = 1; grep -q 'size limit' said
      "$UED" -s --history -e 'history all' f >out 2>&1; grep -q 'Opened f' out; grep -q ' 20 ' out
      printf 'jump 1\\njump 20\\njump 0\\n,p\\nQ\\n' | "$UED" -s --history f 2>&1 | tail -n 2 >out
      printf 'one\\ntwo\\n' | cmp - out
      """)
  }

  @Test func `compressible texts do not fill a history`() throws {
    let store = try HistoryStore.created(at: place)
    let text = Array(String(repeating: "sixteen bytes..\n", count: 1 << 19).utf8)
    for id in 0...30 { try write(id, id == 0 ? [] : text[...], to: store) }
    for id in 1...30 { #expect(try store.changes(of: id).count == text.count) }
    store.close()
    #expect(place.byteCount < HistoryPlace.largestHistory)
  }
}
