import Glibc

/// The index of all histories: one small database beside them, so that nothing has to look through their
/// folder. Its tables:
///
/// - `history`: a row for each database, and for each that was set aside: its name, the path of the file, its
///   size, when it was last used, and whether all of its runs are in the index.
/// - `run`: the runs of each history.
/// - `undone`: what the runs are called that a run has taken back.
/// - `content`: the content hash of what each file was last saved with.
/// - `seen`: which file each was when it was last opened or saved; see ``FileStamp``.
/// - `state`: one row: the size of all histories, and the boot of the computer in which the index was last
///   compared with the folder.
///
/// It is a cache. A run adds itself inside the transaction that stores its first group, so a kill leaves at most a
/// row too many. It is not synced: after a start of the computer, and when an update had to be skipped, the next
/// reader compares it with the folder; an index that is missing or damaged is made anew from the folder. Failures
/// stop nothing but the index itself.
final class HistoryIndex {
  /// The tag of this run; nil until it is needed.
  private var tag: RunTag?
  private let runName: String?
  /// When this run began.
  private let began = SystemClock.now
  /// The open database, and the file that it was.
  var opened: (database: Database, file: FileIdentity.Number)?
  /// Whether this run has given up on the index.
  private var isOff = false

  /// Whether it was told that there is no folder for histories.
  private var hasTold = false

  /// - Parameter runName: The name of this run; nil if it has none.
  init(runName: String? = nil) { self.runName = runName }

  /// The tag of this run.
  var run: RunTag {
    if let tag { return tag }
    let new = RunTag(name: runName, time: began)
    tag = new
    return new
  }

  /// Adds a notice that concerns all files of a run, the first time.
  func tellOnce(_ notice: HistoryNotice, in notices: inout [HistoryNotice]) {
    if !hasTold { notices.append(notice) }
    hasTold = true
  }

  // MARK: - Updates

  /// Adds a run to a history, which is then the one that was used last.
  ///
  /// - Parameters:
  ///   - number: The number of this run there.
  ///   - place: The history.
  ///   - byteCount: Its size.
  func add(_ number: Int, to place: HistoryPlace, byteCount: Int) {
    update(in: place.folder) { database throws(DatabaseError) in
      let known = try Self.row(of: place.name, in: database)
      let row = try database.prepare(
        known == nil
          ? "INSERT INTO history (name, path, size, used, isread) VALUES (?1, ?2, ?3, ?4, \(number == 1 ? 1 : 0))"
          : "UPDATE history SET path = ?2, size = ?3, used = ?4\(number == 1 ? ", isread = 1" : "") WHERE name = ?1"
      )
      row.bind(1, place.name)
      row.bind(2, place.file)
      row.bind(3, byteCount)
      row.bind(4, StoredTime(SystemClock.now).milliseconds)
      try row.run()
      let id = known?.id ?? database.lastInsertedRow
      try Self.removeRuns(of: id, from: number, in: database)
      try Self.put(StoredRun(number: number, tag: run), of: id, into: database)
      try Self.grow(database, by: byteCount - (known?.byteCount ?? 0))
    }
  }

  /// Notes that a run has taken back others in a history, by what these are called.
  func note(undone called: String, by number: Int, in place: HistoryPlace) {
    update(in: place.folder) { database throws(DatabaseError) in
      guard let known = try Self.row(of: place.name, in: database) else { return }
      try Self.put(undone: called, by: number, of: known.id, into: database)
    }
  }

  /// Removes a run from a history.
  func remove(_ number: Int, from place: HistoryPlace) {
    update(in: place.folder) { database throws(DatabaseError) in
      guard let known = try Self.row(of: place.name, in: database) else { return }
      try Self.removeRuns(of: known.id, from: number, in: database)
    }
  }

  /// Removes a history.
  func remove(_ place: HistoryPlace) {
    update(in: place.folder) { database throws(DatabaseError) in
      try Self.remove(place.name, from: database)
    }
  }

  /// Notes that a damaged history has been set aside under another path.
  func setAside(_ place: HistoryPlace, as path: [UInt8]) {
    update(in: place.folder) { database throws(DatabaseError) in
      guard let known = try Self.row(of: place.name, in: database) else { return }
      let row = try database.prepare("UPDATE history SET name = ?, path = x'' WHERE id = ?")
      row.bind(1, Array(path.dropFirst(place.folder.count + 1)))
      row.bind(2, known.id)
      try row.run()
      try Self.removeRuns(of: known.id, in: database)
    }
  }

  /// Deletes the histories that have not been used for longest, if all together exceed a limit, until they are
  /// well below it. Histories that are open anywhere are kept.
  ///
  /// - Parameters:
  ///   - place: The history of this run, which is kept.
  ///   - limit: The limit in bytes.
  func shrink(sparing place: HistoryPlace, to limit: Int = HistoryPlace.largestFolder) {
    update(in: place.folder) { database throws(DatabaseError) in
      if try database.number("SELECT total FROM state") <= limit { return }
      // Sizes are those of the last runs' beginnings, and nothing is deleted because of old ones.
      try Self.measureAll(in: place.folder, database)
      var total = try database.number("SELECT total FROM state")
      if total <= limit { return }
      let oldest = try database.prepare("SELECT name, size FROM history ORDER BY used")
      var names: [(name: [UInt8], byteCount: Int)] = []
      while try oldest.step() { names.append((oldest.bytes(0), oldest.int(1))) }
      // The rest of a large folder is not measured again for each new history.
      let goal = limit - limit / 16
      for (name, byteCount) in names where total > goal {
        let isOurs = name.starts(with: place.name)
        if isOurs || !HistoryFolder.delete(place.folder + [.slash] + name) { continue }
        total = total &- byteCount
        try Self.remove(name, from: database)
      }
    }
  }

  /// Makes an update in one transaction. If that is impossible, a mark says so to the next reader, and this run
  /// makes no more.
  func update(
    in folder: [UInt8], _ body: (Database) throws(DatabaseError) -> Void
  ) {
    if isOff { return }
    do throws(DatabaseError) {
      try transaction(in: folder, body)
    } catch {
      isOff = true
      if error.isForeign { return }
      _ = try? OpenFile(folder + Self.staleName, O_WRONLY | O_CREAT | O_NOFOLLOW, mode: 0o600)
    }
  }

  // MARK: - Rows

  /// The number and the size of a history; nil if the index does not have it.
  static func row(
    of name: [UInt8], in database: Database
  ) throws(DatabaseError) -> (id: Int, byteCount: Int)? {
    let row = try database.prepare("SELECT id, size FROM history WHERE name = ?")
    row.bind(1, name)
    guard try row.step() else { return nil }
    defer { row.reset() }
    // What a damaged index says of sizes is no number of bytes.
    return (row.int(0), max(0, min(row.int(1), HistoryPlace.largestFolder)))
  }

  /// Adds a run to the history with a number.
  static func put(_ run: StoredRun, of id: Int, into database: Database) throws(DatabaseError) {
    let row = try database.prepare("INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?, ?)")
    row.bind(1, id)
    row.bind(2, run.number)
    row.bind(3, Array(run.tag.identity.utf8))
    row.bind(4, StoredTime(run.tag.time).milliseconds)
    row.bind(5, run.tag.name.map { Array($0.utf8) })
    try row.run()
    for called in run.undone { try put(undone: called, by: run.number, of: id, into: database) }
  }

  private static func put(
    undone called: String, by number: Int, of id: Int, into database: Database
  ) throws(DatabaseError) {
    let row = try database.prepare("INSERT OR REPLACE INTO undone VALUES (?, ?, ?)")
    row.bind(1, id)
    row.bind(2, number)
    row.bind(3, Array(called.utf8))
    try row.run()
  }

  /// Removes the runs of a history from a number on.
  private static func removeRuns(
    of id: Int, from number: Int = 0, in database: Database
  ) throws(DatabaseError) {
    for table in ["run", "undone"] {
      try database.run("DELETE FROM \(table) WHERE history = \(id) AND number >= \(number)")
    }
  }

  /// Removes a history and its runs.
  static func remove(_ name: [UInt8], from database: Database) throws(DatabaseError) {
    guard let known = try row(of: name, in: database) else { return }
    try removeRuns(of: known.id, in: database)
    try database.run(
      """
      DELETE FROM history WHERE id = \(known.id); DELETE FROM content WHERE history = \(known.id);
      DELETE FROM seen WHERE history = \(known.id)
      """)
    try grow(database, by: -known.byteCount)
  }

  static func grow(_ database: Database, by byteCount: Int) throws(DatabaseError) {
    try database.run("UPDATE state SET total = total + \(byteCount)")
  }
}
