import TextBuffer

/// The runs that have stored anything.
///
/// The bits of `run.start` above the revision have the effect of the run.
///
/// The table `process` has the tag of each run. It is missing in databases of earlier versions, whose runs have
/// no names, and identities made of the database's name and their numbers.
extension HistoryStore {
  /// Stores that this run has begun, in the history and in the index, unless that is stored.
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

  /// Where the effect of a run begins in `run.start`.
  private static let effectShift = 48
  /// Selects the runs that began at a revision.
  static let selectionByStart =
    "SELECT count(*) FROM run WHERE start IN ("
    + (0...RunEffect.all.rawValue).map { "?1 + \($0 << effectShift)" }.joined(separator: ", ")
    + ")"

  /// Removes the row of this run, inside a transaction that takes back its first write.
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

  /// What the runs are called that each run has taken back.
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
