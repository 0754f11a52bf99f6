import Glibc

/// The folder with the histories of all files.
///
/// SAFETY: `fcntl` reads a lock description on the stack; paths are lent for the duration of a call.
@safe enum HistoryFolder {
  private struct Entry {
    var path: [UInt8]
    var byteCount: Int
    var modified: Int
  }

  /// Deletes the least recently modified histories until the rest fits the limit. Histories that are
  /// open anywhere are kept.
  ///
  /// - Parameters:
  ///   - place: The history of this run, which is kept.
  ///   - limit: The limit for the folder in bytes.
  static func shrink(sparing place: HistoryPlace, to limit: Int = HistoryPlace.largestFolder) {
    let entries = entries(in: place.folder)
    var total = entries.reduce(0) { $0 + $1.byteCount }
    for entry in entries.sorted(by: { $0.modified < $1.modified }) where total > limit {
      let isOurs = entry.path.starts(with: place.database)
      if !isOurs && delete(entry.path) { total -= entry.byteCount }
    }
  }

  /// The files of all histories.
  private static func entries(in folder: [UInt8]) -> [Entry] {
    FolderListing.names(in: folder).compactMap { name in
      guard name.contains(Array(".history".utf8)) else { return nil }
      let path = folder + [.slash] + name
      guard let status = OpenFile.status(of: path), status.isRegular else { return nil }
      return Entry(path: path, byteCount: Int(status.st_size), modified: status.st_mtim.tv_sec)
    }
  }

  /// Deletes a database with its sidecar files, or a file set aside, unless it is locked.
  private static func delete(_ path: [UInt8]) -> Bool {
    let isDatabase = path.suffix(8).elementsEqual(".history".utf8)
    // Sidecar files are deleted with their database.
    if !isDatabase && !path.contains(Array(".damaged-".utf8)) { return false }
    guard let file = try? OpenFile(path, O_RDWR) else { return false }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    guard unsafe fcntl(file.descriptor, F_SETLK, &lock) == 0 else { return false }
    for suffix in isDatabase ? HistoryPlace.fileSuffixes : [[]] {
      _ = unsafe SystemName.lend(path + suffix) { unsafe unlink($0) }
    }
    return true
  }
}
