import Glibc
import UedLinux
import UedSQLite

/// An open SQLite database.
///
/// SAFETY: the handle is created in `init`, passed to SQLite only, and closed once, in `deinit`. A
/// statement retains its database, so no statement outlives the handle. Both are not `Sendable`, so
/// they stay on the thread that created them.
@safe final class Database {
  fileprivate let handle: OpaquePointer
  /// Whether commits can skip the sync of the log's folder: an earlier commit has synced it, or a
  /// later step will.
  var skipsFolderSync = false
  /// Prepared statements that are not in use, by their text.
  fileprivate var unused: [String: OpaquePointer] = unsafe [:]
  /// The number of rows that all statements have returned.
  fileprivate(set) var rowCount = 0

  /// Whether SQLite heeds `skipsFolderSync`: 0 or 1.
  private static let canSkipFolderSync = csqlite_watch_folders()

  /// The time in milliseconds that a statement waits for a locked database.
  private static let timeout: Int32 = 100

  /// Opens a database, or creates it if `mayCreate`. Its path may have any bytes but NUL.
  ///
  /// - Throws: The reason why the database can't be opened. A file in another format fails later,
  ///   at the first statement.
  init(path: [UInt8], mayCreate: Bool = true) throws(StorageError) {
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (mayCreate ? SQLITE_OPEN_CREATE : 0)
      | SQLITE_OPEN_NOFOLLOW
    // SQLite also refuses symbolic links in the folder's path, so they are resolved first.
    guard let real = Self.withoutLinks(path) else {
      throw .cannotOpen
    }
    let result = unsafe (real + [0]).withUnsafeBytes {
      unsafe sqlite3_open_v2(
        $0.baseAddress?.assumingMemoryBound(to: CChar.self), &opened, flags, nil)
    }
    guard let handle = unsafe opened else {
      throw .outOfMemory
    }
    unsafe self.handle = handle
    // `deinit` closes the handle, also if this throws.
    guard result == SQLITE_OK else { throw lastError }
    unsafe sqlite3_busy_timeout(handle, Self.timeout)
    guard unsafe csqlite_defend(handle) == SQLITE_OK else { throw lastError }
    for (limit, value) in Self.limits { unsafe sqlite3_limit(handle, limit, value) }
  }

  /// Makes an empty database in memory.
  init() throws(StorageError) {
    var opened: OpaquePointer?
    let result = unsafe sqlite3_open(":memory:", &opened)
    guard let handle = unsafe opened else { throw .outOfMemory }
    unsafe self.handle = handle
    guard result == SQLITE_OK else { throw lastError }
  }

  /// Runs `body` as a transaction of a database in memory, copies the result as the bytes of a
  /// database file, and rolls back. Returns nil if memory is short.
  func draft(_ body: () throws(StorageError) -> Void) throws(StorageError) -> [UInt8]? {
    try run("BEGIN")
    defer { try? run("ROLLBACK") }
    try body()
    var count: sqlite3_int64 = 0
    // SAFETY: the bytes are copied before they are freed.
    guard let start = unsafe sqlite3_serialize(handle, "main", &count, 0) else { return nil }
    defer { unsafe sqlite3_free(start) }
    return unsafe Array(UnsafeBufferPointer(start: start, count: Int(count)))
  }

  var pageSize: Int { get throws(StorageError) { try number("PRAGMA page_size") } }

  /// The size of the database in bytes, without its log.
  var byteCount: Int {
    get throws(StorageError) { try number("PRAGMA page_count") * pageSize }
  }

  /// Sets whether closing leaves the log for the next opening, or empties it, which takes two
  /// syncs.
  func keepLog(_ keeps: Bool) { _ = unsafe csqlite_keep_log(handle, keeps ? 1 : 0) }

  /// Sets whether commits sync the log, and empty it from `longestLog` pages on. An unsynced log
  /// must not be emptied.
  func syncCommits(_ syncs: Bool) throws(StorageError) {
    try run("PRAGMA synchronous = \(syncs ? "FULL" : "OFF")")
    _ = unsafe sqlite3_wal_autocheckpoint(handle, syncs ? Self.longestLog : 0)
  }

  /// The size in pages at which a synced commit empties the log. Each opening of the database
  /// reads the log.
  static let longestLog: Int32 = 64

  /// Makes SQLite refuse views, which ued does not use.
  func refuseViews() throws(StorageError) {
    guard unsafe csqlite_refuse_views(handle) == SQLITE_OK else { throw lastError }
  }

  /// Limits that no statement of ued exceeds, whatever a database contains.
  private static let limits: [(Int32, Int32)] = [
    (SQLITE_LIMIT_LENGTH, 64 << 20), (SQLITE_LIMIT_SQL_LENGTH, 1 << 16),
    (SQLITE_LIMIT_COLUMN, 64), (SQLITE_LIMIT_EXPR_DEPTH, 32),
    (SQLITE_LIMIT_COMPOUND_SELECT, 4), (SQLITE_LIMIT_VDBE_OP, 1 << 16),
    (SQLITE_LIMIT_FUNCTION_ARG, 16), (SQLITE_LIMIT_ATTACHED, 0),
    (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100), (SQLITE_LIMIT_VARIABLE_NUMBER, 32),
    (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
  ]

  /// A path with the symbolic links in its folder's path resolved; nil if the folder can't be
  /// opened.
  private static func withoutLinks(_ path: [UInt8]) -> [UInt8]? {
    let (parent, name) = FilePlace.split(path)
    guard
      let folder = try? OpenFile(parent, O_RDONLY | O_DIRECTORY).path, folder.first == .slash
    else { return nil }
    return PreservedFile.join(folder, name)
  }

  deinit {
    for unsafe(_, statement) in unsafe unused { unsafe sqlite3_finalize(statement) }
    unsafe sqlite3_close_v2(handle)
  }

  /// The error of the last call.
  fileprivate var lastError: StorageError {
    unsafe StorageError(
      code: sqlite3_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
  }

  /// Runs statements that return no rows, separated by semicolons.
  ///
  /// - Throws: The error of the first statement that fails; earlier statements have taken effect.
  func run(_ statements: String) throws(StorageError) {
    guard unsafe sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK else {
      throw lastError
    }
  }

  func prepare(_ text: String) throws(StorageError) -> Statement {
    let statement = self.statement(text)
    statement.prepare()
    if let error = statement.error { throw error }
    return statement
  }

  /// A statement to be prepared at its first use, since preparing takes longer than most statements
  /// run.
  func statement(_ text: String) -> Statement { Statement(text, of: self) }

  /// Runs `body` as one transaction, and rolls it back if `body` or the commit throws.
  func transaction(_ body: () throws(StorageError) -> Void) throws(StorageError) {
    clinux_set_known_log(skipsFolderSync ? Self.canSkipFolderSync : 0)
    defer { clinux_set_known_log(0) }
    try run("BEGIN IMMEDIATE")
    do throws(StorageError) {
      try body()
      try run("COMMIT")
    } catch {
      // `ROLLBACK` fails if SQLite has rolled back already.
      try? run("ROLLBACK")
      throw error
    }
  }

  /// The result of a statement that selects one number; 0 if it has no row.
  func number(_ statement: String) throws(StorageError) -> Int {
    let statement = try prepare(statement)
    return try statement.step() ? statement.int(0) : 0
  }

  /// Compares all tables with their indexes, in time linear in the size of the database.
  ///
  /// - Throws: `damaged` if a table and an index contradict each other.
  func checkIntegrity() throws(StorageError) {
    let check = try prepare("PRAGMA integrity_check(1)")
    try check.needRow()
    if check.bytes(0) != Array("ok".utf8) { throw .damaged }
  }

  var lastInsertedRow: Int { unsafe Int(sqlite3_last_insert_rowid(handle)) }
}

/// A prepared statement.
///
/// SAFETY: the handle is created by `prepare`. Its one owner, a statement or `Database.unused`,
/// finalizes it. The statement retains the database of the handle. Calls with a null handle have no
/// effect. SQLite copies bound bytes. Columns are copied before the next step.
@safe final class Statement {
  private static let mostUnused = 32

  private var handle: OpaquePointer?
  private let text: String
  private let database: Database
  /// The first error since the last step, in preparing the statement or in binding a value.
  fileprivate private(set) var error: StorageError?

  fileprivate init(_ text: String, of database: Database) {
    (self.text, self.database) = (text, database)
  }

  fileprivate func prepare() {
    if unsafe handle != nil { return }
    unsafe handle = database.unused.removeValue(forKey: text)
    if unsafe handle != nil { return }
    let result = unsafe sqlite3_prepare_v3(
      database.handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    if result != SQLITE_OK { error = database.lastError }
  }

  /// Leaves the prepared statement to the next statement with the same text.
  deinit {
    guard let handle = unsafe handle else { return }
    let isKept = unsafe database.unused.count < Self.mostUnused && database.unused[text] == nil
    if !isKept {
      unsafe sqlite3_finalize(handle)
    } else {
      unsafe sqlite3_reset(handle)
      unsafe sqlite3_clear_bindings(handle)
      unsafe database.unused[text] = handle
    }
  }

  /// Binds a number or NULL to a parameter, counted from 1. A failure surfaces at the next step.
  func bind(_ index: Int32, _ value: Int?) {
    prepare()
    if let value {
      check(unsafe sqlite3_bind_int64(handle, index, Int64(value)))
    } else {
      check(unsafe sqlite3_bind_null(handle, index))
    }
  }

  /// Binds a copy of the bytes, or NULL, to a parameter. A failure surfaces at the next step.
  func bind(_ index: Int32, _ bytes: [UInt8]?) {
    prepare()
    guard let bytes else {
      check(unsafe sqlite3_bind_null(handle, index))
      return
    }
    // A null pointer would bind NULL instead of an empty blob.
    if bytes.isEmpty {
      check(unsafe sqlite3_bind_zeroblob(handle, index, 0))
    } else {
      let result = unsafe bytes.withUnsafeBytes {
        unsafe csqlite_bind_copied_blob(handle, index, $0.baseAddress, UInt64($0.count))
      }
      check(result)
    }
  }

  /// Keeps the error of a value that could not be bound: the statement would run with NULL instead.
  private func check(_ result: Int32) {
    if result == SQLITE_OK || error != nil { return }
    error = unsafe StorageError(
      code: result, message: String(cString: sqlite3_errstr(result)))
  }

  /// Advances to the next row, and returns false after the last one. After false or an error, the
  /// statement can be bound and run again.
  func step() throws(StorageError) -> Bool {
    prepare()
    if let error {
      self.error = nil
      unsafe sqlite3_reset(handle)
      throw error
    }
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW:
      database.rowCount += 1
      return true
    case SQLITE_DONE:
      unsafe sqlite3_reset(handle)
      return false
    default:
      let error = database.lastError
      unsafe sqlite3_reset(handle)
      throw error
    }
  }

  /// Advances to a row that must exist; throws `damaged` if it does not.
  func needRow() throws(StorageError) {
    if try !step() { throw .damaged }
  }

  /// Runs a statement that returns no rows.
  func run() throws(StorageError) { _ = try step() }

  /// Discards the remaining rows.
  func reset() { unsafe sqlite3_reset(handle) }

  /// Whether a column of the row, counted from 0, is NULL.
  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// A column of the row as a number.
  func int(_ column: Int32) -> Int { unsafe Int(sqlite3_column_int64(handle, column)) }

  /// A column of the row as a number; nil when it is NULL.
  func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }

  /// A column of the row as bytes, if there may be many. Throws `outOfMemory` if memory is short
  /// for the bytes and the values made of them.
  func largeBytes(_ column: Int32) throws(StorageError) -> [UInt8] {
    try Self.askForMemory(Int(unsafe sqlite3_column_bytes(handle, column)))
    return bytes(column)
  }

  /// Checks that memory suffices for bytes to be read and for the values made of them.
  static func askForMemory(_ byteCount: Int) throws(StorageError) {
    if Memory.isShort(for: 4 * byteCount) { throw .outOfMemory }
  }

  /// A column of the row as bytes.
  func bytes(_ column: Int32) -> [UInt8] {
    withBytes(column) { span in
      var bytes: [UInt8] = []
      bytes.append(span, in: 0..<span.byteCount)
      return bytes
    }
  }

  /// Lends the bytes of a column of the row.
  func withBytes<Result>(_ column: Int32, _ body: (RawSpan) -> Result) -> Result {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    guard let start = unsafe start else { return body(RawSpan()) }
    // SAFETY: the bytes are valid until the next step, which `body` can't make.
    return unsafe body(RawSpan(_unsafeStart: start, byteCount: count))
  }

  /// A column of the row as text; nil when it is NULL.
  func text(_ column: Int32) -> String? {
    isNull(column) ? nil : String(decoding: bytes(column), as: UTF8.self)
  }
}

/// The time to wait for a history that another run has locked.
enum Patience: Sendable {
  /// 0.1 s, when the last wait has failed.
  case brief
  /// 2 s, since many runs may use the history at once.
  case long

  private var seconds: Double { self == .long ? 2 : 0.1 }

  /// Repeats `body` while it throws `inUse`, until the time is over or an interrupt comes.
  func wait<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(StorageError) -> Result {
    let end = SystemClock.uptime + seconds
    while true {
      do throws(StorageError) {
        return try body()
      } catch {
        guard error == .inUse, SystemClock.uptime < end, !Interrupts.isInterrupted else {
          throw error
        }
        usleep(.random(in: 1000...10_000))
      }
    }
  }
}
