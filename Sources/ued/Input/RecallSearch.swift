/// An incremental search for text in earlier lines.
struct RecallSearch: Sendable {
  struct Match: Equatable, Sendable {
    /// The index of the line.
    var line: Int
    /// How many bytes are before the match.
    var offset: Int
  }

  /// The earlier lines, the newest first.
  let lines: [[UInt8]]
  /// What is searched for.
  private(set) var text: [UInt8] = []
  /// The line that was found last; nil before the first.
  private(set) var match: Match?
  /// Whether the text occurs in that line.
  private(set) var isFound = true
  /// Whether the last search went to older lines.
  private(set) var isOlder = true
  /// The searches before each extension of the text.
  private var earlier: [(count: Int, match: Match?, isFound: Bool, isOlder: Bool)] = []

  /// Begins a search, at the line with an index, or at the ends of the lines.
  init(lines: [[UInt8]], from index: Int? = nil) {
    self.lines = lines
    match = index.map { Match(line: $0, offset: 0) }
  }

  /// The line that was found last.
  var line: [UInt8]? { match.map { lines[$0.line] } }

  /// Searches for more text, from the line that was found last on.
  mutating func extend(by more: [UInt8], older: Bool) {
    earlier.append((text.count, match, isFound, isOlder))
    text += more
    isOlder = older
    if lines.isEmpty {
      isFound = false
      return
    }
    let first = match?.line ?? (older ? 0 : lines.count - 1)
    find(in: older ? Array(lines.indices[first...]) : lines.indices[...first].reversed())
  }

  /// Takes the last extension back; false if there is none.
  mutating func shorten() -> Bool {
    guard let last = earlier.popLast() else { return false }
    text.removeLast(text.count - last.count)
    (match, isFound, isOlder) = (last.match, last.isFound, last.isOlder)
    return true
  }

  /// Goes to the next match, in another line.
  mutating func goOn(older: Bool) {
    isOlder = older
    let shown = line
    let others =
      match.map {
        older ? Array(lines.indices[($0.line + 1)...]) : lines.indices[..<$0.line].reversed()
      }
      ?? (older ? Array(lines.indices) : lines.indices.reversed())
    find(in: others.filter { lines[$0] != shown })
  }

  private mutating func find(in indices: [Int]) {
    for index in indices {
      if let offset = Self.offset(of: text, in: lines[index]) {
        match = Match(line: index, offset: offset)
        isFound = true
        return
      }
    }
    isFound = false
  }

  private static func offset(of text: [UInt8], in line: [UInt8]) -> Int? {
    guard text.count <= line.count else { return nil }
    return (0...line.count - text.count).first { line[$0...].starts(with: text) }
  }
}
