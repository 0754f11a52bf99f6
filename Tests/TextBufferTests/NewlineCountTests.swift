import Testing
import TextBuffer

@Suite struct `Counting newlines` {
  @Test(arguments: 0..<70) func `gives the same in every way`(_ length: Int) {
    var generator = SeededGenerator(7000 + length)
    // Newlines, and what differs from one by a bit, or stands next to one.
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
