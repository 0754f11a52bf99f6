/// Finds long common parts of two sequences with a rolling hash. Cuts the old sequence into
/// windows, and looks up those with a unique hash at every position of the new sequence.
enum WindowMatches {
  /// The number of elements in a window.
  private static let width = 32
  /// The least number of distinct elements in a window. A window with fewer may match by chance,
  /// and is ignored.
  private static let leastKinds = 8
  private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

  /// Returns common parts, ascending and without overlap in both sequences.
  ///
  /// - Complexity: O(*n* + *m* log *m*), for *n* elements and *m* windows.
  static func chain(_ old: [Int32], _ new: [Int32]) -> [Match] {
    if old.count < width || new.count < width { return [] }
    let places = placesOfWindows(in: old)
    // The weight of a window's first element in the hash: `factor` to the power of `width - 1`.
    let outgoing = (1..<width).reduce(UInt64(1)) { power, _ in power &* factor }
    var matches: [Match] = []
    var start = 0
    var hash = hash(of: new[..<width])
    while true {
      if let place = places[hash] ?? nil,
        let match = match(at: place, of: old, with: start, of: new)
      {
        matches.append(match)
        start = match.newEnd
        if start + width > new.count { break }
        hash = Self.hash(of: new[start..<start + width])
      } else {
        if start + width == new.count { break }
        hash =
          (hash &- term(new[start]) &* outgoing) &* factor &+ term(new[start + width])
        start += 1
      }
    }
    return matches.heaviestChain()
  }

  /// Maps each hash to the start of its window, or to nil if several windows have that hash. Leaves
  /// out windows with too few distinct elements.
  private static func placesOfWindows(in old: [Int32]) -> [UInt64: Int?] {
    var places: [UInt64: Int?] = [:]
    for place in stride(from: 0, through: old.count - width, by: width) {
      let window = old[place..<place + width]
      guard hasVariety(window) else { continue }
      let hash = hash(of: window)
      places.updateValue(places.keys.contains(hash) ? nil : place, forKey: hash)
    }
    return places
  }

  private static func hasVariety(_ window: ArraySlice<Int32>) -> Bool {
    var kinds: [Int32] = []
    kinds.reserveCapacity(leastKinds)
    for element in window where !kinds.contains(element) {
      kinds.append(element)
      if kinds.count == leastKinds { return true }
    }
    return false
  }

  private static func hash(of window: ArraySlice<Int32>) -> UInt64 {
    window.reduce(0) { $0 &* factor &+ term($1) }
  }

  /// The term of one element in a hash. Spreads small numbers over 64 bits.
  private static func term(_ element: Int32) -> UInt64 {
    let product = UInt64(truncatingIfNeeded: element &+ 1).multipliedFullWidth(by: factor)
    return product.low ^ (product.low >> 29)
  }

  /// The longest common part from `oldStart` and `newStart`; nil if it is shorter than a window.
  private static func match(
    at oldStart: Int, of old: [Int32], with newStart: Int, of new: [Int32]
  ) -> Match? {
    let longest = min(old.count - oldStart, new.count - newStart)
    var count = 0
    while count < longest, old[oldStart + count] == new[newStart + count] { count += 1 }
    return count < width ? nil : Match(oldStart: oldStart, newStart: newStart, count: count)
  }
}
