/// What a match may begin with: bytes, each out of a set.
struct MatchPrefix: Hashable {
  var sets: [ByteSet]
  /// Whether the match is that and nothing more.
  var isWhole: Bool

  /// The number of sets that are looked at.
  static let lengthLimit = 4
  static let countLimit = 256
  static let empty = MatchPrefix(sets: [], isWhole: true)

  /// The prefixes of what is followed by something.
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
  /// The prefixes of all matches; nil when there are too many, or conditions on what is around a match.
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
        // The rest may have conditions too, but it begins behind.
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
      // More may follow, or not.
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

  /// The greatest length of a match in bytes; nil when there is none.
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
  /// The bytes that can be in a line.
  fileprivate var lineBytes: ByteSet {
    intersection(ByteSet { $0 == .newline }.inverted)
  }
}
