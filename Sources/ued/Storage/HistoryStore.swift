import Glibc
import TextBuffer

/// The stored history of one file: a SQLite database, locked while it is open. Its tables:
///
/// - `text`: the text as first opened, in parts.
/// - `revision`: a row for each revision, see `StoredRevision`. `link` is a hash of the changes and the
///   parent's link, so it covers the changes of all ancestors; `checksum` covers the other columns
///   except `preferred`, which is validated instead.
/// - `run`: the runs that have stored anything, and the revision at which each began.
/// - `state`: one row: the path of the file, the length of the first text, the current and the last
///   saved revision.
final class HistoryStore {
  let place: HistoryPlace
  /// The number of this run.
  private(set) var run = 1

  private let database: Database
  private let insertion, update, removal, state: Statement
  /// The link of each stored revision.
  private var links: [Int] = []
  private var firstLength = 0
  private var hasRun = false

  private static let applicationID = 0x7565_6468
  private static let version = 1
  private static let bytesPerPart = 1 << 20

  /// Opens a database that exists.
  init(opening place: HistoryPlace) throws(DatabaseError) {
    self.place = place
    database = try Database(path: place.database)
    try Self.prepare(database)
    insertion = try database.prepare(RevisionRow.insertion)
    update = try database.prepare(RevisionRow.update)
    removal = try database.prepare("DELETE FROM revision WHERE id >= ?")
    state = try database.prepare(
      "INSERT OR REPLACE INTO state VALUES (0, :path, :length, :current, :saved, :checksum)")
  }

  /// Configures a database, creates the tables of an empty one, and checks the version of another.
  private static func prepare(_ database: Database) throws(DatabaseError) {
    try database.run(
      """
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
      PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      PRAGMA cache_size = -256;
      PRAGMA max_page_count = \(HistoryPlace.largestHistory / 4096);
      """)
    let isNew = try database.number("SELECT count(*) FROM sqlite_schema") == 0
    if isNew {
      try makeTables(in: database)
    } else if try database.number("PRAGMA application_id") != applicationID {
      throw .damaged
    } else if try database.number("PRAGMA user_version") > version {
      throw .newer
    }
  }

  private static func makeTables(in database: Database) throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      try database.run(
        """
        PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version);
        CREATE TABLE text (part INTEGER PRIMARY KEY, bytes BLOB, checksum INTEGER);
        CREATE TABLE revision (id INTEGER PRIMARY KEY, parent INTEGER, preferred INTEGER,
          run INTEGER, time INTEGER, flags INTEGER, name TEXT, title BLOB, context BLOB,
          changes BLOB, hash BLOB, link INTEGER, checksum INTEGER);
        CREATE TABLE run (id INTEGER PRIMARY KEY, start INTEGER);
        CREATE TABLE state (id INTEGER PRIMARY KEY, path BLOB, length INTEGER, current INTEGER,
          saved INTEGER, checksum INTEGER);
        """)
    }
  }

  // MARK: - Reading

  /// Loads the history; nil if nothing is stored yet.
  ///
  /// - Throws: `damaged` if it is corrupt.
  func load() throws(DatabaseError) -> StoredHistory? {
    let state = try database.prepare("SELECT path, length, current, saved, checksum FROM state")
    guard try state.step() else {
      if try database.number("SELECT count(*) FROM (SELECT 1 FROM revision LIMIT 1)") > 0 {
        throw .damaged
      }
      return nil
    }
    let saved = state.isNull(3) ? nil : state.int(3)
    var history = StoredHistory(
      current: state.int(2), saved: saved, firstLength: state.int(1))
    let checksum = Self.checksum(state.bytes(0), history.firstLength, history.current, saved)
    guard state.bytes(0) == place.file, state.int(4) == checksum else { throw .damaged }
    state.reset()
    let count = try database.number("SELECT max(id) FROM revision") + 1
    guard count <= HistoryPlace.largestHistory else { throw .damaged }
    try readRevisions(into: &history, count: count)
    let revisions = history.revisions
    for index in revisions.indices {
      // Checksums do not cover the preferred child: an invalid one is ignored.
      if let child = revisions[index].record.preferredChild,
        !revisions.indices.contains(child) || revisions[child].record.parent != index
          || revisions[child].record.isDropped
      {
        history.revisions[index].record.preferredChild = nil
      }
    }
    let inTree = { (id: Int) in revisions.indices.contains(id) && !revisions[id].record.isDropped }
    guard inTree(history.current), saved.map(inTree) ?? true, revisions[0].hash != nil else {
      throw .damaged
    }
    let runs = try database.prepare("SELECT id, start FROM run ORDER BY id")
    while try runs.step() {
      run = max(run, runs.int(0) + 1)
      history.starts.insert(runs.int(1))
    }
    firstLength = history.firstLength
    return history
  }

  /// Reads all revisions and verifies their checksums.
  private func readRevisions(
    into history: inout StoredHistory, count: Int
  ) throws(DatabaseError) {
    let rows = try database.prepare(RevisionRow.selection)
    history.revisions.reserveCapacity(count)
    /// The blobs of all rows in one allocation, and the end of each.
    var bytes: [UInt8] = []
    var ends = [0]
    var checksums: [RevisionRow.Checksums] = []
    bytes.reserveCapacity(place.byteCount)
    ends.reserveCapacity(3 * count + 1)
    checksums.reserveCapacity(count)
    while try rows.step() {
      history.revisions.append(
        try RevisionRow.revision(rows, id: history.revisions.count))
      checksums.append(RevisionRow.Checksums(rows))
      for column in [RevisionRow.Column.title, .context, .changes] {
        rows.withBytes(column.rawValue) { bytes.append($0, in: 0..<$0.byteCount) }
        ends.append(bytes.count)
      }
    }
    links = []
    links.reserveCapacity(count)
    for id in history.revisions.indices {
      history.revisions[id].title = bytes[ends[3 * id]..<ends[3 * id + 1]]
      history.revisions[id].context = bytes[ends[3 * id + 1]..<ends[3 * id + 2]]
      history.revisions[id].changes = bytes[ends[3 * id + 2]..<ends[3 * id + 3]]
      let revision = history.revisions[id]
      let found = RevisionRow.Checksums(of: revision, parentLink: parentLink(of: revision))
      guard found == checksums[id] else { throw .damaged }
      links.append(found.link)
    }
  }

  private func parentLink(of revision: StoredRevision) -> Int {
    revision.record.parent.map { links[$0] } ?? 0
  }

  /// Loads the text as first opened.
  ///
  /// - Throws: `damaged` if it is corrupt.
  func firstText(of history: StoredHistory) throws(DatabaseError) -> PieceTable {
    var builder = PieceTable.Builder(from: PieceTable())
    let parts = try database.prepare("SELECT part, bytes, checksum FROM text ORDER BY part")
    while try parts.step() {
      let bytes = parts.bytes(1)
      guard ContentHash.short(bytes[...]) == parts.int(2) else { throw .damaged }
      builder.append(bytes)
    }
    let text = builder.finish()
    guard text.byteCount == history.firstLength,
      ContentHash(of: text) == history.revisions.first?.hash
    else { throw .damaged }
    return text
  }

  // MARK: - Writing

  /// Writes changes in one transaction.
  func write(_ update: HistoryUpdate) throws(DatabaseError) {
    let oldLinks = links
    do throws(DatabaseError) {
      try database.transaction { () throws(DatabaseError) in try put(update) }
      hasRun = true
    } catch {
      links = oldLinks
      throw error
    }
  }

  /// Writes changes inside a transaction.
  private func put(_ update: HistoryUpdate) throws(DatabaseError) {
    if let text = update.firstText { try put(text) }
    if !hasRun {
      let statement = try database.prepare("INSERT OR REPLACE INTO run VALUES (?, ?)")
      statement.bind(1, run)
      statement.bind(2, update.start)
      try statement.run()
    }
    if links.count > update.count {
      links.removeSubrange(update.count...)
      removal.bind(1, update.count)
      try removal.run()
    }
    for revision in update.revisions {
      let checksums = RevisionRow.Checksums(of: revision, parentLink: parentLink(of: revision))
      if revision.id == links.count { links.append(0) }
      links[revision.id] = checksums.link
      RevisionRow.bind(revision, checksums, to: insertion)
      try insertion.run()
    }
    for revision in update.details {
      let checksums = RevisionRow.Checksums(of: revision, link: links[revision.id])
      RevisionRow.bind(revision, checksums, to: self.update)
      try self.update.run()
    }
    state.bind(1, place.file)
    state.bind(2, firstLength)
    state.bind(3, update.current)
    state.bind(4, update.saved)
    state.bind(5, Self.checksum(place.file, firstLength, update.current, update.saved))
    try state.run()
  }

  private func put(_ text: PieceTable) throws(DatabaseError) {
    firstLength = text.byteCount
    let statement = try database.prepare("INSERT OR REPLACE INTO text VALUES (?, ?, ?)")
    for start in stride(from: 0, to: text.byteCount, by: Self.bytesPerPart) {
      let end = min(start + Self.bytesPerPart, text.byteCount)
      let bytes = text.bytes(in: ByteOffset(start)..<ByteOffset(end))
      statement.bind(1, start / Self.bytesPerPart)
      statement.bind(2, bytes)
      statement.bind(3, ContentHash.short(bytes[...]))
      try statement.run()
    }
  }

  /// The checksum of the row of `state`.
  private static func checksum(_ path: [UInt8], _ length: Int, _ current: Int, _ saved: Int?) -> Int
  {
    var bytes = path
    for number in [length, current, saved ?? -1] { bytes.append(word: number) }
    return ContentHash.short(bytes[...])
  }
}
