import TextBuffer

/// How a revision is written to a row of the table `revision`, and read from it.
enum RevisionRow {
  /// The columns, in the order in which statements name them.
  enum Column: Int32 {
    case id, parent, preferred, run, time, flags, name, title, context, changes, hash, link,
      checksum
  }

  private static let columns =
    "id, parent, preferred, run, time, flags, name, title, context, changes, hash, link, checksum"

  static let selection = "SELECT \(columns) FROM revision ORDER BY id"
  /// The parameter of a column is numbered as the column, from 1.
  static let insertion =
    "INSERT OR REPLACE INTO revision (\(columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
  /// Writes all that can change while the changes stay.
  static let update = """
    UPDATE revision SET preferred = ?3, run = ?4, time = ?5, flags = ?6, name = ?7, title = ?8,
      context = ?9, hash = ?11, checksum = ?13 WHERE id = ?1
    """

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

  // MARK: - Rows

  /// The revision of a row, but for its bytes.
  ///
  /// - Throws: That the row makes no sense as number `id`.
  static func revision(_ row: Statement, id: Int) throws(DatabaseError) -> StoredRevision {
    func number(_ column: Column) -> Int { row.int(column.rawValue) }
    func optional(_ column: Column) -> Int? {
      row.isNull(column.rawValue) ? nil : number(column)
    }
    let parent = optional(.parent)
    guard number(.id) == id, parent == nil ? id == 0 : (0..<id).contains(parent ?? id) else {
      throw .damaged
    }
    let flags = Flags(rawValue: number(.flags))
    let hash = Column.hash.rawValue
    return StoredRevision(
      id: id,
      record: RevisionRecord(
        parent: parent, preferredChild: optional(.preferred),
        name: row.text(Column.name.rawValue), time: Double(number(.time)) / 1000,
        isCheckpoint: flags.contains(.isCheckpoint), wasSaved: flags.contains(.wasSaved),
        isDropped: flags.contains(.isDropped)),
      run: number(.run), hash: row.isNull(hash) ? nil : ContentHash(stored: row.bytes(hash)))
  }

  /// The checksums of a row.
  static func checksums(_ row: Statement) -> Checksums {
    Checksums(
      link: row.int(Column.link.rawValue), row: row.int(Column.checksum.rawValue))
  }

  /// Gives a statement the values of a row.
  static func bind(_ revision: StoredRevision, _ checksums: Checksums, to row: Statement) {
    let record = revision.record
    func parameter(_ column: Column) -> Int32 { column.rawValue + 1 }
    row.bind(parameter(.id), revision.id)
    row.bind(parameter(.parent), record.parent)
    row.bind(parameter(.preferred), record.preferredChild)
    row.bind(parameter(.run), revision.run)
    row.bind(parameter(.time), milliseconds(record.time))
    row.bind(parameter(.flags), Flags(record).rawValue)
    row.bind(parameter(.name), record.name)
    row.bind(parameter(.title), revision.title)
    row.bind(parameter(.context), revision.context)
    row.bind(parameter(.changes), revision.changes)
    row.bind(parameter(.hash), revision.hash?.bytes)
    row.bind(parameter(.link), checksums.link)
    row.bind(parameter(.checksum), checksums.row)
  }

  private static func milliseconds(_ time: Double) -> Int { Int((time * 1000).rounded()) }

  // MARK: - Checksums

  /// What tells that a row, and all rows that it builds on, are as they were written.
  struct Checksums: Equatable {
    /// A hash of the changes and of the link of the parent.
    let link: Int
    /// A hash of the rest of the row but `preferred`, which is only believed when it makes sense.
    let row: Int

    fileprivate init(link: Int, row: Int) {
      self.link = link
      self.row = row
    }

    /// Those of a revision whose parent has this link, 0 for the first one.
    init(of revision: StoredRevision, parentLink: Int) {
      let place = ContentHash.short([revision.id, parentLink, 0, 0, 0, 0, 0, 0])
      self.init(of: revision, link: ContentHash.short(revision.changes, seed: place))
    }

    /// Those of a revision whose changes are as they were stored.
    init(of revision: StoredRevision, link: Int) {
      let record = revision.record
      var hash = ContentHash.short([
        link, record.parent ?? -1, revision.run, milliseconds(record.time),
        Flags(record).rawValue, record.name == nil ? 0 : 1, revision.title.count,
        revision.context.count,
      ])
      if let name = record.name { hash = ContentHash.short(Array(name.utf8)[...], seed: hash) }
      for part in [revision.title, revision.context, revision.hash.map { $0.bytes[...] } ?? []] {
        hash = ContentHash.short(part, seed: hash)
      }
      self.init(link: link, row: hash)
    }
  }
}
