/// A notice to the user about the history on disk.
enum HistoryNotice: Equatable, Sendable {
  case trouble(HistoryError)
  /// The history has groups after the content of the file.
  case unsaved(groups: Int)
  /// A revision on another branch was not saved.
  case unsavedElsewhere(Int)
  /// The file was changed outside ued; `unsaved` is a revision that had not been saved.
  case changedOutside(unsaved: Int?)
  /// The file was deleted outside ued; this revision has its text.
  case goneOutside(Int)
  /// The history was deleted.
  case forgotten
}
