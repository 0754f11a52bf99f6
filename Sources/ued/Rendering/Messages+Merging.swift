import TextBuffer

/// Messages about `merge` and `pick`.
extension Messages {
  /// The conflicts that are told one by one.
  private static let shownConflictCount = 5

  /// Which lines two texts have changed in different ways, and by which groups.
  static func text(_ conflicts: [MergeConflict], with name: [UInt8]) -> [UInt8] {
    let shown = conflicts.prefix(shownConflictCount).map { text($0) }
    let rest = conflicts.count - shown.count
    let count = conflicts.count == 1 ? "1 conflict" : "\(conflicts.count) conflicts"
    let more = rest > 0 ? "; and \(rest) more" : ""
    return bytes(
      "\(count): \(shown.joined(separator: "; "))\(more). "
        + "'merge! \(GroupNames.shown(name))' marks them in the text")
  }

  private static func text(_ conflict: MergeConflict) -> String {
    let place =
      conflict.lines.count == 0
      ? "after line \(conflict.lines.last.value)" : GroupNames.text(conflict.lines)
    let groups = [
      conflict.ours.map { "here \($0.id) (\($0.title))" },
      conflict.theirs.map { "there \($0.id) (\($0.title))" },
    ].compactMap { $0 }
    return groups.isEmpty ? place : "\(place), \(groups.joined(separator: ", "))"
  }

  /// What a merge has done.
  static func text(merged name: String?, _ conflictCount: Int) -> [UInt8] {
    guard let name else { return bytes("nothing new to merge") }
    switch conflictCount {
    case 0: return bytes("merged: \(name)")
    case 1: return bytes("merged: \(name), with 1 conflict, marked '<<<<<<<' to '>>>>>>>'")
    default:
      return bytes(
        "merged: \(name), with \(conflictCount) conflicts, marked '<<<<<<<' to '>>>>>>>'")
    }
  }
}
