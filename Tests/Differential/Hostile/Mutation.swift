/// Changes bytes at random, in the ways that parsers fall over.
package struct Mutation {
  /// Parts that mean something to the parser.
  package var words: [[UInt8]]

  package init(words: [String] = []) {
    self.words = words.map { Array($0.utf8) }
  }

  private static let numbers = [
    "0", "1", "-1", "65535", "2147483647", "2147483648", "4294967295", "4294967296",
    "9223372036854775807", "9223372036854775808", "18446744073709551616",
    "99999999999999999999999999999999999999",
  ]

  /// A few changes of bytes, of numbers and of lines.
  package func changed(_ bytes: [UInt8], by random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<random.pick(weighted: [(4, 1), (3, 2), (2, 5), (1, 20)]) {
      if random.chance(35) {
        changeLines(of: &bytes, by: &random)
      } else {
        changeBytes(of: &bytes, by: &random)
      }
      // Few faults need more, and a pipe takes no more than a megabyte.
      if bytes.count > 200_000 { bytes.removeSubrange(200_000...) }
    }
    return bytes
  }

  /// Bytes without any sense.
  package static func noise(_ count: Int, by random: inout SeededGenerator) -> [UInt8] {
    let isASCII = random.chance(50)
    return (0..<count).map { _ in
      random.chance(8) ? 0x0A : UInt8(random.below(isASCII ? 128 : 256))
    }
  }

  private func changeBytes(of bytes: inout [UInt8], by random: inout SeededGenerator) {
    let place = random.below(bytes.count + 1)
    let end = min(bytes.count, place + random.pick([1, 1, 2, 7, 64, 512, 4096]))
    switch random.below(8) {
    case 0 where place < bytes.count: bytes[place] ^= UInt8(1 << random.below(8))
    case 1 where place < bytes.count:
      bytes[place] = random.pick([0, 0x0A, 0x0D, 0x1B, 0x5C, 0x7F, 0x80, 0xC0, 0xFE, 0xFF])
    case 2: bytes.removeSubrange(place..<end)
    case 3: bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count + 1))
    case 4:
      let part = Array(bytes[place..<end].prefix(64))
      let copies = Array(repeating: part, count: random.pick([2, 30, 200])).joined()
      bytes.insert(contentsOf: copies, at: end)
    case 5: bytes.insert(contentsOf: Self.noise(1 + random.below(9), by: &random), at: place)
    case 6 where !words.isEmpty: bytes.insert(contentsOf: random.pick(words), at: place)
    default: changeNumber(of: &bytes, from: place, by: &random)
    }
  }

  /// Replaces the first number from `place` on by an extreme one; inserts one at `place` if none
  /// follows.
  private func changeNumber(
    of bytes: inout [UInt8], from place: Int, by random: inout SeededGenerator
  ) {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let start = bytes[place...].firstIndex { digits.contains($0) } ?? place
    let end = bytes[start...].firstIndex { !digits.contains($0) } ?? bytes.count
    bytes.replaceSubrange(start..<end, with: random.pick(Self.numbers).utf8)
  }

  private func changeLines(of bytes: inout [UInt8], by random: inout SeededGenerator) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    let (one, other) = (random.below(lines.count), random.below(lines.count))
    switch random.below(5) {
    case 0: lines.swapAt(one, other)
    case 1: lines.remove(at: one)
    case 2: lines.insert(lines[one], at: other)
    case 3: lines[one] += lines[other]
    default:
      if !words.isEmpty { lines.insert(random.pick(words), at: one) }
    }
    bytes = Array(lines.joined(separator: [0x0A]))
  }
}
