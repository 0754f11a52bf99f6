import Differential
import Testing

@testable import ued

@Suite struct LiteralSearchTests {
  private func naiveOffset(of needle: [UInt8], in text: [UInt8], _ range: Range<Int>) -> Int? {
    guard range.count >= needle.count else { return nil }
    return (range.lowerBound...range.upperBound - needle.count).first {
      text[$0..<$0 + needle.count].elementsEqual(needle)
    }
  }

  @Test(arguments: seeds(200))
  func `a literal is found at its first place, wherever that is`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    // With few distinct bytes, parts of the literal often match; with many, blocks lack it.
    let alphabetSize = [2, 3, 40][random.below(3)]
    func bytes(_ count: Int) -> [UInt8] {
      (0..<count).map { _ in UInt8(ascii: "a") + UInt8(random.below(alphabetSize)) }
    }
    for _ in 0..<50 {
      var text = bytes(random.below(300))
      let needle = bytes(1 + random.below(20))
      if random.chance(50), text.count >= needle.count {
        let place = random.below(text.count - needle.count + 1)
        text.replaceSubrange(place..<place + needle.count, with: needle)
      }
      let start = random.below(text.count + 1)
      let range = start..<start + random.below(text.count - start + 1)
      let found = text.span.bytes.firstOffset(of: needle, in: range)
      #expect(found == naiveOffset(of: needle, in: text, range), "\(needle) in \(text)")
    }
  }
}
