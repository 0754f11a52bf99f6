/// A notice to the user about the history on disk.
enum HistoryNotice: Equatable, Sendable {
  case trouble(HistoryError)
  /// No history of the file is kept, since its content should not linger.
  case notKept(PrivateFiles.Kind)
  /// The history has groups after the content of the file.
  case unsaved(groups: Int)
  /// A revision on another branch was not saved.
  case unsavedElsewhere(Int)
  /// The file was changed outside ued, by the group with this number; `unsaved` is a revision that had
  /// not been saved.
  case changedOutside(Int, unsaved: Int?)
  /// The file was deleted outside ued; this revision has its text.
  case goneOutside(Int)
  /// The history was deleted.
  case forgotten
}
