import UedZlib

/// Old revisions, compressed to make room for new ones.
///
/// The columns `title`, `context` and `changes` of old rows become NULL. Their values move to one
/// of two tables, created at first use:
///
/// - `packed_block`: a row for each block of 64 revisions, with all three columns, except long
///   changes.
/// - `packed_changes`: a row for each revision with long changes.
///
/// A column that has a value takes precedence, so a packed row can be changed like any other. The
/// checksums stay the same, and cover the unpacked values.
extension HistoryStore {
  /// The state of packing.
  struct Packing {
    /// The size in bytes of a database above which revisions are packed.
    var threshold = HistoryPlace.largestHistory / 4
    /// The next block to pack; nil while unknown.
    fileprivate var next: Int?
    /// The first revision whose changes may be long and not packed; known if `next` is.
    fileprivate var nextChanges = 0
    /// The number of bytes stored since revisions were last packed.
    fileprivate var storedByteCount = 0
    /// The last unpacked block.
    fileprivate var latest: PackedBlock?
  }

  /// The columns of a block of revisions.
  struct PackedBlock {
    fileprivate let number: Int
    fileprivate let columns:
      [(title: ArraySlice<UInt8>, context: ArraySlice<UInt8>, changes: ArraySlice<UInt8>?)]
  }

  /// The version of a database that has packed revisions.
  static let packedVersion = 2
  /// The number of revisions that are packed together.
  static let packedBlockCount = 64
  /// The number of the newest revisions that are never packed.
  private static let unpackedCount = 64
  /// The number of the newest revisions whose long changes are never packed. The last one may still grow.
  private static let unpackedChangesCount = 2
  /// The number of stored bytes after which revisions are packed.
  private static let packedStep = 1 << 16
  /// The number of bytes to pack at once while there is room enough; it takes some hundredths of a second.
  private static let largestPackedStep = 4 << 20
  /// The size in bytes of the largest block.
  private static let largestBlock = 1 << 20

  private static let tables = """
    PRAGMA user_version = \(packedVersion); \(HistorySchema.packed)
    """

  // MARK: - Reading

  /// Adds the packed columns to a revision read from a row.
  ///
  /// - Returns: Whether the revision has its changes now.
  func unpack(_ revision: inout StoredRevision, from row: Statement) throws(DatabaseError) -> Bool {
    func bytes(_ column: RevisionRow.Column) -> ArraySlice<UInt8>? {
      row.isNull(column.rawValue) ? nil : row.bytes(column.rawValue)[...]
    }
    let (title, context, changes) = (bytes(.title), bytes(.context), bytes(.changes))
    if let title, let context, let changes {
      (revision.title, revision.context, revision.changes) = (title, context, changes)
      return true
    }
    let packed = try packedBlock(with: revision.id)?.columns[revision.id % Self.packedBlockCount]
    guard let title = title ?? packed?.title, let context = context ?? packed?.context else {
      throw .damaged
    }
    (revision.title, revision.context) = (title, context)
    if let changes = changes ?? packed?.changes { revision.changes = changes } else { return false }
    return true
  }

  /// The packed changes of a revision.
  ///
  /// - Throws: `damaged` if they are not packed.
  func packedChanges(of id: Int) throws(DatabaseError) -> ArraySlice<UInt8> {
    let columns = try packedBlock(with: id)?.columns[id % Self.packedBlockCount]
    if let changes = columns?.changes { return changes }
    guard let row = try packedRow(id, by: reading().packedChanges),
      row.size <= HistoryPlace.largestGroup, try hasMemory(for: row.size),
      let bytes = Deflate.expand(row.bytes, count: row.size)
    else { throw .damaged }
    return bytes[...]
  }

  private func hasMemory(for byteCount: Int) throws(DatabaseError) -> Bool {
    try Statement.askForMemory(max(0, byteCount))
    return true
  }

  private func packedBlock(with id: Int) throws(DatabaseError) -> PackedBlock? {
    let number = id / Self.packedBlockCount
    if let latest = packing.latest, latest.number == number { return latest }
    guard let row = try packedRow(number, by: reading().packedBlock), row.size > 0 else {
      return nil
    }
    guard row.size <= Self.largestBlock, let bytes = Deflate.expand(row.bytes, count: row.size),
      let block = PackedBlock(number, bytes)
    else { throw .damaged }
    packing.latest = block
    return block
  }

  private func packedRow(
    _ number: Int, by row: Statement?
  ) throws(DatabaseError) -> (size: Int, bytes: [UInt8])? {
    guard let row else { return nil }
    row.bind(1, number)
    defer { row.reset() }
    return try row.step() ? (row.int(0), row.bytes(1)) : nil
  }

  // MARK: - Packing

  /// Packs at most twice as many bytes as were stored since the last time, in the same transaction.
  ///
  /// The cost is spread over all changes, and no additional sync is needed.
  ///
  /// - Parameters:
  ///   - update: The update being stored.
  ///   - grace: The time left after a signal. The rest is packed later.
  ///   - database: The open database.
  /// - Throws: The reason why it can't be packed. The caller must roll the transaction back.
  func packOld(
    after update: HistoryUpdate, _ grace: inout GracePeriod, in database: Database
  ) throws(DatabaseError) {
    packing.storedByteCount += update.revisions.reduce(0) {
      $0 + $1.title.count + $1.context.count + $1.changes.count
    }
    guard packing.storedByteCount >= Self.packedStep else { return }
    let budget = 2 * packing.storedByteCount
    packing.storedByteCount = 0
    let usedPageCount =
      try database.number("PRAGMA page_count")
      - database.number("PRAGMA freelist_count")
    let size = 4096 * usedPageCount
    if size > packing.threshold {
      // Near the limit, a longer wait is better than losing later groups.
      let isUrgent = size > 2 * packing.threshold
      try pack(isUrgent ? budget : min(budget, Self.largestPackedStep), &grace, in: database)
    }
  }

  /// Forgets the state of packing after a failed transaction.
  func forgetPacked() { (packing.next, packing.latest) = (nil, nil) }

  private func pack(
    _ budget: Int, _ grace: inout GracePeriod, in database: Database
  ) throws(DatabaseError) {
    if packing.next == nil {
      try database.run(Self.tables)
      readingStatements = nil
      // Rows beyond the revisions were not written by ued.
      packing.nextChanges = try database.number(
        "SELECT max(id) + 1 FROM packed_changes WHERE id >= 0 AND id < \(count)")
      packing.next = try database.number(
        "SELECT max(number) + 1 FROM packed_block WHERE number >= 0 AND number < \(count)")
    }
    var rest = budget
    while rest > 0, !grace.isOverNow(), let id = try nextLongChanges(in: database) {
      try packChanges(of: id, &rest, in: database)
      packing.nextChanges = id + 1
    }
    while rest > 0, !grace.isOverNow(), let next = packing.next,
      (next + 1) * Self.packedBlockCount + Self.unpackedCount <= count
    {
      try packBlock(next, &rest, in: database)
      packing.next = next + 1
    }
  }

  /// The next revision to pack because of long changes, excluding the newest revisions.
  private func nextLongChanges(in database: Database) throws(DatabaseError) -> Int? {
    let row = try database.prepare(
      """
      SELECT id FROM revision WHERE id >= ? AND id < ? AND length(changes) > \(RevisionRow.longChanges)
      ORDER BY id LIMIT 1
      """)
    row.bind(1, packing.nextChanges)
    row.bind(2, count - Self.unpackedChangesCount)
    if try row.step() { return row.int(0) }
    packing.nextChanges = max(packing.nextChanges, count - Self.unpackedChangesCount)
    return nil
  }

  private func packChanges(
    of id: Int, _ rest: inout Int, in database: Database
  ) throws(DatabaseError) {
    let bytes = try changes(of: id)
    rest -= bytes.count
    guard let packed = Deflate.compress(bytes) else { return }
    try putPacked(packed, of: bytes.count, "packed_changes", id, into: database)
    try database.run("UPDATE revision SET changes = NULL WHERE id = \(id)")
  }

  private func packBlock(
    _ number: Int, _ rest: inout Int, in database: Database
  ) throws(DatabaseError) {
    let ids = number * Self.packedBlockCount..<(number + 1) * Self.packedBlockCount
    // Unreadable rows must not keep new revisions from being stored.
    let revisions = (try? rows(ids)) ?? []
    var bytes: [UInt8] = []
    for revision in revisions {
      bytes.append(varint: revision.title.count)
      bytes.append(varint: revision.context.count)
      bytes.append(varint: revision.lacksChanges ? 0 : revision.changes.count + 1)
      bytes += revision.title + revision.context + revision.changes
    }
    rest -= bytes.count
    guard bytes.count <= Self.largestBlock, let packed = Deflate.compress(bytes[...]) else {
      // An empty row marks the block as tried.
      return try putPacked([], of: 0, "packed_block", number, into: database)
    }
    try putPacked(packed, of: bytes.count, "packed_block", number, into: database)
    try database.run(
      """
      UPDATE revision SET title = NULL, context = NULL,
        changes = CASE WHEN length(changes) > \(RevisionRow.longChanges) THEN changes END
      WHERE id >= \(ids.lowerBound) AND id < \(ids.upperBound)
      """)
  }

  private func putPacked(
    _ packed: [UInt8], of size: Int, _ table: String, _ key: Int, into database: Database
  ) throws(DatabaseError) {
    let row = try database.prepare("INSERT OR REPLACE INTO \(table) VALUES (?, ?, ?)")
    row.bind(1, key)
    row.bind(2, size)
    row.bind(3, packed)
    try row.run()
  }
}

extension HistoryStore.PackedBlock {
  /// The columns in serialized form; nil if they are corrupt.
  fileprivate init?(_ number: Int, _ bytes: [UInt8]) {
    var reader = VarintReader(bytes[...])
    var columns:
      [(title: ArraySlice<UInt8>, context: ArraySlice<UInt8>, changes: ArraySlice<UInt8>?)] = []
    for _ in 0..<HistoryStore.packedBlockCount {
      guard let titleCount = reader.next(), let contextCount = reader.next(),
        let changeCount = reader.next(), let title = reader.take(titleCount),
        let context = reader.take(contextCount),
        let changes = reader.take(max(changeCount - 1, 0))
      else { return nil }
      columns.append((title, context, changeCount == 0 ? nil : changes))
    }
    guard reader.isAtEnd else { return nil }
    (self.number, self.columns) = (number, columns)
  }
}

/// Compression by zlib.
///
/// SAFETY: each call lends zlib whole buffers with their sizes, which it neither exceeds nor keeps.
@safe enum Deflate {
  /// The largest number of bytes that Deflate expands one byte to.
  private static let largestRatio = 1032

  /// Compresses bytes quickly.
  ///
  /// - Returns: The compressed bytes; nil if they are not fewer.
  static func compress(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var size = UInt(bytes.count)
    let result = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { buffer, count in
      let status = unsafe bytes.withUnsafeBufferPointer {
        unsafe compress2(
          buffer.baseAddress, &size, $0.baseAddress, UInt($0.count), Z_BEST_SPEED)
      }
      count = status == Z_OK ? Int(size) : 0
    }
    return result.isEmpty ? nil : result
  }

  /// Expands compressed bytes.
  ///
  /// - Parameters:
  ///   - bytes: The result of `compress`.
  ///   - count: The number of bytes that were compressed.
  /// - Returns: The original bytes; nil if the compressed bytes are corrupt, or `count` is wrong.
  static func expand(_ bytes: [UInt8], count: Int) -> [UInt8]? {
    guard count > 0, count / largestRatio <= bytes.count else { return nil }
    var size = UInt(count)
    let result = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let status = unsafe uncompress(buffer.baseAddress, &size, bytes, UInt(bytes.count))
      filled = status == Z_OK ? Int(size) : 0
    }
    return result.count == count ? result : nil
  }
}
