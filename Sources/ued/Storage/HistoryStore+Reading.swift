import TextBuffer

/// Reading revisions and runs one by one, so that a long history costs no more than a short one.
extension HistoryStore {
  /// The statements that read.
  struct ReadingStatements {
    let rows, changes, link, branch, children, hash, start: Statement
    /// Those that read packed columns; nil where none are.
    let packedBlock, packedChanges: Statement?

    init(_ database: Database) throws(DatabaseError) {
      rows = try database.prepare(RevisionRow.selectionOfBlock)
      changes = try database.prepare("SELECT changes FROM revision WHERE id = ?")
      link = try database.prepare("SELECT link, parent, flags FROM revision WHERE id = ?")
      branch = try database.prepare(
        """
        SELECT max(id) FROM revision WHERE parent = ?1 AND parent <> id - 1 AND id < ?2
          AND flags & \(RevisionRow.droppedFlag) = 0
        """)
      children = try database.prepare(
        """
        SELECT parent, max(id) FROM revision
        WHERE parent >= ?1 AND parent < ?2 AND parent <> id - 1 AND id < ?3
          AND flags & \(RevisionRow.droppedFlag) = 0 GROUP BY parent
        """)
      hash = try database.prepare(
        """
        SELECT max(id) FROM revision
        WHERE hash = ? AND hash IS NOT NULL AND flags & \(RevisionRow.droppedFlag) = 0
        """)
      start = try database.prepare(HistoryStore.selectionByStart)
      let isPacked = try database.number("PRAGMA user_version") >= HistoryStore.packedVersion
      packedBlock =
        try isPacked
        ? database.prepare("SELECT size, bytes FROM packed_block WHERE number = ?") : nil
      packedChanges =
        try isPacked ? database.prepare("SELECT size, bytes FROM packed_changes WHERE id = ?") : nil
    }
  }

  /// What finds revisions without a look at all of them. Databases of earlier versions get it when they are opened.
  static let indices = HistorySchema.indices

  /// The open database's statements that read.
  func reading() throws(DatabaseError) -> ReadingStatements {
    if let readingStatements { return readingStatements }
    let made = try ReadingStatements(connection)
    readingStatements = made
    return made
  }

  /// Reads some revisions without changes that are long, and verifies their checksums but not their links.
  ///
  /// - Parameters:
  ///   - ids: Their numbers.
  ///   - count: The number of revisions, beyond which others may have been added.
  /// - Throws: `damaged` if they are corrupt.
  /// - Returns: All of them, with their newest children and older siblings.
  func revisions(
    _ ids: Range<Int>, of count: Int
  ) throws(DatabaseError) -> [StoredRevision] {
    var revisions = try rows(ids)
    try findChildren(of: &revisions, ids, count: count)
    return revisions
  }

  /// Reads some revisions as `revisions(_:of:)` does, without their children and siblings.
  func rows(_ ids: Range<Int>) throws(DatabaseError) -> [StoredRevision] {
    let rows = try reading().rows
    var revisions: [StoredRevision] = []
    revisions.reserveCapacity(ids.count)
    rows.bind(1, ids.lowerBound)
    rows.bind(2, ids.upperBound)
    do throws(DatabaseError) {
      while try rows.step() {
        let id = ids.lowerBound + revisions.count
        var revision = try RevisionRow.revision(rows, id: id)
        revision.lacksChanges = try !unpack(&revision, from: rows)
        let checksums = RevisionRow.Checksums(rows)
        guard RevisionRow.Checksums(of: revision, link: checksums.link) == checksums else {
          throw .damaged
        }
        revision.link = checksums.link
        revisions.append(revision)
      }
    } catch {
      rows.reset()
      throw error
    }
    guard revisions.count == ids.count else { throw .damaged }
    return revisions
  }

  /// Finds the newest child and the older sibling of each of some revisions next to each other.
  private func findChildren(
    of revisions: inout [StoredRevision], _ ids: Range<Int>, count: Int
  ) throws(DatabaseError) {
    /// The newest child that is not the next revision.
    var branches: [Int: Int] = [:]
    let children = try reading().children
    children.bind(1, ids.lowerBound)
    children.bind(2, ids.upperBound)
    children.bind(3, count)
    while try children.step() { branches[children.int(0)] = children.int(1) }
    for id in ids {
      let index = id - ids.lowerBound
      let isNextChild =
        id + 1 == ids.upperBound
        ? try isChild(id + 1, of: id, count: count)
        : revisions[index + 1].record.parent == id && !revisions[index + 1].record.isDropped
      revisions[index].record.newestChild = isNextChild ? id + 1 : nil
      if let branch = branches[id], try isChild(branch, of: id, count: count) {
        revisions[index].record.newestChild = branch
      }
      // Checksums do not cover the preferred child: an invalid one is ignored.
      if let child = revisions[index].record.preferredChild, child != id,
        try !isChild(child, of: id, count: count)
      {
        revisions[index].record.preferredChild = nil
      }
      guard let parent = revisions[index].record.parent, parent != id - 1,
        !revisions[index].record.isDropped
      else { continue }
      revisions[index].record.olderSibling = try olderSibling(of: id, childOf: parent)
    }
  }

  private func olderSibling(of id: Int, childOf parent: Int) throws(DatabaseError) -> Int? {
    let branch = try reading().branch
    branch.bind(1, parent)
    branch.bind(2, id)
    defer { branch.reset() }
    if try branch.step(), !branch.isNull(0), try isChild(branch.int(0), of: parent, count: id) {
      return branch.int(0)
    }
    return try isChild(parent + 1, of: parent, count: id) ? parent + 1 : nil
  }

  private func isChild(_ id: Int, of parent: Int, count: Int) throws(DatabaseError) -> Bool {
    guard parent < id, id < count else { return false }
    let row = try reading().link
    row.bind(1, id)
    defer { row.reset() }
    return try row.step() && row.int(1) == parent && row.int(2) & RevisionRow.droppedFlag == 0
  }

  /// Reads the serialized changes of a revision, which are not verified.
  func changes(of id: Int) throws(DatabaseError) -> ArraySlice<UInt8> {
    let row = try reading().changes
    row.bind(1, id)
    defer { row.reset() }
    try row.needRow()
    return try row.isNull(0) ? packedChanges(of: id) : row.largeBytes(0)[...]
  }

  /// The link of a stored revision.
  func link(of id: Int) throws(DatabaseError) -> Int {
    if let link = links[id] { return link }
    let row = try reading().link
    row.bind(1, id)
    defer { row.reset() }
    try row.needRow()
    links[id] = row.int(0)
    return row.int(0)
  }

  /// The last revision in the tree whose text has a content hash; its row is not verified.
  func revision(with hash: ContentHash) throws(DatabaseError) -> Int? {
    let row = try reading().hash
    row.bind(1, hash.bytes)
    defer { row.reset() }
    return try row.step() && !row.isNull(0) ? row.int(0) : nil
  }

  /// The last revision in the tree with a content hash; its row is not verified.
  func lastHashed() throws(DatabaseError) -> Int {
    try connection.number(
      """
      SELECT id FROM revision
      WHERE hash IS NOT NULL AND flags & \(RevisionRow.droppedFlag) = 0 ORDER BY id DESC LIMIT 1
      """)
  }

  /// Whether a run began at a revision.
  func isStart(_ id: Int) throws(DatabaseError) -> Bool {
    let row = try reading().start
    row.bind(1, id)
    defer { row.reset() }
    return try row.step() && row.int(0) > 0
  }
}
