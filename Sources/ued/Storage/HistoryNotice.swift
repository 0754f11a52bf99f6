/// A notice to the user about the history on disk.
enum HistoryNotice: Equatable, Sendable {
  case trouble(HistoryError)
  /// No history of the file is kept, since its content should not linger.
  case notKept(PrivateFiles.Kind)
  /// The history has groups after the content of the file, or those of a text without a name. The last of
  /// them is named if it was cut off while its lines were entered.
  case unsaved(groups: Int, cutOff: String? = nil, isUnnamed: Bool = false)
  /// A revision on another branch was not saved.
  case unsavedElsewhere(Int)
  /// The file was changed outside ued, by the group with this number; `unsaved` is a revision that had
  /// not been saved.
  case changedOutside(Int, unsaved: Int?)
  /// The file was deleted outside ued; this revision has its text.
  case goneOutside(Int)
  /// The file was renamed, and its history goes on.
  case renamed(from: [UInt8])
  /// What another program had written to the file was overwritten; this revision has it.
  case overwrote(Int)
  /// A text without a name was given that of a file with a history.
  case staysUnnamed
  /// The history was deleted.
  case forgotten
}
