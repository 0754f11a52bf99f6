/// The tables and indices of a kind of database. A planted or damaged file may have more, such as
/// views, triggers or computed columns. ued runs none of them.
struct HistorySchema: Sendable {
  /// The statements that create all allowed tables and indices, as SQLite keeps them.
  private let statements: [[UInt8]]

  init(_ texts: String...) {
    statements = texts.flatMap { Array($0.utf8).split(separator: UInt8(ascii: ";")) }
      .map { Self.plain($0) }.filter { !$0.isEmpty }
  }

  /// Throws `damaged` if a database has more than these tables and indices, or SQLite's error.
  func check(_ database: Database) throws(StorageError) {
    try database.refuseViews()
    let rows = try database.prepare("SELECT name, sql FROM sqlite_schema")
    while try rows.step() {
      // SQLite's own index for a unique column has no statement.
      if rows.isNull(1) && rows.bytes(0).starts(with: Self.automaticIndex) { continue }
      if statements.contains(Self.plain(rows.bytes(1)[...])) { continue }
      rows.reset()
      throw .damaged
    }
  }

  private static let automaticIndex = Array("sqlite_autoindex_".utf8)
  private static let condition = Array("IF NOT EXISTS ".utf8)

  /// A statement with single blanks and without `IF NOT EXISTS`, which SQLite drops.
  private static func plain(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    for byte in text {
      let isBlank = byte == .space || byte == .newline || byte == .tab
      if !isBlank {
        plain.append(byte)
      } else if let last = plain.last, last != .space {
        plain.append(.space)
      }
    }
    // `CREATE INDEX` has the same length.
    let start = "CREATE TABLE ".utf8.count
    if plain.dropFirst(start).starts(with: condition) {
      plain.removeSubrange(start..<start + condition.count)
    }
    return plain
  }
}

extension HistorySchema {
  /// The version of the tables of a history, in its `user_version`.
  static let version = 3

  static let history = HistorySchema(tables)

  /// The tables of a history, and indices that find revisions and runs without a full scan.
  static let tables = """
    CREATE TABLE text (part INTEGER PRIMARY KEY, bytes BLOB, checksum INTEGER);
    \(StoredRevision.table);
    \(run);
    \(state);
    \(entered);
    \(undone);
    CREATE INDEX revision_branch ON revision (parent) WHERE parent <> id - 1;
    CREATE INDEX revision_hash ON revision (hash) WHERE hash IS NOT NULL;
    \(runStart);
    """

  static let run = """
    CREATE TABLE run (id INTEGER PRIMARY KEY, start INTEGER, effect INTEGER, identity TEXT,
      time INTEGER, name TEXT, checksum INTEGER, current INTEGER, prepared INTEGER)
    """

  static let runStart = "CREATE INDEX run_start ON run (start)"

  static let state = """
    CREATE TABLE state (id INTEGER PRIMARY KEY, path BLOB, length INTEGER, saved INTEGER,
      checksum INTEGER)
    """

  static let entered = """
    CREATE TABLE entered (id INTEGER PRIMARY KEY, base INTEGER, first INTEGER, last INTEGER,
      time INTEGER, text BLOB, checksum INTEGER, run INTEGER)
    """

  static let undone = """
    CREATE TABLE undone (revision INTEGER, identity TEXT,
      PRIMARY KEY (revision, identity)) WITHOUT ROWID
    """

  static let index = HistorySchema(indexTables, undoneInIndex)

  static let indexTables = """
    CREATE TABLE history (id INTEGER PRIMARY KEY, name BLOB UNIQUE, path BLOB, size INTEGER,
      used INTEGER, isread INTEGER);
    CREATE INDEX history_used ON history (used);
    CREATE TABLE run (history INTEGER, number INTEGER, identity TEXT, time INTEGER, name TEXT,
      PRIMARY KEY (history, number)) WITHOUT ROWID;
    CREATE TABLE state (id INTEGER PRIMARY KEY, total INTEGER, boot BLOB);
    CREATE TABLE IF NOT EXISTS content (history INTEGER PRIMARY KEY, hash BLOB);
    CREATE INDEX IF NOT EXISTS content_hash ON content (hash);
    CREATE TABLE IF NOT EXISTS seen (history INTEGER PRIMARY KEY, device INTEGER, inode INTEGER,
      born INTEGER, modified INTEGER, hash BLOB);
    CREATE INDEX IF NOT EXISTS seen_inode ON seen (inode);
    CREATE INDEX IF NOT EXISTS seen_hash ON seen (hash);
    """

  static let undoneInIndex = """
    CREATE TABLE undone (history INTEGER, number INTEGER, identity TEXT,
      PRIMARY KEY (history, number, identity)) WITHOUT ROWID;
    """

  /// The schema of version 1 of the index.
  static let firstIndex = HistorySchema(
    indexTables,
    """
    CREATE TABLE undone (history INTEGER, number INTEGER, name TEXT,
      PRIMARY KEY (history, number, name)) WITHOUT ROWID
    """)

  static let recall = HistorySchema(commands)

  static let commands = """
    CREATE TABLE IF NOT EXISTS commands(id INTEGER PRIMARY KEY, line BLOB NOT NULL);
    """
}
