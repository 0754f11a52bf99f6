import Testing
import TextBuffer
import TextBufferTesting

@Suite struct `A buffer under random edits` {
  @Test(arguments: 0..<40) func `has the text that an array has, and can go back and forth`(
    seed: Int
  ) {
    var generator = SeededGenerator(seed)
    var model = generator.bytes(upTo: 200)
    var buffer = PieceTable(model)
    let (first, firstBuffer) = (model, buffer)
    var changes: [Change] = []
    for step in 0..<150 {
      let edit = RandomEdit(
        of: model, inserting: step % 10 == 0 ? 100 : 8, using: &generator)
      let change = edit.apply(to: &buffer)
      #expect(change.removed.bytes == Array(model[edit.range]))
      #expect(change.inserted.bytes == edit.bytes)
      #expect(change.rangeBefore == edit.offsets && change.insertedByteCount == edit.bytes.count)
      edit.apply(to: &model)
      buffer.checkInvariants()
      #expect(buffer.bytes == model, "step \(step)")
      changes.append(change)
    }
    for change in changes.reversed() {
      buffer.apply(change.inverse)
      buffer.checkInvariants()
    }
    #expect(buffer.bytes == first)
    #expect(firstBuffer.bytes == first)
    for change in changes { buffer.apply(change) }
    buffer.checkInvariants()
    #expect(buffer.bytes == model)
  }

  @Test(arguments: 0..<20) func `answers by line as an array does`(seed: Int) {
    var generator = SeededGenerator(1000 + seed)
    var model: [UInt8] = []
    var buffer = PieceTable()
    for _ in 0..<25 {
      let range = generator.range(in: model.count)
      let bytes = generator.bytes(upTo: 60)
      buffer.replace(offsets(range), with: bytes)
      model.replaceSubrange(range, with: bytes)
      check(buffer, against: model)
    }
  }

  private func check(_ buffer: PieceTable, against model: [UInt8]) {
    let expected = lines(of: model)
    #expect(buffer.lineCount == expected.count)
    #expect(buffer.newlineCount == model.count { $0 == 0x0A })
    #expect(buffer.endsWithNewline == (model.last == 0x0A))
    #expect(visitedLines(of: buffer) == expected)
    var start = 0
    for (index, line) in expected.enumerated() {
      let number = LineNumber(index + 1)
      #expect(buffer.line(number) == line)
      #expect(buffer.offset(ofLine: number) == ByteOffset(start))
      #expect(buffer.lineNumber(at: ByteOffset(start)) == number)
      #expect(buffer.lineNumber(at: ByteOffset(start + line.count)) == number)
      let end = min(start + line.count + 1, model.count)
      #expect(buffer.byteRange(of: LineRange(number)) == offsets(start..<end))
      start = end
    }
    #expect(buffer.offset(ofLine: LineNumber(expected.count + 1)) == ByteOffset(model.count))
  }

  @Test(arguments: 0..<20) func `slices, and takes slices of itself and of others`(seed: Int) {
    var generator = SeededGenerator(2000 + seed)
    var model = generator.bytes(upTo: 300)
    var buffer = PieceTable(model)
    let strangerModel = generator.bytes(upTo: 300)
    let stranger = PieceTable(strangerModel)
    for _ in 0..<40 {
      let target = generator.range(in: model.count)
      let isOwn = Bool.random(using: &generator)
      let source = generator.range(in: isOwn ? model.count : strangerModel.count)
      let slice = (isOwn ? buffer : stranger).slice(offsets(source))
      let expected = Array((isOwn ? model : strangerModel)[source])
      slice.checkInvariants()
      #expect(slice.bytes == expected)
      let before = buffer
      let change = buffer.replace(offsets(target), with: slice)
      buffer.checkInvariants()
      model.replaceSubrange(target, with: expected)
      #expect(buffer.bytes == model)
      buffer.apply(change.inverse)
      buffer.checkInvariants()
      #expect(buffer == before)
      buffer.apply(change)
      if model.count > 2000 {
        buffer.remove(offsets(1000..<model.count))
        model.removeSubrange(1000...)
      }
    }
  }
}
