import TextBuffer

/// What programs that adopt the library count on: the cost of a key, and memory that goes back.
enum Library {
  static func run() {
    keys()
    limit()
    copies()
  }

  /// Keys that are typed by `edit` in transactions of their own, and the text read after each of them.
  private static func keys() {
    let count = 100_000
    let text = PieceTable(
      Array(repeating: Array("some line of a text\n".utf8), count: 10_000).joined())
    let key = Array("x".utf8)
    var document = Document(text)
    measure("a key by edit", per: count, "key") {
      for index in 0..<count {
        let offset = ByteOffset(1000 + index)
        document.edit { draft in draft.insert(key, at: offset) }
      }
    }
    var typed = Document(text, coalescing: .typing)
    var sum = 0
    measure("a typed key, and the text read", per: count, "key") {
      for index in 0..<count {
        let offset = ByteOffset(1000 + index)
        typed.replace(offset..<offset, with: key)
        typed.buffer.forEachChunk(in: offset..<offset + 1) { chunk in
          sum += chunk.byteCount
          return false
        }
      }
    }
    blackHole(sum)
  }

  /// Replacements of a whole text, of which few can be undone.
  private static func limit() {
    let before = residentBytes()
    var document = Document(PieceTable())
    document.levelLimit = 5
    for round in 0..<300 {
      let bytes = [UInt8](repeating: UInt8(round & 0x7F), count: 1 << 20)
      let all = ByteOffset(0)..<ByteOffset(document.byteCount)
      document.edit { draft in draft.replace(all, with: bytes) }
    }
    let held =
      "\(document.heldByteCount >> 20) MB held, \((residentBytes() - before) >> 20) MB resident"
    print("300 replacements of 1 MB with a limit of 5: \(held)")
  }

  /// Copies that are edited and dropped.
  private static func copies() {
    let text = PieceTable("some bytes\n")
    let (before, held) = (residentBytes(), text.heldByteCount)
    for index in 0..<1_000_000 {
      var copy = text
      copy.insert("twelve bytes".utf8, at: ByteOffset(index % 11))
    }
    let after =
      "\(text.heldByteCount - held) bytes held, \((residentBytes() - before) >> 10) KB resident"
    print("1,000,000 dropped copies: \(after) more than before")
  }
}
