import Testing
import TextBuffer

/// The units before each offset of valid UTF-8, `nil` inside a character, by way of `String`.
private func unitsBefore(_ text: String) -> [Int?] {
  var result: [Int?] = []
  var units = 0
  for scalar in text.unicodeScalars {
    result.append(units)
    result += [Int?](repeating: nil, count: scalar.utf8.count - 1)
    units += scalar.utf16.count
  }
  return result + [units]
}

@Suite struct `UTF-16 units` {
  @Test(arguments: 0..<25) func `are those of a string, edited at random`(seed: Int) {
    var generator = SeededGenerator(9000 + seed)
    var model: [Unicode.Scalar] = []
    var buffer = PieceTable()
    for _ in 0..<25 {
      let range = generator.range(in: model.count)
      let added = Array(generator.text(upTo: 30).unicodeScalars)
      func offset(_ count: Int) -> ByteOffset { ByteOffset(utf8(model[..<count]).count) }
      buffer.replace(
        offset(range.lowerBound)..<offset(range.upperBound), with: utf8(added[...]))
      model.replaceSubrange(range, with: added)
      buffer.checkInvariants()
      check(buffer, String(String.UnicodeScalarView(model)))
    }
  }

  private func utf8(_ scalars: ArraySlice<Unicode.Scalar>) -> [UInt8] {
    Array(String(String.UnicodeScalarView(scalars)).utf8)
  }

  private func check(_ buffer: PieceTable, _ text: String) {
    #expect(buffer.utf16Count == text.utf16.count)
    var start = 0
    for (index, units) in unitsBefore(text).enumerated() {
      let offset = ByteOffset(index)
      if let units {
        start = index
        #expect(buffer.utf16Offset(at: offset) == units)
        #expect(buffer.byteOffset(utf16: units) == offset)
      } else {
        #expect(buffer.utf16Offset(at: offset) == buffer.utf16Offset(at: ByteOffset(start)))
      }
      checkPosition(buffer, Array(text.utf8), offset)
    }
    for unit in 0..<text.utf16.count {
      // The lower half of a pair belongs to the character of the upper one.
      var place = text.utf16.index(text.startIndex, offsetBy: unit)
      if UTF16.isTrailSurrogate(text.utf16[place]) { place = text.utf16.index(before: place) }
      #expect(
        buffer.byteOffset(utf16: unit).value == text.utf8.distance(from: text.startIndex, to: place)
      )
    }
  }

  private func checkPosition(_ buffer: PieceTable, _ bytes: [UInt8], _ offset: ByteOffset) {
    let before = bytes[..<offset.value]
    let line = before.count { $0 == 0x0A } + 1
    let start = (before.lastIndex(of: 0x0A) ?? -1) + 1
    let position = buffer.position(at: offset, in: .utf8)
    #expect(position == LinePosition(LineNumber(line), column: offset.value - start))
    #expect(buffer.offset(of: position, in: .utf8) == offset)
    let wide = buffer.position(at: offset, in: .utf16)
    let units = buffer.utf16Offset(at: offset) - buffer.utf16Offset(at: ByteOffset(start))
    #expect(wide == LinePosition(LineNumber(line), column: units))
    #expect(
      buffer.utf16Offset(at: buffer.offset(of: wide, in: .utf16)) == buffer.utf16Offset(at: offset))
  }

  @Test(arguments: 0..<25) func `of any bytes agree with each other, and with counting bytes`(
    seed: Int
  ) {
    var generator = SeededGenerator(9500 + seed)
    var model: [UInt8] = []
    var buffer = PieceTable()
    for _ in 0..<25 {
      let range = generator.range(in: model.count)
      // Parts of characters, and bytes that are in none.
      let kinds: [UInt8] = [0x0A, 0x0D, 0x61, 0x80, 0xBF, 0xC3, 0xE2, 0xF0, 0xF4, 0xF5, 0xFF]
      let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
        kinds[Int.random(in: kinds.indices, using: &generator)]
      }
      buffer.replace(offsets(range), with: bytes)
      model.replaceSubrange(range, with: bytes)
      buffer.checkInvariants()
      check(buffer, model)
    }
  }

  private func check(_ buffer: PieceTable, _ bytes: [UInt8]) {
    let units = bytes.map { $0 & 0xC0 == 0x80 ? 0 : (0xF0...0xF4).contains($0) ? 2 : 1 }
    var unit = 0
    for (index, count) in units.enumerated() {
      if count > 0 { #expect(buffer.utf16Offset(at: ByteOffset(index)) == unit) }
      for unit in unit..<unit + count {
        #expect(buffer.byteOffset(utf16: unit) == ByteOffset(index))
      }
      unit += count
      checkPosition(buffer, bytes, ByteOffset(index))
    }
    #expect(buffer.utf16Count == unit)
    #expect(buffer.byteOffset(utf16: unit) == ByteOffset(bytes.count))
  }

  @Test func `round down inside a character`() {
    let text = PieceTable("aé😀b")
    #expect((0...8).map { text.utf16Offset(at: ByteOffset($0)) } == [0, 1, 1, 2, 2, 2, 2, 4, 5])
    #expect((0...5).map { text.byteOffset(utf16: $0).value } == [0, 1, 3, 3, 7, 8])
    #expect(text.utf16Range(of: offsets(1..<7)) == 1..<4)
    #expect(text.byteRange(utf16: 1..<4) == offsets(1..<7))
  }

  @Test func `of columns end before the newline, and know the empty last line`() {
    let text = PieceTable("😀é\r\nab\n")
    func offset(_ line: Int, _ column: Int, _ unit: LinePosition.Unit) -> Int {
      text.offset(of: LinePosition(LineNumber(line), column: column), in: unit).value
    }
    #expect((0...5).map { offset(1, $0, .utf16) } == [0, 0, 4, 6, 7, 7])
    #expect((6...9).map { offset(1, $0, .utf8) } == [6, 7, 7, 7])
    #expect(offset(2, 9, .utf16) == 10)
    #expect(offset(3, 0, .utf8) == 11 && offset(3, 4, .utf16) == 11)
    #expect(text.position(at: ByteOffset(11), in: .utf16) == LinePosition(LineNumber(3), column: 0))
    #expect(text.lineCount == 2 && text.caretLineCount == 3)
    #expect(text.contentRange(ofCaretLine: LineNumber(3)) == offsets(11..<11))
    #expect(PieceTable().caretLineCount == 1)
    #expect(PieceTable().contentRange(ofCaretLine: LineNumber(1)) == offsets(0..<0))
  }

  @Test func `that are not there trap`() async {
    await #expect(processExitsWith: .failure) { _ = PieceTable("é").byteOffset(utf16: 2) }
    await #expect(processExitsWith: .failure) {
      _ = PieceTable("é").utf16Offset(at: ByteOffset(3))
    }
    await #expect(processExitsWith: .failure) {
      _ = PieceTable("a\n").offset(of: LinePosition(LineNumber(3), column: 0), in: .utf8)
    }
  }
}

@Suite struct Chunks {
  @Test(arguments: 0..<20) func `give every byte where it is`(seed: Int) {
    var generator = SeededGenerator(9700 + seed)
    var buffer = PieceTable(generator.bytes(upTo: 100))
    for _ in 0..<20 {
      buffer.replace(
        offsets(generator.range(in: buffer.byteCount)), with: generator.bytes(upTo: 40))
    }
    let bytes = buffer.bytes
    for offset in 0..<bytes.count {
      buffer.withChunk(at: ByteOffset(offset)) { span, start in
        #expect(start.value <= offset && offset < start.value + span.byteCount)
        let end = start.value + span.byteCount
        #expect(unsafe span.withUnsafeBytes { unsafe Array($0) } == Array(bytes[start.value..<end]))
      }
    }
    buffer.withChunk(at: ByteOffset(bytes.count)) { span, start in
      #expect(span.isEmpty && start.value == bytes.count)
    }
  }
}
