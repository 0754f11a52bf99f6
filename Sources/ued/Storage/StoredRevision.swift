import TextBuffer

/// A revision as it is stored.
struct StoredRevision: Equatable, Sendable {
  var id: Int
  var record: RevisionRecord
  /// The session in which it was made, counted from 1.
  var run: Int
  /// The hash of its text, if it was saved or is the first one.
  var hash: ContentHash?
}

/// What is stored of a revision as bytes.
struct StoredBytes: Equatable, Sendable {
  /// What the group calls itself, in UTF-8; empty where the user has named it.
  var title: ArraySlice<UInt8>
  /// What is restored with the text, as bytes that only the editor understands.
  var context: ArraySlice<UInt8>
  /// What led to it, as `StoredChanges` has it; nothing for the first one.
  var changes: ArraySlice<UInt8>
}

/// A history as it was stored.
struct StoredHistory {
  /// All revisions, in order.
  var revisions: [StoredRevision] = []
  /// The bytes of all of them, one after the other, and where each of the three parts ends.
  var bytes: [UInt8] = []
  var ends: [Int] = []
  /// The present revision when it was stored last.
  var current: Int
  /// The revision that was saved last.
  var saved: Int?
  /// The revisions with which sessions began.
  var starts: Set<Int> = []
  /// The number of bytes of the first text.
  var firstLength: Int

  /// The bytes of a revision.
  func bytes(of id: Int) -> StoredBytes {
    let start = id == 0 ? 0 : ends[3 * id - 1]
    let (title, context, changes) = (ends[3 * id], ends[3 * id + 1], ends[3 * id + 2])
    return StoredBytes(
      title: bytes[start..<title], context: bytes[title..<context],
      changes: bytes[context..<changes])
  }

  /// The revisions on the way from the first one to another, without the first.
  func path(to id: Int) -> [Int] {
    var path: [Int] = []
    var next = id
    while let parent = revisions[next].record.parent {
      path.append(next)
      next = parent
    }
    return path.reversed()
  }
}

/// What is to be written.
struct HistoryUpdate {
  /// Revisions that are new, or that something else has led to since they were stored; in order.
  var revisions: [(revision: StoredRevision, bytes: StoredBytes)] = []
  /// Revisions of which something is told differently; their changes are not looked at.
  var details: [(revision: StoredRevision, bytes: StoredBytes)] = []
  /// The number of revisions; those beyond it go.
  var count = 0
  /// The present revision.
  var current = 0
  /// The revision that was saved last.
  var saved: Int?
  /// With which revision this session began.
  var start = 0
  /// The first text, when it is not stored yet.
  var firstText: PieceTable?
}
