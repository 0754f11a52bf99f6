import Glibc
import TextBuffer

/// The stored history of one file: a SQLite database, locked while it is open. Any number of runs use
/// it in turns. Its tables:
///
/// - `text`: the text as first opened, in parts.
/// - `run`: the runs that have stored anything: the revision at which each began, its effect, its
///   tag; its present revision, until a later run has offered it; and while a save is prepared,
///   the version of the file that it replaces.
/// - `undone`: the identities of the runs that a revision has undone.
/// - `state`: one row: the path of the file, the length of the first text, the revision that any run
///   has saved last.
/// - `entered`: the lines entered so far, while a command of a run reads text; see `EnteredLines`.
///
/// A database without content is deleted when it is closed.
final class HistoryStore {
  let place: HistoryPlace
  /// The index of all histories, which has the tag of this run.
  let index: HistoryIndex
  private(set) var run = 1

  /// The open database; nil while it is closed.
  private(set) var database: Database?
  /// The database file with the lock of this run; closed after the database, since closing any
  /// descriptor of a file releases SQLite's locks.
  private var lock: OpenFile?
  /// The statements that write; nil until the database has its tables.
  private(set) var statements: Statements?
  /// The statements that read; nil until they are needed.
  var readingStatements: ReadingStatements?
  /// The number of stored revisions.
  private(set) var count = 0
  /// The links of revisions that were asked for or written; see `link(of:)`.
  var links: [Int: Int] = [:]
  var firstLength = 0
  /// Whether this run has its row.
  var hasRun = false
  /// The revision saved last by any run.
  private(set) var saved: Int?
  /// Whether other runs have written since this run last knew the content.
  private(set) var hasNews = false
  /// Whether other runs have written since the database was last closed, and the names that they may
  /// have given to known revisions are unread.
  private(set) var mayHaveNames = false
  /// The number of rows of this run in `entered`.
  var enteredCount = 0
  /// Whether the last of them is a line that is still being typed.
  private(set) var hasDraft = false
  /// The log whose name in its folder this run has synced.
  private var syncedLog: FileStamp?
  /// The file that a new database gets with its first transaction; until then it is in memory.
  private var staged: StagedDatabase?
  /// The database and its log as this run has left them.
  private var left: (database: FileIdentity?, log: FileIdentity?)
  /// Whether readers leave the database open for the keeper to close; false after `stop`.
  var staysOpen = true
  /// The number of rows read until the database was last closed.
  private var earlierRowCount = 0
  /// The number of rows that it has read.
  var rowCount: Int { earlierRowCount + (database?.rowCount ?? 0) }
  /// The number of revisions that the last update stored before it was done or failed.
  private(set) var doneCount = 0
  /// The hash that this run last noted in the index for the saved file.
  private var notedContent: ContentHash?
  /// The known state of the database; nil if nothing was stored.
  private var fingerprint: Fingerprint?

  /// Numbers that change when a run adds revisions or saves.
  private struct Fingerprint: Equatable {
    /// The first run's checksum, unique to it.
    var firstRun: Int
    /// The last revision and its link.
    var (last, link): (Int, Int)
    /// The last run, and checksums of the last revision and of `state`.
    var others: [Int]
  }

  private static let applicationID = 0x7565_6468

  struct Statements {
    let insertion, update, undone, state: Statement

    init(_ database: Database) {
      insertion = database.statement(StoredRevision.insertion)
      update = database.statement(StoredRevision.update)
      undone = database.statement("INSERT OR IGNORE INTO undone VALUES (?, ?)")
      state = database.statement("INSERT OR REPLACE INTO state VALUES (0, ?, ?, ?, ?)")
    }
  }

  /// Opens an existing database. One without content gets its tables with the first write.
  init(
    opening place: HistoryPlace, index: HistoryIndex = HistoryIndex()
  ) throws(StorageError) {
    (self.place, self.index) = (place, index)
    try connect()
  }

  /// Begins a new database.
  init(creating staged: StagedDatabase, index: HistoryIndex) throws(StorageError) {
    (place, self.index, self.staged) = (staged.place, index, staged)
    do throws(StorageError) {
      let database: Database
      if let draft = index.draft {
        database = draft
      } else {
        database = try Database()
        try Self.makeTables(in: database)
        index.draft = database
      }
      (self.database, statements) = (database, Statements(database))
    } catch {
      staged.discard()
      throw error
    }
  }

  deinit { close() }

  // MARK: - Opening and closing

  var isOpen: Bool { database != nil }

  /// The open database; throws `damaged` while it is closed.
  var connection: Database {
    get throws(StorageError) {
      guard let database else { throw .damaged }
      return database
    }
  }

  /// Whether nothing has ever been stored.
  var isEmpty: Bool { isOpen ? statements == nil || staged != nil : fingerprint == nil }

  /// Closes the database, and so releases its lock and its descriptors. The state stays in memory.
  /// If this run opens it again soon, the log may stay as it is.
  func close(isBrief: Bool = false) {
    guard isOpen else { return }
    if let staged {
      staged.discard()
      return forgetDatabase()
    }
    earlierRowCount = rowCount
    database?.keepLog(isBrief)
    if !hasNews {
      fingerprint = statements == nil ? nil : database.flatMap { try? Self.fingerprint(of: $0) }
    }
    // No other run can have it open before the lock is released.
    if statements == nil { try? place.delete() }
    (statements, readingStatements) = (nil, nil)
    // Unless the log stays, SQLite empties it here and needs the lock for that.
    database = nil
    lock = nil
    left = files
  }

  /// Drops the database; keeps the state.
  private func forgetDatabase() {
    (statements, readingStatements, database, staged) = (nil, nil, nil, nil)
  }

  private var files: (database: FileIdentity?, log: FileIdentity?) {
    func identity(of path: [UInt8]) -> FileIdentity? {
      OpenFile.status(of: path).map { FileIdentity($0) }
    }
    return (identity(of: place.database), identity(of: place.log))
  }

  /// Whether the files have changed since this run closed the database.
  var isWritten: Bool { files != left }

  /// Empties a log left by a brief closing, unless another run is using it.
  func finish() {
    if left.log != nil { try? open() }
    close()
  }

  /// Opens the database unless it is open. Sets `hasNews` if others wrote while it was closed.
  ///
  /// - Throws: `changedMeanwhile` if the database is gone, or is one of another history.
  func open() throws(StorageError) {
    if isOpen { return }
    if !place.exists { throw .changedMeanwhile }
    if isWritten { mayHaveNames = true }
    try connect()
    guard let database, statements != nil else {
      if fingerprint != nil { throw .changedMeanwhile }
      return
    }
    let now = try Self.fingerprint(of: database)
    if now == fingerprint { return }
    if let fingerprint, fingerprint.firstRun != now.firstRun { throw .changedMeanwhile }
    (hasNews, links) = (true, [:])
  }

  /// Calls `update` to read the revisions that other runs have written, given the number of
  /// unchanged ones; it may return false to read them later. Returns whether all content is known.
  ///
  /// - Throws: The error of `update` or of reading; `hasNews` stays set.
  func readNews(_ update: (Int) throws(StorageError) -> Bool) throws(StorageError) -> Bool {
    guard hasNews, let database else { return true }
    let now = try Self.fingerprint(of: database)
    var known = 0
    if let fingerprint {
      known = min(fingerprint.last, now.last) + 1
      // Only the last revision may have grown.
      if now.last >= fingerprint.last, try link(of: fingerprint.last) != fingerprint.link {
        known -= 1
      }
    }
    _ = try loadState()
    guard try update(known) else { return false }
    (hasNews, fingerprint) = (false, now)
    return true
  }

  /// The names that other runs have given to some of the first `count` revisions since they were last
  /// read, and maybe more. A scan of all rows, after another process has written.
  ///
  /// - Throws: `damaged` if a named revision is corrupt.
  func readNames(
    below count: Int, _ isKnown: (Int, String) -> Bool
  ) throws(StorageError) -> [(id: Int, name: String)] {
    guard mayHaveNames else { return [] }
    let rows = try connection.prepare(
      "SELECT id, name FROM revision WHERE id < \(count) AND name IS NOT NULL")
    var names: [(Int, String)] = []
    while try rows.step() {
      if let name = rows.text(1), !isKnown(rows.int(0), name) { names.append((rows.int(0), name)) }
    }
    for (id, _) in names { _ = try self.rows(id..<id + 1) }
    mayHaveNames = false
    return names
  }

  private static func fingerprint(of database: Database) throws(StorageError) -> Fingerprint {
    let row = try database.prepare(
      """
      SELECT (SELECT checksum FROM run ORDER BY id LIMIT 1), max(id), link, checksum,
        (SELECT max(id) FROM run), (SELECT checksum FROM state WHERE id = 0) FROM revision
      """)
    try row.needRow()
    return Fingerprint(
      firstRun: row.int(0), last: row.int(1), link: row.int(2), others: (3..<6).map { row.int($0) })
  }

  private func connect() throws(StorageError) {
    let lock = try Self.lock(place)
    try openDatabase()
    let log = FileStamp(of: place.log)
    database?.skipsFolderSync = log.map { $0.isSameFile(as: syncedLog) } ?? false
    self.lock = consume lock
    hasNews = statements != nil && fingerprint == nil
  }

  private func openDatabase() throws(StorageError) {
    let database = try Database(path: place.database, mayCreate: false)
    try database.run(
      """
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA cell_size_check = ON; PRAGMA cache_size = -256
      """)
    if try database.number("SELECT count(*) FROM sqlite_schema") > 0 {
      try database.run("PRAGMA journal_mode = WAL")
      if try database.number("PRAGMA application_id") != Self.applicationID { throw .damaged }
      try HistoryMigration.migrate(database)
      try Self.limitSize(of: database)
      if try Self.hasContent(database) { statements = Statements(database) }
    }
    self.database = database
  }

  private static func limitSize(of database: Database) throws(StorageError) {
    let count = HistoryPlace.largestHistory / (try database.pageSize)
    try database.run("PRAGMA max_page_count = \(count)")
  }

  /// Whether anything has been stored. A run killed while it created the tables leaves them empty,
  /// and perhaps not on the disk yet.
  private static func hasContent(_ database: Database) throws(StorageError) -> Bool {
    try database.number("SELECT EXISTS (SELECT 1 FROM state) OR EXISTS (SELECT 1 FROM revision)")
      > 0
  }

  /// Locks a database for this run alone. SQLite takes its own lock in steps, and runs that try at
  /// the same time block each other's last step.
  ///
  /// - Throws: `inUse` if another run has the lock.
  private static func lock(_ place: HistoryPlace) throws(StorageError) -> OpenFile {
    let file = try place.openDatabaseFile()
    do throws(SystemError) {
      if flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 { throw .last }
      let status = try file.status()
      // The run that had the lock may have deleted the file.
      guard let present = OpenFile.status(of: place.database),
        FileIdentity(present).isSameFile(as: FileIdentity(status))
      else { throw SystemError(code: EWOULDBLOCK) }
    } catch {
      if error.code == EWOULDBLOCK { throw .inUse }
      throw .cannotOpen
    }
    return file
  }

  /// The page size of a new history, in bytes. Every table and index takes at least one page, and
  /// most histories are short.
  private static let pageSize = 1024

  /// Offsets in a database; see <https://sqlite.org/fileformat.html>.
  private enum HeaderOffset {
    static let (writeVersion, readVersion, end) = (18, 19, 100)
  }

  /// The open database and its statements.
  func prepareToWrite() throws(StorageError) -> (Database, Statements) {
    guard let database, let statements else { throw .damaged }
    return (database, statements)
  }

  /// Runs `body` as one transaction. Its commit syncs the log, and the folder if the log is new; or
  /// the run syncs all of its histories later. For a new database, it also makes the file, and
  /// closes it.
  private func transaction(
    in database: Database, _ body: () throws(StorageError) -> Void
  ) throws(StorageError) {
    if let staged {
      let bytes = try database.draft { () throws(StorageError) in
        try body()
        fingerprint = try? Self.fingerprint(of: database)
      }
      defer { forgetDatabase() }
      try make(staged, of: bytes)
      left = files
      return
    }
    let isLater = index.isGathering && hasShortLog
    if isLater {
      index.syncLater(place)
      database.skipsFolderSync = true
    }
    try database.syncCommits(!isLater)
    try database.transaction(body)
    syncedLog = FileStamp(of: place.log)
  }

  /// Makes the file of a new database; it is synced now, or with all histories of the run.
  private func make(_ staged: StagedDatabase, of bytes: [UInt8]?) throws(StorageError) {
    guard var bytes, bytes.count > HeaderOffset.end else {
      staged.discard()
      throw .outOfMemory
    }
    // Version 2 is WAL.
    (bytes[HeaderOffset.writeVersion], bytes[HeaderOffset.readVersion]) = (2, 2)
    try staged.write(bytes)
    if try index.finishLater(staged) { return }
    try staged.finish()
    try place.syncFolder()
  }

  /// Whether the log is so short that this transaction need not empty it.
  private var hasShortLog: Bool {
    (OpenFile.status(of: place.log)?.st_size ?? 0) < 256 << 10
  }

  private static func makeTables(in database: Database) throws(StorageError) {
    try database.run("PRAGMA page_size = \(pageSize)")
    try database.transaction { () throws(StorageError) in
      try database.run(
        """
        PRAGMA application_id = \(applicationID); PRAGMA user_version = \(HistorySchema.version);
        \(HistorySchema.tables)
        """)
      try limitSize(of: database)
    }
  }

  // MARK: - Reading

  /// Loads the part of the history needed at once; nil if nothing is stored yet.
  ///
  /// - Throws: `damaged` if it is corrupt.
  func load() throws(StorageError) -> StoredHistory? {
    guard let database, statements != nil else { return nil }
    guard try loadState() else {
      if try database.number("SELECT count(*) FROM (SELECT 1 FROM revision LIMIT 1)") > 0 {
        throw .damaged
      }
      return nil
    }
    var history = StoredHistory(count: count, saved: saved, firstLength: firstLength)
    history.unfinished = try unfinishedRuns { history.others.append($0) }
    (hasNews, fingerprint) = (false, try Self.fingerprint(of: database))
    return history
  }

  /// Reads `state`, the number of revisions, and this run's number; false if nothing is stored.
  private func loadState() throws(StorageError) -> Bool {
    let database = try connection
    let state = try database.prepare("SELECT path, length, saved, checksum FROM state")
    guard try state.step() else { return false }
    defer { state.reset() }
    let newest = try database.number("SELECT max(id) FROM revision")
    guard (0..<HistoryPlace.largestHistory).contains(newest),
      HistoryPlace.textLengths.contains(state.int(1))
    else { throw .damaged }
    (count, firstLength, saved) = (newest + 1, state.int(1), state.optionalInt(2))
    // The history of a deleted file may have been moved here.
    let isMoved = state.bytes(0) != place.file
    let checksum = Self.checksum(state.bytes(0), firstLength, saved)
    guard !isMoved || OpenFile.status(of: state.bytes(0)) == nil, state.int(3) == checksum,
      (0..<count).contains(saved ?? 0)
    else { throw .damaged }
    if !hasRun {
      let last = try lastRun()
      // The same process may have opened the history before.
      hasRun = last.tag.identity == index.run.identity
      run = last.number + (hasRun ? 0 : 1)
    }
    if isMoved, let statements {
      state.reset()
      try putState(by: statements.state)
    }
    return true
  }

  // MARK: - Writing

  /// Writes changes in one transaction.
  func write(_ update: HistoryUpdate) throws(StorageError) {
    let (database, statements) = try prepareToWrite()
    let (oldCount, oldSaved, hadRun) = (count, saved, hasRun)
    do throws(StorageError) {
      try transaction(in: database) { () throws(StorageError) in
        try put(update, into: database, statements)
      }
      noteContent(of: update)
      for revision in update.revisions where !revision.undone.isEmpty {
        index.note(undone: revision.undone, by: revision.run, in: place)
      }
      (enteredCount, hasDraft) = (update.entered.count, false)
    } catch {
      (links, count, saved, hasRun) = ([:], oldCount, oldSaved, hadRun)
      throw error
    }
  }

  /// Notes in the index the content of the saved file.
  private func noteContent(of update: HistoryUpdate) {
    guard let hash = update.revisions.first(where: { $0.id == update.saved })?.hash,
      hash != notedContent
    else { return }
    notedContent = hash
    index.note(hash, of: place)
  }

  /// Moves the history to another file, which has none, and closes it; false if it was not moved.
  func move(to new: HistoryPlace) -> Bool {
    (statements, readingStatements, database) = (nil, nil, nil)
    defer { lock = nil }
    // Closing has emptied the log. A log left behind has the old name.
    if OpenFile.status(of: place.log) != nil || !place.move(to: new) { return false }
    index.move(place, to: new)
    return true
  }

  private func put(
    _ update: HistoryUpdate, into database: Database, _ statements: Statements
  ) throws(StorageError) {
    if let text = update.firstText { try put(text, into: database) }
    try putRun(
      from: update.start, update.effect, at: update.current, over: update.replacedVersion,
      into: database)
    try settle(update.unsettled, in: database)
    if count > update.count { try remove(from: update.count, in: database) }
    var grace = update.grace
    doneCount = 0
    for revision in update.revisions {
      if grace.isOver() { throw .interrupted }
      var revision = revision
      // The row may have what other runs have added, such as a name.
      if let changes = revision.changes, revision.id < count,
        try has(changes, of: revision.id, after: revision.record.parent)
      {
        revision.changes = nil
      }
      try put(revision, by: statements)
      doneCount += 1
    }
    if update.isSave { saved = update.saved }
    try putState(by: statements.state)
    try replaceEntered(by: update.entered, after: update.current, in: database)
  }

  /// Whether a stored revision has these changes, and this parent.
  func has(
    _ changes: ArraySlice<UInt8>, of id: Int, after parent: Int?
  ) throws(StorageError) -> Bool {
    let parentLink = try parent.map { (id) throws(StorageError) in try link(of: id) } ?? 0
    return try StoredRevision.link(of: id, changes, parentLink: parentLink) == link(of: id)
  }

  /// Inserts a revision, or updates the details of one whose changes stay the same.
  private func put(
    _ revision: StoredRevision, by statements: Statements
  ) throws(StorageError) {
    var row = revision
    let isNew = row.changes != nil
    if isNew {
      let parentLink = try row.record.parent.map { (id) throws(StorageError) in try link(of: id) }
      row.seal(parentLink: parentLink ?? 0)
      links[row.id] = row.link
      count = max(count, row.id + 1)
      row.deflate()
    } else {
      // Another run may have named or saved it.
      let stored = try rows(row.id..<row.id + 1)[0]
      row.record.name = row.record.name ?? stored.record.name
      row.record.wasSaved = row.record.wasSaved || stored.record.wasSaved
      row.hash = row.hash ?? stored.hash
      row.seal(link: try link(of: row.id))
    }
    let statement = isNew ? statements.insertion : statements.update
    row.bind(to: statement)
    try statement.run()
    for identity in row.undone {
      statements.undone.bind(1, row.id)
      statements.undone.bind(2, Array(identity.utf8))
      try statements.undone.run()
    }
  }

  /// Removes the revisions from `first` on, inside a transaction.
  private func remove(from first: Int, in database: Database) throws(StorageError) {
    for id in first..<max(first, count) { links[id] = nil }
    count = min(count, first)
    try database.run(
      "DELETE FROM revision WHERE id >= \(first); DELETE FROM undone WHERE revision >= \(first)")
  }

  func discard() throws(SystemError) {
    // Close first: SQLite deletes its log by name, and must not delete the log of the next run.
    (statements, readingStatements, database, fingerprint) = (nil, nil, nil, nil)
    (links, count, hasRun, enteredCount, hasDraft) = ([:], 0, false, 0, false)
    defer { lock = nil }
    try forget()
  }

  func forget() throws(SystemError) {
    try place.delete()
    index.remove(place)
  }

  private func putState(by state: Statement) throws(StorageError) {
    state.bind(1, place.file)
    state.bind(2, firstLength)
    state.bind(3, saved)
    state.bind(4, Self.checksum(place.file, firstLength, saved))
    try state.run()
  }

  /// The checksum of the row of `state`.
  static func checksum(_ path: [UInt8], _ length: Int, _ saved: Int?) -> Int {
    var bytes = path
    for number in [length, saved ?? -1] { bytes.append(word: number) }
    return ContentHash.short(bytes[...])
  }
}

// MARK: - Entered lines

/// The lines entered so far, a row per write: the revision that they change, the lines that they
/// replace, the time, and the new lines. The checksum also covers the revision's link.
extension HistoryStore {
  /// Adds entered lines in one transaction, at a cost that does not depend on earlier lines. `base`
  /// is the stored revision that these and the stored lines change. If `isDraft`, the line
  /// is still being typed, and the next lines replace it. `start` is where this run began, and its
  /// effect.
  ///
  /// - Throws: The reason why they can't be stored; nothing is stored then.
  func append(
    _ lines: [EnteredLines], after base: Int, start: (revision: Int, effect: RunEffect),
    isDraft: Bool = false
  ) throws(StorageError) {
    let (database, _) = try prepareToWrite()
    let hadRun = hasRun
    do throws(StorageError) {
      try transaction(in: database) { () throws(StorageError) in
        if !hasRun { try putRun(from: start.revision, start.effect, at: base, into: database) }
        if hasDraft {
          try database.run(
            "DELETE FROM entered WHERE id = (SELECT max(id) FROM entered WHERE run = \(run))")
        }
        try put(lines, after: base, into: database)
      }
    } catch {
      hasRun = hadRun
      throw error
    }
    enteredCount += lines.count - (hasDraft ? 1 : 0)
    hasDraft = isDraft
  }

  /// Replaces all entered lines by others, which may be none, inside a transaction.
  func replaceEntered(
    by lines: [EnteredLines], after base: Int, in database: Database
  ) throws(StorageError) {
    if enteredCount > 0 { try database.run("DELETE FROM entered WHERE run = \(run)") }
    try put(lines, after: base, into: database)
  }

  /// Stores entered lines of a run, by default of this one.
  func put(
    _ lines: [EnteredLines], after base: Int, by run: Int? = nil, into database: Database
  ) throws(StorageError) {
    if lines.isEmpty { return }
    let row = try database.prepare(
      "INSERT INTO entered (base, first, last, time, text, checksum, run) VALUES (?, ?, ?, ?, ?, ?, ?)"
    )
    for lines in lines {
      row.bind(1, base)
      row.bind(2, lines.replaced.first.value)
      row.bind(3, lines.replaced.last.value)
      row.bind(4, StoredTime(lines.time).milliseconds)
      row.bind(5, lines.text)
      row.bind(6, try checksum(lines, after: base))
      row.bind(7, run ?? self.run)
      try row.run()
    }
  }

  private func checksum(_ lines: EnteredLines, after base: Int) throws(StorageError) -> Int {
    let (first, last) = (lines.replaced.first.value, lines.replaced.last.value)
    let time = StoredTime(lines.time).milliseconds
    return ContentHash.short(
      lines.text[...],
      seed: ContentHash.short([try link(of: base), base, first, last, time, 0, 0, 0]))
  }

  /// The entered lines of a command of a run; nil if there are none.
  ///
  /// - Throws: `damaged` if they are corrupt.
  func entered(by run: Int) throws(StorageError) -> EnteredText? {
    let rows = try connection.prepare(
      """
      SELECT base, first, last, time, text, checksum FROM entered WHERE run = \(run) ORDER BY id
      """)
    var entered: EnteredText?
    while try rows.step() {
      let base = rows.int(0)
      let lines = EnteredLines(
        replaced: LineRange(rows.int(1), rows.int(2)), text: rows.bytes(4),
        time: try StoredTime(stored: rows.int(3)).seconds)
      let lengths = HistoryPlace.textLengths
      guard lengths.contains(rows.int(1)), lengths.contains(rows.int(2)),
        (0..<count).contains(base), base == entered?.base ?? base,
        lines.text.last == .newline, try rows.int(5) == checksum(lines, after: base)
      else { throw .damaged }
      entered = entered ?? EnteredText(base: base)
      entered?.append(lines)
    }
    return entered
  }
}

// MARK: - Undoing a write

/// Taking the last write back, if the file could not be replaced.
extension HistoryStore {
  /// The content that a write is about to replace.
  struct Replaced {
    var rows: [StoredRevision] = []
    var count: Int
    var hasRun: Bool
    var saved: Int?
    /// The present revision of this run.
    var current: Int?
    var entered: EnteredText?
    /// Runs that the write settles.
    var unfinished: [UnsettledRun] = []
  }

  /// The content that an update is about to replace; nil if nothing is stored yet.
  func content(replacedBy update: HistoryUpdate) throws(StorageError) -> Replaced? {
    guard let database, statements != nil, count > 0 else { return nil }
    var replaced = Replaced(count: count, hasRun: hasRun)
    let ids = update.revisions.map(\.id) + Array(update.count..<max(update.count, count))
    for id in ids where id < count {
      var row = try rows(id..<id + 1)[0]
      if row.changes == nil { row.changes = try changes(of: id) }
      replaced.rows.append(row)
    }
    replaced.saved = saved
    replaced.current = try current(in: database)
    if enteredCount > 0 { replaced.entered = try entered(by: run) }
    if !update.unsettled.isEmpty {
      replaced.unfinished = try unfinishedRuns().filter { update.unsettled.contains($0.number) }
    }
    return replaced
  }

  /// Undoes the last write. If other runs have written since, only the save is undone.
  func restore(_ replaced: Replaced) throws(StorageError) {
    let (database, statements) = try prepareToWrite()
    try transaction(in: database) { () throws(StorageError) in
      if hasNews { try unmark(saved, unlessIn: replaced, by: statements) }
      saved = replaced.saved
      try putState(by: statements.state)
      try putRun(at: replaced.current, into: database)
      if hasNews { return }
      try remove(from: replaced.count, in: database)
      links = [:]
      for row in replaced.rows { try put(row, by: statements) }
      if !replaced.hasRun { try removeRun(from: database) }
      try replaceEntered(
        by: replaced.entered?.lines ?? [], after: replaced.entered?.base ?? 0, in: database)
      for run in replaced.unfinished { try putBack(run, in: database) }
    }
    if hasNews { return }
    (enteredCount, hasRun) = (replaced.entered?.lines.count ?? 0, replaced.hasRun)
  }

  /// Stores that a revision was never saved, unless it had been before the last write.
  private func unmark(
    _ id: Int?, unlessIn replaced: Replaced, by statements: Statements
  ) throws(StorageError) {
    guard let id, id != replaced.saved,
      id >= replaced.count || replaced.rows.contains(where: { $0.id == id && !$0.record.wasSaved })
    else { return }
    var row = try rows(id..<id + 1)[0]
    (row.record.wasSaved, row.changes) = (false, nil)
    row.seal(link: row.link)
    row.bind(to: statements.update)
    try statements.update.run()
  }

  /// Keeps only the first `first` revisions; `run` made the last one kept, and has not saved it.
  ///
  /// - Throws: The reason why they can't be deleted; all revisions are then kept.
  func cut(to first: Int, by run: Int) throws(StorageError) {
    let (database, _) = try prepareToWrite()
    try transaction(in: database) { () throws(StorageError) in
      try remove(from: first, in: database)
      try database.run("UPDATE run SET current = \(first - 1) WHERE id = \(run)")
      try database.run("UPDATE run SET current = NULL WHERE id = \(self.run)")
    }
  }
}

// MARK: - Forgetting

/// Deleting everything stored about a file.
extension HistoryStore {
  /// Deletes the database, and damaged databases of this file that were set aside.
  func forgetAll() throws(SystemError) {
    try forget()
    for number in 1...HistoryPlace.mostSetAside {
      let path = place.setAsidePath(number)
      for suffix in HistoryPlace.fileSuffixes where OpenFile.exists(path + suffix) {
        try HistoryPlace.remove(path + suffix)
        if !suffix.isEmpty { continue }
        let name = Array(path.dropFirst(place.folder.count + 1))
        index.remove(HistoryPlace(file: [], folder: place.folder, name: name))
      }
    }
  }
}
