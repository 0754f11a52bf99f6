import Glibc

/// All histories together.
///
/// SAFETY: the system fills values on the stack; what a folder lists is copied before the next entry.
@safe enum HistoryFolder {
  private struct Entry {
    var path: [UInt8]
    var byteCount: Int
    var modified: Int
  }

  /// Deletes the histories that were not touched for longest, until all together are within the
  /// limit.
  ///
  /// - Parameters:
  ///   - place: The one that stays in any case, as do those that somebody has open.
  ///   - limit: How many bytes may be left.
  static func shrink(sparing place: HistoryPlace, to limit: Int = HistoryPlace.largestFolder) {
    let entries = entries(in: place.folder)
    var total = entries.reduce(0) { $0 + $1.byteCount }
    for entry in entries.sorted(by: { $0.modified < $1.modified }) where total > limit {
      let isOurs = entry.path.starts(with: place.database)
      if !isOurs && delete(entry.path) { total -= entry.byteCount }
    }
  }

  /// The files that belong to histories.
  private static func entries(in folder: [UInt8]) -> [Entry] {
    guard let listing = unsafe SystemName.lend(folder, to: { unsafe opendir($0) }) else {
      return []
    }
    defer { unsafe closedir(listing) }
    var entries: [Entry] = []
    while let entry = unsafe readdir(listing) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe Array($0.prefix { $0 != 0 })
      }
      guard name.contains(Array(".history".utf8)) else { continue }
      let path = folder + [.slash] + name
      guard let status = OpenFile.status(of: path), status.isRegular else { continue }
      entries.append(
        Entry(path: path, byteCount: Int(status.st_size), modified: status.st_mtim.tv_sec))
    }
    return entries
  }

  /// Deletes a file unless somebody has it locked.
  private static func delete(_ path: [UInt8]) -> Bool {
    let isDatabase = path.suffix(8).elementsEqual(".history".utf8)
    // What belongs to a database is deleted together with it.
    if !isDatabase && !path.contains(Array(".damaged-".utf8)) { return false }
    guard let file = try? OpenFile(path, O_RDWR) else { return false }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    guard unsafe fcntl(file.descriptor, F_SETLK, &lock) == 0 else { return false }
    for ending in isDatabase ? ["", "-wal", "-shm", "-journal"] : [""] {
      _ = unsafe SystemName.lend(path + Array(ending.utf8)) { unsafe unlink($0) }
    }
    return true
  }
}
