/// Telling damage from a disk that does not give what it has.
extension HistoryPlace {
  /// What an error of the database is when its files are looked at again.
  ///
  /// SQLite takes bytes that could not be read for damage. They may be there next time, so such a history must not be
  /// set aside.
  func confirmed(_ error: DatabaseError) -> DatabaseError {
    guard error.isDamage, error != .damaged else { return error }
    do {
      for suffix in Self.fileSuffixes { try OpenFile.tryReading(database + suffix) }
    } catch {
      return .unreadable
    }
    return error.isOfFormat && isSound ? .unreadable : error
  }

  /// Whether the database has no byte but zeros, as a power cut leaves one that was still being made.
  ///
  /// Its first page is synced before anything is stored, so nothing has ever been in it.
  var isBlank: Bool { (try? OpenFile.tryReading(database)) == false }

  /// Whether SQLite finds nothing wrong with the database.
  private var isSound: Bool {
    guard let opened = try? Database(path: database, mayCreate: false),
      let check = try? opened.prepare("PRAGMA quick_check(1)"), (try? check.step()) == true
    else { return false }
    return check.text(0) == "ok"
  }
}
