extension Syntax {
  /// A simpler pattern that matches in the same lines: without groups, and without what its ends may lack.
  ///
  /// It is nil if there is none, or one that matches everywhere. Only a pattern without assertions has one.
  var core: Syntax? {
    if hasAssertion { return nil }
    var parts = flatParts
    while let first = parts.first, first.canBeEmpty { parts.removeFirst() }
    while let last = parts.last, last.canBeEmpty { parts.removeLast() }
    guard !parts.isEmpty else { return nil }
    let isSimpler =
      parts.count < flatParts.count || hasPart { if case .group = $0 { true } else { false } }
    let ends = [0, parts.count - 1]
    var isShorter = false
    for end in Set(ends) {
      if case .repetition(let part, let minimum, let maximum) = parts[end], maximum != minimum {
        parts[end] = .repetition(part, minimum: minimum, maximum: minimum)
        isShorter = true
      }
    }
    return isSimpler || isShorter ? .concatenation(parts) : nil
  }

  /// The parts that follow each other, without groups.
  private var flatParts: [Syntax] {
    switch self {
    case .bytes, .multibyteCharacter, .assertion: [self]
    case .group(_, let part): part.flatParts
    case .concatenation(let parts): parts.flatMap(\.flatParts)
    case .alternation(let parts): [.alternation(parts.map { .concatenation($0.flatParts) })]
    case .repetition(let part, let minimum, let maximum):
      [.repetition(.concatenation(part.flatParts), minimum: minimum, maximum: maximum)]
    }
  }

  /// Whether it matches nothing at all, too.
  private var canBeEmpty: Bool {
    switch self {
    case .bytes, .multibyteCharacter: false
    case .assertion: true
    case .group(_, let part): part.canBeEmpty
    case .concatenation(let parts): parts.allSatisfy(\.canBeEmpty)
    case .alternation(let parts): parts.contains(where: \.canBeEmpty)
    case .repetition(let part, let minimum, _): minimum == 0 || part.canBeEmpty
    }
  }
}
