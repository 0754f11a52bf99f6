import Glibc

/// Opening the index, and making it anew.
extension HistoryIndex {
  static let name = Array("/index.db".utf8)
  /// A file that says that the index lacks something.
  static let staleName = Array("/index.stale".utf8)
  private static let applicationID = 0x7565_6469
  private static let version = 1

  /// Runs `body` in one transaction, and waits a while for other runs. A damaged index is made anew once.
  func transaction(
    in folder: [UInt8], _ body: (Database) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var mayRebuild = true
    while true {
      do throws(DatabaseError) {
        return try Patience.long.wait { () throws(DatabaseError) in
          let database = try open(in: folder)
          try database.transaction { () throws(DatabaseError) in
            try Self.prepare(database, in: folder)
            try body(database)
          }
        }
      } catch {
        opened = nil
        guard error.isDamage || error.isContradiction, mayRebuild else { throw error }
        mayRebuild = false
        for suffix in ["", "-journal"] {
          _ = try? HistoryPlace.remove(folder + Self.name + Array(suffix.utf8))
        }
      }
    }
  }

  /// The open database, unless another file is at its path by now.
  private func open(in folder: [UInt8]) throws(DatabaseError) -> Database {
    let path = folder + Self.name
    if let opened, let status = OpenFile.status(of: path),
      FileIdentity(status).number == opened.file
    {
      return opened.database
    }
    opened = nil
    try HistoryPlace.checkFolder(folder)
    guard let number = Self.makeFile(at: path) else {
      throw .cannotOpen
    }
    let database = try Database(path: path, mayCreate: false)
    // It can be made anew, so nothing waits for the disk.
    try database.run(
      """
      PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = OFF; PRAGMA cell_size_check = ON;
      """)
    opened = (database, number)
    return database
  }

  /// Makes the file of the database unless it exists, for its owner only.
  ///
  /// - Returns: Its number; nil if it can't be used.
  private static func makeFile(at path: [UInt8]) -> FileIdentity.Number? {
    // SQLite creates its journal with the mode of this file.
    guard let file = try? PrivateFolder.openFile(path, O_RDWR | O_CREAT),
      let status = try? file.status()
    else { return nil }
    return FileIdentity(status).number
  }

  /// Makes the tables in a new database, and fills them from the folder, inside a transaction.
  private static func prepare(
    _ database: Database, in folder: [UInt8]
  ) throws(DatabaseError) {
    let found = try database.number("PRAGMA user_version")
    if found > version { throw .newer }
    if found == version {
      if try database.number("PRAGMA application_id") != applicationID { throw .damaged }
      try HistorySchema.index.check(database)
      try database.run(HistorySchema.later)
      return
    }
    try database.run(
      """
      PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version);
      \(HistorySchema.indexTables) \(HistorySchema.later)
      """)
    try compare(with: folder, database)
  }
}
