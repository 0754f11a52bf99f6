import TextBuffer

/// The runs that have stored anything.
///
/// The bits of `run.start` above the revision have the effect of the run.
///
/// The table `process` has the tag of each run. Databases of earlier versions lack it: their runs
/// have no names, and identities made of the database's name and the run's number.
extension HistoryStore {
  /// Stores the beginning of this run in the history and in the index, unless it is stored.
  func putRun(
    from start: Int, _ effect: RunEffect, into database: Database
  ) throws(DatabaseError) {
    if hasRun { return }
    let begun = try database.prepare("INSERT OR REPLACE INTO run VALUES (?, ?)")
    begun.bind(1, run)
    begun.bind(2, start + effect.rawValue << Self.effectShift)
    try begun.run()
    try database.run(
      HistorySchema.process)
    let tag = index.run
    let row = try database.prepare("INSERT OR REPLACE INTO process VALUES (?, ?, ?, ?, ?)")
    row.bind(1, run)
    row.bind(2, Array(tag.identity.utf8))
    row.bind(3, StoredTime(tag.time).milliseconds)
    row.bind(4, tag.name.map { Array($0.utf8) })
    row.bind(5, Self.checksum(of: tag, run))
    try row.run()
    index.add(
      run, to: place, byteCount: try database.number("PRAGMA page_count") * 4096)
  }

  /// The position of the effect of a run in the bits of `run.start`.
  private static let effectShift = 48
  /// Selects the runs that began at a revision.
  static let selectionByStart =
    "SELECT count(*) FROM run WHERE start IN ("
    + (0...RunEffect.all.rawValue).map { "?1 + \($0 << effectShift)" }.joined(separator: ", ")
    + ")"

  /// Removes the row of this run, inside a transaction that undoes its first write.
  func removeRun(from database: Database) throws(DatabaseError) {
    try database.run(
      "DELETE FROM run WHERE id = \(run); DELETE FROM process WHERE run = \(run)")
    index.remove(run, from: place)
  }

  /// All runs, in order.
  func runs() throws(DatabaseError) -> [StoredRun] {
    let database = try connection
    var tags: [Int: RunTag] = [:]
    if try hasTable("process", database) {
      let rows = try database.prepare("SELECT run, identity, time, name, checksum FROM process")
      while try rows.step() {
        if let tag = Self.tag(rows) { tags[rows.int(0)] = tag }
      }
    }
    var runs: [StoredRun] = []
    let rows = try database.prepare("SELECT id, start FROM run ORDER BY id")
    while try rows.step() {
      let number = rows.int(0)
      let bits = rows.int(1) >> Self.effectShift
      let effect = RunEffect(rawValue: bits).intersection(.all)
      if let tag = tags[number] {
        runs.append(StoredRun(number: number, tag: tag, effect: effect))
        continue
      }
      let time = try database.number("SELECT min(time) FROM revision WHERE run = \(number)")
      let old = RunTag(
        identity: String(decoding: place.name.prefix(8), as: UTF8.self) + "-\(number)", name: nil,
        time: try StoredTime(stored: time).seconds)
      runs.append(StoredRun(number: number, tag: old, effect: effect))
    }
    return runs
  }

  /// The names under which each run has undone other runs.
  func undoneRuns() throws(DatabaseError) -> [Int: [String]] {
    var undone: [Int: [String]] = [:]
    let count = try connection.number("SELECT max(id) + 1 FROM revision")
    guard (0...HistoryPlace.largestHistory).contains(count) else { throw .damaged }
    for start in stride(from: 0, to: count, by: 1024) {
      for revision in try rows(start..<min(start + 1024, count)) {
        if let called = revision.undoneRuns { undone[revision.run, default: []].append(called) }
      }
    }
    return undone
  }

  /// The number and the tag of the last run.
  func lastRun(in database: Database) throws(DatabaseError) -> (number: Int, tag: RunTag?) {
    let number = try database.number("SELECT max(id) FROM run")
    guard (1..<HistoryPlace.largestHistory).contains(number) else { throw .damaged }
    guard try hasTable("process", database) else { return (number, nil) }
    let row = try database.prepare(
      "SELECT run, identity, time, name, checksum FROM process WHERE run = ?")
    row.bind(1, number)
    return (number, try row.step() ? Self.tag(row) : nil)
  }

  /// When the newest group of a run was made; nil if it has none.
  func newestTime(ofRun identity: String) throws(DatabaseError) -> Double? {
    guard let run = try runs().first(where: { $0.tag.identity == identity }) else { return nil }
    let row = try connection.prepare("SELECT max(time) FROM revision WHERE run = ?")
    row.bind(1, run.number)
    return try row.step() && !row.isNull(0) ? StoredTime(stored: row.int(0)).seconds : nil
  }

  /// The tag of a run in a row of `process`; nil if it is corrupt.
  private static func tag(_ row: Statement) -> RunTag? {
    guard let time = try? StoredTime(stored: row.int(2)) else { return nil }
    let tag = RunTag(
      identity: String(decoding: row.bytes(1), as: UTF8.self), name: row.text(3), time: time.seconds
    )
    return row.int(4) == checksum(of: tag, row.int(0)) ? tag.readable : nil
  }

  private static func checksum(of tag: RunTag, _ run: Int) -> Int {
    ContentHash.short(
      Array("\(tag.identity)\0\(tag.name ?? "\0")".utf8)[...],
      seed: ContentHash.short([run, StoredTime(tag.time).milliseconds, 0, 0, 0, 0, 0, 0]))
  }
}

// MARK: - Runs that were taken back

/// Undoing the last write.
extension HistoryStore {
  /// The content that a write is about to replace.
  struct Replaced {
    var rows: [(StoredRevision, RevisionRow.Checksums)] = []
    var count: Int
    var hasRun: Bool
    var current = 0
    var saved: Int?
    var preparedOver: Int?
    var entered: EnteredText?
  }

  /// The content that an update is about to replace; nil if nothing is stored yet.
  func content(replacedBy update: HistoryUpdate) throws(DatabaseError) -> Replaced? {
    guard let database, statements != nil, count > 0 else { return nil }
    var replaced = Replaced(count: count, hasRun: hasRun)
    let ids =
      (update.revisions + update.details).map(\.id)
      + Array(update.count..<max(update.count, count))
    let row = try database.prepare(RevisionRow.selectionByID)
    for id in ids where id < count {
      row.bind(1, id)
      try row.needRow()
      var revision = try RevisionRow.revision(row, id: id)
      if try !unpack(&revision, from: row) { revision.changes = try changes(of: id) }
      replaced.rows.append((revision, RevisionRow.Checksums(row)))
      row.reset()
    }
    let state = try database.prepare("SELECT current, saved FROM state WHERE id = 0")
    try state.needRow()
    replaced.current = state.int(0)
    replaced.saved = state.isNull(1) ? nil : state.int(1)
    state.reset()
    replaced.preparedOver = try preparedOver(in: database)
    if enteredCount > 0 { replaced.entered = try entered(in: database) }
    return replaced
  }

  /// Undoes the last write.
  func restore(_ replaced: Replaced) throws(DatabaseError) {
    let (database, statements) = try prepareToWrite()
    try database.transaction { () throws(DatabaseError) in
      statements.removal.bind(1, replaced.count)
      try statements.removal.run()
      for (revision, checksums) in replaced.rows {
        RevisionRow.bind(revision, checksums, to: statements.insertion)
        try statements.insertion.run()
      }
      if !replaced.hasRun { try removeRun(from: database) }
      try putPrepared(replaced.preparedOver, into: database)
      try putState(current: replaced.current, saved: replaced.saved, by: statements.state)
      noteRestored(count: replaced.count)
      try replaceEntered(
        by: replaced.entered?.lines ?? [], after: replaced.entered?.base ?? 0, in: database)
    }
    (enteredCount, hasRun) = (replaced.entered?.lines.count ?? 0, replaced.hasRun)
    mayBePrepared = replaced.preparedOver != nil
  }
}

// MARK: - Searching

/// A group that a search through all histories has found.
struct FoundGroup: Sendable {
  let file: [UInt8]
  let id: Int
  let run: RunTag?
  let time: Double
  let title: String
}

/// Searching groups: a scan of all rows finds candidates, which are then examined in full.
extension HistoryStore {
  /// The groups whose name, description or changed text matches a pattern, in order.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - start: The earliest time of a group.
  /// - Throws: `damaged` if the history is corrupt.
  /// - Returns: The groups that are still in the tree.
  func groups(matching pattern: Pattern, since start: Double) throws(DatabaseError) -> [FoundGroup]
  {
    guard let history = try load() else { return [] }
    // Changes are only searched, so the length of the first text suffices.
    let reader = RevisionReader(self, count: history.count, length: history.firstLength)
    var found: [FoundGroup] = []
    let runs = Dictionary(uniqueKeysWithValues: try runs().map { ($0.number, $0.tag) })
    guard let candidates = reader.candidates(for: pattern, isBinary: false) else {
      throw reader.failure ?? .damaged
    }
    for id in candidates {
      let revision = try reader.block(id..<id + 1)[0]
      let record = revision.namedRecord
      if record.time < start { continue }
      let description = String(decoding: revision.description, as: UTF8.self)
      let title = GroupNames.title(name: record.name, description: description)
      let changes = try reader.changes(of: id)
      if pattern.matches(unsafe Array(title.utf8).span.bytes)
        || changes.contains(where: { $0.hasLine(matching: pattern, false) })
      {
        found.append(
          FoundGroup(
            file: place.file, id: revision.id, run: runs[revision.run], time: record.time,
            title: title))
      }
    }
    return found
  }

  /// The groups that may match a pattern. A candidate has a name, a matching description, or a
  /// matching line that it removed or inserted, perhaps without changing it.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - isBinary: Whether newlines replace NULs.
  ///   - count: The number of revisions.
  ///   - visit: Called with each revision and its changes; without changes if it has left the tree.
  /// - Throws: `damaged` if the history is corrupt.
  /// - Returns: Groups that are still in the tree, in order; not all if the process is interrupted.
  func candidates(
    for pattern: Pattern, isBinary: Bool, below count: Int,
    _ visit: (StoredRevision, ArraySlice<UInt8>) -> Void
  ) throws(DatabaseError) -> [Int] {
    var filter = CandidateFilter(pattern, isBinary: isBinary)
    var (found, links): ([Int], [Int]) = ([], [])
    links.reserveCapacity(count)
    for start in stride(from: 0, to: count, by: 1024) {
      if Interrupts.isInterrupted { break }
      for revision in try rows(start..<min(start + 1024, count)) {
        let (id, record) = (revision.id, revision.record)
        links.append(revision.link)
        if record.isDropped {
          visit(revision, [])
          continue
        }
        let changes = revision.lacksChanges ? try self.changes(of: id) : revision.changes
        let parentLink = record.parent.map { links[$0] } ?? 0
        guard
          RevisionRow.Checksums.link(of: id, changes, parentLink: parentLink) == revision.link
        else { throw .damaged }
        visit(revision, changes)
        let isCalledSo =
          record.name != nil || revision.isCheckpoint || revision.title.isEmpty
          || pattern.matches(unsafe revision.title.span.bytes)
        let hasLine = isCalledSo ? true : try filter.mayMatch(changes)
        if hasLine { found.append(id) }
      }
    }
    return found
  }
}

/// Whether serialized changes may match a pattern.
private struct CandidateFilter {
  private let pattern: Pattern
  private let isBinary: Bool
  private var subject: Subject

  init(_ pattern: Pattern, isBinary: Bool) {
    (self.pattern, self.isBinary, subject) = (pattern, isBinary, Subject(isBinary: isBinary))
  }

  /// - Throws: `damaged` if the changes are corrupt.
  mutating func mayMatch(_ changes: ArraySlice<UInt8>) throws(DatabaseError) -> Bool {
    var reader = VarintReader(changes)
    while !reader.isAtEnd {
      guard reader.next() != nil, let removed = reader.next(), let inserted = reader.next(),
        let before = reader.take(removed), let after = reader.take(inserted)
      else { throw .damaged }
      if hasMatch(in: before) || hasMatch(in: after) { return true }
    }
    return false
  }

  private mutating func hasMatch(in text: ArraySlice<UInt8>) -> Bool {
    guard let last = text.last else { return false }
    // Only part of the line is stored, so the whole line may match.
    if last != .newline { return true }
    if !isBinary {
      return pattern.firstMatchingLine(in: unsafe text.span.bytes, 0..<text.count) != nil
    }
    return text.dropLast().split(separator: .newline, omittingEmptySubsequences: false)
      .contains { line in subject.matches(pattern, unsafe line.span.bytes) }
  }
}
