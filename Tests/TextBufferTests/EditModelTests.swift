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
      let edit = RandomEdit(of: model, inserting: step % 10 == 0 ? 100 : 8, using: &generator)
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

  @Test(arguments: 0..<30) func `answers all questions as its bytes do`(seed: Int) throws {
    var generator = SeededGenerator(1000 + seed)
    let isUnicode = seed % 3 == 0
    // Few letters, so that much is found; else parts of characters, and bytes not in UTF-8.
    let kinds: [UInt8] =
      seed % 3 == 1
      ? Array("abc\n".utf8) : [0x0A, 0x0D, 0x61, 0x80, 0xBF, 0xC3, 0xE2, 0xF0, 0xF4, 0xF5, 0xFF]
    var (model, buffer) = ([UInt8](), PieceTable())
    for step in 1...12 {
      var edit = RandomEdit(
        of: model, inserting: 40, isUnicode ? .unicode : .bytes, using: &generator)
      if !isUnicode { edit.bytes = edit.bytes.map { kinds[Int($0) % kinds.count] } }
      edit.apply(to: &buffer)
      edit.apply(to: &model)
      buffer.checkInvariants()
      let reader = PlainReader(buffer, model, isUnicode: isUnicode)
      for place in 0...model.count where step % 6 == 0 {
        try reader.checkPositions(place)
        try reader.checkUTF16(place..<place)
        try reader.checkBytes(place..<place)
      }
      for line in reader.lines.indices where step % 6 == 0 { try reader.checkLines(line, line + 1) }
      try reader.checkLines(0, reader.lines.count)
      try reader.checkExpression()
      for _ in 0..<2 {
        let range = generator.range(in: model.count)
        try reader.checkBytes(range)
        try reader.checkCollections(range)
        try reader.checkStrings(range)
        try reader.checkUTF16(range)
        if !range.isEmpty {
          try reader.checkSearch(Array(model[range].prefix(5)), generator.range(in: model.count))
        }
      }
    }
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
