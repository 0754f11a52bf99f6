/// Reads lines one after the other.
struct LineReader {
  private var cursor: Cursor
  private let end: Int
  /// Bytes visited by the cursor, but not yet read.
  private var ahead: Extent?
  /// The parts of a line scattered over memory.
  private var scratch: [UInt8] = []

  /// A reader of the lines of `text` from the offset `start` to the offset `end`.
  init(_ text: Subtree, at start: Int, upTo end: Int) {
    cursor = Cursor(text, at: start)
    self.end = end
    ahead = cursor.nextExtent(upTo: end)
  }

  var isAtEnd: Bool { ahead == nil }

  /// Calls `body` with the next line, without its newline; at the end with an empty one.
  mutating func withNext(_ body: (RawSpan) -> Bool) -> Bool {
    guard var extent = ahead else { return unsafe body(ContiguousArray<UInt8>().span.bytes) }
    if !scratch.isEmpty { scratch.removeAll(keepingCapacity: true) }
    var searched = 0
    while true {
      if let length = extent.dropping(searched).firstNewline {
        let end = searched + length
        let rest = extent.dropping(end + 1)
        ahead = rest.count > 0 ? rest : cursor.nextExtent(upTo: self.end)
        return lend(extent.prefix(end), body)
      }
      ahead = cursor.nextExtent(upTo: end)
      guard let next = ahead else { return lend(extent, body) }
      if let joined = extent.joined(next) {
        searched = extent.count
        extent = joined
      } else {
        extent.append(to: &scratch)
        searched = 0
        extent = next
      }
    }
  }

  /// Calls `body` with a line whose first part may be in `scratch` and whose last part is `extent`.
  private mutating func lend(_ extent: Extent, _ body: (RawSpan) -> Bool) -> Bool {
    if scratch.isEmpty { return extent.withSpan(body) }
    extent.append(to: &scratch)
    return unsafe scratch.withUnsafeBytes { unsafe body($0.bytes) }
  }
}
