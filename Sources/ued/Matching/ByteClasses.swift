/// Bytes that no node of an automaton tells apart have the same class.
struct ByteClasses: Sendable {
  /// The class of each byte; that of a newline is the one of the end of a line.
  private(set) var classes: [UInt8] = []
  /// A byte of each class.
  private(set) var members: [UInt8] = []

  /// The number of classes of bytes.
  var count: Int { members.count }
  /// The class of the end of a line; towards the start, of a start where `^` matches.
  var edge: Int { members.count }
  /// The class of a start where `^` does not match.
  var restart: Int { members.count + 1 }

  /// The classes for `automaton`; nil when there are too many.
  init?(_ automaton: Automaton) {
    var sets: Set<ByteSet> = automaton.asksForWords ? [.word] : []
    for case .bytes(let set, _) in automaton.nodes { sets.insert(set) }
    // Classes are refined by one set after the other.
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
    members = Array(repeating: 0, count: count)
    for byte in (0..<256).reversed() where byte != 0x0A { members[current[byte]] = UInt8(byte) }
    classes = current.map { UInt8($0) }
    classes[Int(UInt8.newline)] = UInt8(count)
  }
}
