/// The syntax tree of a regular expression over bytes.
indirect enum Syntax: Sendable {
  case bytes(ByteSet)
  /// Any UTF-8 character of two to four bytes.
  case multibyteCharacter
  case assertion(Assertion)
  case concatenation([Syntax])
  case alternation([Syntax])
  /// From `minimum` to `maximum` times, without a limit if `maximum` is nil.
  case repetition(Syntax, minimum: Int, maximum: Int?)
  case group(Int, Syntax)

  /// A condition on the position between two bytes.
  enum Assertion: Sendable {
    case lineStart, lineEnd, textStart, textEnd
    case wordStart, wordEnd, wordEdge

    var dependsOnWords: Bool {
      switch self {
      case .lineStart, .lineEnd, .textStart, .textEnd: false
      case .wordStart, .wordEnd, .wordEdge: true
      }
    }

    func holds(between previous: Neighbor, and next: Neighbor) -> Bool {
      switch self {
      case .lineStart: previous == .lineStart
      case .textStart: previous == .lineStart || previous == .restart
      case .lineEnd, .textEnd: next == .end
      case .wordStart: previous != .word && next == .word
      case .wordEnd: previous == .word && next != .word
      case .wordEdge: (previous == .word) != (next == .word)
      }
    }
  }

  /// The neighbor of a position on one side: an end of the text, or a kind of byte.
  enum Neighbor: UInt16, Sendable {
    /// The start of a line, where `^` matches.
    case lineStart
    /// The start of a search after an earlier match: the start of the text, but `^` does not match.
    case restart
    /// The end of the line.
    case end
    case word
    case other

    init(byte: UInt8) { self = ByteSet.word.contains(byte) ? .word : .other }
  }
}

extension Syntax {
  func visit(_ body: (Syntax) -> Void) {
    body(self)
    switch self {
    case .bytes, .multibyteCharacter, .assertion: break
    case .concatenation(let parts), .alternation(let parts): for part in parts { part.visit(body) }
    case .repetition(let part, _, _), .group(_, let part): part.visit(body)
    }
  }

  func hasPart(where predicate: (Syntax) -> Bool) -> Bool {
    var isFound = false
    visit { if predicate($0) { isFound = true } }
    return isFound
  }

  var hasAssertion: Bool {
    hasPart { if case .assertion = $0 { true } else { false } }
  }

  /// Whether every match begins at the start of the text.
  var isAnchored: Bool {
    switch self {
    case .assertion(.lineStart), .assertion(.textStart): true
    case .bytes, .multibyteCharacter, .repetition, .assertion: false
    case .concatenation(let parts): parts.first?.isAnchored ?? false
    case .alternation(let parts): parts.allSatisfy { $0.isAnchored }
    case .group(_, let part): part.isAnchored
    }
  }

  /// The length of every match in bytes; nil if matches differ in length.
  var byteCount: Int? {
    switch self {
    case .bytes: return 1
    case .multibyteCharacter: return nil
    case .assertion: return 0
    case .concatenation(let parts):
      var sum = 0
      for part in parts {
        guard let count = part.byteCount else { return nil }
        sum += count
      }
      return sum
    case .alternation(let parts):
      guard let count = parts.first?.byteCount, parts.allSatisfy({ $0.byteCount == count })
      else { return nil }
      return count
    case .repetition(let part, let minimum, let maximum):
      guard minimum == maximum, let count = part.byteCount else { return nil }
      return count * minimum
    case .group(_, let part): return part.byteCount
    }
  }
}

// MARK: - Core

extension Syntax {
  /// A simpler pattern that matches in the same lines: without groups, and without optional parts
  /// at its ends. Nil if none exists, it would match everywhere, or the pattern has assertions.
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

  /// The parts in sequence, without groups.
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

// MARK: - Literal

extension Syntax {
  /// The required literal: bytes that occur in every match. Of several, the rarest one in usual
  /// texts; nil if none is rare enough to search for.
  var requiredLiteral: [UInt8]? {
    var runs: [[UInt8]] = [[]]
    collectLiterals(into: &runs)
    guard let best = runs.max(by: { Self.rarity($0) < Self.rarity($1) }),
      Self.rarity(best) >= 5
    else { return nil }
    return best
  }

  /// Appends the literal bytes that every match of this node contains. Extends the last run, and
  /// begins a new run wherever other bytes may come between.
  private func collectLiterals(into runs: inout [[UInt8]]) {
    switch self {
    case .bytes(let set):
      if let byte = set.onlyByte { runs[runs.count - 1].append(byte) } else { runs.append([]) }
    case .assertion: break
    case .concatenation(let parts): for part in parts { part.collectLiterals(into: &runs) }
    case .group(_, let part): part.collectLiterals(into: &runs)
    case .multibyteCharacter, .alternation: runs.append([])
    case .repetition(let part, let minimum, _):
      runs.append([])
      if minimum > 0 {
        part.collectLiterals(into: &runs)
        runs.append([])
      }
    }
  }

  /// An estimate of how rare a literal is in usual texts; greater is rarer.
  private static func rarity(_ bytes: [UInt8]) -> Int {
    bytes.reduce(0) { $0 + $1.rarity }
  }
}

extension UInt8 {
  /// An estimate of how rare the byte is in usual texts, from 3 to 6; greater is rarer.
  var rarity: Int {
    switch self {
    case UInt8(ascii: " "), UInt8(ascii: "e"): 3
    case _ where Array("taoinshrdlucm".utf8).contains(self): 4
    case _ where isLowercase: 5
    case 0x80...: 4
    default: 6
    }
  }
}

// MARK: - Prefixes

/// A possible beginning of a match, with the set of possible bytes at each position.
struct MatchPrefix: Hashable {
  var sets: [ByteSet]
  /// Whether the prefix is a whole match.
  var isWhole: Bool

  /// The largest number of sets.
  static let lengthLimit = 4
  static let countLimit = 256
  static let empty = MatchPrefix(sets: [], isWhole: true)

  /// The prefixes of matches that begin with this one and continue with one of `next`.
  func followed(by next: [MatchPrefix]) -> [MatchPrefix] {
    guard isWhole else { return [self] }
    if sets.count == Self.lengthLimit {
      let canEnd = next.contains { $0.sets.isEmpty && $0.isWhole }
      return [MatchPrefix(sets: sets, isWhole: canEnd && next.count == 1)]
    }
    return next.map { next in
      let all = sets + next.sets
      return MatchPrefix(
        sets: Array(all.prefix(Self.lengthLimit)),
        isWhole: next.isWhole && all.count <= Self.lengthLimit)
    }
  }
}

extension Syntax {
  /// The prefixes of all matches; nil if they are too many, or depend on a match's neighbors.
  var prefixes: [MatchPrefix]? {
    switch self {
    case .bytes(let set): return [MatchPrefix(sets: [set.lineBytes], isWhole: true)]
    case .multibyteCharacter:
      return [MatchPrefix(sets: [ByteSet(0xC2...0xF4)], isWhole: false)]
    case .assertion: return nil
    case .group(_, let part): return part.prefixes
    case .alternation(let parts):
      var all: [MatchPrefix] = []
      for part in parts {
        guard let prefixes = part.prefixes else { return nil }
        all += prefixes
      }
      return Self.distinct(all)
    case .concatenation(let parts):
      var all = [MatchPrefix.empty]
      for part in parts {
        // Later parts may have assertions, but no prefix reaches them.
        if !all.contains(where: \.isWhole) { break }
        guard let next = part.prefixes,
          let longer = Self.distinct(all.flatMap { $0.followed(by: next) })
        else { return nil }
        all = longer
      }
      return all
    case .repetition(let part, let minimum, let maximum):
      guard let one = part.prefixes else { return nil }
      var all = [MatchPrefix.empty]
      for _ in 0..<min(minimum, MatchPrefix.lengthLimit) {
        guard let longer = Self.distinct(all.flatMap { $0.followed(by: one) }) else { return nil }
        all = longer
      }
      // Further repetitions may follow.
      if maximum != minimum || minimum > MatchPrefix.lengthLimit {
        for index in all.indices { all[index].isWhole = false }
      }
      return Self.distinct(all)
    }
  }

  private static func distinct(_ prefixes: [MatchPrefix]) -> [MatchPrefix]? {
    let all = Set(prefixes)
    return all.count > MatchPrefix.countLimit ? nil : Array(all)
  }

  /// The greatest length of a match in bytes; nil without a limit.
  var longestByteCount: Int? {
    switch self {
    case .bytes: return 1
    case .multibyteCharacter: return 4
    case .assertion: return 0
    case .group(_, let part): return part.longestByteCount
    case .alternation(let parts):
      return parts.reduce(0) { longest, part in
        guard let longest, let count = part.longestByteCount else { return nil }
        return max(longest, count)
      }
    case .concatenation(let parts):
      return parts.reduce(0) { sum, part in
        guard let sum, let count = part.longestByteCount else { return nil }
        return sum + count
      }
    case .repetition(let part, _, let maximum):
      guard let maximum, let count = part.longestByteCount else { return nil }
      return maximum.multipliedReportingOverflow(by: count).overflow ? nil : maximum * count
    }
  }
}

extension ByteSet {
  /// The bytes of this set except the newline.
  fileprivate var lineBytes: ByteSet {
    intersection(ByteSet { $0 == .newline }.inverted)
  }
}
