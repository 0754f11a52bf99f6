import TextBuffer

/// A group that a search through all histories has found.
struct FoundGroup: Sendable {
  let file: [UInt8]
  let id: Int
  let time: Double
  let title: String
}

/// Searching groups by a walk over all rows, of which only those that may match are looked at closely.
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
          FoundGroup(file: place.file, id: revision.id, time: record.time, title: title))
      }
    }
    return found
  }

  /// The groups that may match a pattern: those with a name, those with a description that matches, and those
  /// that removed or inserted a line that does, although it may have stayed the same.
  ///
  /// - Parameters:
  ///   - pattern: The pattern.
  ///   - isBinary: Whether newlines replace NULs.
  ///   - count: The number of revisions.
  ///   - visit: Called with each revision, and its changes unless it is no longer in the tree.
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
    // A part of a line stands for all of it.
    if last != .newline { return true }
    if !isBinary {
      return pattern.firstMatchingLine(in: unsafe text.span.bytes, 0..<text.count) != nil
    }
    return text.dropLast().split(separator: .newline, omittingEmptySubsequences: false)
      .contains { line in subject.matches(pattern, unsafe line.span.bytes) }
  }
}
