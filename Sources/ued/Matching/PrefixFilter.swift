import UedLinux

/// Finds where a match may begin, by the first few bytes of each alternative. A set lists the
/// possible bytes at each position. Alternatives form up to 8 groups, so some finds are false,
/// but no match is missed.
///
/// Invariant of the unsafe parts: `tables` is initialized in `init`, not changed after that, and
/// freed once.
@safe final class PrefixFilter {
  private let tables: UnsafeMutablePointer<clinux_prefixes>
  /// The number of bytes compared at each place; fewer for a shorter alternative.
  let length: Int
  /// Whether each find is a match of `length` bytes.
  let isExact: Bool
  /// The estimated share of places in usual texts that the filter finds, below 0.04.
  let share: Double
  /// The cost of false finds, 12 for each, less the bytes skipped before them.
  private var debt = 0

  /// A filter for the matches of a pattern in lines of an encoding; nil if it would find too much.
  init?(of syntax: Syntax, in encoding: SubjectEncoding) {
    let counts = syntax.prefixes?.map(\.sets.count)
    guard let prefixes = syntax.prefixes, let shortest = counts?.min(), let longest = counts?.max(),
      shortest >= 2
    else { return nil }
    // Compares one more byte while that lowers the share by at least a fifth, even beyond the end
    // of the shortest alternatives.
    var length = shortest
    var cut = Self.cut(prefixes, to: length)
    while length < longest {
      let longer = Self.cut(prefixes, to: length + 1)
      if Self.share(of: longer) > Self.share(of: cut) * 0.8 { break }
      (cut, length) = (longer, length + 1)
    }
    // If the encoding matters, each set must be one literal byte, or only ASCII.
    let isPlain = cut.allSatisfy { sets in
      sets.allSatisfy { $0.isASCII || $0.onlyByte != nil }
    }
    share = Self.share(of: cut)
    guard encoding == .anyBytes || isPlain, share < 0.04 else { return nil }
    self.length = length
    isExact = cut.count <= 8 && prefixes.allSatisfy { $0.isWhole && $0.sets.count == length }
    var masks = [UInt8](repeating: 0, count: length * 256)
    var ended = [UInt8](repeating: 0, count: length + 1)
    for (index, group) in Self.groups(of: cut, length).enumerated() {
      let bit = UInt8(1) << UInt8(index)
      for (place, set) in group.sets.enumerated() {
        set.forEach { masks[place * 256 + Int($0)] |= bit }
      }
      for count in group.shortest...length { ended[count] |= bit }
    }
    unsafe tables = .allocate(capacity: 1)
    unsafe clinux_make_prefixes(tables, masks, ended, Int32(length))
  }

  deinit { unsafe tables.deallocate() }

  /// The first place in a range where a match may begin; nil without one.
  func firstOffset(in text: RawSpan, _ range: Range<Int>) -> Int? {
    precondition(range.lowerBound >= 0 && range.upperBound <= text.byteCount)
    // SAFETY: the range is in the text, and `tables` is initialized.
    let found = unsafe text.withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.map {
        unsafe clinux_find_prefix(tables, $0, range.lowerBound, range.upperBound)
      }
    }
    return found.flatMap { $0 < range.upperBound ? $0 : nil }
  }

  /// Notes a false find, `distance` bytes after the start of its search.
  func noteMiss(after distance: Int) { debt = max(debt + 12 - min(distance, 1000), -10_000) }

  /// Whether the filter saves more time than its false finds cost.
  var isWorthwhile: Bool { debt < 4000 }

  /// The distinct prefixes, cut to at most `length` sets each.
  private static func cut(_ prefixes: [MatchPrefix], to length: Int) -> [[ByteSet]] {
    Set(prefixes.map { Array($0.sets.prefix(length)) }).sorted(by: isLess)
  }

  /// Alternatives that share a bit. At each position, the filter accepts the bytes of any of them.
  private struct Group {
    var sets: [ByteSet]
    /// The length in bytes of the shortest alternative.
    var shortest: Int
    var share: Double

    init(_ sets: [ByteSet], _ shortest: Int) {
      (self.sets, self.shortest, share) = (sets, shortest, PrefixFilter.share(of: sets))
    }

    func joined(_ other: Group) -> Group {
      Group(zip(sets, other.sets).map { $0.union($1) }, min(shortest, other.shortest))
    }
  }

  /// Joins neighbouring alternatives into at most eight groups, each time the pair that adds the
  /// fewest false finds.
  private static func groups(of cut: [[ByteSet]], _ length: Int) -> [Group] {
    var groups = cut.map { sets in
      Group(sets + Array(repeating: .all, count: length - sets.count), sets.count)
    }
    func cost(_ index: Int) -> Double {
      groups[index].joined(groups[index + 1]).share - groups[index].share - groups[index + 1].share
    }
    var costs = groups.indices.dropLast().map { cost($0) }
    while groups.count > 8, let least = costs.indices.min(by: { costs[$0] < costs[$1] }) {
      groups[least] = groups[least].joined(groups[least + 1])
      groups.remove(at: least + 1)
      costs.remove(at: least)
      for index in [least - 1, least] where costs.indices.contains(index) {
        costs[index] = cost(index)
      }
    }
    return groups
  }

  private static func share(of cut: [[ByteSet]]) -> Double {
    cut.reduce(0) { $0 + share(of: $1) }
  }

  private static func isLess(_ first: [ByteSet], _ second: [ByteSet]) -> Bool {
    for (one, other) in zip(first, second) where one != other {
      return one.firstByte < other.firstByte
    }
    return false
  }

  /// The share of places in usual texts where bytes from these sets occur in sequence.
  private static func share(of sets: [ByteSet]) -> Double {
    sets.reduce(1) { product, set in
      var sum = 0.0
      set.forEach { sum += frequency($0) }
      return product * min(1, sum)
    }
  }

  /// The share of places in usual texts where a literal occurs.
  static func share(of literal: [UInt8]) -> Double {
    literal.reduce(1) { $0 * frequency($1) }
  }

  /// The share of a byte in usual texts, estimated from its `rarity`.
  private static func frequency(_ byte: UInt8) -> Double {
    switch byte.rarity {
    case ...3: 0.12
    case 4: 0.045
    case 5: 0.015
    default: 0.004
    }
  }
}

extension ByteSet {
  fileprivate var isASCII: Bool { intersection(.ascii) == self }

  fileprivate var firstByte: Int {
    (0..<256).first { contains(UInt8($0)) } ?? 256
  }
}
