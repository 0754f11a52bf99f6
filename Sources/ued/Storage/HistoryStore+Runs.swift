import TextBuffer

/// The runs that have stored anything.
extension HistoryStore {
  /// Stores the row of this run inside a transaction: its current revision, and the version of the
  /// file that a prepared save is to replace. The first time, the run also enters the index.
  func putRun(
    from start: Int, _ effect: RunEffect, at current: Int?, over version: Int? = nil,
    into database: Database
  ) throws(StorageError) {
    if hasRun { return try putRun(at: current, over: version, into: database) }
    let tag = index.run
    index.lockRun(in: place.folder)
    let row = try database.prepare("INSERT OR REPLACE INTO run VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    row.bind(1, run)
    row.bind(2, start)
    row.bind(3, effect.rawValue)
    row.bind(4, Array(tag.identity.utf8))
    row.bind(5, StoredTime(tag.time).milliseconds)
    row.bind(6, tag.name.map { Array($0.utf8) })
    row.bind(7, Self.checksum(of: tag, run))
    row.bind(8, current)
    row.bind(9, version)
    try row.run()
    hasRun = true
    index.add(run, to: place, byteCount: try database.byteCount)
  }

  /// Updates the row of this run with its current revision and the version of the file that a
  /// prepared save is to replace.
  func putRun(
    at current: Int?, over version: Int? = nil, into database: Database
  ) throws(StorageError) {
    let row = try database.prepare("UPDATE run SET current = ?, prepared = ? WHERE id = \(run)")
    row.bind(1, current)
    row.bind(2, version)
    try row.run()
  }

  /// The stored current revision of this run.
  func current(in database: Database) throws(StorageError) -> Int? {
    let row = try database.prepare("SELECT current FROM run WHERE id = \(run)")
    defer { row.reset() }
    return try row.step() ? row.optionalInt(0) : nil
  }

  /// The ended runs that may have left something unsaved, newest first. Calls `visit` with each run
  /// still in progress.
  ///
  /// - Throws: `damaged` if a run is corrupt.
  func unfinishedRuns(
    _ visit: (StoredRun) -> Void = { _ in }
  ) throws(StorageError) -> [UnsettledRun] {
    var unfinished: [UnsettledRun] = []
    let rows = try connection.prepare(
      """
      SELECT \(Self.runColumns), current, prepared FROM run
      WHERE current IS NOT NULL OR id IN (SELECT run FROM entered) ORDER BY id DESC
      """)
    while try rows.step() {
      let run = try Self.run(rows)
      if index.isAlive(run.tag, in: place.folder) {
        visit(run)
        continue
      }
      guard (0..<count).contains(rows.optionalInt(7) ?? 0) else { throw .damaged }
      unfinished.append(
        UnsettledRun(
          number: run.number, current: rows.optionalInt(7), replacedVersion: rows.optionalInt(8),
          entered: try entered(by: run.number)))
    }
    return unfinished
  }

  /// Restores the row of an earlier run, and its entered lines, to their state before `settle`.
  func putBack(_ run: UnsettledRun, in database: Database) throws(StorageError) {
    let row = try database.prepare("UPDATE run SET current = ?, prepared = ? WHERE id = ?")
    row.bind(1, run.current)
    row.bind(2, run.replacedVersion)
    row.bind(3, run.number)
    try row.run()
    if let entered = run.entered {
      try put(entered.lines, after: entered.base, by: run.number, into: database)
    }
  }

  /// Marks runs as settled: this run has offered to the user, or stored, their unsaved work.
  func settle(_ runs: [Int], in database: Database) throws(StorageError) {
    for run in runs where run != self.run {
      try database.run("UPDATE run SET current = NULL, prepared = NULL WHERE id = \(run)")
    }
    for run in runs { try database.run("DELETE FROM entered WHERE run = \(run)") }
  }

  /// Removes the row of this run, inside a transaction that undoes its first write.
  func removeRun(from database: Database) throws(StorageError) {
    try database.run("DELETE FROM run WHERE id = \(run)")
    index.remove(run, from: place)
  }

  /// All runs, in order, each with the identities of the runs that it has undone.
  ///
  /// - Throws: `damaged` if a run is corrupt.
  func runs() throws(StorageError) -> [StoredRun] {
    var undone: [Int: [String]] = [:]
    let pairs = try connection.prepare(
      """
      SELECT DISTINCT run, identity FROM undone JOIN revision ON revision.id = undone.revision
      """)
    while try pairs.step() {
      undone[pairs.int(0), default: []].append(RunTag.readable(pairs.text(1) ?? ""))
    }
    var runs: [StoredRun] = []
    let rows = try connection.prepare("SELECT \(Self.runColumns) FROM run ORDER BY id")
    while try rows.step() {
      var run = try Self.run(rows)
      run.undone = undone[run.number] ?? []
      runs.append(run)
    }
    return runs
  }

  func lastRun() throws(StorageError) -> StoredRun {
    let row = try connection.prepare(
      "SELECT \(Self.runColumns) FROM run ORDER BY id DESC LIMIT 1")
    try row.needRow()
    defer { row.reset() }
    return try Self.run(row)
  }

  /// The time of a run's newest group; nil if the run has no groups.
  func newestTime(ofRun identity: String) throws(StorageError) -> Double? {
    guard let run = try runs().first(where: { $0.tag.identity == identity }) else { return nil }
    let row = try connection.prepare("SELECT max(time) FROM revision WHERE run = ?")
    row.bind(1, run.number)
    return try row.step() && !row.isNull(0) ? StoredTime(stored: row.int(0)).seconds : nil
  }

  private static let runColumns = "id, effect, identity, time, name, checksum, start"

  /// The run in a row of `runColumns`.
  private static func run(_ row: Statement) throws(StorageError) -> StoredRun {
    let tag = RunTag(
      identity: String(decoding: row.bytes(2), as: UTF8.self), name: row.text(4),
      time: try StoredTime(stored: row.int(3)).seconds)
    guard (1..<HistoryPlace.largestHistory).contains(row.int(0)),
      row.int(5) == checksum(of: tag, row.int(0))
    else { throw .damaged }
    return StoredRun(
      number: row.int(0), tag: tag.readable,
      effect: RunEffect(rawValue: row.int(1)).intersection(.all), start: row.int(6))
  }

  private static func checksum(of tag: RunTag, _ run: Int) -> Int {
    ContentHash.short(
      Array("\(tag.identity)\0\(tag.name ?? "\0")".utf8)[...],
      seed: ContentHash.short([run, StoredTime(tag.time).milliseconds, 0, 0, 0, 0, 0, 0]))
  }
}

// MARK: - Searching

/// A group found by a search through all histories.
struct FoundGroup: Sendable {
  let file: [UInt8]
  let id: Int
  let run: RunTag?
  let time: Double
  let title: String
}

/// Searching groups: a scan of all rows finds candidates, which are then examined in full.
extension HistoryStore {
  /// The groups still in the tree, made since a time, whose name, description or changed text
  /// matches a pattern, in order.
  ///
  /// - Throws: `damaged` if the history is corrupt.
  func groups(matching pattern: Pattern, since start: Double) throws(StorageError) -> [FoundGroup] {
    guard let history = try load() else { return [] }
    // Searching needs the changes but no text, so the length of the first text suffices.
    let reader = RevisionReader(self, count: history.count, length: history.firstLength)
    var found: [FoundGroup] = []
    let runs = Dictionary(uniqueKeysWithValues: try runs().map { ($0.number, $0.tag) })
    guard let candidates = reader.candidates(for: pattern, isBinary: false) else {
      throw reader.failure ?? .damaged
    }
    for id in candidates {
      let revision = try reader.block(id..<id + 1)[0]
      let record = revision.readableRecord
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

  /// The groups still in the tree that may match a pattern, in order; incomplete after an
  /// interrupt. A candidate has a name, an empty or matching title, or a matching line among the
  /// removed and inserted ones, even if the line is in both. In a binary text, newlines stand for
  /// NULs. Calls `visit` with each revision and its changes, which are empty if it has left the
  /// tree.
  ///
  /// - Throws: `damaged` if the history is corrupt.
  func candidates(
    for pattern: Pattern, isBinary: Bool, below count: Int,
    _ visit: (StoredRevision, ArraySlice<UInt8>) -> Void
  ) throws(StorageError) -> [Int] {
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
        let changes = if let short = revision.changes { short } else { try self.changes(of: id) }
        let parentLink = record.parent.map { links[$0] } ?? 0
        guard
          StoredRevision.link(of: id, changes, parentLink: parentLink) == revision.link
        else { throw .damaged }
        visit(revision, changes)
        let titleMayMatch =
          record.name != nil || revision.title.isEmpty
          || pattern.matches(unsafe revision.title.span.bytes)
        let isCandidate = titleMayMatch ? true : try filter.mayMatch(changes)
        if isCandidate { found.append(id) }
      }
    }
    return found
  }
}

/// A test whether serialized changes may match a pattern.
private struct CandidateFilter {
  private let pattern: Pattern
  private let isBinary: Bool
  private var subject: Subject

  init(_ pattern: Pattern, isBinary: Bool) {
    (self.pattern, self.isBinary, subject) = (pattern, isBinary, Subject(isBinary: isBinary))
  }

  /// Whether a removed or inserted line may match; throws `damaged` if the changes are corrupt.
  mutating func mayMatch(_ changes: ArraySlice<UInt8>) throws(StorageError) -> Bool {
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
