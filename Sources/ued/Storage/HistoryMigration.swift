/// A step that brings a history from one version of its tables to the next. Every released version
/// stays readable: a new version adds a step here, and a database of the previous version to the
/// fixtures of `MigrationTests`.
struct HistoryMigration: Sendable {
  /// The version before the step.
  let version: Int
  /// The tables and indices of that version.
  let schema: HistorySchema
  let change: @Sendable (Database) throws(StorageError) -> Void

  /// All steps, oldest first.
  private static let all = [
    HistoryMigration(version: 1, schema: first) { database throws(StorageError) in
      try database.run(packed)
    },
    HistoryMigration(version: 2, schema: first) { database throws(StorageError) in
      // Version 2 created these tables only when needed.
      try database.run("\(processes); \(staged); \(entered)")
      try unpack(database)
      let checksum = try stateChecksum(database)
      try database.run(unifyRuns)
      try database.run("UPDATE state SET checksum = \(checksum)")
    },
  ]

  /// Brings a database to the present version, each step in a transaction of its own.
  ///
  /// - Throws: `newer` if a newer version of ued made it; `damaged` if it is not a history.
  static func migrate(_ database: Database) throws(StorageError) {
    var version = try database.number("PRAGMA user_version")
    if version > HistorySchema.version { throw .newer }
    if version == HistorySchema.version { return try HistorySchema.history.check(database) }
    // Unpacked revisions may exceed the usual size limit of a history.
    try database.run("PRAGMA temp_store = MEMORY; PRAGMA max_page_count = \(Int32.max)")
    for step in all where step.version == version {
      try step.schema.check(database)
      version += 1
      try database.transaction { () throws(StorageError) in
        try step.change(database)
        try database.run("PRAGMA user_version = \(version)")
      }
    }
    try HistorySchema.history.check(database)
  }

  // MARK: - Versions 1 and 2

  private static let first = HistorySchema(
    """
    CREATE TABLE text (part INTEGER PRIMARY KEY, bytes BLOB, checksum INTEGER);
    CREATE TABLE revision (id INTEGER PRIMARY KEY, parent INTEGER, preferred INTEGER,
      run INTEGER, time INTEGER, flags INTEGER, name TEXT, title BLOB, context BLOB,
      hash BLOB, link INTEGER, checksum INTEGER, changes BLOB);
    CREATE TABLE run (id INTEGER PRIMARY KEY, start INTEGER);
    CREATE TABLE state (id INTEGER PRIMARY KEY, path BLOB, length INTEGER, current INTEGER,
      saved INTEGER, checksum INTEGER);
    CREATE INDEX revision_branch ON revision (parent) WHERE parent <> id - 1;
    CREATE INDEX revision_hash ON revision (hash) WHERE hash IS NOT NULL;
    CREATE INDEX run_start ON run (start);
    """, processes, staged, packed, entered)

  private static let processes = """
    CREATE TABLE IF NOT EXISTS process (run INTEGER PRIMARY KEY, identity TEXT, time INTEGER,
      name TEXT, checksum INTEGER)
    """

  private static let staged = """
    CREATE TABLE IF NOT EXISTS staged (id INTEGER PRIMARY KEY, file INTEGER)
    """

  private static let packed = """
    CREATE TABLE IF NOT EXISTS packed_block (number INTEGER PRIMARY KEY, size INTEGER, bytes BLOB);
    CREATE TABLE IF NOT EXISTS packed_changes (id INTEGER PRIMARY KEY, size INTEGER, bytes BLOB)
    """

  private static let entered = """
    CREATE TABLE IF NOT EXISTS entered (id INTEGER PRIMARY KEY, base INTEGER, first INTEGER,
      last INTEGER, time INTEGER, text BLOB, checksum INTEGER)
    """

  /// The checksum for the new table `state`; 0 if the old row is missing or damaged.
  private static func stateChecksum(_ database: Database) throws(StorageError) -> Int {
    let row = try database.prepare("SELECT path, length, saved, current, checksum FROM state")
    guard try row.step() else { return 0 }
    defer { row.reset() }
    let (path, length, saved) = (row.bytes(0), row.int(1), row.optionalInt(2))
    var bytes = path
    for number in [length, row.int(3), saved ?? -1] { bytes.append(word: number) }
    return ContentHash.short(bytes[...]) == row.int(4)
      ? HistoryStore.checksum(path, length, saved) : 0
  }

  /// Merges `run` and `process` into one table. Moves the effect of a run from the high bits of
  /// `start` to a column. The current revision, a prepared save and entered lines now belong to
  /// the last run. Fills `undone` with the undone runs, found in descriptions of groups.
  private static let unifyRuns = """
    \(HistorySchema.undone);
    INSERT OR IGNORE INTO undone SELECT revision.id, identity FROM revision
      JOIN process ON process.run < revision.run
      WHERE substr(title, 1, \(GroupNames.undoRun.utf8.count)) = CAST('\(GroupNames.undoRun)' AS BLOB)
        AND (substr(title, \(GroupNames.undoRun.utf8.count + 1)) IN
          (CAST(process.name AS BLOB), CAST(process.run AS BLOB))
          OR instr(title, CAST(identity AS BLOB)));
    CREATE TEMP TABLE old AS SELECT id, start & (1 << 48) - 1, start >> 48, identity, time, name,
      checksum, NULL, NULL FROM run LEFT JOIN process ON run = id;
    DROP TABLE run; DROP TABLE process;
    \(HistorySchema.run);
    INSERT INTO run SELECT * FROM old; DROP TABLE old;
    \(HistorySchema.runStart);
    UPDATE run SET current = (SELECT current FROM state), prepared = (SELECT file FROM staged)
      WHERE id = (SELECT max(id) FROM run);
    CREATE TEMP TABLE old AS SELECT id, path, length, saved, 0 FROM state;
    DROP TABLE state; DROP TABLE staged;
    \(HistorySchema.state);
    INSERT INTO state SELECT * FROM old; DROP TABLE old;
    CREATE TEMP TABLE old AS SELECT *, (SELECT max(id) FROM run) FROM entered; DROP TABLE entered;
    \(HistorySchema.entered);
    INSERT INTO entered SELECT * FROM old; DROP TABLE old;
    """

  /// Moves packed columns back to the rows of their revisions: columns packed in blocks of 64
  /// revisions, and long changes, which stay compressed.
  private static func unpack(_ database: Database) throws(StorageError) {
    let row = try database.prepare(
      """
      UPDATE revision SET title = coalesce(title, ?2), context = coalesce(context, ?3),
        changes = coalesce(changes, ?4), flags = flags | ?5 WHERE id = ?1
      """)
    let blocks = try database.prepare("SELECT number, size, bytes FROM packed_block WHERE size > 0")
    while try blocks.step() {
      guard blocks.int(1) <= 1 << 20,
        let bytes = Deflate.expand(blocks.bytes(2)[...], count: blocks.int(1))
      else { throw .damaged }
      var reader = VarintReader(bytes[...])
      for index in 0..<64 {
        guard let titleCount = reader.next(), let contextCount = reader.next(),
          let changeCount = reader.next(), let title = reader.take(titleCount),
          let context = reader.take(contextCount),
          let changes = reader.take(max(changeCount - 1, 0))
        else { throw .damaged }
        row.bind(1, blocks.int(0) &* 64 &+ index)
        row.bind(2, Array(title))
        row.bind(3, Array(context))
        row.bind(4, changeCount == 0 ? nil : Array(changes))
        row.bind(5, 0)
        try row.run()
      }
    }
    let long = try database.prepare(
      """
      SELECT id, size, bytes FROM packed_changes JOIN revision USING (id) WHERE changes IS NULL
      """)
    while try long.step() {
      var bytes: [UInt8] = []
      bytes.append(varint: max(0, long.int(1)))
      for parameter: Int32 in 2...3 { row.bind(parameter, nil as Int?) }
      row.bind(1, long.int(0))
      row.bind(4, bytes + long.bytes(2))
      row.bind(5, StoredRevision.deflatedFlag)
      try row.run()
    }
    try database.run("DROP TABLE packed_block; DROP TABLE packed_changes")
  }
}
