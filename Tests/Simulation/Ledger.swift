/// The required revisions of a file's history, and their allowed texts.
struct Ledger {
  /// The texts of revisions that have a known number and were confirmed by an answer.
  private(set) var texts: [Int: Set<[UInt8]>] = [:]
  /// Texts of revisions whose numbers are not known.
  private(set) var unnumbered: Set<[UInt8]> = []

  /// A group that the answer to the next command will confirm.
  struct Pending {
    var revision: Int?
    var text: [UInt8]
  }

  /// A group is in the history for good.
  mutating func acknowledge(_ group: Pending) {
    if let revision = group.revision {
      texts[revision] = [group.text]
    } else {
      unnumbered.insert(group.text)
    }
  }

  /// A group may be in the history: its process ended or stopped keeping one.
  mutating func doubt(_ group: Pending) {
    if let revision = group.revision, texts[revision] != nil {
      texts[revision]?.insert(group.text)
    }
  }

  /// A revision may have any text.
  mutating func forget(_ revision: Int) { texts[revision] = nil }

  /// The fault of a history; nil if it is correct.
  func fault(in stored: StoredRevisions) -> String? {
    for (revision, allowed) in texts.sorted(by: { $0.key < $1.key }) {
      guard let text = stored.texts[revision] else { return "revision \(revision) is lost" }
      if !allowed.contains(SimulatedText(text).saved) {
        let all = ([text] + allowed).map { "'\(String(decoding: $0.prefix(200), as: UTF8.self))'" }
        return "revision \(revision) is \(all[0]), not \(all[1...].joined(separator: " or "))"
      }
    }
    let all = Set(stored.texts.values.map { SimulatedText($0).saved })
    guard let lost = unnumbered.first(where: { !all.contains($0) }) else { return nil }
    return "no revision has the text \(String(decoding: lost.prefix(200), as: UTF8.self))"
  }
}

/// The texts of all revisions of a history, as `history git` prints them.
struct StoredRevisions {
  /// By number.
  private(set) var texts: [Int: [UInt8]] = [:]
  /// The number of the current revision.
  private(set) var current = -1

  /// Reads a stream for git-fast-import; nil if it is cut off or makes no sense.
  init?(_ stream: [UInt8]) {
    var rest = stream[...]
    var revision = -1
    var isContent = false
    var isDone = false
    var reset = ""
    while let end = rest.firstIndex(of: 0x0A) {
      let line = String(decoding: rest[..<end], as: UTF8.self)
      rest = rest[(end + 1)...]
      if line.hasPrefix("mark :") {
        revision = (Int(line.dropFirst(6)) ?? 0) - 1
      } else if line.hasPrefix("M ") {
        isContent = true
      } else if line.hasPrefix("reset ") {
        reset = line
      } else if line.hasPrefix("from :"), reset == "reset refs/heads/main" {
        current = (Int(line.dropFirst(6)) ?? 0) - 1
      } else if line.hasPrefix("data ") {
        guard let count = Int(line.dropFirst(5)), count <= rest.count else { return nil }
        if isContent { texts[revision] = Array(rest.prefix(count)) }
        isContent = false
        rest = rest.dropFirst(count)
      }
      isDone = line == "done"
    }
    if !isDone || texts[current] == nil { return nil }
  }
}
