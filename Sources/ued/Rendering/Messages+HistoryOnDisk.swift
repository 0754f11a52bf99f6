/// Messages about the history on disk.
extension Messages {
  /// The message for a notice.
  static func notice(_ notice: HistoryNotice) -> [UInt8] {
    switch notice {
    case .trouble(.damaged(let place)):
      bytes("the history was damaged, and a new one begins; the old one is now ") + place
    case .trouble(let trouble): bytes("history is not kept: \(reason(trouble))")
    case .unsaved(let groups, let cutOff, let isUnnamed):
      bytes(
        GroupNames.groups(groups)
          + (isUnnamed ? " of a text without a name" : " of an earlier session")
          + (groups == 1 ? " is" : " are") + " not saved"
          + (cutOff.map { (groups == 1 ? ": " : ", the last one: ") + "'\($0)', cut off" } ?? "")
          + "; 'redo\(groups == 1 ? "" : " \(groups)")' brings "
          + "\(groups == 1 ? "it" : "them") back")
    case .unsavedElsewhere(let id):
      bytes("an earlier session ended without a save; 'jump \(id)' brings its text back")
    case .changedOutside(nil): bytes("the file was changed outside ued")
    case .changedOutside(let id?):
      bytes(
        "the file was changed outside ued; 'jump \(id)' brings back what was not saved before")
    case .goneOutside(let id):
      bytes("the file is gone, but its history is here; 'jump \(id)' brings its text back")
    case .staysUnnamed:
      bytes(
        "the file has the history of another text already; that of this one is kept until you quit")
    case .forgotten:
      bytes("the history on disk is deleted; none is kept until the file is opened again")
    }
  }

  private static func reason(_ trouble: HistoryError) -> String {
    switch trouble {
    case .inUse: "another ued has this file"
    case .changedMeanwhile: "another ued has changed it"
    case .damaged, .damagedInPlace: "it is damaged, and can't be set aside"
    case .newer: "a newer ued has written it"
    case .folder(let path, let code): "\(GroupNames.readable(path)): \(systemText(code))"
    case .database(let message): message
    case .full: "it is as large as it may be; 'forget' deletes it"
    case .textTooLarge: "the text is too large"
    case .fileHasHistory: "the file has one of another text already"
    case .tooManyUnnamed: "too many texts without a name wait in this folder"
    case .textWithoutName: "the text before has no name, and stays in memory"
    }
  }
}
