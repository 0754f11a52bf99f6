import Testing
import TextBufferTesting
import TextBuffer
import TextBufferModels

@Suite struct Searching {
  @Test func `finds matches across the windows of a long text`() {
    var bytes = [UInt8](repeating: 0x61, count: 600_000)
    let places = [0, (1 << 18) - 2, (1 << 19) - 3, 599_995]
    for place in places { bytes.replaceSubrange(place..<place + 5, with: "found".utf8) }
    var buffer = PieceTable(bytes)
    let expected = places.map { offsets($0..<$0 + 5) }
    #expect(buffer.ranges(of: "found") == expected)
    #expect(buffer.firstRange(of: [UInt8](repeating: 0x62, count: 300_000)) == nil)
    buffer.remove(offsets(3..<4))
    buffer.insert("n", at: ByteOffset(3))
    #expect(buffer.ranges(of: "found") == expected)
  }

  @Test(arguments: 0..<20) func `by regular expression finds the matches of each line`(seed: Int) {
    var generator = SeededGenerator(9950 + seed)
    var buffer = PieceTable()
    for _ in 0..<15 {
      // Cut at bytes, not at characters, so that some are not UTF-8.
      buffer.replace(offsets(generator.range(in: buffer.byteCount)), with: generator.text(upTo: 30))
    }
    let regex = /[ab]+|é|😀|\u{FFFD}/.matchingSemantics(.unicodeScalar)
    var expected: [Range<ByteOffset>] = []
    var start = 0
    for line in lines(of: buffer.bytes) {
      expected += matches(regex, in: line).map {
        offsets(start + $0.lowerBound..<start + $0.upperBound)
      }
      start += line.count + 1
    }
    #expect(buffer.ranges(of: regex) == expected)
    #expect(buffer.firstRange(of: regex) == expected.first)
  }

  /// The matches in a line, whose scalars are mapped to bytes one by one.
  private func matches(_ regex: Regex<Substring>, in line: [UInt8]) -> [Range<Int>] {
    let string = String(decoding: line, as: UTF8.self)
    var places: [Int] = []
    var rest = line[...]
    for scalar in string.unicodeScalars {
      places.append(rest.startIndex)
      let bytes = Array(String(scalar).utf8)
      if rest.starts(with: bytes) {
        rest = rest.dropFirst(bytes.count)
      } else {
        // The fewest bytes that decode to this scalar alone and leave fewer scalars after them.
        let left = String(decoding: rest, as: UTF8.self).unicodeScalars.count
        var count = 1
        while String(decoding: rest.dropFirst(count), as: UTF8.self).unicodeScalars.count >= left
          || !String(decoding: rest.prefix(count), as: UTF8.self).unicodeScalars.elementsEqual([
            scalar
          ])
        { count += 1 }
        rest = rest.dropFirst(count)
      }
    }
    places.append(line.count)
    func place(_ index: String.Index) -> Int {
      places[string.unicodeScalars.distance(from: string.startIndex, to: index)]
    }
    return string.matches(of: regex).map { place($0.range.lowerBound)..<place($0.range.upperBound) }
  }

  @Test func `passes captures, and ends on request`() {
    let text: PieceTable = "width = 10\nname\nheight = 20\ndepth = 30"
    var found: [String] = []
    text.forEachMatch(of: /(\w+) = (\d+)/, in: LineNumber(2)..<LineNumber(5)) { range, output in
      found.append("\(output.1)=\(output.2) \(String(text, in: range))")
      return found.count < 1
    }
    #expect(found == ["height=20 height = 20"])
    #expect(text.ranges(of: /^\w+$/) == [offsets(11..<15)])
    #expect(PieceTable().ranges(of: /x*/) == [])
  }
}
