/// The tables and indices of a kind of database.
///
/// A planted or damaged file may have more, such as views, triggers or computed columns. ued runs
/// none of them.
struct HistorySchema: Sendable {
  /// The statements that create all allowed tables and indices, with single blanks.
  private let statements: [[UInt8]]

  init(_ texts: [String]) {
    statements = texts.flatMap { Array($0.utf8).split(separator: UInt8(ascii: ";")) }
      .map { Self.plain($0) }.filter { !$0.isEmpty }
  }

  /// Checks that a database has no more than these tables and indices.
  ///
  /// - Throws: `damaged` if it has; otherwise SQLite's error.
  func check(_ database: Database) throws(DatabaseError) {
    try database.refuseViews()
    let rows = try database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    while try rows.step() {
      let (type, name) = (rows.text(0), rows.bytes(1))
      // SQLite's own index for a unique column has no statement.
      if type == "index" && name.starts(with: Self.automaticIndex) && rows.isNull(3) { continue }
      let text = Self.plain(rows.bytes(3)[...])
      let isOurs =
        switch type {
        case "table":
          name == Self.cache && hasStatement(for: name)
            || name == rows.bytes(2) && isTable(text, name)
        // Histories from before the weave have a cache of origins, which is not read.
        case "view": name == Self.cache && hasStatement(for: name)
        case "index": hasStatement(for: name) && statements.contains(text)
        default: false
        }
      if !isOurs {
        rows.reset()
        throw .damaged
      }
    }
  }

  /// Whether a table or index of this name is allowed.
  private func hasStatement(for name: [UInt8]) -> Bool {
    statements.contains { statement in
      let rest = statement.dropFirst(Self.tableStart.count)
      return rest.starts(with: name)
        && Self.separators.contains(rest.dropFirst(name.count).first ?? .space)
    }
  }

  /// Whether a statement creates a table of this name, in the form of this version or another.
  private func isTable(_ text: [UInt8], _ name: [UInt8]) -> Bool {
    guard hasStatement(for: name), text.starts(with: Self.tableStart + name) else { return false }
    if statements.contains(text) { return true }
    let words = Set(
      statements.filter { $0.starts(with: Self.tableStart) }.flatMap { Self.words($0) })
    return Self.isPlainTable(text) && Self.words(text).allSatisfy { words.contains($0) }
  }

  // `CREATE INDEX` has the same length.
  private static let tableStart = Array("CREATE TABLE ".utf8)
  private static let condition = Array("IF NOT EXISTS ".utf8)
  private static let automaticIndex = Array("sqlite_autoindex_".utf8)
  private static let cache = Array("origins".utf8)

  /// A statement as SQLite keeps it, with single blanks.
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
    if plain.dropFirst(tableStart.count).starts(with: condition) {
      plain.removeSubrange(tableStart.count..<tableStart.count + condition.count)
    }
    return plain
  }

  private static func words(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    text.split { separators.contains($0) }
  }

  private static let separators = Array(" (),".utf8)

  private static func isPlainTable(_ text: [UInt8]) -> Bool {
    text.allSatisfy { byte in
      byte < 0x80
        && (UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
          || separators.contains(byte))
    }
  }
}

extension HistorySchema {
  /// The schema of a history.
  static let history = HistorySchema([
    first, indices, packed, entered, origins, process, staged,
  ])

  /// The tables that every history has.
  static let first = """
    CREATE TABLE text (part INTEGER PRIMARY KEY, bytes BLOB, checksum INTEGER);
    CREATE TABLE revision (id INTEGER PRIMARY KEY, parent INTEGER, preferred INTEGER,
      run INTEGER, time INTEGER, flags INTEGER, name TEXT, title BLOB, context BLOB,
      hash BLOB, link INTEGER, checksum INTEGER, changes BLOB);
    CREATE TABLE run (id INTEGER PRIMARY KEY, start INTEGER);
    CREATE TABLE state (id INTEGER PRIMARY KEY, path BLOB, length INTEGER, current INTEGER,
      saved INTEGER, checksum INTEGER);
    """

  /// Indices that find revisions without a full scan.
  static let indices = """
    CREATE INDEX IF NOT EXISTS revision_branch ON revision (parent) WHERE parent <> id - 1;
    CREATE INDEX IF NOT EXISTS revision_hash ON revision (hash) WHERE hash IS NOT NULL;
    CREATE INDEX IF NOT EXISTS run_start ON run (start);
    """

  static let packed = """
    CREATE TABLE IF NOT EXISTS packed_block (number INTEGER PRIMARY KEY, size INTEGER, bytes BLOB);
    CREATE TABLE IF NOT EXISTS packed_changes (id INTEGER PRIMARY KEY, size INTEGER, bytes BLOB);
    """

  static let entered = """
    CREATE TABLE IF NOT EXISTS entered (id INTEGER PRIMARY KEY, base INTEGER, first INTEGER,
      last INTEGER, time INTEGER, text BLOB, checksum INTEGER);
    """

  static let origins = """
    CREATE TABLE IF NOT EXISTS origins (id INTEGER PRIMARY KEY, link INTEGER, lines BLOB,
      checksum INTEGER);
    """

  static let process = """
    CREATE TABLE IF NOT EXISTS process (run INTEGER PRIMARY KEY, identity TEXT, time INTEGER,
      name TEXT, checksum INTEGER);
    """

  static let staged = """
    CREATE TABLE IF NOT EXISTS staged (id INTEGER PRIMARY KEY, file INTEGER);
    """

  /// The schema of the index of all histories.
  static let index = HistorySchema([indexTables, later])

  static let indexTables = """
    CREATE TABLE history (id INTEGER PRIMARY KEY, name BLOB UNIQUE, path BLOB, size INTEGER,
      used INTEGER, isread INTEGER);
    CREATE INDEX history_used ON history (used);
    CREATE TABLE run (history INTEGER, number INTEGER, identity TEXT, time INTEGER, name TEXT,
      PRIMARY KEY (history, number)) WITHOUT ROWID;
    CREATE TABLE state (id INTEGER PRIMARY KEY, total INTEGER, boot BLOB);
    """

  /// Tables that an index of an earlier version lacks.
  static let later = """
    CREATE TABLE IF NOT EXISTS content (history INTEGER PRIMARY KEY, hash BLOB);
    CREATE INDEX IF NOT EXISTS content_hash ON content (hash);
    CREATE TABLE IF NOT EXISTS seen (history INTEGER PRIMARY KEY, device INTEGER, inode INTEGER,
      born INTEGER, modified INTEGER, hash BLOB);
    CREATE INDEX IF NOT EXISTS seen_inode ON seen (inode);
    CREATE INDEX IF NOT EXISTS seen_hash ON seen (hash);
    CREATE TABLE IF NOT EXISTS undone (history INTEGER, number INTEGER, name TEXT,
      PRIMARY KEY (history, number, name)) WITHOUT ROWID;
    """

  /// The schema of the recalled commands.
  static let recall = HistorySchema([commands])

  static let commands = """
    CREATE TABLE IF NOT EXISTS commands(id INTEGER PRIMARY KEY, line BLOB NOT NULL);
    """
}
