/// Saves that the history has before the file.
extension HistoryStore {
  /// The version of the file that a staged save was to replace; nil if none is staged.
  func stagedOver(in database: Database) throws(DatabaseError) -> Int? {
    guard try hasTable("staged", database) else { return nil }
    let staged = try database.prepare("SELECT file FROM staged")
    return try staged.step() ? staged.int(0) : nil
  }

  /// Stores that a save is staged, or that none is.
  func putStaged(_ version: Int?, into database: Database) throws(DatabaseError) {
    if let version {
      try database.run(
        """
        \(HistorySchema.staged)
        INSERT OR REPLACE INTO staged VALUES (0, \(version));
        """)
    } else if mayBeStaged, try hasTable("staged", database) {
      try database.run("DELETE FROM staged")
    }
  }

  /// Whether the database has a table that is made only when it is needed.
  func hasTable(_ name: String, _ database: Database) throws(DatabaseError) -> Bool {
    try database.number("SELECT count(*) FROM sqlite_schema WHERE name = '\(name)'") > 0
  }
}
