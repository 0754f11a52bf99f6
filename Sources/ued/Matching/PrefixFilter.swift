import UedLinux

/// Finds where a match may begin: at the first few bytes of one of its alternatives, each byte out of a set.
///
/// Many alternatives share eight bits, so what is found need not begin a match; but no match begins elsewhere.
///
/// Invariant of the unsafe parts: `tables` is initialized in `init`, not changed after that, and freed once.
@safe final class PrefixFilter {
  private let tables: UnsafeMutablePointer<clinux_prefixes>
  /// The number of bytes that are compared.
  let length: Int
  /// Whether each place that is found is a match of `length` bytes.
  let isExact: Bool
  /// The share of the places in usual texts that it finds.
  let share: Double
  /// How many places were found in vain, less what the bytes between them have saved.
  private var debt = 0

  /// A filter for what a pattern matches in lines of an encoding; nil where it would find too much.
  init?(of syntax: Syntax, in encoding: SubjectEncoding) {
    guard let prefixes = syntax.prefixes, let shortest = prefixes.map(\.sets.count).min(),
      shortest >= 2
    else { return nil }
    let cut = Set(prefixes.map { Array($0.sets.prefix(shortest)) }).sorted(by: Self.isLess)
    // A line in another encoding has what it must have of a match only as the bytes of known characters.
    let isPlain = cut.allSatisfy { sets in
      sets.allSatisfy { $0.isASCII || $0.onlyByte != nil }
    }
    share = cut.reduce(0) { $0 + Self.share(of: $1) }
    guard encoding == .anyBytes || isPlain, share < 0.04 else { return nil }
    length = shortest
    isExact = cut.count <= 8 && prefixes.allSatisfy { $0.isWhole && $0.sets.count == shortest }
    var masks = [UInt8](repeating: 0, count: length * 256)
    for (index, sets) in cut.enumerated() {
      // Neighbours, which are alike, share a bit.
      let bit = UInt8(1) << UInt8(index * 8 / max(8, cut.count))
      for (place, set) in sets.enumerated() {
        for byte in 0..<256 where set.contains(UInt8(byte)) { masks[place * 256 + byte] |= bit }
      }
    }
    unsafe tables = .allocate(capacity: 1)
    unsafe clinux_make_prefixes(tables, masks, Int32(length))
  }

  deinit { unsafe tables.deallocate() }

  /// The first place from an offset on.
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

  /// Notes that no match began at a place found `distance` bytes behind the start of a search.
  func noteMiss(after distance: Int) { debt = max(debt + 12 - min(distance, 1000), -10_000) }

  /// Whether it saves more than it costs.
  var isWorthwhile: Bool { debt < 4000 }

  private static func isLess(_ first: [ByteSet], _ second: [ByteSet]) -> Bool {
    for (one, other) in zip(first, second) where one != other {
      return one.firstByte < other.firstByte
    }
    return false
  }

  /// The share of the places in usual texts at which bytes out of these sets follow each other.
  private static func share(of sets: [ByteSet]) -> Double {
    sets.reduce(1) { product, set in
      product * (0...UInt8.max).reduce(0) { set.contains($1) ? $0 + frequency($1) : $0 }
    }
  }

  /// The same for bytes.
  static func share(of literal: [UInt8]) -> Double {
    literal.reduce(1) { $0 * frequency($1) }
  }

  /// The share of a byte, by the scale that says how rare it is.
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
