/// A nondeterministic finite automaton over bytes, built from a syntax tree (Thompson's construction).
struct NFA: Sendable {
  enum Node: Sendable {
    /// Consumes one of these bytes.
    case bytes(ByteSet, next: Int)
    /// Continues at both nodes; the first one is preferred.
    case split(Int, Int)
    /// Continues if the assertion holds here.
    case assertion(Syntax.Assertion, next: Int)
    /// Saves the position in a capture slot: 2 *n* for the start of group *n*, 2 *n* + 1 for its end.
    case capture(slot: Int, next: Int)
    /// Ends the match.
    case match
  }

  private(set) var nodes: [Node] = [.match]
  private(set) var start = 0
  /// For each node, the nodes that lead to it without consuming a byte.
  private(set) var emptyPredecessors: [[Int]] = []
  /// Whether an assertion depends on word characters.
  let hasWordAssertions: Bool
  /// Whether an assertion depends on the start of the text.
  let hasStartAssertions: Bool

  /// The index of the only match node.
  static let match = 0
  private static let nodeLimit = 1500

  /// The automaton of `syntax`; nil when it would have too many nodes.
  init?(_ syntax: Syntax) {
    hasWordAssertions = syntax.hasPart {
      if case .assertion(let assertion) = $0 { assertion.dependsOnWords } else { false }
    }
    hasStartAssertions = syntax.hasPart {
      switch $0 {
      case .assertion(.lineStart), .assertion(.textStart): true
      default: false
      }
    }
    guard let start = add(syntax, before: Self.match) else { return nil }
    self.start = start
    emptyPredecessors = Array(repeating: [], count: nodes.count)
    for (index, node) in nodes.enumerated() {
      switch node {
      case .bytes, .match: break
      case .split(let first, let second):
        emptyPredecessors[first].append(index)
        emptyPredecessors[second].append(index)
      case .assertion(_, let next), .capture(_, let next): emptyPredecessors[next].append(index)
      }
    }
  }

  private mutating func add(_ node: Node) -> Int? {
    guard nodes.count < Self.nodeLimit else { return nil }
    nodes.append(node)
    return nodes.count - 1
  }

  /// Adds the nodes of `syntax` before the node `next`. Returns the first one; nil if there are too
  /// many.
  private mutating func add(_ syntax: Syntax, before next: Int) -> Int? {
    switch syntax {
    case .bytes(let set): return add(.bytes(set, next: next))
    case .multibyteCharacter: return addMultibyteCharacter(before: next)
    case .assertion(let assertion): return add(.assertion(assertion, next: next))
    case .concatenation(let parts):
      var next = next
      for part in parts.reversed() {
        guard let start = add(part, before: next) else { return nil }
        next = start
      }
      return next
    case .alternation(let parts):
      var start: Int?
      for part in parts.reversed() {
        guard let first = add(part, before: next) else { return nil }
        start = start == nil ? first : start.flatMap { add(.split(first, $0)) }
        if start == nil { return nil }
      }
      return start
    case .repetition(let part, let minimum, let maximum):
      return addRepetition(of: part, minimum, maximum, before: next)
    case .group(let number, let part):
      guard let end = add(.capture(slot: 2 * number + 1, next: next)),
        let body = add(part, before: end)
      else { return nil }
      return add(.capture(slot: 2 * number, next: body))
    }
  }

  private mutating func addRepetition(
    of part: Syntax, _ minimum: Int, _ maximum: Int?, before next: Int
  ) -> Int? {
    var start = next
    var count = minimum
    if let maximum {
      for _ in min(minimum, maximum)..<maximum {
        guard let body = add(part, before: start), let split = add(.split(body, next)) else {
          return nil
        }
        start = split
      }
    } else {
      guard let split = add(.match), let body = add(part, before: split) else { return nil }
      nodes[split] = .split(body, next)
      start = minimum == 0 ? split : body
      count = max(0, minimum - 1)
    }
    for _ in 0..<count {
      guard let body = add(part, before: start) else { return nil }
      start = body
    }
    return start
  }

  /// Adds a lead byte and the continuation bytes that it announces. No other check for UTF-8 is
  /// needed: automata do not match subjects with malformed characters.
  private mutating func addMultibyteCharacter(before next: Int) -> Int? {
    let continuation = ByteSet(0x80...0xBF)
    var tail = next
    var start: Int?
    for leads: ClosedRange<UInt8> in [0xC2...0xDF, 0xE0...0xEF, 0xF0...0xF4] {
      guard let rest = add(.bytes(continuation, next: tail)),
        let lead = add(.bytes(ByteSet(leads), next: rest))
      else { return nil }
      tail = rest
      start = start == nil ? lead : start.flatMap { add(.split($0, lead)) }
      if start == nil { return nil }
    }
    return start
  }
}
