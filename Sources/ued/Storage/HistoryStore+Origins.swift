import TextBuffer

/// The origins of the lines of some revisions, so that they need not be found out from the first group on: a row for
/// each revision, with the link of that, a checksum that covers both, and the origins; see `TimedOrigins.bytes`.
///
/// All of it can be found out again. A row that is not right is ignored, and so is a failure.
extension HistoryStore {
  /// The revisions whose origins are stored; what is stored need not be right.
  var revisionsWithOrigins: [Int] {
    guard let database, let hasThem = try? hasTable("origins", database), hasThem,
      let rows = try? database.prepare("SELECT id FROM origins LIMIT 100")
    else { return [] }
    var ids: [Int] = []
    while (try? rows.step()) == true { ids.append(rows.int(0)) }
    return ids
  }

  /// The stored origins of a revision; nil if they are not right.
  func origins(of id: Int, lineCount: Int) -> TimedOrigins? {
    guard let row = try? database?.prepare("SELECT link, lines, checksum FROM origins WHERE id = ?")
    else { return nil }
    row.bind(1, id)
    guard (try? row.step()) == true else { return nil }
    let (link, bytes, checksum) = (row.int(0), row.bytes(1), row.int(2))
    row.reset()
    guard hasRevision(id, link: link),
      checksum == Self.checksum(ofOrigins: bytes, of: id, link: link)
    else { return nil }
    return TimedOrigins(bytes, of: id, lineCount: lineCount)
  }

  /// Stores origins, without a wait for the disk, and deletes those that are not right or not needed.
  ///
  /// - Parameters:
  ///   - origins: The origins of stored revisions.
  ///   - wrong: Revisions whose stored origins are not right.
  func putOrigins(_ origins: [(id: Int, origins: TimedOrigins)], replacing wrong: Set<Int>) {
    guard let database, !isEmpty else { return }
    do throws(DatabaseError) {
      // The groups need the space more.
      let size = try database.number("PRAGMA page_count") * 4096
      if size > HistoryPlace.largestHistory / 2 { return }
      try database.run("PRAGMA synchronous = NORMAL")
      defer { try? database.run("PRAGMA synchronous = FULL") }
      try database.transaction { () throws(DatabaseError) in
        try database.run(
          HistorySchema.origins)
        let old = revisionsWithOrigins.filter { !wrong.contains($0) && hasRightLink($0) }
        let kept = Set(Self.spaced(Set(old).union(origins.map(\.id))))
        let list = kept.map(String.init).joined(separator: ",")
        try database.run("DELETE FROM origins WHERE id NOT IN (\(list))")
        try insert(origins.filter { kept.contains($0.id) }, into: database)
      }
    } catch {
      // It is not the table that this makes, or there is no space.
      try? database.run("DROP TABLE IF EXISTS origins")
    }
  }

  private func insert(
    _ origins: [(id: Int, origins: TimedOrigins)], into database: Database
  ) throws(DatabaseError) {
    let row = try database.prepare("INSERT OR REPLACE INTO origins VALUES (?, ?, ?, ?)")
    for (id, timed) in origins {
      let (link, bytes) = (try link(of: id), timed.bytes)
      if bytes.count > Self.largestOrigins { continue }
      row.bind(1, id)
      row.bind(2, link)
      row.bind(3, bytes)
      row.bind(4, Self.checksum(ofOrigins: bytes, of: id, link: link))
      try row.run()
    }
  }

  /// The size in bytes of the largest origins that are stored.
  private static let largestOrigins = 1 << 20

  /// The checksum of a row.
  static func checksum(ofOrigins bytes: [UInt8], of id: Int, link: Int) -> Int {
    ContentHash.short(bytes[...], seed: ContentHash.short([id, link, 0, 0, 0, 0, 0, 0]))
  }

  private func hasRevision(_ id: Int, link: Int) -> Bool {
    (0..<count).contains(id) && (try? self.link(of: id)) == link
  }

  private func hasRightLink(_ id: Int) -> Bool {
    guard let row = try? database?.prepare("SELECT link FROM origins WHERE id = ?") else {
      return false
    }
    row.bind(1, id)
    defer { row.reset() }
    return (try? row.step()) == true && hasRevision(id, link: row.int(0))
  }

  /// Those of some revisions whose origins are worth their place: the closer to the newest one they are, the closer
  /// to each other, so that few groups are replayed after few were undone.
  static func spaced(_ ids: Set<Int>) -> [Int] {
    let ids = ids.sorted(by: >)
    var kept: [Int] = []
    for (index, id) in ids.enumerated() {
      if let newest = kept.first, let younger = kept.last, index + 1 < ids.count,
        newest - ids[index + 1] <= 4 * (newest - younger)
      {
        continue
      }
      kept.append(id)
    }
    return kept
  }
}
