/// Messages about the history on disk.
extension Messages {
  /// The message for a notice.
  static func notice(_ notice: HistoryNotice) -> [UInt8] {
    switch notice {
    case .trouble(.damaged(let place)):
      bytes("the history was damaged; a new one begins, the old one is now ") + place
    case .notKept(.device): bytes("no history is kept: not a regular file")
    case .notKept(.temporary):
      bytes("no history is kept of files in temporary folders; 'ued --history' keeps one")
    case .notKept(.secret):
      bytes("no history is kept of files that may hold secrets; 'ued --history' keeps one")
    case .trouble(let trouble): bytes("history is not kept: \(reason(trouble))")
    case .unsaved(let groups, let cutOff, let isUnnamed):
      bytes(
        GroupNames.groups(groups)
          + (isUnnamed ? " of a text without a name" : " from a previous session")
          + (groups == 1 ? " was" : " were") + " not saved"
          + (cutOff.map { (groups == 1 ? ": " : ", the last one: ") + "'\($0)', cut off" } ?? "")
          + "; 'redo\(groups == 1 ? "" : " \(groups)")' brings "
          + "\(groups == 1 ? "it" : "them") back")
    case .unsavedElsewhere(let id):
      bytes("a previous session ended without saving; 'jump \(id)' brings its text back")
    case .changedOutside(let id, nil):
      bytes("the file was changed outside ued; 'diff \(id)' shows how")
    case .changedOutside(let id, let unsaved?):
      bytes(
        "the file was changed outside ued; 'diff \(id)' shows how, "
          + "'jump \(unsaved)' goes to the unsaved changes from before")
    case .goneOutside(let id):
      bytes("the file is gone, but its history is not; 'jump \(id)' brings its text back")
    case .renamed(let path):
      bytes("this file was renamed; its history goes on, from \(GroupNames.readable(path))")
    case .overwrote(let id):
      bytes("overwrote a change by another program; it is revision \(id)")
    case .staysUnnamed:
      bytes(
        "this file already has the history of another text; the history of this one is kept until you quit"
      )
    case .forgotten:
      bytes("deleted the history on disk; none is kept until the file is opened again")
    }
  }

  /// What a list of groups leaves out, and the command that shows all.
  static func beyond(_ listing: HistoryListing) -> [UInt8] {
    let (newer, older) = (listing.newerCount, listing.olderCount)
    let parts = [newer > 0 ? "\(newer) newer" : nil, older > 0 ? "\(older) older" : nil]
    let all = listing.rows.count + newer + older
    let lines = listing.lines
    let address = lines.count > 0 ? "\(lines.first.value),\(lines.last.value)" : ""
    return bytes(
      "\(parts.compactMap { $0 }.joined(separator: ", ")): '\(address)history \(all)'")
  }

  /// `history /RE/` has found nothing.
  static func noGroupMatches(_ pattern: [UInt8]) -> [UInt8] {
    bytes("no group matches \(GroupNames.shown(pattern))")
  }

  /// No group has touched the lines that `history` is asked about.
  static let noGroupTouched = bytes("these lines are as first opened")

  /// Why a history is not kept, or can't be read.
  static func reason(_ trouble: HistoryError) -> String {
    switch trouble {
    case .inUse: "another ued is editing this file"
    case .noLocks: "the file system that it is on has no locks"
    case .changedMeanwhile: "another ued has changed it"
    case .damaged, .damagedInPlace: "it is damaged, and can't be moved away"
    case .newer: "it was written by a newer version of ued"
    case .folder(let path, let code): "\(GroupNames.readable(path)): \(systemText(code))"
    case .foreign(let path): "\(path) is not yours alone, or is a link"
    case .noFolder: "neither XDG_STATE_HOME nor HOME is set to a path"
    case .groupTooLarge: "the last change is too large; those before it are kept"
    case .database(let message): message
    case .full: "it has reached its size limit; 'forget' deletes it"
    case .textTooLarge: "the text is too large"
    case .fileHasHistory: "this file already has the history of another text"
    case .tooManyUnnamed: "too many texts without a name wait in this folder"
    case .textWithoutName: "the previous text has no file name; its history stays in memory"
    }
  }
}
