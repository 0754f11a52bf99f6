import TextBuffer

/// A group that a search through all histories has found.
struct FoundGroup: Sendable {
  let file: [UInt8]
  let id: Int
  let time: Double
  let title: String
}

extension HistoryStore {
  /// The groups whose name, description or changed text matches a pattern, in order.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - start: When they were made at the earliest.
  /// - Throws: `damaged` if the history is corrupt.
  /// - Returns: The groups that are still in the tree.
  func groups(matching pattern: Pattern, since start: Double) throws(DatabaseError) -> [FoundGroup]
  {
    guard let history = try load() else { return [] }
    // Changes are only looked through, so that no text but the length of the first one is needed.
    let reader = RevisionReader(self, count: history.count, length: history.firstLength)
    var found: [FoundGroup] = []
    for id in 0..<history.count {
      guard let revision = try reader.block(id..<id + 1).first else { throw .damaged }
      let record = revision.namedRecord
      let changes = try reader.changes(of: id)
      if record.isDropped || record.time < start { continue }
      let description = String(decoding: revision.description, as: UTF8.self)
      let title = GroupNames.title(
        name: record.name,
        checkpoint: record.checkpointName ?? (record.isCheckpoint ? "checkpoint" : nil),
        description: description)
      if pattern.matches(unsafe Array(title.utf8).span.bytes)
        || changes.contains(where: { $0.hasLine(matching: pattern, false) })
      {
        found.append(
          FoundGroup(file: place.file, id: revision.id, time: record.time, title: title))
      }
    }
    return found
  }
}
