import Glibc

struct ByteSet: Hashable, Sendable {
  private var words = SIMD4<UInt64>()

  init() {}

  init(_ range: ClosedRange<UInt8>) {
    for byte in range { insert(byte) }
  }

  init(where isMember: (UInt8) -> Bool) {
    for byte in UInt8.min...UInt8.max where isMember(byte) { insert(byte) }
  }

  static let all = ByteSet(0...255)
  static let ascii = ByteSet(0...127)
  /// The ASCII members of `\w`.
  static let word = ByteSet {
    $0 == UInt8(ascii: "_") || $0 < 0x80 && isalnum(Int32($0)) != 0
  }

  /// The only byte in the set; nil if the set is empty or has several.
  var onlyByte: UInt8? {
    var counts = SIMD4<UInt64>()
    for index in 0..<4 { counts[index] = UInt64(words[index].nonzeroBitCount) }
    guard counts.wrappedSum() == 1 else { return nil }
    for index in 0..<4 where words[index] != 0 {
      return UInt8(index * 64 + words[index].trailingZeroBitCount)
    }
    return nil
  }

  func contains(_ byte: UInt8) -> Bool {
    words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1
  }

  mutating func insert(_ byte: UInt8) {
    words[Int(byte >> 6)] |= 1 << UInt64(byte & 63)
  }

  mutating func formUnion(_ other: ByteSet) { words |= other.words }

  func forEach(_ body: (UInt8) -> Void) {
    for index in 0..<4 {
      var word = words[index]
      while word != 0 {
        body(UInt8(index * 64 + word.trailingZeroBitCount))
        word &= word - 1
      }
    }
  }

  func union(_ other: ByteSet) -> ByteSet {
    var result = self
    result.words |= other.words
    return result
  }

  func intersection(_ other: ByteSet) -> ByteSet {
    var result = self
    result.words &= other.words
    return result
  }

  var inverted: ByteSet {
    var result = self
    result.words = ~words
    return result
  }
}

/// The equivalence classes of bytes: no node of an automaton distinguishes two bytes of a class.
/// The classes are the columns of a transition table. Two pseudo-classes for the ends of a text
/// follow.
struct ByteClasses: Sendable {
  /// The class of each byte; a newline has the class `edge`.
  private(set) var classes: [UInt8] = []
  /// One byte of each class, as its representative.
  private(set) var representatives: [UInt8] = []

  var count: Int { representatives.count }
  /// The class of the end of a line. In a backward automaton, the class of the search's start if
  /// `^` matches there.
  var edge: Int { representatives.count }
  /// In a backward automaton, the class of the search's start if `^` does not match.
  var restart: Int { representatives.count + 1 }

  /// The classes for `automaton`; nil if they are too many.
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
