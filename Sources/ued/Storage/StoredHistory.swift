import TextBuffer

/// A revision as its row in the database has it.
struct StoredRevision: Sendable {
  var id: Int
  var record: RevisionRecord
  /// The run in which it was made, counted from 1.
  var run: Int
  /// The hash of its text, if it was saved or is the first one.
  var hash: ContentHash?
  /// What the group calls itself, in UTF-8; empty where the user has named it.
  var title: ArraySlice<UInt8> = []
  /// What is restored with the text; see `EditorContext.bytes`.
  var context: ArraySlice<UInt8> = []
  /// What led to it; see `StoredChanges`. Nothing for the first one.
  var changes: ArraySlice<UInt8> = []
}

/// A history as it was stored.
struct StoredHistory {
  /// All revisions, in order.
  var revisions: [StoredRevision] = []
  /// The present revision when it was stored last.
  var current: Int
  /// The revision that was saved last.
  var saved: Int?
  /// The revisions with which runs began.
  var starts: Set<Int> = []
  /// The number of bytes of the first text.
  var firstLength: Int

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

/// What is written as one transaction.
struct HistoryUpdate {
  /// Revisions that are new, or whose changes differ from what is stored; in order.
  var revisions: [StoredRevision] = []
  /// Revisions of which all but the changes differs from what is stored.
  var details: [StoredRevision] = []
  /// The number of revisions; those beyond it go.
  var count = 0
  /// The present revision.
  var current = 0
  /// The revision that was saved last.
  var saved: Int?
  /// The revision with which this run began.
  var start = 0
  /// The first text, when it is not stored yet.
  var firstText: PieceTable?
}
