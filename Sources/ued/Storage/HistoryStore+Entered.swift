import TextBuffer

/// The lines entered so far, a row for each time that lines are stored: the revision that they change,
/// which lines they replace, when, and the new lines. The checksum covers the revision's link, too.
extension HistoryStore {
  /// Adds entered lines in one transaction, at a cost that does not depend on how many there are already.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - base: The stored revision whose text they change, together with those that are stored already.
  ///   - start: The revision at which this run began, and its effect.
  /// - Throws: Why they can't be stored; nothing is then.
  func append(
    _ lines: [EnteredLines], after base: Int, start: (revision: Int, effect: RunEffect)
  ) throws(DatabaseError) {
    let (database, _) = try prepareToWrite()
    try database.transaction { () throws(DatabaseError) in
      try putRun(from: start.revision, start.effect, into: database)
      try put(lines, after: base, into: database)
    }
    hasRun = true
    enteredCount += lines.count
  }

  /// Replaces all entered lines by others, which may be none, inside a transaction.
  func replaceEntered(
    by lines: [EnteredLines], after base: Int, in database: Database
  ) throws(DatabaseError) {
    if enteredCount > 0 { try database.run("DELETE FROM entered") }
    try put(lines, after: base, into: database)
  }

  private func put(
    _ lines: [EnteredLines], after base: Int, into database: Database
  ) throws(DatabaseError) {
    if lines.isEmpty { return }
    try database.run(
      HistorySchema.entered)
    let row = try database.prepare(
      "INSERT INTO entered (base, first, last, time, text, checksum) VALUES (?, ?, ?, ?, ?, ?)")
    for lines in lines {
      row.bind(1, base)
      row.bind(2, lines.replaced.first.value)
      row.bind(3, lines.replaced.last.value)
      row.bind(4, StoredTime(lines.time).milliseconds)
      row.bind(5, lines.text)
      row.bind(6, try checksum(lines, after: base))
      try row.run()
    }
  }

  private func checksum(_ lines: EnteredLines, after base: Int) throws(DatabaseError) -> Int {
    let (first, last) = (lines.replaced.first.value, lines.replaced.last.value)
    let time = StoredTime(lines.time).milliseconds
    return ContentHash.short(
      lines.text[...],
      seed: ContentHash.short([try link(of: base), base, first, last, time, 0, 0, 0]))
  }

  /// The entered lines of a command that was cut off; nil if there are none.
  ///
  /// - Throws: `damaged` if they are corrupt.
  func entered(in database: Database) throws(DatabaseError) -> EnteredText? {
    enteredCount = 0
    guard try hasTable("entered", database) else { return nil }
    let rows = try database.prepare(
      "SELECT base, first, last, time, text, checksum FROM entered ORDER BY id")
    var entered: EnteredText?
    while try rows.step() {
      let base = rows.int(0)
      let lines = EnteredLines(
        replaced: LineRange(rows.int(1), rows.int(2)), text: rows.bytes(4),
        time: try StoredTime(stored: rows.int(3)).seconds)
      let lengths = HistoryPlace.textLengths
      guard lengths.contains(rows.int(1)), lengths.contains(rows.int(2)),
        (0..<count).contains(base), base == entered?.base ?? base,
        lines.text.last == .newline, try rows.int(5) == checksum(lines, after: base)
      else { throw .damaged }
      entered = entered ?? EnteredText(base: base)
      entered?.append(lines)
      enteredCount += 1
    }
    return entered
  }
}
