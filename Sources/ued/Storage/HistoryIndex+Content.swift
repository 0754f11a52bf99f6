import Glibc
import TextBuffer

/// Finding the history of a file that was renamed, by its content.
extension HistoryIndex {
  /// Notes the content that a file is saved with.
  func note(_ hash: ContentHash, of place: HistoryPlace) {
    update(in: place.folder) { database throws(DatabaseError) in
      guard let known = try Self.row(of: place.name, in: database) else { return }
      try Self.put(hash.bytes, of: known.id, into: database)
    }
  }

  /// Puts the content that the file of a history was saved with.
  static func put(
    _ content: [UInt8], of id: Int, into database: Database
  ) throws(DatabaseError) {
    let row = try database.prepare("INSERT OR REPLACE INTO content VALUES (?, ?)")
    row.bind(1, id)
    row.bind(2, content)
    try row.run()
  }

  /// Makes the history of a file that is gone that of a file with the text that it was last saved with: it was renamed.
  ///
  /// - Parameters:
  ///   - text: Whole lines.
  ///   - place: Where the history of the file will be; it has none.
  /// - Returns: Where it was; nil if there is none.
  func takeLost(for text: PieceTable, at place: HistoryPlace) -> HistoryPlace? {
    if text.isEmpty { return nil }
    let hash = ContentHash(of: text)
    for lost in lost(with: hash, in: place.folder) {
      guard Self.isLikelyRename(of: lost.file, to: place.file, text),
        let store = try? HistoryStore(opening: lost, index: self),
        (try? store.load()) != nil, (try? store.revision(with: hash)) != nil, store.move(to: place)
      else { continue }
      return lost
    }
    return nil
  }

  /// Whether a file that is gone may be another one now, both with the same text. Of few bytes that says little by
  /// itself; but a file that was renamed has changed later than its content.
  private static func isLikelyRename(
    of old: [UInt8], to new: [UInt8], _ text: PieceTable
  ) -> Bool {
    let (from, to) = (FilePlace.split(old), FilePlace.split(new))
    if text.byteCount >= tellingText || from.name == to.name || from.folder == to.folder {
      return true
    }
    return OpenFile.status(of: new).map { FileIdentity($0).hasChangedSinceModified } ?? false
  }

  private static let tellingText = 256

  /// The histories of files that are gone and were last saved with a content, the one that was used last first.
  func lost(with hash: ContentHash, in folder: [UInt8]) -> [HistoryPlace] {
    // The index is not made for nothing.
    if OpenFile.status(of: folder + Self.name) == nil && HistoryFolder.entries(in: folder).isEmpty {
      return []
    }
    var places: [HistoryPlace] = []
    try? bringUpToDate(in: folder)
    try? transaction(in: folder) { database throws(DatabaseError) in
      let rows = try database.prepare(
        """
        SELECT path, name FROM content JOIN history ON history.id = history WHERE hash = ?
        ORDER BY used DESC
        """)
      rows.bind(1, hash.bytes)
      while try rows.step() {
        places.append(HistoryPlace(file: rows.bytes(0), folder: folder, name: rows.bytes(1)))
      }
    }
    return places.filter {
      !$0.isUnnamed && !$0.file.isEmpty && OpenFile.status(of: $0.file) == nil
    }
  }

  /// Notes that a history is that of another file now.
  func move(_ place: HistoryPlace, to new: HistoryPlace) {
    update(in: place.folder) { database throws(DatabaseError) in
      try Self.remove(new.name, from: database)
      let row = try database.prepare("UPDATE history SET name = ?, path = ? WHERE name = ?")
      row.bind(1, new.name)
      row.bind(2, new.file)
      row.bind(3, place.name)
      try row.run()
    }
  }
}
