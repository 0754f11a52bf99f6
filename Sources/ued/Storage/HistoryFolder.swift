import Glibc

/// The folder with the histories of all files, as it is on the disk.
///
/// SAFETY: `fcntl` reads a lock description on the stack.
@safe enum HistoryFolder {
  /// A history, or a damaged one that was set aside.
  struct Entry {
    var name: [UInt8]
    /// The size of its files.
    var byteCount: Int
    /// When it was written last, in milliseconds since 1970-01-01 UTC.
    var modified: Int
  }

  /// All histories in a folder.
  static func entries(in folder: [UInt8]) -> [Entry] {
    FolderListing.names(in: folder).compactMap { name in
      guard isHistory(name) else { return nil }
      let place = HistoryPlace(file: [], folder: folder, name: name)
      guard let status = OpenFile.status(of: place.database), status.isRegular else { return nil }
      let time = status.st_mtim
      return Entry(
        name: name, byteCount: place.byteCount,
        modified: time.tv_sec * 1000 + time.tv_nsec / 1_000_000)
    }
  }

  /// Whether a name is that of a history, and not of one of its sidecar files.
  private static func isHistory(_ name: [UInt8]) -> Bool {
    let ending = name.drop { $0 != .dot }
    if ending.elementsEqual(".history".utf8) { return true }
    return ending.starts(with: ".history.damaged-".utf8) && name.last?.isDigit == true
  }

  /// Deletes a history with its sidecar files, unless it is locked.
  ///
  /// - Returns: Whether it is gone.
  static func delete(_ path: [UInt8]) -> Bool {
    guard let file = try? OpenFile(path, O_RDWR) else {
      return OpenFile.status(of: path) == nil
    }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    guard unsafe fcntl(file.descriptor, F_SETLK, &lock) == 0 else { return false }
    for suffix in HistoryPlace.fileSuffixes { try? HistoryPlace.remove(path + suffix) }
    return true
  }
}
