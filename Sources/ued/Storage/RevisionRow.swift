import TextBuffer

/// Reading and writing rows of the table `revision`.
enum RevisionRow {
  /// The columns, in the order of all statements.
  enum Column: Int32 {
    case id, parent, preferred, run, time, flags, name, title, context, changes, hash, link,
      checksum
  }

  private static let columns =
    "id, parent, preferred, run, time, flags, name, title, context, changes, hash, link, checksum"

  /// The size in bytes above which changes are long.
  static let longChanges = 1024

  /// Selects revisions next to each other, without changes that are long.
  static let selectionOfBlock = """
    SELECT id, parent, preferred, run, time, flags, name, title, context,
      CASE WHEN length(changes) <= \(longChanges) THEN changes END, hash, link, checksum
    FROM revision WHERE id >= ? AND id < ? ORDER BY id
    """
  static let selectionByID = "SELECT \(columns) FROM revision WHERE id = ?"
  /// Parameters are numbered as the columns, from 1.
  static let insertion =
    "INSERT OR REPLACE INTO revision (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
  /// Updates the columns that can change while the changes do not.
  static let update = """
    UPDATE revision SET preferred = ?3, run = ?4, time = ?5, flags = ?6, name = ?7, title = ?8,
      context = ?9, hash = ?11, checksum = ?13 WHERE id = ?1
    """

  private struct Flags: OptionSet {
    var rawValue: Int
    static let isCheckpoint = Flags(rawValue: 1)
    static let wasSaved = Flags(rawValue: 2)
    static let isDropped = Flags(rawValue: 4)
  }

  /// The flag of a revision that is no longer part of the tree.
  static let droppedFlag = Flags.isDropped.rawValue

  private static func flags(_ revision: StoredRevision) -> Flags {
    var flags: Flags = []
    if revision.isCheckpoint { flags.insert(.isCheckpoint) }
    if revision.record.wasSaved { flags.insert(.wasSaved) }
    if revision.record.isDropped { flags.insert(.isDropped) }
    return flags
  }

  // MARK: - Rows

  /// The revision of a row, without title, context and changes.
  ///
  /// - Throws: `damaged` if its ids are invalid for revision `id`.
  static func revision(_ row: Statement, id: Int) throws(DatabaseError) -> StoredRevision {
    func number(_ column: Column) -> Int { row.int(column.rawValue) }
    func optional(_ column: Column) -> Int? {
      row.isNull(column.rawValue) ? nil : number(column)
    }
    let parent = optional(.parent)
    guard number(.id) == id, parent.map({ (0..<id).contains($0) }) ?? (id == 0),
      (1..<HistoryPlace.largestHistory).contains(number(.run))
    else { throw .damaged }
    let flags = Flags(rawValue: number(.flags))
    let hash = Column.hash.rawValue
    return StoredRevision(
      id: id,
      record: RevisionRecord(
        parent: parent, preferredChild: optional(.preferred),
        name: row.text(Column.name.rawValue), time: try StoredTime(stored: number(.time)).seconds,
        wasSaved: flags.contains(.wasSaved), isDropped: flags.contains(.isDropped)),
      isCheckpoint: flags.contains(.isCheckpoint), run: number(.run),
      hash: row.isNull(hash) ? nil : ContentHash(stored: row.bytes(hash)))
  }

  /// Binds the values of a row to a statement.
  static func bind(_ revision: StoredRevision, _ checksums: Checksums, to row: Statement) {
    let record = revision.record
    func parameter(_ column: Column) -> Int32 { column.rawValue + 1 }
    row.bind(parameter(.id), revision.id)
    row.bind(parameter(.parent), record.parent)
    row.bind(parameter(.preferred), record.preferredChild)
    row.bind(parameter(.run), revision.run)
    row.bind(parameter(.time), milliseconds(record.time))
    row.bind(parameter(.flags), flags(revision).rawValue)
    row.bind(parameter(.name), record.name.map { Array($0.utf8) })
    row.bind(parameter(.title), Array(revision.title))
    row.bind(parameter(.context), Array(revision.context))
    row.bind(parameter(.changes), Array(revision.changes))
    row.bind(parameter(.hash), revision.hash?.bytes)
    row.bind(parameter(.link), checksums.link)
    row.bind(parameter(.checksum), checksums.row)
  }

  private static func milliseconds(_ time: Double) -> Int { StoredTime(time).milliseconds }

  // MARK: - Checksums

  /// The checksums of a row, which cover the row and the changes of all its ancestors.
  struct Checksums: Equatable {
    /// A hash of the changes and the parent's link.
    let link: Int
    /// A hash of the other columns except `preferred`, which is validated instead.
    let row: Int

    /// The stored checksums of a row.
    init(_ row: Statement) {
      link = row.int(Column.link.rawValue)
      self.row = row.int(Column.checksum.rawValue)
    }

    /// The checksums of a revision whose parent has this link; 0 for the first revision.
    init(of revision: StoredRevision, parentLink: Int) {
      self.init(
        of: revision,
        link: Self.link(of: revision.id, revision.changes, parentLink: parentLink))
    }

    /// The link of a revision with some changes whose parent has this link.
    static func link(of id: Int, _ changes: ArraySlice<UInt8>, parentLink: Int) -> Int {
      let place = ContentHash.short([id, parentLink, 0, 0, 0, 0, 0, 0])
      return ContentHash.short(changes, seed: place)
    }

    /// The checksums of a revision with unchanged changes, and so with the stored link.
    init(of revision: StoredRevision, link: Int) {
      let record = revision.record
      var hash = ContentHash.short([
        link, record.parent ?? -1, revision.run, milliseconds(record.time),
        flags(revision).rawValue, record.name == nil ? 0 : 1, revision.title.count,
        revision.context.count,
      ])
      if let name = record.name { hash = ContentHash.short(Array(name.utf8)[...], seed: hash) }
      for part in [revision.title, revision.context, revision.hash.map { $0.bytes[...] } ?? []] {
        hash = ContentHash.short(part, seed: hash)
      }
      self.link = link
      row = hash
    }
  }
}
