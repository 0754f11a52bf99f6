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
