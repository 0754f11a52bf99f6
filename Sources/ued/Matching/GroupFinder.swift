/// Finds the ranges of the capture groups in a match whose ends are known. From the start of the
/// match, the finder follows the NFA, always by the preferred branch that can still reach the end
/// of the match. The backward DFA has recorded the nodes of such branches. glibc proceeds in the
/// same way, so the groups are the same for the patterns that `init` accepts.
struct GroupFinder: Sendable {
  private let nodes: [NFA.Node]
  private let start: Int
  /// The start of group *n* in slot 2 *n*, its end in slot 2 *n* + 1; -1 for an unmatched group.
  private(set) var slots: [Int]
  /// For each byte of the match, last first: the byte nodes that can reach the match's end.
  var liveNodes: [UInt64]? = []

  /// A finder of a pattern's groups; nil if glibc may find others, or there are too many nodes.
  init?(_ automaton: NFA, of syntax: Syntax) {
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
    slots = Array(repeating: -1, count: 2 * Pattern.groupLimit)
  }

  /// Finds the groups of `match`, and sets ``slots`` to them. The search for the match must have
  /// filled ``liveNodes``. `beginning` is the start of that search and the neighbor before it.
  /// Returns false if no path was found, which is not expected; only glibc then knows the groups.
  mutating func findGroups(
    of match: Range<Int>, in line: RawSpan, from beginning: (Int, Syntax.Neighbor)
  ) -> Bool {
    for index in slots.indices { slots[index] = -1 }
    var node = start
    for offset in match.lowerBound...match.upperBound {
      let isEnd = offset == match.upperBound
      let live = isEnd ? 1 << UInt64(NFA.match) : liveNodes?[match.upperBound - 1 - offset] ?? 0
      guard let reached = advance(from: node, to: live, at: offset, line, beginning) else {
        return false
      }
      if isEnd { return true }
      guard case .bytes(_, let next) = nodes[reached] else { return false }
      node = next
    }
    return false
  }

  /// The `live` node that the preferred path from `node` reaches without consuming a byte; the
  /// capture nodes on the path set their slots. Such a path never returns to `node`, because only
  /// parts that can't be empty are repeated.
  private mutating func advance(
    from node: Int, to live: UInt64, at offset: Int,
    _ line: RawSpan, _ beginning: (Int, Syntax.Neighbor)
  ) -> Int? {
    switch nodes[node] {
    case .bytes, .match: return live >> UInt64(node) & 1 == 1 ? node : nil
    case .split(let first, let second):
      return advance(from: first, to: live, at: offset, line, beginning)
        ?? advance(from: second, to: live, at: offset, line, beginning)
    case .assertion(let assertion, let next):
      let previous =
        offset == beginning.0 ? beginning.1 : Syntax.Neighbor(byte: line[offset - 1])
      let following =
        offset == line.byteCount ? .end : Syntax.Neighbor(byte: line[offset])
      guard assertion.holds(between: previous, and: following) else { return nil }
      return advance(from: next, to: live, at: offset, line, beginning)
    case .capture(let slot, let next):
      guard slot < slots.count else {
        return advance(from: next, to: live, at: offset, line, beginning)
      }
      let before = slots[slot]
      slots[slot] = offset
      if let reached = advance(from: next, to: live, at: offset, line, beginning) { return reached }
      slots[slot] = before
      return nil
    }
  }
}

extension Syntax {
  fileprivate var hasGroup: Bool {
    hasPart { if case .group = $0 { true } else { false } }
  }
}
