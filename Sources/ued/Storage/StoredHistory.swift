import TextBuffer

/// A revision as stored in a row of the database.
struct StoredRevision: Sendable {
  var id: Int
  var record: RevisionRecord
  /// The run that created it, counted from 1.
  var run: Int
  /// The content hash of its text, if it was saved or is the first revision.
  var hash: ContentHash?
  /// The description of the group in UTF-8; empty if the user has named it.
  var title: ArraySlice<UInt8> = []
  /// The serialized contexts; see `EditorContext.bytes`.
  var context: ArraySlice<UInt8> = []
  /// The serialized changes, see `StoredChanges`; empty for the first revision.
  var changes: ArraySlice<UInt8> = []
}

/// A history as loaded from the database.
struct StoredHistory {
  /// All revisions, in order.
  var revisions: [StoredRevision] = []
  /// The current revision at the last write.
  var current: Int
  /// The last saved revision.
  var saved: Int?
  /// The revisions at which runs began.
  var starts: Set<Int> = []
  /// The version of the file that the last save was to replace, if that save was staged; see
  /// `HistoryPlace.fileVersion`.
  var stagedOver: Int?
  /// The lines of a command that was cut off while it read them; nil if there are none.
  var entered: EnteredText?
  /// The length in bytes of the first text.
  var firstLength: Int

  /// The path from the first revision to another, without the first.
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

/// Changes to a stored history, written in one transaction.
struct HistoryUpdate {
  /// Revisions that are new or have new changes, in order of their ids.
  var revisions: [StoredRevision] = []
  /// Stored revisions with new details, but the same changes.
  var details: [StoredRevision] = []
  /// The number of revisions; stored ones beyond it are deleted.
  var count = 0
  /// The current revision.
  var current = 0
  /// The last saved revision.
  var saved: Int?
  /// The revision at which this run began.
  var start = 0
  /// The version of the file that the saved revision is about to replace; nil if it has been saved.
  var stagedOver: Int?
  /// Entered lines that change the text of the current revision; they replace all that are stored.
  var entered: [EnteredLines] = []
  /// The first text, if it is not stored yet.
  var firstText: PieceTable?
}
