import Differential
import Glibc
import Testing
import TextBuffer

@testable import ued

/// Planted or damaged histories: ued runs no part of them, and no part of them ends the program.
@Suite struct PlantedHistoryTests {
  private let sandbox = Sandbox()
  private static let state = ".local/state/ued"

  /// Makes a history of branches, of a merge, or with long changes, which are compressed.
  private func makeHistory(_ kind: String = "branches") {
    switch kind {
    case "merged":
      sandbox.run(
        """
        seq 60 >f
        printf '1d\\nw\\nundo\\n$d\\nmerge 1\\nw\\n2d\\nrevert 1\\nundo\\n3d\\npick 4\\n5d\\nQ\\n' |
          "$UED" --history --run=r1 -s f >/dev/null || test $? = 1
        """)
    case "long":
      sandbox.run(
        """
        seq 40 >f
        (for n in 1 2 3; do echo 1i; seq -f "$n %g" 900; echo .; echo '2,900d'; done; echo w) |
          "$UED" --history --run=r1 -s f
        """)
    default:
      sandbox.run(
        """
        seq 40 >f
        printf '1d\\n2s/3/x/\\nname foo\\nbegin g\\n$a\\nq\\n.\\n1m$\\nend\\nundo\\n3d\\nw\\n$d\\nQ\\n' |
          "$UED" --history --run=r1 -s f
        printf '1d\\nw\\n2d\\n,p\\n1,$blame\\nQ\\n' | "$UED" --history --run=r2 -s f >out
        """)
    }
    sandbox.run("rm -rf pristine; cp -r \(Self.state) pristine; cp f start")
  }

  private var database: HistoryPlace? {
    let folder = Array("\(sandbox.path)/\(Self.state)".utf8)
    return Disk.names(in: "\(sandbox.path)/\(Self.state)").first { $0.hasSuffix(".history") }.map {
      HistoryPlace(file: Array("\(sandbox.path)/f".utf8), folder: folder, name: Array($0.utf8))
    }
  }

  private func restore() {
    sandbox.run("rm -rf \(Self.state); cp -r pristine \(Self.state); cp start f")
  }

  /// Reads a history in all ways: none may crash, hang, or change the file except by `w`.
  private func checkWork(_ what: String) {
    sandbox["script"] = HistoryDamage.readingScript
    sandbox.run(
      """
      # \(what)
      "$UED" --history -s f <script >out 2>notices || test $? -le 4
      cmp -s f start
      "$UED" --log >out 2>errors || test $? -le 2
      "$UED" --search=a >out 2>errors || test $? -le 2
      printf '1s/^/new /\\nw\\n' | "$UED" --history -s f >out 2>>notices || test $? = 1
      sed '1s/^/new /' start | cmp -s - f
      fails grep $'\\033' notices
      """)
  }

  private func change(_ statements: String) {
    guard let database else {
      Issue.record("no history")
      return
    }
    HistoryDamage(String(decoding: database.database, as: UTF8.self)).run(statements)
  }

  // MARK: - Known ones

  @Test(arguments: [
    "ALTER TABLE revision RENAME TO r; CREATE VIEW revision AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id FROM n) SELECT * FROM n",
    "DROP TABLE run; CREATE VIEW run AS WITH RECURSIVE n(id, start) AS (SELECT 1, 0 UNION ALL SELECT id + 1, 0 FROM n) SELECT * FROM n",
    "CREATE TRIGGER t AFTER INSERT ON revision BEGIN DELETE FROM revision; END",
    "CREATE TABLE other (x INTEGER PRIMARY KEY, y AS (hex(zeroblob(100000))))",
    "DROP TABLE state; CREATE TABLE state (id INTEGER PRIMARY KEY, path BLOB, length INTEGER AS (1), current INTEGER, saved INTEGER, checksum INTEGER)",
    "CREATE INDEX i ON revision (abs(id))",
    // Names as long as one of ours, with its end, with its beginning, and longer.
    "CREATE TABLE revisiox (id INTEGER)", "CREATE TABLE xevision (id INTEGER)",
    "CREATE TABLE revi (id INTEGER)", "CREATE TABLE revisions (id INTEGER)",
    "UPDATE revision SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM revision)",
    "INSERT INTO revision (id) VALUES (9223372036854775806)",
    "UPDATE run SET id = 9223372036854775807 WHERE id = (SELECT max(id) FROM run)",
    "DELETE FROM state", "PRAGMA application_id = 1", "DELETE FROM revision WHERE id = 1",
    "UPDATE run SET current = 999", "UPDATE state SET saved = 1", "DELETE FROM run",
  ])
  func `promise 14: planted parts of a history are reported, and never run`(_ sql: String) {
    makeHistory()
    change(sql)
    checkWork(sql)
    let notices = String(decoding: sandbox["notices"] ?? [], as: UTF8.self)
    #expect(notices.contains("the history was damaged"), "\(notices)")
  }

  @Test(arguments: [
    "UPDATE revision SET time = 9223372036854775807",
    "UPDATE revision SET time = -9223372036854775808",
    "UPDATE run SET time = 9223372036854775807", "UPDATE revision SET name = x'1b5b33316d'",
    "UPDATE state SET length = 9223372036854775807", "UPDATE state SET length = -1",
    "UPDATE revision SET changes = x'7f01ffffffffffffffff7f'",
    "UPDATE revision SET context = x'ffffffffffffffff7fffffffffffffffff7f00ffffffffffffffff7f00'",
    "UPDATE revision SET preferred = id + 9", "UPDATE revision SET title = zeroblob(30000000)",
    "UPDATE revision SET parent = id",
  ])
  func `promise 14: no extreme number in a history ends ued`(_ sql: String) {
    makeHistory()
    change(sql)
    checkWork(sql)
  }

  /// Changes revisions of the history, and makes their links and checksums right.
  private func forge(_ change: (inout StoredRevision) -> Void) throws {
    let database = try Database(path: try #require(database).database, mayCreate: false)
    let rows = try database.prepare(StoredRevision.selection)
    rows.bind(1, 0)
    rows.bind(2, 1000)
    var revisions: [StoredRevision] = []
    while try rows.step() { revisions.append(try StoredRevision(rows, id: revisions.count)) }
    let insertion = try database.prepare(StoredRevision.insertion)
    var links: [Int] = []
    for var revision in revisions {
      change(&revision)
      revision.seal(parentLink: revision.record.parent.map { links[$0] } ?? 0)
      links.append(revision.link)
      revision.bind(to: insertion)
      try insertion.run()
    }
  }

  private static let farMark: ArraySlice<UInt8> = {
    var bytes: [UInt8] = []
    for number in [1, 1, 1, 0, Int.max, 1, 1, 0, Int.max] { bytes.append(varint: number) }
    return bytes[...]
  }()

  @Test(arguments: ["branches", "merged"], ["dropped", "parent", "changes", "mark"])
  func `promise 14: a forged history with right checksums is harmless`(
    _ kind: String, _ part: String
  ) throws {
    makeHistory(kind)
    for id in 0..<7 {
      var last: ArraySlice<UInt8>?
      try forge { revision in
        defer { last = revision.changes }
        guard revision.id == id else { return }
        switch part {
        case "dropped": revision.record.isDropped.toggle()
        case "parent": if id > 0 { revision.record.parent = max(0, id - 2) }
        case "changes": if let last, id > 1 { revision.changes = last }
        default: revision.context = Self.farMark
        }
      }
      checkWork("\(part) of \(id)")
      sandbox.run(
        """
        for id in 1 2 3 4 5 6; do
          printf '%s\\n' "jump $id" "2undo" "pick $id" "revert $id" "1,2revert $id" "3@$id" blame "merge! $id" undo Q |
            "$UED" --history -s f >out 2>notices || test $? -le 4
        done
        """)
      restore()
    }
  }

  private static let integers = [
    "revision": ["id", "parent", "preferred", "run", "time", "flags", "link", "checksum"],
    "run": ["id", "start", "effect", "time", "checksum", "current", "prepared"],
    "undone": ["revision"], "state": ["length", "saved", "checksum"], "text": ["part", "checksum"],
  ]

  @Test(arguments: integers.keys.sorted())
  func `promise 14: no integer of a history does any harm`(_ table: String) {
    makeHistory()
    for column in Self.integers[table] ?? [] {
      for value in ["-1", "0", "\(Int.max)", "\(Int.min)"] {
        let key = column == "id" || column == "part"
        let row = key ? " WHERE rowid = (SELECT max(rowid) FROM \(table))" : ""
        change("UPDATE OR REPLACE \(table) SET \(column) = \(value)\(row)")
        checkWork("\(table).\(column) = \(value)")
        restore()
      }
    }
  }

  /// The first text is read when the file has another text than the history knows.
  @Test(arguments: [
    "UPDATE text SET checksum = 1", "DELETE FROM text", "UPDATE state SET saved = NULL",
    "UPDATE revision SET changes = x'0000' WHERE id = 1",
  ])
  func `promise 14: damage is found when the file was changed outside, too`(_ sql: String) {
    makeHistory()
    change(sql)
    sandbox.run("echo outside >>f; cp f start")
    checkWork(sql)
    let notices = String(decoding: sandbox["notices"] ?? [], as: UTF8.self)
    #expect(notices.contains("the history was damaged"), "\(notices)")
  }

  @Test(arguments: [
    ("UPDATE revision SET changes = x'00' WHERE id = 2", "wrong checksum"),
    ("UPDATE revision SET link = 0 WHERE id = 2", "wrong checksum"),
    ("DELETE FROM state", "wrong checksum"), ("DELETE FROM revision; DELETE FROM state", ""),
    ("PRAGMA user_version = 99", "newer"),
  ])
  func `a search tells of a history that it can't read`(_ sql: String, _ said: String) {
    makeHistory()
    #expect(!sandbox.run("\"$UED\" --search=foo").isEmpty)
    change(sql)
    sandbox.run(
      """
      status=0; "$UED" --search=foo >out 2>errors || status=$?; test $status -le 2
      fails grep foo out; test -z '\(said)' || grep -q '\(said)' errors
      """)
  }

  @Test(arguments: [
    "PRAGMA application_id = 1", "DELETE FROM state", "UPDATE state SET boot = x'00'",
    "UPDATE history SET name = x'6f'", "DELETE FROM run; UPDATE history SET isread = 0",
    "UPDATE run SET identity = NULL", "UPDATE history SET path = x''",
    "DROP TABLE run; CREATE TABLE run (x)",
  ])
  func `a wrong index is rebuilt, or the log lacks only its rows`(_ sql: String) {
    makeHistory()
    let index = "\(sandbox.path)/\(Self.state)/index.db"
    let log = sandbox.run("\"$UED\" --log")
    HistoryDamage(index).run(sql)
    let isKept = sql.hasPrefix("UPDATE run") || sql.hasPrefix("UPDATE history")
    let now = sandbox.run("\"$UED\" --log")
    #expect(
      now == log || isKept && log.starts(with: now), "\(String(decoding: now, as: UTF8.self))")
    sandbox.run(
      """
      printf '1s/^/new /\\nw\\n' | "$UED" --history --run=r3 -s f; sed '1s/^/new /' start | cmp - f
      "$UED" --log | grep -q r3
      """)
  }

  @Test func `the index of a newer ued is left alone`() {
    makeHistory()
    HistoryDamage("\(sandbox.path)/\(Self.state)/index.db").run("PRAGMA user_version = 99")
    sandbox.run(
      """
      cp \(Self.state)/index.db before; exits 1 "$UED" --log 2>errors >out; test ! -s out; grep -q newer errors
      printf '1s/^/new /\\nw\\n' | "$UED" --history -s f; sed '1s/^/new /' start | cmp - f
      cmp before \(Self.state)/index.db
      """)
  }

  @Test func `control characters in names are escaped`() throws {
    let escape = "\u{1B}[31m"
    for name in [escape, nil] {
      let planted = StoredRevision(
        id: 1, record: RevisionRecord(parent: 0, name: name), run: 1,
        title: Array("Delete \(escape)".utf8)[...])
      #expect(planted.readableRecord.name == name.map { _ in "^[[31m" })
      #expect(String(decoding: planted.description, as: UTF8.self) == "Delete ^[[31m")
    }
    #expect(RunTag(identity: escape, name: escape, time: 0).readable.name == "^[[31m")
  }

  @Test func `times that can't be stored become the nearest ones`() throws {
    #expect(StoredTime(1e300).milliseconds == 253_402_300_799_999)
    #expect(StoredTime(.nan).milliseconds == StoredTime(-.infinity).milliseconds)
    #expect(StoredTime(1.5).milliseconds == 1500)
    #expect(throws: StorageError.damaged) { try StoredTime(stored: .max) }
    #expect(try StoredTime(stored: -1500).seconds == -1.5)
  }

  // MARK: - Random ones

  private func damage(_ random: inout SeededGenerator) -> String {
    guard let place = database else { return "" }
    let path = random.below(8) == 0 ? place.folder + HistoryIndex.name : place.database
    return HistoryDamage(String(decoding: path, as: UTF8.self)).damage(by: &random)
  }

  /// `SEEDS` adds seeds, `DAMAGES` steps a seed.
  @Test(arguments: seeds(3))
  func `promise 14: random damage of bytes and columns crashes nothing, and the file stays whole`(
    _ seed: UInt64
  ) {
    let kind = ["branches", "merged", "long"][Int(seed % 3)]
    makeHistory(kind)
    var random = SeededGenerator(seed: seed)
    for step in 0..<setting("DAMAGES", or: 6) {
      restore()
      let what = damage(&random)
      checkWork("seed \(seed), step \(step), \(kind): \(what)")
    }
  }
}
