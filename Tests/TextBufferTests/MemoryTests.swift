import Testing

@testable import TextBuffer
import TextBufferTesting

/// The release of memory without references.
@Suite struct MemoryTests {
  @Test func `a limit frees forgotten revisions`() {
    var document = Document(PieceTable(), context: 0)
    document.levelLimit = 5
    for round in 0..<24 {
      let bytes = [UInt8](repeating: UInt8(round & 0x7F), count: 1 << 20)
      document.edit { draft in
        draft.replace(ByteOffset(0)..<ByteOffset(draft.buffer.byteCount), with: bytes)
        draft.context = round
      }
      #expect(document.heldByteCount <= 12 << 20)
    }
    for round in (18..<23).reversed() {
      #expect(document.undo() != nil)
      #expect(document.context == round)
      #expect(document.buffer == PieceTable([UInt8](repeating: UInt8(round), count: 1 << 20)))
    }
    #expect(document.undo() == nil)
  }

  @Test func `a node that nothing else refers to is not copied`() {
    var node = Node.leaf([])
    let identity = ObjectIdentifier(node)
    Node.makeWritable(&node)
    #expect(ObjectIdentifier(node) == identity)
  }

  @Test func `a limit of 0 frees everything but the text`() {
    var document = Document(PieceTable())
    document.levelLimit = 0
    for round in 0..<8 {
      let bytes = [UInt8](repeating: UInt8(round), count: 1 << 20)
      document.edit { draft in
        draft.replace(ByteOffset(0)..<ByteOffset(draft.buffer.byteCount), with: bytes)
      }
      #expect(document.heldByteCount <= 4 << 20)
    }
  }

  @Test func `a limit frees typed text, too`() {
    var document = Document(PieceTable("text\n"))
    document.levelLimit = 3
    for round in 0..<200 {
      let end = ByteOffset(document.byteCount)
      document.replace(
        end..<end, with: [UInt8](repeating: 0x61, count: 50_000), date: Double(9 * round))
      document.replace(ByteOffset(5)..<ByteOffset(50_005), with: [], date: Double(9 * round + 5))
    }
    #expect(document.heldByteCount < 6 << 20)
    #expect(document.buffer.bytes == Array("text\n".utf8))
  }

  @Test func `discarded edits free their bytes`() {
    struct Refused: Error {}
    let bytes = [UInt8](repeating: 0x61, count: 100_000)
    var document = Document(PieceTable("text\n"))
    document.edit { $0.insert("more ", at: ByteOffset(0)) }
    for round in 0..<200 {
      switch round % 3 {
      case 0:
        document.begin()
        document.replace(ByteOffset(0)..<ByteOffset(0), with: bytes)
        document.rollBack()
      case 1:
        try? document.edit { (draft) throws(Refused) in
          draft.insert(bytes, at: ByteOffset(0))
          throw Refused()
        }
      default:
        document.edit { draft in
          draft.insert(bytes, at: ByteOffset(2))
          draft.remove(ByteOffset(2)..<ByteOffset(100_002))
        }
      }
    }
    #expect(document.heldByteCount < 3 << 20)
    #expect(document.buffer == "more text\n")
    document.undo()
    #expect(document.buffer == "text\n")
  }

  @Test func `dropped copies leave nothing behind`() {
    let text = PieceTable("some bytes\n")
    let held = text.heldByteCount
    for round in 0..<1_000 {
      var copy = text
      copy.insert(Array("twelve bytes".utf8), at: ByteOffset(round % 11))
      copy.insert(
        [UInt8](repeating: 1, count: 600_000 * (round & 1) * (round % 100 / 99)), at: ByteOffset(3))
    }
    #expect(text.heldByteCount == held)
    let document = Document(text)
    for _ in 0..<1000 {
      var copy = document.buffer
      copy.insert([1, 2, 3], at: ByteOffset(0))
    }
    #expect(document.heldByteCount == held)
  }

  @Test func `a long chain of copies is freed without recursion`() {
    var text = PieceTable("a\n")
    for _ in 0..<20_000 {
      let old = text
      text.insert([0x62], at: ByteOffset(0))
      _ = old
    }
    #expect(text.byteCount == 20_002)
    text.compact()
    #expect(text.bytes(in: ByteOffset(19_999)..<ByteOffset(20_002)) == Array("ba\n".utf8))
  }
}
