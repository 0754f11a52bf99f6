import Glibc
import TextBuffer
import UedLinux

/// The index of all histories: one small database in their folder, which saves a scan of the
/// folder. Its tables:
///
/// - `history`: a row for each database, including those set aside: its name, the path of the file,
///   its size, the time of its last use, and whether all of its runs are in the index.
/// - `run`: the runs of each history.
/// - `undone`: the identities of the runs that a run has undone.
/// - `content`: the content hash of each file as last saved.
/// - `seen`: the identity of each file when it was last opened or saved; see ``FileStamp``.
/// - `state`: one row: the size of all histories, and the boot of the computer when the index was
///   last compared with the folder.
///
/// The index is a cache. A run adds itself inside the transaction that stores its first group, so a
/// kill leaves at most a superfluous row. Writes are not synced. After a reboot or a skipped
/// update, the next reader compares the index with the folder. A missing or damaged index is
/// rebuilt from the folder. A failure disables only the index.
final class HistoryIndex {
  /// The tag of this run; nil until it is needed.
  private var tag: RunTag?
  private let runName: String?
  /// When this run began.
  private let began = SystemClock.now
  /// The open database, and the identity of its file.
  var opened: (database: Database, file: FileIdentity.Number)? { didSet { checkedSchema = nil } }
  /// The schema version of the open database at the last check.
  private var checkedSchema: Int?
  /// The locks of this process; nil until they are needed.
  private var runLocks: RunLocks?
  /// The number of users of each history in this process, by its name.
  private var users: [[UInt8]: Int] = [:]
  /// Whether this run has given up on the index.
  private var isOff = false
  /// The updates that are gathered now; nil if each is made at once.
  private var gathering: Gathering?

  /// The empty database in memory in which all new histories of the run are made, one after the
  /// other, so that its statements stay prepared.
  var draft: Database?

  /// Updates that are made in one transaction.
  private struct Gathering {
    /// The open transaction: its database and folder, its mark file, and the time after which the
    /// next update ends it; nil without an update.
    var open: (database: Database, folder: [UInt8], mark: SharedFile, end: Double)?
    /// Whether each update is made at once after all.
    var isOff = false
    /// New histories that are not synced yet, and have no names.
    var staged: [StagedDatabase] = []
    /// Logs of histories that are not synced yet.
    var unsynced: [[UInt8]] = []
    /// The place of one of these histories; all are in one folder.
    var place: HistoryPlace?
  }

  /// Whether ``tellOnce(_:in:)`` has added its notice.
  private var hasTold = false

  /// `runName` is nil for a run without a name.
  init(runName: String? = nil) { self.runName = runName }

  var run: RunTag {
    if let tag { return tag }
    let new = RunTag(name: runName, time: began)
    tag = new
    return new
  }

  /// Adds a notice that concerns all files of a run, but only once.
  func tellOnce(_ notice: HistoryNotice, in notices: inout [HistoryNotice]) {
    if !hasTold { notices.append(notice) }
    hasTold = true
  }

  // MARK: - Runs that go on

  private func openLocks(in folder: [UInt8]) {
    if runLocks == nil { runLocks = try? RunLocks(in: folder) }
  }

  /// Shows other processes that this run goes on, until it ends.
  func lockRun(in folder: [UInt8]) {
    openLocks(in: folder)
    runLocks?.hold(run)
  }

  /// Shows other processes that this one uses a history, until `leave` or its end.
  func share(_ place: HistoryPlace) {
    openLocks(in: place.folder)
    runLocks?.share(place, true)
    users[place.name, default: 0] += 1
  }

  /// Ends one use of a history. The kernel searches all locks for each new one, so a run over many
  /// files must not keep them.
  func leave(_ place: HistoryPlace) {
    guard let count = users.removeValue(forKey: place.name) else { return }
    if count > 1 { users[place.name] = count - 1 } else { runLocks?.share(place, false) }
  }

  func isShared(_ place: HistoryPlace) -> Bool {
    openLocks(in: place.folder)
    return runLocks?.isShared(place) ?? false
  }

  func isAlive(_ other: RunTag, in folder: [UInt8]) -> Bool {
    openLocks(in: folder)
    return runLocks?.isHeld(by: other) ?? false
  }

  // MARK: - Updates

  /// Adds this run to a history, with its number there, and sets its time of last use.
  func add(_ number: Int, to place: HistoryPlace, byteCount: Int) {
    update(in: place.folder) { database throws(StorageError) in
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

  /// Notes that a run has undone other runs, in a history.
  func note(undone identities: [String], by number: Int, in place: HistoryPlace) {
    update(in: place.folder) { database throws(StorageError) in
      guard let known = try Self.row(of: place.name, in: database) else { return }
      try Self.put(undone: identities, by: number, of: known.id, into: database)
    }
  }

  func remove(_ number: Int, from place: HistoryPlace) {
    update(in: place.folder) { database throws(StorageError) in
      guard let known = try Self.row(of: place.name, in: database) else { return }
      try Self.removeRuns(of: known.id, from: number, in: database)
    }
  }

  func remove(_ place: HistoryPlace) {
    update(in: place.folder) { database throws(StorageError) in
      try Self.remove(place.name, from: database)
    }
  }

  /// Notes that a damaged history has been set aside under another path. Its runs stay known, so
  /// that no undo of them passes over the file in silence.
  func setAside(_ place: HistoryPlace, as path: [UInt8]) {
    update(in: place.folder) { database throws(StorageError) in
      guard let known = try Self.row(of: place.name, in: database) else { return }
      let row = try database.prepare("UPDATE history SET name = ? WHERE id = ?")
      row.bind(1, Array(path.dropFirst(place.folder.count + 1)))
      row.bind(2, known.id)
      try row.run()
    }
  }

  /// Deletes the least recently used histories if all together exceed a limit in bytes, until they
  /// are well below it. Keeps the given history, and those open in any process.
  func shrink(sparing place: HistoryPlace, to limit: Int = HistoryPlace.largestFolder) {
    update(in: place.folder) { database throws(StorageError) in
      if try database.number("SELECT total FROM state") <= limit { return }
      // The index has each size as of the last run's start; measure before deleting.
      try Self.measureAll(in: place.folder, database)
      var total = try database.number("SELECT total FROM state")
      if total <= limit { return }
      let oldest = try database.prepare("SELECT name, size FROM history ORDER BY used")
      var names: [(name: [UInt8], byteCount: Int)] = []
      while try oldest.step() { names.append((oldest.bytes(0), oldest.int(1))) }
      // A goal well below the limit avoids measuring a large folder for each new history.
      let goal = limit - limit / 16
      for (name, byteCount) in names where total > goal {
        let isOurs = name.starts(with: place.name)
        if isOurs || !HistoryFolder.delete(place.folder + [.slash] + name) { continue }
        total = total &- byteCount
        try Self.remove(name, from: database)
      }
    }
  }

  /// Makes an update in one transaction. After a failure, this run makes no more updates, and a
  /// mark file makes the next reader compare the index with the folder.
  func update(
    in folder: [UInt8], _ body: (Database) throws(StorageError) -> Void
  ) {
    if isOff { return }
    do throws(StorageError) {
      if try !addGathered(in: folder, body) { try transaction(in: folder, body) }
    } catch {
      isOff = true
      if error.isForeign { return }
      _ = try? OpenFile(folder + Self.staleName, O_WRONLY | O_CREAT | O_NOFOLLOW, mode: 0o600)
    }
  }

  // MARK: - Gathering

  /// The longest time in seconds that other runs wait for gathered updates.
  private static let longestGathering = 0.1

  /// Gathers the updates of `body` in few transactions, since a run over many files makes several
  /// for each. At the end, syncs all histories stored meanwhile, and their folder once; returns
  /// the error if that fails.
  ///
  /// A kill would lose gathered updates although their histories are stored: a mark file then makes
  /// the next reader compare the index with the folder. A run makes or removes its mark only while
  /// it has the index locked.
  func gather(_ body: () -> Void) -> StorageError? {
    gathering = Gathering()
    body()
    endGathering()
    defer { gathering = nil }
    guard let place = gathering?.place else { return nil }
    do throws(StorageError) {
      try finishStaged()
      try syncLogs(in: place)
      try place.syncFolder()
      return nil
    } catch {
      return error
    }
  }

  private func syncLogs(in place: HistoryPlace) throws(StorageError) {
    var rest = gathering?.unsynced[...] ?? []
    do throws(SystemError) {
      while !rest.isEmpty {
        // Start these syncs before waiting for the first one.
        var files: [SharedFile] = []
        let some = rest.prefix(Self.mostSyncedAtOnce)
        for path in some {
          do throws(SystemError) {
            files.append(SharedFile(try OpenFile(path, O_RDONLY | O_NOFOLLOW)))
            files.last?.file.startSync()
          } catch {
            // A missing log was synced, and then emptied.
            if error.code != ENOENT { throw error }
          }
        }
        for file in files { try file.file.sync() }
        rest = rest.dropFirst(some.count)
      }
    } catch {
      throw .folder(place.folder, code: error.code)
    }
  }

  /// Leaves syncing and naming a new history's file to the end of `gather`; false without one.
  ///
  /// - Throws: The last error, if so many files are staged that all are finished now.
  func finishLater(_ staged: StagedDatabase) throws(StorageError) -> Bool {
    if gathering == nil { return false }
    gathering?.place = staged.place
    gathering?.staged.append(staged)
    if gathering?.staged.count == Self.mostSyncedAtOnce { try finishStaged() }
    return true
  }

  /// Makes a new history of this run at once, if `gather` was to make it later.
  func finishStaged(at place: HistoryPlace) throws(StorageError) {
    if gathering?.staged.contains(where: { $0.place == place }) == true { try finishStaged() }
  }

  private func finishStaged() throws(StorageError) {
    let staged = gathering?.staged ?? []
    gathering?.staged = []
    var failure: StorageError?
    for new in staged {
      do throws(StorageError) {
        try new.finish()
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  private static let mostSyncedAtOnce = min(128, OpenFile.descriptorLimit / 8)

  var isGathering: Bool { gathering != nil }

  /// Lets the end of `gather` sync the log of a history, so that its own commit need not.
  func syncLater(_ place: HistoryPlace) {
    gathering?.unsynced.append(place.log)
    gathering?.place = place
  }

  /// Adds an update to the open transaction, begun if needed; false if updates are not gathered.
  ///
  /// - Throws: The reason why it failed; gathered updates may be lost, so the mark file stays.
  private func addGathered(
    in folder: [UInt8], _ body: (Database) throws(StorageError) -> Void
  ) throws(StorageError) -> Bool {
    if gathering?.isOff ?? true { return false }
    if let open = gathering?.open, open.folder != folder { endGathering() }
    do throws(StorageError) {
      if gathering?.open == nil {
        let database = try Patience.long.wait { () throws(StorageError) in
          let database = try open(in: folder)
          try database.run("BEGIN IMMEDIATE")
          return database
        }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        guard let mark = try? OpenFile(folder + Self.gatheringName, flags, mode: 0o600) else {
          // A killed run has left it. A reader removes it.
          try database.run("ROLLBACK")
          gathering?.isOff = true
          return false
        }
        gathering?.open = (
          database, folder, SharedFile(mark), SystemClock.uptime + Self.longestGathering
        )
        try prepare(database, in: folder)
      }
      guard let open = gathering?.open else { return false }
      try body(open.database)
      if SystemClock.uptime > open.end { endGathering() }
      return true
    } catch {
      try? gathering?.open?.database.run("ROLLBACK")
      gathering?.open = nil
      gathering?.isOff = true
      // The mark stays for the updates that are lost. A damaged index is rebuilt.
      if error.isDamage || error.isContradiction { return false }
      throw error
    }
  }

  /// Commits the open transaction. After a failure, its mark stays.
  func endGathering() {
    guard let open = gathering?.open else { return }
    gathering?.open = nil
    do throws(StorageError) {
      try open.database.run("COMMIT")
      try open.database.transaction { () throws(StorageError) in
        let path = open.folder + Self.gatheringName
        if let present = OpenFile.status(of: path), let own = try? open.mark.file.status(),
          FileIdentity(present).isSameFile(as: FileIdentity(own))
        {
          try? HistoryPlace.remove(path)
        }
      }
    } catch {
      try? open.database.run("ROLLBACK")
    }
  }

  // MARK: - Rows

  /// The number and the size of a history; nil if the index does not have it.
  static func row(
    of name: [UInt8], in database: Database
  ) throws(StorageError) -> (id: Int, byteCount: Int)? {
    let row = try database.prepare("SELECT id, size FROM history WHERE name = ?")
    row.bind(1, name)
    guard try row.step() else { return nil }
    defer { row.reset() }
    // A damaged index may have impossible sizes.
    return (row.int(0), max(0, min(row.int(1), HistoryPlace.largestFolder)))
  }

  /// Adds a run to the history with the given id.
  static func put(_ run: StoredRun, of id: Int, into database: Database) throws(StorageError) {
    let row = try database.prepare("INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?, ?)")
    row.bind(1, id)
    row.bind(2, run.number)
    row.bind(3, Array(run.tag.identity.utf8))
    row.bind(4, StoredTime(run.tag.time).milliseconds)
    row.bind(5, run.tag.name.map { Array($0.utf8) })
    try row.run()
    try put(undone: run.undone, by: run.number, of: id, into: database)
  }

  private static func put(
    undone identities: [String], by number: Int, of id: Int, into database: Database
  ) throws(StorageError) {
    if identities.isEmpty { return }
    let row = try database.prepare("INSERT OR IGNORE INTO undone VALUES (?, ?, ?)")
    for identity in identities {
      row.bind(1, id)
      row.bind(2, number)
      row.bind(3, Array(identity.utf8))
      try row.run()
    }
  }

  /// Removes the runs of a history from a number on.
  private static func removeRuns(
    of id: Int, from number: Int = 0, in database: Database
  ) throws(StorageError) {
    for table in ["run", "undone"] {
      try database.run("DELETE FROM \(table) WHERE history = \(id) AND number >= \(number)")
    }
  }

  static func remove(_ name: [UInt8], from database: Database) throws(StorageError) {
    guard let known = try row(of: name, in: database) else { return }
    try removeRuns(of: known.id, in: database)
    try database.run(
      """
      DELETE FROM history WHERE id = \(known.id); DELETE FROM content WHERE history = \(known.id);
      DELETE FROM seen WHERE history = \(known.id)
      """)
    try grow(database, by: -known.byteCount)
  }

  static func grow(_ database: Database, by byteCount: Int) throws(StorageError) {
    try database.run("UPDATE state SET total = total + \(byteCount)")
  }
}

// MARK: - Opening

/// Opening the index, and making it anew.
extension HistoryIndex {
  static let name = Array("/index.db".utf8)
  /// A file that marks the index as incomplete.
  static let staleName = Array("/index.stale".utf8)
  /// A file that marks it as incomplete while a run gathers updates.
  static let gatheringName = Array("/index.gathering".utf8)
  private static let applicationID = 0x7565_6469
  private static let version = 2

  /// Runs `body` in one transaction, and waits a while for other runs. Rebuilds a damaged index
  /// once.
  func transaction(
    in folder: [UInt8], _ body: (Database) throws(StorageError) -> Void
  ) throws(StorageError) {
    endGathering()
    var mayRebuild = true
    while true {
      do throws(StorageError) {
        return try Patience.long.wait { () throws(StorageError) in
          let database = try open(in: folder)
          try database.transaction { () throws(StorageError) in
            try prepare(database, in: folder)
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

  /// The open database; it is opened again if another file has replaced it at its path.
  private func open(in folder: [UInt8]) throws(StorageError) -> Database {
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
    // The index can be rebuilt, so no write waits for the disk.
    try database.run(
      """
      PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = OFF; PRAGMA cell_size_check = ON;
      """)
    opened = (database, number)
    return database
  }

  /// Creates the database file, for its owner only, unless it exists; nil if it can't be used.
  private static func makeFile(at path: [UInt8]) -> FileIdentity.Number? {
    // SQLite creates its journal with the mode of this file.
    guard let file = try? PrivateFolder.openFile(path, O_RDWR | O_CREAT),
      let status = try? file.status()
    else { return nil }
    return FileIdentity(status).number
  }

  /// Makes the tables in a new database, and fills them from the folder, inside a transaction.
  private func prepare(_ database: Database, in folder: [UInt8]) throws(StorageError) {
    // SQLite reads the schema again only if its version has changed.
    let schema = try database.number("PRAGMA schema_version")
    if schema == checkedSchema { return }
    try makeTables(in: database, folder)
    checkedSchema = try database.number("PRAGMA schema_version")
  }

  private func makeTables(
    in database: Database, _ folder: [UInt8]
  ) throws(StorageError) {
    let version = Self.version
    let found = try database.number("PRAGMA user_version")
    if found > version { throw .newer }
    if found > 0, try database.number("PRAGMA application_id") != Self.applicationID {
      throw .damaged
    }
    if found == version { return try HistorySchema.index.check(database) }
    if found == 1 {
      try HistorySchema.firstIndex.check(database)
      return try database.run(
        """
        DROP TABLE IF EXISTS undone; \(HistorySchema.undoneInIndex);
        UPDATE history SET isread = 0; PRAGMA user_version = \(version)
        """)
    }
    try database.run(
      """
      PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(version);
      \(HistorySchema.indexTables) \(HistorySchema.undoneInIndex)
      """)
    try Self.compare(with: folder, database)
  }
}

// MARK: - Reading

/// A run over all files that it changed.
struct IndexedRun: Sendable {
  let tag: RunTag
  /// The histories that it changed, in the order of their files.
  var places: [HistoryPlace]
  /// The runs that have taken it back, the oldest first.
  var undoers: [RunTag] = []
}

/// Queries. An index that may be incomplete is first compared with the folder.
extension HistoryIndex {
  /// All runs of named files, newest first, with the files that they changed, and the runs that
  /// have undone them.
  func runs(in folder: [UInt8]) throws(StorageError) -> [IndexedRun] {
    var runs: [IndexedRun] = []
    var indices: [String: Int] = [:]
    try readUpToDate(in: folder) { database throws(StorageError) in
      let rows = try database.prepare(
        """
        SELECT identity, run.time, run.name, history.path, history.name
        FROM run JOIN history ON history.id = history ORDER BY path
        """)
      while try rows.step() {
        guard let identity = rows.text(0).map(RunTag.readable) else { continue }
        let place = HistoryPlace(file: rows.bytes(3), folder: folder, name: rows.bytes(4))
        if place.isUnnamed || place.file.isEmpty { continue }
        if let index = indices[identity] {
          runs[index].places.append(place)
          continue
        }
        indices[identity] = runs.count
        runs.append(
          IndexedRun(
            tag: RunTag(
              identity: identity, name: rows.text(2),
              time: StoredTime(clamping: rows.int(1)).seconds
            ).readable,
            places: [place]))
      }
      let pairs = try database.prepare(
        """
        SELECT DISTINCT undone.identity, run.identity FROM undone JOIN run USING (history, number)
        ORDER BY run.time
        """)
      while try pairs.step() {
        guard let undone = pairs.text(0).flatMap({ indices[RunTag.readable($0)] }),
          let undoer = pairs.text(1).flatMap({ indices[RunTag.readable($0)] })
        else { continue }
        runs[undone].undoers.append(runs[undoer].tag)
      }
    }
    return runs.enumerated().sorted {
      ($0.element.tag.time, $0.offset) > ($1.element.tag.time, $1.offset)
    }.map(\.element)
  }

  /// All histories of named files, in the order of their paths.
  func places(in folder: [UInt8]) throws(StorageError) -> [HistoryPlace] {
    var places: [HistoryPlace] = []
    try readUpToDate(in: folder) { database throws(StorageError) in
      let rows = try database.prepare("SELECT path, name FROM history ORDER BY path")
      while try rows.step() {
        let place = HistoryPlace(file: rows.bytes(0), folder: folder, name: rows.bytes(1))
        if !place.isUnnamed && !place.file.isEmpty && !place.isSetAside { places.append(place) }
      }
    }
    return places
  }

  /// Compares the index with the folder after a reboot or a skipped update, and reads the runs and
  /// the saved content of all histories not read yet. `body` then runs in a transaction.
  func readUpToDate(
    in folder: [UInt8], _ body: (Database) throws(StorageError) -> Void
  ) throws(StorageError) {
    var unread: [(id: Int, name: [UInt8])] = []
    try transaction(in: folder) { database throws(StorageError) in
      let state = try database.prepare("SELECT boot FROM state")
      let isOfThisBoot = try state.step() && state.bytes(0) == SystemBoot.identity
      state.reset()
      // A power cut may have damaged the index.
      if !isOfThisBoot { try database.checkIntegrity() }
      let marks = [Self.staleName, Self.gatheringName].map { folder + $0 }
        .filter { OpenFile.status(of: $0) != nil }
      if !isOfThisBoot || !marks.isEmpty {
        // A mark made from now on is meant for the next reader.
        for mark in marks { try? HistoryPlace.remove(mark) }
        try Self.compare(with: folder, database)
      }
      let rows = try database.prepare("SELECT id, name FROM history WHERE isread = 0")
      while try rows.step() { unread.append((rows.int(0), rows.bytes(1))) }
      if unread.isEmpty { try body(database) }
    }
    if unread.isEmpty { return }
    // The index is not locked while histories are read.
    var found: [(id: Int, history: Summary?)] = []
    for (id, name) in unread {
      let place = HistoryPlace(file: [], folder: folder, name: name)
      do throws(StorageError) {
        found.append((id, try Summary(of: place)))
      } catch {
        // A damaged history is read again when it has changed.
        if !error.mayPass { found.append((id, nil)) }
      }
    }
    try transaction(in: folder) { database throws(StorageError) in
      let row = try database.prepare(
        "UPDATE history SET path = ifnull(?, path), isread = 1, used = max(used, ?) WHERE id = ?")
      for (id, history) in found {
        row.bind(1, history?.file)
        row.bind(2, history?.modified ?? 0)
        row.bind(3, id)
        try row.run()
        guard let history else { continue }
        for run in history.runs { try Self.put(run, of: id, into: database) }
        if let content = history.content { try Self.put(content, of: id, into: database) }
      }
      try body(database)
    }
  }

  /// The facts that the index copies from a history.
  private struct Summary {
    let file: [UInt8]
    let runs: [StoredRun]
    /// The content hash of the file as last saved.
    let content: [UInt8]?
    let modified: Int

    /// Reads the history at a place; throws `inUse` while another run has it open.
    init(of place: HistoryPlace) throws(StorageError) {
      let store = try HistoryStore(opening: place)
      let state = try store.connection.prepare(
        "SELECT path, (SELECT hash FROM revision WHERE id = saved) FROM state")
      try state.needRow()
      file = state.bytes(0)
      content = state.isNull(1) ? nil : state.bytes(1)
      state.reset()
      // The name must match the path, or the history belongs to another file.
      let hash = ContentHash(of: file).hexadecimal
      guard place.name.starts(with: hash.utf8) else { throw .damaged }
      runs = try store.runs()
      modified =
        OpenFile.status(of: place.database).map {
          $0.st_mtim.tv_sec * 1000 + $0.st_mtim.tv_nsec / 1_000_000
        } ?? 0
    }
  }
}

// MARK: - Renamed files

/// Finding the history of a renamed file.
extension HistoryIndex {
  /// Notes the content that a file is saved with.
  func note(_ hash: ContentHash, of place: HistoryPlace) {
    update(in: place.folder) { database throws(StorageError) in
      guard let known = try Self.row(of: place.name, in: database) else { return }
      try Self.put(hash.bytes, of: known.id, into: database)
    }
  }

  /// Puts the content that the file of a history was saved with.
  static func put(
    _ content: [UInt8], of id: Int, into database: Database
  ) throws(StorageError) {
    let row = try database.prepare("INSERT OR REPLACE INTO content VALUES (?, ?)")
    row.bind(1, id)
    row.bind(2, content)
    try row.run()
  }

  /// Notes the stamp of a history's file, and its content.
  func note(_ stamp: FileStamp, _ hash: ContentHash, of place: HistoryPlace) {
    update(in: place.folder) { database throws(StorageError) in
      guard let known = try Self.row(of: place.name, in: database) else { return }
      // Usually nothing has changed, and nothing is written.
      let row = try database.prepare(
        """
        INSERT INTO seen VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (history) DO UPDATE SET
          (device, inode, born, modified, hash) =
            (excluded.device, excluded.inode, excluded.born, excluded.modified, excluded.hash)
        WHERE (device, inode, born, modified, hash) IS NOT
          (excluded.device, excluded.inode, excluded.born, excluded.modified, excluded.hash)
        """)
      row.bind(1, known.id)
      row.bind(2, stamp.device)
      row.bind(3, stamp.inode)
      row.bind(4, stamp.born)
      row.bind(5, stamp.modified)
      row.bind(6, hash.bytes)
      try row.run()
    }
  }

  /// Moves the history of a deleted file to a file without one that is probably the same: renamed,
  /// or copied with its modification time. Equal content alone is not enough. The text has whole
  /// lines, without the carriage returns of the file. Returns the old place; nil if no history was
  /// moved.
  func takeLost(
    for text: PieceTable, usesCRLF: Bool, at place: HistoryPlace
  ) -> HistoryPlace? {
    guard let stamp = FileStamp(of: place.file) else { return nil }
    let hash = ContentHash(of: text, usesCRLF: usesCRLF)
    for (lost, isSure) in lost(stamp, hash, in: place.folder) {
      guard isSure || !text.isEmpty && Self.isLikelyRename(of: lost, to: place.file, stamp, text),
        let store = try? HistoryStore(opening: lost, index: self),
        (try? store.load()) != nil, isSure || (try? store.revision(with: hash)) != nil,
        store.move(to: place)
      else { continue }
      return lost
    }
    return nil
  }

  /// Whether a deleted file was probably renamed to another one with the same text, although the
  /// index has lost its stamp. The other file must not be newer than the history. A short text
  /// proves little: it also needs the same name, the same folder, or a status change after its last
  /// modification.
  private static func isLikelyRename(
    of lost: HistoryPlace, to new: [UInt8], _ stamp: FileStamp, _ text: PieceTable
  ) -> Bool {
    guard let history = FileStamp(of: lost.database),
      max(stamp.born, stamp.modified) <= history.modified + FileStamp.second
    else { return false }
    let (from, to) = (FilePlace.split(lost.file), FilePlace.split(new))
    if text.byteCount >= tellingText || from.name == to.name || from.folder == to.folder {
      return true
    }
    return OpenFile.status(of: new).map { FileIdentity($0).hasChangedSinceModified } ?? false
  }

  private static let tellingText = 256

  /// The histories of deleted files that may be this file now, and whether the match is certain.
  /// Certain matches come first, then the last used ones.
  private func lost(
    _ stamp: FileStamp, _ hash: ContentHash, in folder: [UInt8]
  ) -> [(place: HistoryPlace, isSure: Bool)] {
    // Without histories, no index is created.
    if OpenFile.status(of: folder + Self.name) == nil && HistoryFolder.entries(in: folder).isEmpty {
      return []
    }
    var places: [(HistoryPlace, Bool)] = []
    try? readUpToDate(in: folder) { database throws(StorageError) in
      let rows = try database.prepare(
        """
        SELECT path, name, 1, used FROM seen JOIN history ON history.id = history
        WHERE inode = ?1 AND device = ?2 AND born = ?3 AND born <> 0 OR hash = ?5 AND modified = ?4
        UNION SELECT path, name, 0, used FROM content JOIN history ON history.id = content.history
        WHERE hash = ?5 AND content.history NOT IN (SELECT history FROM seen) ORDER BY 3 DESC, 4 DESC
        """)
      rows.bind(1, stamp.inode)
      rows.bind(2, stamp.device)
      rows.bind(3, stamp.born)
      rows.bind(4, stamp.modified)
      rows.bind(5, hash.bytes)
      while try rows.step() {
        places.append(
          (HistoryPlace(file: rows.bytes(0), folder: folder, name: rows.bytes(1)), rows.int(2) == 1)
        )
      }
    }
    return places.filter {
      !$0.0.isUnnamed && !$0.0.file.isEmpty && !$0.0.isSetAside
        && OpenFile.status(of: $0.0.file) == nil
    }
  }

  /// Notes that a history belongs to another file now.
  func move(_ place: HistoryPlace, to new: HistoryPlace) {
    update(in: place.folder) { database throws(StorageError) in
      try Self.remove(new.name, from: database)
      let row = try database.prepare("UPDATE history SET name = ?, path = ? WHERE name = ?")
      row.bind(1, new.name)
      row.bind(2, new.file)
      row.bind(3, place.name)
      try row.run()
    }
  }
}

/// The identity of a file and its content. A rename keeps it; another file or content has another.
struct FileStamp: Equatable, Sendable {
  let device, inode: Int
  /// The time of creation, in nanoseconds since 1970; 0 on a file system without it.
  let born: Int
  /// The time of the last change of content, likewise.
  let modified: Int

  static let second = 1_000_000_000

  /// Whether both are of one file, whatever its content.
  func isSameFile(as other: FileStamp?) -> Bool {
    born != 0 && device == other?.device && inode == other?.inode && born == other?.born
  }

  /// The stamp of a regular file; nil if the path has no regular file.
  init?(of path: [UInt8]) {
    guard let status = OpenFile.status(of: path), status.isRegular else { return nil }
    device = Int(truncatingIfNeeded: status.st_dev)
    inode = Int(truncatingIfNeeded: status.st_ino)
    born = unsafe SystemName.lend(path) { Int(unsafe clinux_birth_time($0)) }
    modified = status.st_mtim.tv_sec &* Self.second &+ status.st_mtim.tv_nsec
  }
}

// MARK: - Folder

/// Comparing the index with the folder.
extension HistoryIndex {
  /// Measures all histories in the index again, and removes deleted ones.
  static func measureAll(
    in folder: [UInt8], _ database: Database
  ) throws(StorageError) {
    let rows = try database.prepare("SELECT name FROM history")
    var names: [[UInt8]] = []
    while try rows.step() { names.append(rows.bytes(0)) }
    let change = try database.prepare("UPDATE history SET size = ? WHERE name = ?")
    for name in names {
      let place = HistoryPlace(file: [], folder: folder, name: name)
      guard place.exists else {
        try remove(name, from: database)
        continue
      }
      change.bind(1, place.byteCount)
      change.bind(2, name)
      try change.run()
    }
    try database.run("UPDATE state SET total = (SELECT coalesce(sum(size), 0) FROM history)")
  }

  /// Compares the index with the folder: adds missing histories, removes deleted ones, and marks
  /// those written since their last use as not read.
  static func compare(
    with folder: [UInt8], _ database: Database
  ) throws(StorageError) {
    let rows = try database.prepare("SELECT name, used FROM history")
    var known: [[UInt8]: Int] = [:]
    while try rows.step() { known[rows.bytes(0)] = rows.int(1) }
    let found = HistoryFolder.entries(in: folder)
    let insertion = try database.prepare(
      "INSERT INTO history (name, path, size, used, isread) VALUES (?, x'', ?, ?, 0)")
    let change = try database.prepare("UPDATE history SET isread = 0 WHERE name = ?")
    for entry in found {
      guard let used = known.removeValue(forKey: entry.name) else {
        insertion.bind(1, entry.name)
        insertion.bind(2, entry.byteCount)
        insertion.bind(3, entry.modified)
        try insertion.run()
        continue
      }
      if entry.modified <= used { continue }
      change.bind(1, entry.name)
      try change.run()
    }
    for name in known.keys { try remove(name, from: database) }
    let state = try database.prepare(
      """
      INSERT OR REPLACE INTO state VALUES (0, (SELECT coalesce(sum(size), 0) FROM history), ?)
      """)
    state.bind(1, SystemBoot.identity)
    try state.run()
  }
}
