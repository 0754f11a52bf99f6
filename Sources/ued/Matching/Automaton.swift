/// A nondeterministic automaton for a pattern: places to be at between two bytes of a text.
struct Automaton: Sendable {
  enum Node: Sendable {
    /// Goes on behind one of these bytes.
    case bytes(ByteSet, next: Int)
    /// Goes on at both, rather at the first.
    case fork(Int, Int)
    /// Goes on when the assertion holds.
    case assertion(Syntax.Assertion, next: Int)
    /// Notes the place as the start or the end of a group, at index 2 *n* or 2 *n* + 1, and goes on.
    case note(Int, next: Int)
    case match
  }

  private(set) var nodes: [Node] = [.match]
  private(set) var start = 0
  /// The nodes from which each node is reached without a byte.
  private(set) var sources: [[Int]] = []
  /// Whether there are assertions about words.
  let asksForWords: Bool
  /// Whether there are assertions about the start of the text.
  let asksForStart: Bool

  /// The node that ends every match.
  static let match = 0
  private static let nodeLimit = 1500

  /// The automaton of `syntax`; nil when it would be too big.
  init?(_ syntax: Syntax) {
    asksForWords = syntax.hasPart {
      if case .assertion(let assertion) = $0 { assertion.isAboutWords } else { false }
    }
    asksForStart = syntax.hasPart {
      switch $0 {
      case .assertion(.lineStart), .assertion(.textStart): true
      default: false
      }
    }
    guard let start = add(syntax, before: Self.match) else { return nil }
    self.start = start
    sources = Array(repeating: [], count: nodes.count)
    for (index, node) in nodes.enumerated() {
      switch node {
      case .bytes, .match: break
      case .fork(let first, let second):
        sources[first].append(index)
        sources[second].append(index)
      case .assertion(_, let next), .note(_, let next): sources[next].append(index)
      }
    }
  }

  private mutating func add(_ node: Node) -> Int? {
    guard nodes.count < Self.nodeLimit else { return nil }
    nodes.append(node)
    return nodes.count - 1
  }

  /// Adds the nodes of `syntax`, which go on at `next`.
  ///
  /// - Returns: Where they begin.
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
        start = start == nil ? first : start.flatMap { add(.fork(first, $0)) }
        if start == nil { return nil }
      }
      return start
    case .repetition(let part, let minimum, let maximum):
      return addRepetition(of: part, minimum, maximum, before: next)
    case .group(let number, let part):
      guard let end = add(.note(2 * number + 1, next: next)), let body = add(part, before: end)
      else { return nil }
      return add(.note(2 * number, next: body))
    }
  }

  private mutating func addRepetition(
    of part: Syntax, _ minimum: Int, _ maximum: Int?, before next: Int
  ) -> Int? {
    var start = next
    var count = minimum
    if let maximum {
      for _ in min(minimum, maximum)..<maximum {
        guard let body = add(part, before: start), let fork = add(.fork(body, next)) else {
          return nil
        }
        start = fork
      }
    } else {
      guard let fork = add(.match), let body = add(part, before: fork) else { return nil }
      nodes[fork] = .fork(body, next)
      start = minimum == 0 ? fork : body
      count = max(0, minimum - 1)
    }
    for _ in 0..<count {
      guard let body = add(part, before: start) else { return nil }
      start = body
    }
    return start
  }

  /// A first byte and as many others as it asks for: the texts are known to be well formed.
  private mutating func addMultibyteCharacter(before next: Int) -> Int? {
    let continuation = ByteSet(0x80...0xBF)
    var tail = next
    var start: Int?
    for leads: ClosedRange<UInt8> in [0xC2...0xDF, 0xE0...0xEF, 0xF0...0xF4] {
      guard let rest = add(.bytes(continuation, next: tail)),
        let lead = add(.bytes(ByteSet(leads), next: rest))
      else { return nil }
      tail = rest
      start = start == nil ? lead : start.flatMap { add(.fork($0, lead)) }
      if start == nil { return nil }
    }
    return start
  }
}
