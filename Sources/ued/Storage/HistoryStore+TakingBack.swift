/// Taking back the last write.
extension HistoryStore {
  /// What a write is about to replace.
  struct Replaced {
    var rows: [(StoredRevision, RevisionRow.Checksums)] = []
    var count: Int
    var hasRun: Bool
    var current = 0
    var saved: Int?
    var stagedOver: Int?
    var entered: EnteredText?
  }

  /// What an update is about to replace; nil if nothing is stored yet.
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
    replaced.stagedOver = try stagedOver(in: database)
    if enteredCount > 0 { replaced.entered = try entered(in: database) }
    return replaced
  }

  /// Takes back the last write.
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
      try putStaged(replaced.stagedOver, into: database)
      try putState(current: replaced.current, saved: replaced.saved, by: statements.state)
      noteRestored(count: replaced.count)
      try replaceEntered(
        by: replaced.entered?.lines ?? [], after: replaced.entered?.base ?? 0, in: database)
    }
    (enteredCount, hasRun) = (replaced.entered?.lines.count ?? 0, replaced.hasRun)
    mayBeStaged = replaced.stagedOver != nil
  }
}
