/// An error of SQLite, or of the consistency checks on stored data.
struct DatabaseError: Error, Equatable, Sendable {
  /// SQLite's primary result code.
  var code: Int32
  /// SQLite's message.
  var message: String

  /// What SQLite's code means to a user, to whom its message may say nothing.
  var reason: String {
    switch code {
    case 7: "there is not enough memory"
    case 8: "it can't be written"
    case 10: "the disk has failed to read or write it"
    case 13: "the disk is full"
    case 14: "it can't be opened"
    default: message
    }
  }

  /// Whether another process has locked the database, or has deleted it just now.
  var isBusy: Bool { code == 5 || code == 6 }

  /// Whether there is no such file.
  var isMissing: Bool { code == 14 }

  /// Whether the database is corrupt: according to SQLite, or by a missing table or column, or by a
  /// wrong checksum.
  var isDamage: Bool { [1, 11, 17, 20, 24, 26].contains(code) }

  /// Whether SQLite says that the file is not one of its databases, or a corrupt one.
  var isOfFormat: Bool { code == 11 || code == 26 }

  /// Whether a row contradicts others, as in a database that was not synced.
  var isContradiction: Bool { code == 19 }

  /// Whether a value is larger than a history can have.
  var isTooLarge: Bool { code == 18 }

  /// Whether others could have written the database, or can.
  var isForeign: Bool { code == 23 }

  /// A file or folder that is not the user's alone; nothing of it is read.
  static func foreign(_ path: [UInt8]) -> DatabaseError {
    DatabaseError(code: 23, message: GroupNames.readable(path))
  }

  /// There is no such file, or it may not be opened.
  static let cannotOpen = DatabaseError(code: 14, message: "unable to open database file")

  /// There is not enough memory.
  static let outOfMemory = DatabaseError(code: 7, message: "out of memory")

  /// A group has more bytes than a history can have.
  static let tooLarge = DatabaseError(code: 18, message: "string or blob too big")

  /// The stored data is inconsistent.
  static let damaged = DatabaseError(code: 11, message: "wrong checksum")

  /// The disk has not given what it has.
  static let unreadable = DatabaseError(code: 10, message: "disk I/O error")

  /// Another process has locked the database.
  static let busy = DatabaseError(code: 5, message: "database is locked")

  /// A signal has come while much was being stored.
  static let interrupted = DatabaseError(code: 9, message: "interrupted")

  /// The database was written by a newer version of ued.
  static let newer = DatabaseError(code: 0, message: "newer")

  /// Another run has changed the database while it was closed.
  static let changed = DatabaseError(code: 0, message: "changed meanwhile")

  /// Whether a retry may succeed: a signal came, the disk is full, memory is short, or an I/O error occurred.
  var isTransient: Bool { [7, 9, 10, 13].contains(code) }
}

extension HistoryError {
  /// The error of a database.
  init(_ error: DatabaseError) {
    if error.isBusy {
      // SQLite does not tell these apart.
      let hasLocks = PrivateFolder.state.map { FileLock.works(in: $0) } ?? true
      self = hasLocks ? .inUse : .noLocks
    } else if error.isForeign {
      self = .foreign(error.message)
    } else {
      self = error.isTooLarge ? .groupTooLarge : .database(error.reason)
    }
  }
}
