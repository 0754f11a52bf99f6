/// Finds what the groups of a pattern matched, once it is known where the match is.
///
/// From the start of the match it goes from node to node, always to the first one from which the
/// end can be reached; the backward machine has noted which those are. That is how glibc does it
/// too, so the groups are the same where no group can take part twice.
struct GroupFinder: Sendable {
  private let nodes: [Automaton.Node]
  private let start: Int
  /// The start of group *n* at index 2 *n*, its end behind; -1 for those that took no part.
  private(set) var notes: [Int]
  /// The byte nodes that lead to the end, from the last byte of the match to the first.
  var trail: [UInt64]? = []
  /// The nodes met since the last byte.
  private var met: UInt64 = 0

  /// A finder for the groups of a pattern, if it is one of those for which this works.
  init?(_ automaton: Automaton, of syntax: Syntax) {
    let isAmbiguous = syntax.hasPart {
      switch $0 {
      case .repetition(_, 2..., _), .repetition(_, _, .some(2...)): true
      case .repetition(let part, _, _): part.hasGroup
      case .alternation(let parts): parts.contains { $0.hasGroup }
      default: false
      }
    }
    guard automaton.nodes.count <= 64, !isAmbiguous else { return nil }
    nodes = automaton.nodes
    start = automaton.start
    notes = Array(repeating: -1, count: 2 * Pattern.groupLimit)
  }

  /// Finds the groups of a match, into ``notes``.
  ///
  /// - Parameters:
  ///   - match: The match whose ``trail`` it is.
  ///   - line: The text.
  ///   - beginning: Where the text was taken to begin, and what it begins with.
  /// - Returns: Whether there is a way through all nodes, as there must be.
  mutating func findGroups(
    of match: Range<Int>, in line: RawSpan, from beginning: (Int, Syntax.Surrounding)
  ) -> Bool {
    for index in notes.indices { notes[index] = -1 }
    var node = start
    for offset in match.lowerBound...match.upperBound {
      met = 0
      let isEnd = offset == match.upperBound
      let open = isEnd ? 1 << UInt64(Automaton.match) : trail?[match.upperBound - 1 - offset] ?? 0
      guard let reached = advance(from: node, to: open, at: offset, line, beginning) else {
        return false
      }
      if isEnd { return true }
      guard case .bytes(_, let next) = nodes[reached] else { return false }
      node = next
    }
    return false
  }

  /// The first of the `open` nodes that is reached without a byte; what is passed is noted.
  private mutating func advance(
    from node: Int, to open: UInt64, at offset: Int,
    _ line: RawSpan, _ beginning: (Int, Syntax.Surrounding)
  ) -> Int? {
    if met >> UInt64(node) & 1 == 1 { return nil }
    met |= 1 << UInt64(node)
    switch nodes[node] {
    case .bytes, .match: return open >> UInt64(node) & 1 == 1 ? node : nil
    case .fork(let first, let second):
      return advance(from: first, to: open, at: offset, line, beginning)
        ?? advance(from: second, to: open, at: offset, line, beginning)
    case .assertion(let assertion, let next):
      let previous =
        offset == beginning.0 ? beginning.1 : Syntax.Surrounding(byte: line[offset - 1])
      let following =
        offset == line.byteCount ? .end : Syntax.Surrounding(byte: line[offset])
      guard assertion.holds(between: previous, and: following) else { return nil }
      return advance(from: next, to: open, at: offset, line, beginning)
    case .note(let index, let next):
      guard index < notes.count else {
        return advance(from: next, to: open, at: offset, line, beginning)
      }
      let before = notes[index]
      notes[index] = offset
      if let reached = advance(from: next, to: open, at: offset, line, beginning) { return reached }
      notes[index] = before
      return nil
    }
  }
}

extension Syntax {
  fileprivate var hasGroup: Bool {
    hasPart { if case .group = $0 { true } else { false } }
  }
}
