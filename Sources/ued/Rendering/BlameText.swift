import TextBuffer

/// What `blame` says before each line: the group that touched it last, when, and the name of its run.
struct BlameText {
  let listing: BlameListing
  private let isSpoken: Bool
  /// What stands before a line, by the group.
  private var leads: [Int: [UInt8]] = [:]
  /// What stands before a line of an open group.
  private let openLead: [UInt8]

  /// - Parameters:
  ///   - listing: The lines and their groups.
  ///   - now: The current time; times of another day are shown with their date.
  ///   - isSpoken: Whether that is told in sentences.
  init(_ listing: BlameListing, now: Double, inSentences isSpoken: Bool = false) {
    self.listing = listing
    self.isSpoken = isSpoken
    let ids = Array(listing.origins.keys)
    let times = HistoryTable.times(ids.compactMap { listing.origins[$0]?.time }, now: now)
    let idWidth = max(2, ids.map { String($0).count }.max() ?? 0)
    let timeWidth = times.map(\.count).max() ?? 0
    let names = ids.map { GroupNames.shown(Array((listing.origins[$0]?.runName ?? "").utf8)) }
    let nameWidth = names.map(\.count).max() ?? 0
    func lead(_ id: String, _ time: String, _ name: String) -> [UInt8] {
      let columns = [
        HistoryTable.padded(id, idWidth, right: true), HistoryTable.padded(time, timeWidth),
        HistoryTable.padded(name, nameWidth),
      ]
      return Messages.bytes(
        columns.prefix(nameWidth > 0 ? 3 : 2).map { "  " + $0 }.joined() + "  ")
    }
    for ((id, time), name) in zip(zip(ids, times), names) {
      leads[id] =
        isSpoken
        ? Messages.bytes(Messages.origin(id, time, run: name)) : lead(String(id), time, name)
    }
    openLead = isSpoken ? Messages.bytes(Messages.originInOpenGroup) : lead("-", "", "")
  }

  /// What stands before a line.
  func lead(of line: LineNumber) -> [UInt8] {
    let lead = leads[listing.groups[line - listing.lines.first]] ?? openLead
    return isSpoken ? Messages.bytes("line \(line.value)") + lead : lead
  }
}
