import Glibc
import TextBuffer
import UedLinux

/// Finding the history of a file that was renamed.
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

  /// Notes which file the one of a history is, and the content that it has.
  func note(_ stamp: FileStamp, _ hash: ContentHash, of place: HistoryPlace) {
    update(in: place.folder) { database throws(DatabaseError) in
      guard let known = try Self.row(of: place.name, in: database) else { return }
      // Mostly it is as before, and nothing is written.
      let row = try database.prepare(
        """
        INSERT INTO seen VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (history) DO UPDATE SET
          (device, inode, born, modified, hash) =
            (excluded.device, excluded.inode, excluded.born, excluded.modified, excluded.hash)
        WHERE (device, inode, born, modified, hash) IS NOT
          (excluded.device, excluded.inode, excluded.born, excluded.modified, excluded.hash)
        """)
      row.bind(1, known.id)
      row.bind(2, stamp.device)
      row.bind(3, stamp.inode)
      row.bind(4, stamp.born)
      row.bind(5, stamp.modified)
      row.bind(6, hash.bytes)
      try row.run()
    }
  }

  /// Makes the history of a file that is gone that of a file which is the same one under another name, or its copy with the
  /// same content and the same time of that. Equal content alone proves nothing.
  ///
  /// - Parameters:
  ///   - text: Whole lines.
  ///   - place: Where the history of the file will be; it has none.
  /// - Returns: Where it was; nil if there is none.
  func takeLost(for text: PieceTable, at place: HistoryPlace) -> HistoryPlace? {
    guard let stamp = FileStamp(of: place.file) else { return nil }
    let hash = ContentHash(of: text)
    for (lost, isSure) in lost(stamp, hash, in: place.folder) {
      guard isSure || !text.isEmpty && Self.isLikelyRename(of: lost, to: place.file, stamp, text),
        let store = try? HistoryStore(opening: lost, index: self),
        (try? store.load()) != nil, isSure || (try? store.revision(with: hash)) != nil,
        store.move(to: place)
      else { continue }
      return lost
    }
    return nil
  }

  /// Whether a file that is gone may be another one now, both with the same text, although the index has lost which file
  /// it was: the other one is not newer than the history. Of few bytes that says little by itself; but a file that
  /// was renamed has changed later than its content.
  private static func isLikelyRename(
    of lost: HistoryPlace, to new: [UInt8], _ stamp: FileStamp, _ text: PieceTable
  ) -> Bool {
    guard let history = FileStamp(of: lost.database),
      max(stamp.born, stamp.modified) <= history.modified + FileStamp.second
    else { return false }
    let (from, to) = (FilePlace.split(lost.file), FilePlace.split(new))
    if text.byteCount >= tellingText || from.name == to.name || from.folder == to.folder {
      return true
    }
    return OpenFile.status(of: new).map { FileIdentity($0).hasChangedSinceModified } ?? false
  }

  private static let tellingText = 256

  /// The histories of files that are gone and that may have been a file, the one that was used last first; and whether
  /// that is sure.
  private func lost(
    _ stamp: FileStamp, _ hash: ContentHash, in folder: [UInt8]
  ) -> [(place: HistoryPlace, isSure: Bool)] {
    // The index is not made for nothing.
    if OpenFile.status(of: folder + Self.name) == nil && HistoryFolder.entries(in: folder).isEmpty {
      return []
    }
    var places: [(HistoryPlace, Bool)] = []
    try? bringUpToDate(in: folder)
    try? transaction(in: folder) { database throws(DatabaseError) in
      let rows = try database.prepare(
        """
        SELECT path, name, 1, used FROM seen JOIN history ON history.id = history
        WHERE inode = ?1 AND device = ?2 AND born = ?3 AND born <> 0 OR hash = ?5 AND modified = ?4
        UNION SELECT path, name, 0, used FROM content JOIN history ON history.id = content.history
        WHERE hash = ?5 AND content.history NOT IN (SELECT history FROM seen) ORDER BY 3 DESC, 4 DESC
        """)
      rows.bind(1, stamp.inode)
      rows.bind(2, stamp.device)
      rows.bind(3, stamp.born)
      rows.bind(4, stamp.modified)
      rows.bind(5, hash.bytes)
      while try rows.step() {
        places.append(
          (HistoryPlace(file: rows.bytes(0), folder: folder, name: rows.bytes(1)), rows.int(2) == 1)
        )
      }
    }
    return places.filter {
      !$0.0.isUnnamed && !$0.0.file.isEmpty && OpenFile.status(of: $0.0.file) == nil
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

/// Which file has a path: another file has another stamp, under whatever name, and so has another content.
struct FileStamp: Equatable, Sendable {
  let device, inode: Int
  /// When the file was made, in nanoseconds since 1970; 0 on a file system that does not tell.
  let born: Int
  /// When its content was changed last, likewise.
  let modified: Int

  static let second = 1_000_000_000

  /// The stamp of a regular file; nil if there is none of that path.
  init?(of path: [UInt8]) {
    guard let status = OpenFile.status(of: path), status.isRegular else { return nil }
    device = Int(truncatingIfNeeded: status.st_dev)
    inode = Int(truncatingIfNeeded: status.st_ino)
    born = unsafe SystemName.lend(path) { Int(unsafe clinux_birth_time($0)) }
    modified = status.st_mtim.tv_sec &* Self.second &+ status.st_mtim.tv_nsec
  }
}
