/// The equivalence classes of bytes: no node of an automaton distinguishes two bytes of a class.
///
/// They are the columns of a transition table, which two pseudo-classes for the ends of a text follow.
struct ByteClasses: Sendable {
  /// The class of each byte; a newline has the class `edge`.
  private(set) var classes: [UInt8] = []
  /// One byte of each class, to stand for all.
  private(set) var representatives: [UInt8] = []

  /// The number of classes of bytes.
  var count: Int { representatives.count }
  /// The class of the end of a line; backwards, of a start at which `^` matches.
  var edge: Int { representatives.count }
  /// Backwards, the class of a start at which `^` does not match.
  var restart: Int { representatives.count + 1 }

  /// The classes for `automaton`; nil when there are too many.
  init?(_ automaton: NFA) {
    var sets: Set<ByteSet> = automaton.hasWordAssertions ? [.word] : []
    for case .bytes(let set, _) in automaton.nodes { sets.insert(set) }
    // Partition refinement: each set splits the classes that it cuts.
    var current = [Int](repeating: 0, count: 256)
    var count = 1
    for set in sets {
      var split: [Int: Int] = [:]
      var next = 0
      for byte in 0..<256 {
        let key = current[byte] * 2 + (set.contains(UInt8(byte)) ? 1 : 0)
        if let known = split[key] {
          current[byte] = known
        } else {
          split[key] = next
          current[byte] = next
          next += 1
        }
      }
      count = next
    }
    guard count < 250 else { return nil }
    representatives = Array(repeating: 0, count: count)
    for byte in (0..<256).reversed() where byte != 0x0A {
      representatives[current[byte]] = UInt8(byte)
    }
    classes = current.map { UInt8($0) }
    classes[Int(UInt8.newline)] = UInt8(count)
  }
}
