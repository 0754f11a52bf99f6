/// What there is to tell about the history on disk.
enum HistoryNotice: Equatable, Sendable {
  case trouble(HistoryTrouble)
  /// So many groups follow on what is in the file.
  case unsaved(groups: Int)
  /// This revision was not saved, and is not to be had by redo.
  case unsavedElsewhere(Int)
  /// Somebody else has changed the file; this revision was not saved before.
  case changedOutside(unsaved: Int?)
  /// Somebody else has deleted the file; this revision has its text.
  case goneOutside(Int)
  /// The history was deleted.
  case forgotten
}
