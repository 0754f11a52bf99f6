import TextBuffer

/// What `blame` says before each line: the group that touched it last, and when.
struct BlameText {
  let listing: BlameListing
  private let isSpoken: Bool
  /// What stands before a line, by the revision.
  private var leads: [Int: [UInt8]] = [:]
  /// The origins of the lines from `first` on.
  private var (first, origins): (LineNumber, [Int]) = (.zero, [])

  /// - Parameters:
  ///   - listing: The lines and their origins.
  ///   - now: The current time; times of another day are shown with their date.
  ///   - isSpoken: Whether that is told in sentences.
  init(_ listing: BlameListing, now: Double, inSentences isSpoken: Bool = false) {
    self.listing = listing
    self.isSpoken = isSpoken
    let ids = Array(listing.times.keys)
    let times = HistoryTable.times(ids.compactMap { listing.times[$0] }, now: now)
    let idWidth = max(2, ids.map { String($0).count }.max() ?? 0)
    let timeWidth = times.map(\.count).max() ?? 0
    for (id, time) in zip(ids, times) {
      leads[id] = Messages.bytes(
        isSpoken
          ? Messages.origin(id, time)
          : "  \(HistoryTable.padded(String(id), idWidth, right: true))  "
            + "\(HistoryTable.padded(time, timeWidth))  ")
    }
    leads[BlameListing.openGroup] = Messages.bytes(
      isSpoken
        ? Messages.originInOpenGroup
        : "  \(HistoryTable.padded("-", idWidth, right: true))  "
          + "\(HistoryTable.padded("", timeWidth))  ")
  }

  /// What stands before a line.
  mutating func lead(of line: LineNumber) -> [UInt8] {
    if line.value - first.value >= origins.count || line < first {
      first = line
      let last = min(listing.lines.last, line + (BlameListing.blockLines - 1))
      origins = listing.origins[LineRange(first, last)]
    }
    let lead = leads[origins[line.value - first.value]] ?? []
    return isSpoken ? Messages.bytes("line \(line.value)") + lead : lead
  }
}
