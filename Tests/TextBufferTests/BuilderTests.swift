import Testing
import TextBuffer
import TextBufferTesting

@Suite struct `A builder` {
  @Test(arguments: 0..<20) func `concatenates as an array does`(seed: Int) {
    var generator = SeededGenerator(3000 + seed)
    let model = generator.bytes(upTo: 400)
    let source = PieceTable(model)
    let strangerModel = generator.bytes(upTo: 50)
    let stranger = PieceTable(strangerModel)
    var builder = PieceTable.Builder(from: source)
    var expected: [UInt8] = []
    for _ in 0..<60 {
      switch Int.random(in: 0..<4, using: &generator) {
      case 0:
        let bytes = generator.bytes(upTo: 20)
        builder.append(bytes)
        expected += bytes
      case 1:
        let range = generator.range(in: strangerModel.count)
        builder.append(stranger.slice(offsets(range)))
        expected += strangerModel[range]
      default:
        let range = generator.range(in: model.count)
        builder.keep(offsets(range))
        expected += model[range]
      }
      #expect(builder.byteCount == expected.count)
      #expect(builder.newlineCount == expected.count { $0 == 0x0A })
    }
    var result = builder.finish()
    result.checkInvariants()
    #expect(result.bytes == expected)
    #expect(source.bytes == model)
    result.insert("more".utf8, at: ByteOffset(0))
    #expect(result.bytes == Array("more".utf8) + expected)
  }

  @Test func `of nothing makes an empty text`() {
    var result = PieceTable.Builder(from: PieceTable("text")).finish()
    #expect(result.isEmpty)
    result.insert("a".utf8, at: ByteOffset(0))
    #expect(result == PieceTable("a"))
  }

  @Test func `keeps everything in order with ranges side by side`() {
    let text = PieceTable(Array("0123456789\n".utf8) + Array(repeating: 0x78, count: 500))
    var builder = PieceTable.Builder(from: text)
    for index in 0..<text.byteCount { builder.keep(offsets(index..<index + 1)) }
    let result = builder.finish()
    result.checkInvariants()
    #expect(result == text)
  }
}
