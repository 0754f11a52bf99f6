import TextBuffer

/// Reading single revisions and runs on demand, so that a long history costs no more than a short
/// one.
extension HistoryStore {
  struct ReadingStatements {
    let rows, changes, link, branch, children, hash, start: Statement

    init(_ database: Database) {
      rows = database.statement(StoredRevision.selection)
      changes = database.statement("SELECT changes, flags FROM revision WHERE id = ?")
      link = database.statement("SELECT link, parent, flags FROM revision WHERE id = ?")
      branch = database.statement(
        """
        SELECT max(id) FROM revision WHERE parent = ?1 AND parent <> id - 1 AND id < ?2
          AND flags & \(StoredRevision.droppedFlag) = 0
        """)
      children = database.statement(
        """
        SELECT parent, max(id) FROM revision
        WHERE parent >= ?1 AND parent < ?2 AND parent <> id - 1 AND id < ?3
          AND flags & \(StoredRevision.droppedFlag) = 0 GROUP BY parent
        """)
      hash = database.statement(
        """
        SELECT max(id) FROM revision
        WHERE hash = ? AND hash IS NOT NULL AND flags & \(StoredRevision.droppedFlag) = 0
        """)
      start = database.statement("SELECT count(*) FROM run WHERE start = ?")
    }
  }

  /// The reading statements of the open database.
  func reading() throws(StorageError) -> ReadingStatements {
    if let readingStatements { return readingStatements }
    let made = ReadingStatements(try connection)
    readingStatements = made
    return made
  }

  /// Reads some revisions, without long changes, but with their newest children and older siblings
  /// among the first `count` revisions; other runs may have added more. Verifies checksums, but not
  /// links.
  ///
  /// - Throws: `damaged` if a revision is corrupt.
  func revisions(
    _ ids: Range<Int>, of count: Int
  ) throws(StorageError) -> [StoredRevision] {
    var revisions = try rows(ids)
    try findChildren(of: &revisions, ids, count: count)
    return revisions
  }

  /// Reads some revisions as `revisions(_:of:)` does, without their children and siblings.
  func rows(_ ids: Range<Int>) throws(StorageError) -> [StoredRevision] {
    let rows = try reading().rows
    var revisions: [StoredRevision] = []
    revisions.reserveCapacity(ids.count)
    rows.bind(1, ids.lowerBound)
    rows.bind(2, ids.upperBound)
    do throws(StorageError) {
      while try rows.step() {
        revisions.append(try StoredRevision(rows, id: ids.lowerBound + revisions.count))
      }
    } catch {
      rows.reset()
      throw error
    }
    guard revisions.count == ids.count else { throw .damaged }
    return revisions
  }

  /// Sets the newest child and the older sibling of each of some consecutive revisions, and removes
  /// invalid preferred children.
  private func findChildren(
    of revisions: inout [StoredRevision], _ ids: Range<Int>, count: Int
  ) throws(StorageError) {
    /// For each parent, the newest child other than the next revision.
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
      // Neither the first revision nor one with children can leave the tree.
      if revisions[index].record.isDropped,
        id == 0 || revisions[index].record.newestChild != nil
      {
        throw .damaged
      }
      // Checksums do not cover the preferred child, so an invalid one does not prove damage.
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

  private func olderSibling(of id: Int, childOf parent: Int) throws(StorageError) -> Int? {
    let branch = try reading().branch
    branch.bind(1, parent)
    branch.bind(2, id)
    defer { branch.reset() }
    if try branch.step(), !branch.isNull(0), try isChild(branch.int(0), of: parent, count: id) {
      return branch.int(0)
    }
    return try isChild(parent + 1, of: parent, count: id) ? parent + 1 : nil
  }

  private func isChild(_ id: Int, of parent: Int, count: Int) throws(StorageError) -> Bool {
    guard parent < id, id < count else { return false }
    let row = try reading().link
    row.bind(1, id)
    defer { row.reset() }
    return try row.step() && row.int(1) == parent && row.int(2) & StoredRevision.droppedFlag == 0
  }

  /// Reads the serialized changes of a revision, without verifying them.
  func changes(of id: Int) throws(StorageError) -> ArraySlice<UInt8> {
    let row = try reading().changes
    row.bind(1, id)
    defer { row.reset() }
    try row.needRow()
    if row.isNull(0) { throw .damaged }
    let bytes = try row.largeBytes(0)[...]
    return row.int(1) & StoredRevision.deflatedFlag == 0 ? bytes : try StoredRevision.inflate(bytes)
  }

  func link(of id: Int) throws(StorageError) -> Int {
    if let link = links[id] { return link }
    let row = try reading().link
    row.bind(1, id)
    defer { row.reset() }
    try row.needRow()
    links[id] = row.int(0)
    return row.int(0)
  }

  /// The last revision in the tree whose text has this content hash, or nil. Its row is not
  /// verified.
  func revision(with hash: ContentHash) throws(StorageError) -> Int? {
    let row = try reading().hash
    row.bind(1, hash.bytes)
    defer { row.reset() }
    return try row.step() && !row.isNull(0) ? row.int(0) : nil
  }

  /// The last revision in the tree with a stored content hash, or 0. Its row is not verified.
  func lastHashed() throws(StorageError) -> Int {
    try connection.number(
      """
      SELECT id FROM revision
      WHERE hash IS NOT NULL AND flags & \(StoredRevision.droppedFlag) = 0 ORDER BY id DESC LIMIT 1
      """)
  }

  func isStart(_ id: Int) throws(StorageError) -> Bool {
    let row = try reading().start
    row.bind(1, id)
    defer { row.reset() }
    return try row.step() && row.int(0) > 0
  }
}

// MARK: - First text

/// The text as first opened, stored in parts.
extension HistoryStore {
  private static let bytesPerPart = 1 << 20

  /// Loads the text as first opened, and verifies it against `hash`. `usesCRLF` tells whether its
  /// lines end with CR LF in the file.
  ///
  /// - Throws: `damaged` if the text is corrupt; `outOfMemory` if memory is short for it.
  func firstText(hash: ContentHash?, usesCRLF: Bool) throws(StorageError) -> PieceTable {
    try Statement.askForMemory(firstLength)
    var builder = PieceTable.Builder(from: PieceTable())
    let parts = try connection.prepare("SELECT part, bytes, checksum FROM text ORDER BY part")
    while try parts.step() {
      let bytes = parts.bytes(1)
      guard ContentHash.short(bytes[...]) == parts.int(2) else { throw .damaged }
      builder.append(bytes)
    }
    let text = builder.finish()
    guard text.byteCount == firstLength, ContentHash(of: text, usesCRLF: usesCRLF) == hash
    else { throw .damaged }
    return text
  }

  func put(_ text: PieceTable, into database: Database) throws(StorageError) {
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
}
