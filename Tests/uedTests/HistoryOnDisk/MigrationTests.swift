import Differential
import Testing
import TextBuffer

@testable import ued

/// Databases of every released version, and compressed changes.
///
/// `Fixtures/version-N.sql` is a history that ued made when `user_version` was N, `.text` its file,
/// and `.expected` the answers of that ued to `read.ed`, followed by its `--log --json`. Version 3
/// is that of 1.0.0, and has a session that was killed while text was entered.
@Suite struct MigrationTests {
  private let sandbox = Sandbox()
  private static let fixtures = "\(packageFolder)/Tests/uedTests/HistoryOnDisk/Fixtures"

  private var place: HistoryPlace {
    let file = Array("\(sandbox.path)/notes".utf8)
    return HistoryPlace(
      file: file, folder: Array("\(sandbox.path)/.local/state/ued".utf8),
      name: Array("\(ContentHash(of: file).hexadecimal).history".utf8))
  }

  private func install(_ version: Int) throws {
    let fixture = "\(Self.fixtures)/version-\(version)"
    sandbox.run("cp \(fixture).text notes; mkdir -p -m 700 .local/state/ued")
    let statements = try #require(Disk.read("\(fixture).sql"))
    try Database(path: place.database).run(String(decoding: statements, as: UTF8.self))
  }

  @Test func `each version of a history has a fixture`() {
    let fixtures = Disk.names(in: Self.fixtures).filter { $0.hasSuffix(".sql") }.sorted()
    #expect(fixtures == (1...HistorySchema.version).map { "version-\($0).sql" })
  }

  @Test(arguments: 1...HistorySchema.version)
  func `a history of each version is read as before, and continued`(_ version: Int) throws {
    try install(version)
    sandbox.run(
      """
      status=0; "$UED" --history -s notes <\(Self.fixtures)/read.ed >answers || status=$?
      test $status = 1; "$UED" --log --json | sed "1d; s|$PWD/|/srv/|" >>answers
      diff \(Self.fixtures)/version-\(version).expected answers
      printf '1d\\nw\\n' | "$UED" --history --run=third -s notes
      "$UED" --undo-run=third; cmp notes \(Self.fixtures)/version-\(version).text
      "$UED" --log --json | grep '"third"' | grep -q '"taken_back_by":\\["'
      """)
    let store = try HistoryStore.opened(at: place)
    #expect(
      try store.connection.number("PRAGMA user_version") == HistorySchema.version)
    try store.connection.checkIntegrity()
    let old =
      "SELECT count(*) FROM sqlite_schema WHERE name IN ('process', 'staged', 'packed_block')"
    #expect(try store.connection.number(old) == 0)
  }

  /// In each fixture the newest saved group deletes the 300 lines that the group before it inserted.
  @Test(arguments: 1...HistorySchema.version)
  func `later processes undo and redo groups of each version, and add to them`(_ version: Int)
    throws
  {
    try install(version)
    sandbox.run(
      """
      history() { printf '%s\\n' "$@" w q | "$UED" --history -s notes; }
      cp notes saved
      history undo; head -n 300 notes | grep -c 'a long insertion with line' | grep -qx 300
      tail -n +301 notes | cmp - saved
      history redo; cmp notes saved
      history '$a' added .; { cat saved; echo added; } | cmp - notes
      history undo; cmp notes saved
      history redo; tail -n 1 notes | grep -qx added
      history 'jump 0'; seq -f 'line %g' 20 | cmp - notes
      """)
  }

  @Test func `an index of version 1 lists the runs as before`() throws {
    sandbox.run(
      """
      export UED_HISTORY=on; seq 3 >f; cp f g
      "$UED" -i --run=one -e 1d f g; "$UED" -i --run=two -e 1d f
      "$UED" --undo-run=two; "$UED" --log --json >before; grep -q '"taken_back_by":."' before
      """)
    do {
      let index = try Database(path: Array("\(sandbox.path)/.local/state/ued/index.db".utf8))
      try index.run(
        """
        DROP TABLE undone;
        CREATE TABLE undone (history INTEGER, number INTEGER, name TEXT,
          PRIMARY KEY (history, number, name)) WITHOUT ROWID;
        PRAGMA user_version = 1
        """)
    }
    sandbox.run(
      """
      # A rebuilt index would be another file.
      exec 9<.local/state/ued/index.db
      "$UED" --log --json | cmp - before; test /dev/fd/9 -ef .local/state/ued/index.db
      test "$(sqlite3 -readonly .local/state/ued/index.db 'PRAGMA user_version')" = 2
      "$UED" -i --history=on --run=three -e 1d g; "$UED" --log | grep -q three
      """)
  }

  @Test(arguments: [
    "UPDATE packed_block SET bytes = x'789c' WHERE number = 1",
    "UPDATE packed_block SET size = 9223372036854775807 WHERE number = 1",
    "UPDATE packed_block SET size = size + 1 WHERE number = 1",
    "UPDATE packed_block SET bytes = (SELECT bytes FROM packed_block WHERE number = 0) WHERE number = 1",
    "DELETE FROM packed_block WHERE number = 1", "UPDATE packed_changes SET size = -1",
    "UPDATE packed_changes SET bytes = zeroblob(99)", "DELETE FROM packed_changes",
    "DROP TABLE packed_changes", "PRAGMA user_version = 3",
    "CREATE VIEW v AS SELECT 1", "CREATE TABLE process (x)",
  ])
  func `promise 14: damage in a history of an old version is found`(_ damage: String) throws {
    try install(2)
    do { try Database(path: place.database).run(damage) } catch {
      // SQLite refuses a table that exists.
    }
    let isRefused = damage.hasPrefix("CREATE TABLE")
    sandbox.run(
      """
      printf '%s\\n' 'jump 3' 'history json' ',blame' Q | "$UED" --history -s notes >out 2>said || test $? -le 4
      \(isRefused ? "" : "grep -q 'the history was damaged' said")
      cmp notes \(Self.fixtures)/version-2.text
      """)
  }

  @Test func `a killed migration leaves the old or the new version of a history`() throws {
    for call in 1...12 {
      sandbox.run("rm -rf .local")
      try install(2)
      sandbox.run(
        """
        strace -f -qqq -o /dev/null -e trace=pwrite64,fdatasync,fsync,ftruncate -e inject=pwrite64,fdatasync,fsync,ftruncate:signal=KILL:when=\(call) \\
          "$UED" --history -s notes <\(Self.fixtures)/read.ed >answers 2>&1 || test $? -ge 1
        "$UED" --history -s notes <\(Self.fixtures)/read.ed >answers || test $? = 1
        grep -v '^{"run":.*files' \(Self.fixtures)/version-2.expected | sed '$d' | diff - answers
        """)
    }
  }

  // MARK: - Compressed changes

  private func makeHistory(of texts: [String]) {
    sandbox["f"] = Array("first\n".utf8)
    for text in texts {
      sandbox["new"] = Array(text.utf8)
      sandbox.run("printf '%s\\n' ,d '0r new' w | \"$UED\" --history -s f >said")
    }
  }

  @Test func `long changes are compressed, and read, searched, named and undone like others`()
    throws
  {
    let long = (0..<3000).map { "line \($0)\n" }.joined()
    makeHistory(of: ["short\n", long, "last\n"])
    let compressed =
      "SELECT count(*) FROM revision WHERE flags & 8 AND length(changes) < \(long.utf8.count / 2)"
    do {
      let store = try #require(try onlyHistory())
      #expect(try store.connection.number(compressed) == 2)
    }
    sandbox.run(
      """
      "$UED" --search='^line 2999$' | wc -l | grep -qx 2
      printf '%s\\n' 'jump 5' 'name long' Q | "$UED" --history -s f || test $? = 1
      printf '%s\\n' 'undo 2' ,p Q | "$UED" --history -s f >out || test $? = 1
      seq -f 'line %g' 0 2999 >long; tail -n +1 out | cmp - long
      """)
  }

  private func onlyHistory() throws -> HistoryStore? {
    let file = Array("\(sandbox.path)/f".utf8)
    return try HistoryStore.opened(
      at: HistoryPlace(
        file: file, folder: place.folder,
        name: Array("\(ContentHash(of: file).hexadecimal).history".utf8)))
  }

  @Test(arguments: [
    "UPDATE revision SET changes = substr(changes, 1, 9) WHERE flags & 8",
    "UPDATE revision SET changes = x'ffffffffffffffff7f00' WHERE flags & 8",
    "UPDATE revision SET flags = flags & 7 WHERE flags & 8",
  ])
  func `promise 14: damage in compressed changes is found`(_ damage: String) throws {
    makeHistory(of: [(0..<3000).map { "line \($0)\n" }.joined(), "last\n"])
    do { try #require(try onlyHistory()).connection.run(damage) }
    sandbox.run(
      """
      printf '%s\\n' 'jump 2' 'jump 1' ,p Q | "$UED" --history -s f >out 2>said || test $? -le 4
      grep -q 'the history was damaged' said; echo last | cmp - f
      """)
  }
}
