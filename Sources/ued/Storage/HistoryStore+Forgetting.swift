/// Deleting all that is kept of a file.
extension HistoryStore {
  /// Deletes the database, and those of this file that were damaged and set aside.
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
