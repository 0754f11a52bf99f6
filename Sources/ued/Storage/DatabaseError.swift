/// An error of SQLite, or of the consistency checks on stored data.
struct DatabaseError: Error, Equatable, Sendable {
  /// SQLite's primary result code.
  var code: Int32
  /// SQLite's message.
  var message: String

  /// Whether another process has locked the database, or has deleted it just now.
  var isBusy: Bool { code == 5 || code == 6 }

  /// Whether there is no such file.
  var isMissing: Bool { code == 14 }

  /// Whether the database is corrupt: according to SQLite, or by a missing table or column, or by a
  /// wrong checksum.
  var isDamage: Bool { [1, 11, 17, 20, 24, 26].contains(code) }

  /// The stored data is inconsistent.
  static let damaged = DatabaseError(code: 11, message: "wrong checksum")

  /// Another process has locked the database.
  static let busy = DatabaseError(code: 5, message: "database is locked")

  /// The database was written by a newer version of ued.
  static let newer = DatabaseError(code: 0, message: "newer")

  /// Another run has changed the database while it was closed.
  static let changed = DatabaseError(code: 0, message: "changed meanwhile")

  /// Whether a retry may succeed: the disk is full, or an I/O error occurred.
  var isTransient: Bool { code == 10 || code == 13 }
}
