/// Why a database could not do what it was asked to.
struct DatabaseError: Error, Equatable, Sendable {
  /// SQLite's result code, without its extension.
  var code: Int32
  /// What SQLite says about it.
  var message: String

  /// Whether somebody else has the database.
  var isBusy: Bool { code == 5 || code == 6 }

  /// Whether the database is not what it should be: SQLite says so, or finds no such table or
  /// column, or what is there does not fit its checksums.
  var isDamage: Bool { [1, 11, 17, 20, 24, 26].contains(code) }

  /// What is stored does not fit together.
  static let damaged = DatabaseError(code: 11, message: "wrong checksum")

  /// It was written by a newer program.
  static let newer = DatabaseError(code: 0, message: "newer")

  /// Whether it may be gone the next time: no room, or a fault of the disk.
  var isPassing: Bool { code == 10 || code == 13 }
}
