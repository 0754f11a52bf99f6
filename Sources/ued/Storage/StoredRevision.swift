import TextBuffer

/// A revision as a row of the table `revision`.
struct StoredRevision: Sendable {
  var id: Int
  var record: RevisionRecord
  /// The run that created it, counted from 1.
  var run: Int
  /// The content hash of its text, if it was saved or is the first revision.
  var hash: ContentHash?
  /// The description of the group in UTF-8; empty if it has none.
  var title: ArraySlice<UInt8> = []
  /// The serialized contexts; see `StoredContexts.bytes`.
  var context: ArraySlice<UInt8> = []
  /// The serialized changes, see `StoredChanges`; empty for the first revision. Nil if a row was
  /// read without its long changes, or an update keeps the stored ones.
  var changes: ArraySlice<UInt8>? = []
  /// Whether `changes` are compressed, in a row about to be written.
  private(set) var isDeflated = false
  /// A hash of the changes and the parent's link, so it covers the changes of all ancestors.
  var link = 0
  /// A hash of the other columns except `preferred`, which is validated instead.
  var checksum = 0
  /// The identities of the runs that the group undoes, stored in their own table; empty after
  /// reading.
  var undone: [String] = []

  init(
    id: Int, record: RevisionRecord, run: Int, hash: ContentHash? = nil,
    title: ArraySlice<UInt8> = [], context: ArraySlice<UInt8> = [],
    changes: ArraySlice<UInt8>? = []
  ) {
    (self.id, self.record, self.run, self.hash) = (id, record, run, hash)
    (self.title, self.context, self.changes) = (title, context, changes)
  }

  /// Reads a row of `selection`.
  ///
  /// - Throws: `damaged` if it is not a valid row of revision `id`, or its checksum is wrong.
  init(_ row: Statement, id: Int) throws(StorageError) {
    self.init(id: id, record: RevisionRecord(parent: nil), run: 0)
    for (index, column) in Self.columns.enumerated() { try column.read(&self, row, Int32(index)) }
    guard record.parent.map({ (0..<id).contains($0) }) ?? (id == 0), self.id == id,
      (1..<HistoryPlace.largestHistory).contains(run), checksum == rowChecksum
    else { throw .damaged }
  }

  /// Binds all columns to `insertion` or `update`.
  func bind(to statement: Statement) {
    for (index, column) in Self.columns.enumerated() {
      if changes == nil && column.update == nil && index > 0 { continue }
      column.bind(self, statement, Int32(index + 1))
    }
  }

  // MARK: - Columns

  /// A column of the table: its name and type, and how to bind and read its value.
  private struct Column: Sendable {
    let name, type: String
    /// The SQL expression in `update`; `?` is the new value. Nil if the column stays the same.
    var update: String?
    let bind: @Sendable (StoredRevision, Statement, Int32) -> Void
    let read: @Sendable (inout StoredRevision, Statement, Int32) throws(StorageError) -> Void
  }

  /// All columns, the long one last.
  private static let columns: [Column] = [
    Column(name: "id", type: "INTEGER PRIMARY KEY") {
      $1.bind($2, $0.id)
    } read: {
      $0.id = $1.int($2)
    },
    Column(name: "parent", type: "INTEGER") {
      $1.bind($2, $0.record.parent)
    } read: {
      $0.record.parent = $1.optionalInt($2)
    },
    Column(name: "preferred", type: "INTEGER", update: "?") {
      $1.bind($2, $0.record.preferredChild)
    } read: {
      $0.record.preferredChild = $1.optionalInt($2)
    },
    Column(name: "run", type: "INTEGER", update: "?") {
      $1.bind($2, $0.run)
    } read: {
      $0.run = $1.int($2)
    },
    Column(name: "time", type: "INTEGER", update: "?") {
      $1.bind($2, StoredTime($0.record.time).milliseconds)
    } read: { (row, statement, index) throws(StorageError) in
      row.record.time = try StoredTime(stored: statement.int(index)).seconds
    },
    Column(name: "flags", type: "INTEGER", update: "? | (flags & \(deflatedFlag))") {
      $1.bind($2, $0.flags | ($0.isDeflated ? deflatedFlag : 0))
    } read: {
      $0.record.wasSaved = $1.int($2) & savedFlag != 0
      $0.record.isDropped = $1.int($2) & droppedFlag != 0
    },
    Column(name: "name", type: "TEXT", update: "?") {
      $1.bind($2, $0.record.name.map { Array($0.utf8) })
    } read: {
      $0.record.name = $1.text($2)
    },
    Column(name: "title", type: "BLOB", update: "?") {
      $1.bind($2, Array($0.title))
    } read: {
      $0.title = $1.bytes($2)[...]
    },
    Column(name: "context", type: "BLOB", update: "?") {
      $1.bind($2, Array($0.context))
    } read: {
      $0.context = $1.bytes($2)[...]
    },
    Column(name: "hash", type: "BLOB", update: "?") {
      $1.bind($2, $0.hash?.bytes)
    } read: {
      $0.hash = ContentHash(stored: $1.bytes($2))
    },
    Column(name: "link", type: "INTEGER") {
      $1.bind($2, $0.link)
    } read: {
      $0.link = $1.int($2)
    },
    Column(name: "checksum", type: "INTEGER", update: "?") {
      $1.bind($2, $0.checksum)
    } read: {
      $0.checksum = $1.int($2)
    },
    Column(name: "changes", type: "BLOB") {
      $1.bind($2, $0.changes.map { Array($0) })
    } read: {
      $0.changes = $1.isNull($2) ? nil : $1.bytes($2)[...]
    },
  ]

  private static let savedFlag = 2
  /// The flag of a revision dropped from the tree.
  static let droppedFlag = 4
  /// The flag of a row with compressed changes.
  static let deflatedFlag = 8

  private var flags: Int {
    (record.wasSaved ? Self.savedFlag : 0) | (record.isDropped ? Self.droppedFlag : 0)
  }

  // MARK: - Statements

  static let table =
    "CREATE TABLE revision ("
    + columns.map { "\($0.name) \($0.type)" }.joined(separator: ", ") + ")"

  /// Selects a range of revisions, without long or compressed changes.
  static let selection =
    "SELECT " + columns.dropLast().map(\.name).joined(separator: ", ")
      + """
      , CASE WHEN flags & \(deflatedFlag) = 0 AND length(changes) <= \(longChanges) THEN changes END
      FROM revision WHERE id >= ? AND id < ? ORDER BY id
      """

  /// Inserts a row. Parameters have the order of the columns.
  static let insertion =
    "INSERT OR REPLACE INTO revision VALUES ("
    + columns.map { _ in "?" }.joined(separator: ", ") + ")"

  /// Updates a row whose changes stay the same: all but `id`, `parent`, `link` and `changes`.
  static let update =
    "UPDATE revision SET "
    + columns.enumerated().compactMap { index, column in
      column.update.map { "\(column.name) = ?\(index + 1)\($0.dropFirst())" }
    }.joined(separator: ", ") + " WHERE id = ?1"

  // MARK: - Changes

  /// The size in bytes above which changes are long.
  static let longChanges = 1024
  /// Compresses long changes, if that makes them shorter.
  mutating func deflate() {
    guard !isDeflated, let long = changes, long.count > Self.longChanges,
      let packed = Deflate.compress(long)
    else { return }
    var bytes: [UInt8] = []
    bytes.append(varint: long.count)
    (changes, isDeflated) = ((bytes + packed)[...], true)
  }

  /// Expands compressed changes; throws `damaged` if they are corrupt.
  static func inflate(_ bytes: ArraySlice<UInt8>) throws(StorageError) -> ArraySlice<UInt8> {
    var reader = VarintReader(bytes)
    guard let count = reader.next(), count <= HistoryPlace.largestGroup else { throw .damaged }
    try Statement.askForMemory(count)
    guard let expanded = Deflate.expand(reader.rest, count: count) else { throw .damaged }
    return expanded[...]
  }

  // MARK: - Checksums

  /// Sets link and checksum from the link of the parent, 0 for the first revision.
  ///
  /// - Precondition: The changes are known.
  mutating func seal(parentLink: Int) {
    link = Self.link(of: id, changes ?? [], parentLink: parentLink)
    checksum = rowChecksum
  }

  /// Sets the checksum of a row whose changes, and so its link, stay the same.
  mutating func seal(link: Int) {
    self.link = link
    checksum = rowChecksum
  }

  /// The link of a revision, from its changes and the link of its parent.
  static func link(of id: Int, _ changes: ArraySlice<UInt8>, parentLink: Int) -> Int {
    let place = ContentHash.short([id, parentLink, 0, 0, 0, 0, 0, 0])
    return ContentHash.short(changes, seed: place)
  }

  private var rowChecksum: Int {
    var hash = ContentHash.short([
      link, record.parent ?? -1, run, StoredTime(record.time).milliseconds, flags,
      record.name == nil ? 0 : 1, title.count, context.count,
    ])
    if let name = record.name { hash = ContentHash.short(Array(name.utf8)[...], seed: hash) }
    for part in [title, context, self.hash.map { $0.bytes[...] } ?? []] {
      hash = ContentHash.short(part, seed: hash)
    }
    return hash
  }
}

extension StoredRevision {
  /// The description of the group; empty if none is stored.
  var description: ArraySlice<UInt8> {
    // Descriptions stored by ued have no control characters.
    title.allSatisfy { 0x20..<0x7F ~= $0 }
      ? title : Array(GroupNames.readable(title).utf8)[...]
  }

  /// The record with a name that can be shown.
  var readableRecord: RevisionRecord {
    var record = record
    record.name = record.name.map { GroupNames.readable($0.utf8) }
    return record
  }
}
