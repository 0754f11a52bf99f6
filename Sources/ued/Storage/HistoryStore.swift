import Glibc
import TextBuffer

/// The history of one file on the disk.
///
/// A SQLite database, locked as long as it is open. Its tables:
///
/// - `text`: the text as first opened, in parts.
/// - `revision`: a row for each revision, see `StoredRevision`. `link` is a hash of the changes and of
///   the link of the parent, so all that leads to a revision is covered by it; `checksum` covers the
///   rest of the row but `preferred`, which is only taken when it makes sense.
/// - `run`: the sessions that have stored anything, and the revision with which each began.
/// - `state`: one row: the path of the file, the length of the first text, the present revision and
///   the one that was saved last.
final class HistoryStore {
  /// Where it is.
  let place: HistoryPlace
  /// The number of this session.
  private(set) var run = 1

  private let database: Database
  private var statements: Statements?
  /// The link of each revision.
  private var links: [Int] = []
  private var firstLength = 0
  private var hasRun = false

  private static let applicationID = 0x7565_6468
  private static let version = 1
  private static let bytesPerPart = 1 << 20

  private struct Statements {
    let revision, details, removal, state: Statement

    init(_ database: Database) throws(DatabaseError) {
      revision = try database.prepare(
        """
        INSERT OR REPLACE INTO revision (id, parent, preferred, run, time, flags, name, title,
          context, changes, hash, link, checksum) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """)
      details = try database.prepare(
        """
        UPDATE revision SET preferred = ?, run = ?, time = ?, flags = ?, name = ?, title = ?,
          context = ?, hash = ?, checksum = ? WHERE id = ?
        """)
      removal = try database.prepare("DELETE FROM revision WHERE id >= ?")
      state = try database.prepare("INSERT OR REPLACE INTO state VALUES (0, ?, ?, ?, ?, ?)")
    }
  }

  /// Opens a database that is there.
  ///
  /// - Throws: Why it can't be used.
  init(opening place: HistoryPlace) throws(DatabaseError) {
    self.place = place
    database = try Database(path: place.database)
    try prepare()
  }

  private func prepare() throws(DatabaseError) {
    try database.run(
      """
      PRAGMA locking_mode = EXCLUSIVE; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
      PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
      PRAGMA cache_size = -256;
      PRAGMA max_page_count = \(HistoryPlace.largestHistory / 4096);
      """)
    let isNew = try database.number("SELECT count(*) FROM sqlite_schema") == 0
    if isNew {
      try makeTables()
    } else if try database.number("PRAGMA application_id") != Self.applicationID {
      throw .damaged
    } else if try database.number("PRAGMA user_version") > Self.version {
      throw .newer
    }
    statements = try Statements(database)
  }

  private func makeTables() throws(DatabaseError) {
    try database.transaction { () throws(DatabaseError) in
      try database.run(
        """
        PRAGMA application_id = \(Self.applicationID); PRAGMA user_version = \(Self.version);
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

  /// What is stored; nil when that is nothing yet.
  ///
  /// - Throws: Why it can't be read, or that it is damaged.
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
    links = []
    let count = try database.number("SELECT max(id) FROM revision") + 1
    guard count <= HistoryPlace.largestHistory else { throw .damaged }
    history.revisions.reserveCapacity(count)
    links.reserveCapacity(count)
    let rows = try database.prepare(
      """
      SELECT id, parent, preferred, run, time, flags, name, title, context, changes, hash, link,
        checksum FROM revision ORDER BY id
      """)
    var checksums: [(link: Int, row: Int)] = []
    history.bytes.reserveCapacity(place.byteCount)
    history.ends.reserveCapacity(3 * count)
    checksums.reserveCapacity(count)
    while try rows.step() {
      history.revisions.append(try revision(rows, id: history.revisions.count))
      checksums.append((rows.int(11), rows.int(12)))
      for column: Int32 in 7...9 {
        rows.withBytes(column) { history.bytes.append($0, in: 0..<$0.byteCount) }
        history.ends.append(history.bytes.count)
      }
    }
    for id in history.revisions.indices {
      try check(history.revisions[id], history.bytes(of: id), checksums[id])
    }
    let revisions = history.revisions
    for index in revisions.indices {
      // What is preferred is no text: where it makes no sense it is the newest.
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

  /// What is told of a revision in a row, without its bytes.
  private func revision(_ row: Statement, id: Int) throws(DatabaseError) -> StoredRevision {
    let parent = row.isNull(1) ? nil : row.int(1)
    guard row.int(0) == id, parent == nil ? id == 0 : (0..<id).contains(parent ?? id) else {
      throw .damaged
    }
    let flags = Flags(rawValue: row.int(5))
    return StoredRevision(
      id: id,
      record: RevisionRecord(
        parent: parent, preferredChild: row.isNull(2) ? nil : row.int(2), name: row.text(6),
        time: Double(row.int(4)) / 1000, isCheckpoint: flags.contains(.isCheckpoint),
        wasSaved: flags.contains(.wasSaved), isDropped: flags.contains(.isDropped)),
      run: row.int(3),
      hash: row.isNull(10) ? nil : ContentHash(stored: row.bytes(10)))
  }

  /// Throws unless a revision is what was stored.
  private func check(
    _ revision: StoredRevision, _ bytes: StoredBytes, _ stored: (link: Int, row: Int)
  ) throws(DatabaseError) {
    let link = link(of: revision, bytes)
    guard link == stored.link, checksum(of: revision, bytes, link: link) == stored.row else {
      throw .damaged
    }
    links.append(link)
  }

  /// The text as first opened.
  ///
  /// - Throws: That it is damaged, or can't be read.
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

  /// Writes what has changed, all of it or nothing.
  ///
  /// - Throws: Why nothing is written.
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

  private func put(_ update: HistoryUpdate) throws(DatabaseError) {
    guard let statements else { return }
    if let text = update.firstText { try put(text) }
    if !hasRun {
      let statement = try database.prepare("INSERT OR REPLACE INTO run VALUES (?, ?)")
      statement.bind(1, run)
      statement.bind(2, update.start)
      try statement.run()
    }
    if links.count > update.count {
      links.removeSubrange(update.count...)
      statements.removal.bind(1, update.count)
      try statements.removal.run()
    }
    for (revision, bytes) in update.revisions { try put(revision, bytes, statements.revision) }
    for (revision, bytes) in update.details { try putDetails(revision, bytes, statements.details) }
    let state = statements.state
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

  private func put(
    _ revision: StoredRevision, _ bytes: StoredBytes, _ row: Statement
  ) throws(DatabaseError) {
    let id = revision.id
    let link = link(of: revision, bytes)
    if id == links.count { links.append(link) } else { links[id] = link }
    row.bind(1, id)
    row.bind(2, revision.record.parent)
    bindDetails(revision, bytes, row, from: 3)
    row.bind(10, bytes.changes)
    row.bind(11, revision.hash?.bytes)
    row.bind(12, link)
    row.bind(13, checksum(of: revision, bytes, link: link))
    try row.run()
  }

  private func putDetails(
    _ revision: StoredRevision, _ bytes: StoredBytes, _ row: Statement
  ) throws(DatabaseError) {
    bindDetails(revision, bytes, row, from: 1)
    row.bind(8, revision.hash?.bytes)
    row.bind(9, checksum(of: revision, bytes, link: links[revision.id]))
    row.bind(10, revision.id)
    try row.run()
  }

  /// Binds what can change without the changes.
  private func bindDetails(
    _ revision: StoredRevision, _ bytes: StoredBytes, _ row: Statement, from first: Int32
  ) {
    let record = revision.record
    row.bind(first, record.preferredChild)
    row.bind(first + 1, revision.run)
    row.bind(first + 2, Self.milliseconds(record.time))
    row.bind(first + 3, Flags(record).rawValue)
    row.bind(first + 4, record.name)
    row.bind(first + 5, bytes.title)
    row.bind(first + 6, bytes.context)
  }

  // MARK: - Checksums

  private func link(of revision: StoredRevision, _ bytes: StoredBytes) -> Int {
    let parent = revision.record.parent.map { links[$0] } ?? 0
    let place = ContentHash.short([revision.id, parent, 0, 0, 0, 0, 0, 0])
    return ContentHash.short(bytes.changes, seed: place)
  }

  private func checksum(of revision: StoredRevision, _ bytes: StoredBytes, link: Int) -> Int {
    let record = revision.record
    var hash = ContentHash.short([
      link, record.parent ?? -1, revision.run, Self.milliseconds(record.time),
      Flags(record).rawValue, record.name == nil ? 0 : 1, bytes.title.count,
      bytes.context.count,
    ])
    if let name = record.name { hash = ContentHash.short(Array(name.utf8)[...], seed: hash) }
    hash = ContentHash.short(bytes.title, seed: hash)
    hash = ContentHash.short(bytes.context, seed: hash)
    return ContentHash.short(revision.hash.map { $0.bytes[...] } ?? [], seed: hash)
  }

  private static func checksum(_ path: [UInt8], _ length: Int, _ current: Int, _ saved: Int?) -> Int
  {
    var bytes = path
    for number in [length, current, saved ?? -1] { bytes.append(word: number) }
    return ContentHash.short(bytes[...])
  }

  private static func milliseconds(_ time: Double) -> Int { Int((time * 1000).rounded()) }

  private struct Flags: OptionSet {
    var rawValue: Int

    static let isCheckpoint = Flags(rawValue: 1)
    static let wasSaved = Flags(rawValue: 2)
    static let isDropped = Flags(rawValue: 4)

    init(rawValue: Int) { self.rawValue = rawValue }

    init(_ record: RevisionRecord) {
      self = []
      if record.isCheckpoint { insert(.isCheckpoint) }
      if record.wasSaved { insert(.wasSaved) }
      if record.isDropped { insert(.isDropped) }
    }
  }
}
