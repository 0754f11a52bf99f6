/// Messages about runs, and about the histories of many files.
extension Messages {
  static let noMemoryToStart = bytes(
    "ued: not enough memory to start; nothing was read or written\n")

  static let noStateFolder = bytes("neither XDG_STATE_HOME nor HOME says where histories are")

  /// The index can't be read.
  static func indexUnusable(_ error: DatabaseError) -> [UInt8] {
    bytes(
      error == .newer
        ? "the index of histories was written by a newer version of ued"
        : "the index of histories can't be used: \(error.reason)")
  }

  /// There is no run with a name or an identity.
  static func noRun(_ name: [UInt8]) -> [UInt8] {
    bytes("no run '\(GroupNames.shown(name))'; 'ued --log' lists them")
  }

  /// Several runs have an identity that begins so.
  static func ambiguousRun(_ name: [UInt8], _ identities: [String]) -> [UInt8] {
    bytes("'\(GroupNames.shown(name))' could be \(identities.joined(separator: " or "))")
  }

  /// The history of a file can't be searched.
  static func notSearched(_ file: [UInt8], _ error: DatabaseError) -> [UInt8] {
    bytes(
      "the history of \(GroupNames.readable(file)) was not searched: "
        + reason(HistoryError(error)))
  }

  /// A line of `--search`.
  static func text(_ group: FoundGroup) -> [UInt8] {
    let time = SystemClock.text(group.time, "%Y-%m-%d %H:%M:%S")
    return inOneLine(group.file) + bytes(":\(group.id): \(time) \(group.title)")
  }

  /// A file name that can't end its line; any other byte stays, for other programs.
  static func inOneLine(_ name: [UInt8]) -> [UInt8] {
    name.flatMap { $0 == .newline ? bytes("\\n") : [$0] }
  }
}
