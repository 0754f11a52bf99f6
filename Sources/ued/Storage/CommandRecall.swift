import Glibc

/// The commands typed at terminals, kept for later sessions and shared with those at work now.
///
/// It is a comfort that nothing waits for: what fails, fails silently, and a session goes on with the
/// commands of its own.
final class CommandRecall {
  /// How many commands are kept.
  static let limit = 2000
  /// How long, in milliseconds, to wait for another session that is writing.
  private static let patience: Int32 = 100

  private let database: Database
  private let newer: Statement
  private let insertion: Statement
  private let removal: Statement
  /// The id of the newest command that this session knows of.
  private var newestKnown = 0
  /// That command.
  private var newestLine: [UInt8] = []

  /// Opens the recall in a folder.
  ///
  /// - Throws: Why it can't be used.
  init(in folder: [UInt8]) throws(DatabaseError) {
    let path = folder + Array("/recall.db".utf8)
    // SQLite gives its other files the mode of this one.
    _ = try? OpenFile(path, O_RDWR | O_CREAT, mode: 0o600)
    database = try Database(path: path, patience: Self.patience)
    // Another session may be doing the same; then it is done.
    try? database.run("PRAGMA journal_mode = WAL")
    // What a crash of the system takes away of the last commands is no great loss.
    try database.run(
      """
      PRAGMA synchronous = NORMAL;
      CREATE TABLE IF NOT EXISTS commands(id INTEGER PRIMARY KEY, line BLOB NOT NULL);
      """)
    newer = try database.prepare("SELECT id, line FROM commands WHERE id > ?1 ORDER BY id")
    insertion = try database.prepare("INSERT INTO commands(line) VALUES(?1)")
    removal = try database.prepare("DELETE FROM commands WHERE id <= ?1")
  }

  /// The recall in ued's own folder; nil where there is none, or where it can't be used.
  static func open() -> CommandRecall? {
    guard let folder = PrivateFolder.state else { return nil }
    do throws(SystemError) { try PrivateFolder.make(at: folder) } catch { return nil }
    return try? CommandRecall(in: folder)
  }

  /// The commands that others have added since the last time, oldest first.
  func newLines() -> [[UInt8]] { (try? readNewer()) ?? [] }

  /// Adds a command, unless it is the newest one already.
  ///
  /// - Returns: What others have added before it since the last time.
  func add(_ line: [UInt8]) -> [[UInt8]] {
    var others: [[UInt8]] = []
    try? database.transaction { () throws(DatabaseError) in
      others = try readNewer()
      if line == newestLine { return }
      insertion.bind(1, line)
      try insertion.run()
      newestKnown = database.lastInsertedRow
      newestLine = line
      removal.bind(1, newestKnown - Self.limit)
      try removal.run()
    }
    return others
  }

  private func readNewer() throws(DatabaseError) -> [[UInt8]] {
    newer.bind(1, newestKnown)
    var lines: [[UInt8]] = []
    while try newer.step() {
      newestKnown = newer.int(0)
      newestLine = newer.bytes(1)
      lines.append(newestLine)
    }
    return lines
  }
}
