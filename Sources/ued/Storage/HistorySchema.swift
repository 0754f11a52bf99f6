/// The tables and indices of a kind of database.
///
/// A file that somebody has planted or damaged may have others, views and triggers among them, or columns that are
/// computed: none of that is run.
struct HistorySchema: Sendable {
  /// The statements that make all that may be there.
  private let statements: [String]
  /// The words of the statements that make tables.
  private let words: Set<Substring>
  /// The statements that make indices, without blanks.
  private let indexTexts: Set<String>

  init(_ texts: [String]) {
    statements = texts.flatMap { $0.split(separator: ";") }.map { Self.plain(String($0)) }
      .filter { $0.hasPrefix("CREATE ") }
    words = Set(statements.filter { $0.hasPrefix("CREATE TABLE") }.flatMap { Self.words($0) })
    indexTexts = Set(statements.filter { $0.hasPrefix("CREATE INDEX") })
  }

  /// Checks that a database has no more than these tables and indices.
  ///
  /// - Throws: `damaged` if it has; otherwise SQLite's error.
  func check(_ database: Database) throws(DatabaseError) {
    try database.refuseViews()
    let names = Set(statements.compactMap { Self.words($0).dropFirst(2).first })
    let rows = try database.prepare("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    while try rows.step() {
      let (type, name, table) = (rows.text(0) ?? "", rows.text(1) ?? "", rows.text(2) ?? "")
      // What keeps a column unique has no statement.
      if type == "index" && name.hasPrefix("sqlite_autoindex_") && rows.isNull(3) { continue }
      let text = Self.plain(rows.text(3) ?? "")
      let isOurs =
        switch type {
        case "table":
          name == "origins" && names.contains("origins")
            || name == table && names.contains(name[...]) && text.hasPrefix("CREATE TABLE \(name)")
              && Self.isPlainTable(text) && Self.words(text).allSatisfy { words.contains($0) }
        // Origins are only a cache, and those that can't be read are ignored.
        case "view": name == "origins" && names.contains("origins")
        case "index": names.contains(name[...]) && indexTexts.contains(text)
        default: false
        }
      if !isOurs {
        rows.reset()
        throw .damaged
      }
    }
  }

  /// A statement as SQLite keeps it, with single blanks.
  private static func plain(_ text: String) -> String {
    let words = text.split { $0 == " " || $0 == "\n" || $0 == "\t" }
    let isConditional = words.dropFirst(2).prefix(3).elementsEqual(["IF", "NOT", "EXISTS"])
    return (isConditional ? words.prefix(2) + words.dropFirst(5) : words[...])
      .joined(separator: " ")
  }

  private static func words(_ text: String) -> [Substring] {
    text.split { " (),".contains($0) }
  }

  private static func isPlainTable(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      byte < 0x80
        && (UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || " (),_".utf8.contains(byte))
    }
  }
}

extension HistorySchema {
  /// What a history has.
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

  /// What finds revisions without a look at all of them.
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

  /// What the index of all histories has.
  static let index = HistorySchema([indexTables, content])

  static let indexTables = """
    CREATE TABLE history (id INTEGER PRIMARY KEY, name BLOB UNIQUE, path BLOB, size INTEGER,
      used INTEGER, isread INTEGER);
    CREATE INDEX history_used ON history (used);
    CREATE TABLE run (history INTEGER, number INTEGER, identity TEXT, time INTEGER, name TEXT,
      PRIMARY KEY (history, number)) WITHOUT ROWID;
    CREATE TABLE state (id INTEGER PRIMARY KEY, total INTEGER, boot BLOB);
    """

  /// The content that each file was last saved with; indexes of earlier versions lack it.
  static let content = """
    CREATE TABLE IF NOT EXISTS content (history INTEGER PRIMARY KEY, hash BLOB);
    CREATE INDEX IF NOT EXISTS content_hash ON content (hash);
    """

  /// What the recalled commands have.
  static let recall = HistorySchema([commands])

  static let commands = """
    CREATE TABLE IF NOT EXISTS commands(id INTEGER PRIMARY KEY, line BLOB NOT NULL);
    """
}
