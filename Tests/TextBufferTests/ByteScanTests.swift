import Testing
import TextBuffer
import TextBufferTesting

@Suite struct `Counting newlines` {
  @Test(arguments: 0..<70) func `agrees in all functions`(_ length: Int) {
    var generator = SeededGenerator(7000 + length)
    // Newlines, bytes one bit from a newline, and neighbouring values.
    let kinds: [UInt8] = [0x0A, 0x0A, 0x8A, 0x0B, 0x09, 0x00, 0xFF, 0x7F, 0x80, 0x4A]
    for _ in 0..<50 {
      let bytes = (0..<length + 8).map { _ in
        kinds[Int.random(in: kinds.indices, using: &generator)]
      }
      for start in 0..<8 {
        let expected = bytes[start..<start + length].count { $0 == 0x0A }
        let (all, short) = unsafe bytes.withUnsafeBytes { memory in
          let base = unsafe memory.baseAddress.unsafelyUnwrapped + start
          return unsafe (countNewlines(base, length), countNewlinesOfShort(base, length))
        }
        #expect(all == expected && short == expected, "\(bytes) from \(start)")
      }
    }
  }
}

@Suite struct `Comparing bytes` {
  @Test func `notices every byte that differs, and none outside`() {
    var wrong: [String] = []
    for length in 0..<150 {
      let bytes = (0..<length + 8).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      for start in 0..<3 {
        for place in -1..<length + 3 {
          var other = bytes
          if place >= 0 { other[place + start] ^= UInt8(1) << UInt8(place % 8) }
          let isEqual = unsafe bytes.withUnsafeBytes { one in
            unsafe other.withUnsafeBytes { two in
              unsafe bytesAreEqual(
                one.baseAddress.unsafelyUnwrapped + start,
                two.baseAddress.unsafelyUnwrapped + start, length)
            }
          }
          if isEqual == (0..<length).contains(place) { wrong.append("\(length), \(place)") }
        }
      }
    }
    #expect(wrong.isEmpty)
  }
}
