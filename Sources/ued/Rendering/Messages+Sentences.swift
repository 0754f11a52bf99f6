import TextBuffer

/// Histories and differences in sentences, for those who hear them from a screen reader: no columns, no
/// marks, nothing drawn.
extension Messages {
  /// A sentence for each revision.
  ///
  /// - Parameters:
  ///   - rows: The revisions in display order.
  ///   - now: The current time; times of another day are told with their date.
  /// - Returns: The lines.
  static func sentences(_ rows: [HistoryRow], now: Double) -> [String] {
    let today = HistoryTable.day(now)
    return rows.map { row in
      var facts = ["revision \(row.id)", time(row.time, today: today)]
      if let parent = row.parent, parent != row.id - 1 { facts.append("made from \(parent)") }
      if row.isCurrent { facts.append("current") }
      if row.isSaved { facts.append("saved") } else if row.wasSaved { facts.append("saved before") }
      return "\(facts.joined(separator: ", ")): \(row.title)"
    }
  }

  /// A time, with its date if that is not today's.
  private static func time(_ time: Double, today: String) -> String {
    HistoryTable.text(time, withDate: HistoryTable.day(time) != today)
  }

  /// How much a difference changes.
  static func difference(_ hunks: [LineHunk], of name: [UInt8]) -> String {
    let removed = hunks.reduce(0) { $0 + $1.old.count }
    let added = hunks.reduce(0) { $0 + $1.new.count }
    let place = name.isEmpty ? "buffer" : GroupNames.readable(name)
    return "\(place): \(GroupNames.count(removed)) removed, \(GroupNames.count(added)) added"
  }

  /// What a difference does with a line, before the line itself. A removed line has its number in the old
  /// text, an added one that in the new text.
  static func lineChanged(
    _ number: LineNumber, isAdded: Bool, isUnterminated: Bool
  ) -> [UInt8] {
    let end = isUnterminated ? ", without a newline" : ""
    return bytes("line \(number.value) \(isAdded ? "added" : "removed")\(end): ")
  }
}

/// The group that touched a line last, in the words between the number of the line and its text.
extension Messages {
  static func origin(_ id: Int, _ time: String, run: String) -> String {
    let name = run.isEmpty ? "" : ", run \(run)"
    return id == 0 ? ", as first opened: " : ", revision \(id), \(time)\(name): "
  }

  static let originInOpenGroup = ", open group: "
}
