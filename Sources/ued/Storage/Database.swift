import CSQLite
import Glibc

/// A SQLite database, open.
///
/// SAFETY: the handle is made in `init`, given to SQLite only, and closed in `deinit`, once. A
/// statement keeps the database it belongs to alive, so none outlives its handle. Neither leaves the
/// thread it was made on: both are not `Sendable`.
@safe final class Database {
  fileprivate let handle: OpaquePointer

  /// Opens a database, and makes it where there is none.
  ///
  /// - Parameters:
  ///   - path: The path of its file, any bytes but NUL.
  ///   - patience: How many milliseconds to wait for somebody who has it locked.
  /// - Throws: Why it can't be opened. A file that is no database is noticed later, by the first
  ///   statement.
  init(path: [UInt8], patience: Int32 = 100) throws(DatabaseError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let result = unsafe (path + [0]).withUnsafeBytes {
      unsafe sqlite3_open_v2(
        $0.baseAddress?.assumingMemoryBound(to: CChar.self), &opened, flags, nil)
    }
    guard let handle = unsafe opened else {
      throw DatabaseError(code: SQLITE_NOMEM, message: "out of memory")
    }
    unsafe self.handle = handle
    // From here on `deinit` closes it.
    guard result == SQLITE_OK else { throw lastError }
    unsafe sqlite3_busy_timeout(handle, patience)
  }

  deinit { unsafe sqlite3_close_v2(handle) }

  /// Why the last call failed.
  fileprivate var lastError: DatabaseError {
    let message = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) }
    return unsafe DatabaseError(code: sqlite3_errcode(handle) & 0xFF, message: message ?? "")
  }

  /// Runs statements that give no rows, separated by semicolons.
  ///
  /// - Throws: Why one of them failed; those before it are done.
  func run(_ statements: String) throws(DatabaseError) {
    guard unsafe sqlite3_exec(handle, statements, nil, nil, nil) == SQLITE_OK else {
      throw lastError
    }
  }

  /// Prepares one statement.
  ///
  /// - Throws: Why SQLite does not accept it.
  func prepare(_ text: String) throws(DatabaseError) -> Statement {
    var prepared: OpaquePointer?
    guard
      unsafe sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        == SQLITE_OK,
      let handle = unsafe prepared
    else { throw lastError }
    return unsafe Statement(handle, of: self)
  }

  /// Runs `body` as one transaction: all of it happens, or when it throws, nothing.
  ///
  /// - Throws: What `body` throws, or why the transaction could not be made.
  func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
    try run("BEGIN IMMEDIATE")
    do throws(DatabaseError) {
      try body()
      try run("COMMIT")
    } catch {
      // Many errors have rolled back already; then this one fails, and no harm is done.
      try? run("ROLLBACK")
      throw error
    }
  }

  /// What a statement gives that asks for one number.
  ///
  /// - Throws: Why it gives none.
  func number(_ statement: String) throws(DatabaseError) -> Int {
    let statement = try prepare(statement)
    return try statement.step() ? statement.int(0) : 0
  }

  /// The id of the row that was inserted last.
  var lastInsertedRow: Int { unsafe Int(sqlite3_last_insert_rowid(handle)) }
}

/// A prepared statement.
///
/// SAFETY: the handle is made by `Database.prepare`, finalised in `deinit`, and belongs to a database
/// that this keeps alive. Bytes that are bound are copied by SQLite; columns are copied out before
/// the next step.
@safe final class Statement {
  private let handle: OpaquePointer
  private let database: Database

  fileprivate init(_ handle: OpaquePointer, of database: Database) {
    unsafe self.handle = handle
    self.database = database
  }

  deinit { unsafe sqlite3_finalize(handle) }

  /// Gives a parameter, counted from 1, a value.
  func bind(_ index: Int32, _ value: Int) { unsafe sqlite3_bind_int64(handle, index, Int64(value)) }

  /// Gives a parameter a value, or NULL.
  func bind(_ index: Int32, _ value: Int?) {
    if let value { bind(index, value) } else { unsafe sqlite3_bind_null(handle, index) }
  }

  /// Gives a parameter bytes, which are copied.
  func bind(_ index: Int32, _ bytes: [UInt8]) {
    // A null pointer would mean NULL instead of no bytes.
    if bytes.isEmpty {
      unsafe sqlite3_bind_zeroblob(handle, index, 0)
    } else {
      _ = unsafe bytes.withUnsafeBytes {
        unsafe csqlite_bind_copied_blob(handle, index, $0.baseAddress, UInt64($0.count))
      }
    }
  }

  /// Gives a parameter bytes, which are copied.
  func bind(_ index: Int32, _ bytes: ArraySlice<UInt8>) { bind(index, Array(bytes)) }

  /// Gives a parameter bytes, or NULL.
  func bind(_ index: Int32, _ bytes: [UInt8]?) {
    if let bytes { bind(index, bytes) } else { unsafe sqlite3_bind_null(handle, index) }
  }

  /// Gives a parameter a text, or NULL.
  func bind(_ index: Int32, _ text: String?) {
    if let text {
      bind(index, Array(text.utf8))
    } else {
      unsafe sqlite3_bind_null(handle, index)
    }
  }

  /// Goes to the next row.
  ///
  /// - Throws: Why the statement failed. It can then be bound and run again.
  /// - Returns: Whether there is a row; if not, the statement is ready to be bound and run again.
  func step() throws(DatabaseError) -> Bool {
    switch unsafe sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      unsafe sqlite3_reset(handle)
      return false
    default:
      let error = database.lastError
      unsafe sqlite3_reset(handle)
      throw error
    }
  }

  /// Runs a statement that gives no rows.
  ///
  /// - Throws: Why it failed.
  func run() throws(DatabaseError) { while try step() {} }

  /// Gives up the rows that are left.
  func reset() { unsafe sqlite3_reset(handle) }

  /// Whether a column of the row, counted from 0, is NULL.
  func isNull(_ column: Int32) -> Bool { unsafe sqlite3_column_type(handle, column) == SQLITE_NULL }

  /// A column of the row as a number.
  func int(_ column: Int32) -> Int { unsafe Int(sqlite3_column_int64(handle, column)) }

  /// A column of the row as bytes.
  func bytes(_ column: Int32) -> [UInt8] {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
  }

  /// Lends a column of the row.
  func withBytes<Result>(_ column: Int32, _ body: (RawSpan) -> Result) -> Result {
    let start = unsafe sqlite3_column_blob(handle, column)
    let count = unsafe Int(sqlite3_column_bytes(handle, column))
    guard let start = unsafe start else { return body(RawSpan()) }
    // SAFETY: the bytes stay until the next step, which `body` can't make.
    return unsafe body(RawSpan(_unsafeStart: start, byteCount: count))
  }

  /// A column of the row as text; nil when it is NULL.
  func text(_ column: Int32) -> String? {
    isNull(column) ? nil : String(decoding: bytes(column), as: UTF8.self)
  }
}
