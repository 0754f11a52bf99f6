import Testing
import TextBuffer
import TextBufferTesting

@Suite struct `A walk of random edits` {
  @Test(arguments: 0..<20) func `finds every earlier text of a document`(seed: Int) throws {
    var walk = EditWalk(seed: seed, from: Array("one\ntwo\n".utf8))
    try walk.run(150)
    #expect(walk.texts.count > 10)
  }

  @Test(arguments: 0..<10) func `works without groups, and with groups of commands`(seed: Int)
    throws
  {
    for coalescing in [Coalescing.none, .commands] {
      var walk = EditWalk(seed: 100 + seed, coalescing: coalescing)
      try walk.run(80)
    }
  }

  @Test(arguments: 0..<10) func `of Unicode keeps a text valid`(seed: Int) throws {
    var walk = EditWalk(seed: 200 + seed, .unicode)
    try walk.run(100) { document, text in
      #expect(String(validating: text, as: UTF8.self) != nil)
      #expect(document.byteCount == text.count)
    }
  }

  @Test func `is the same for the same seed, and rethrows errors of its body`() throws {
    struct Enough: Error {}
    var texts: [[UInt8]] = []
    for _ in 0..<2 {
      var walk = EditWalk(seed: 7)
      #expect(throws: Enough.self) {
        try walk.run(1000) { _, text in if text.count > 50 { throw Enough() } }
      }
      texts.append(walk.text)
    }
    #expect(texts[0] == texts[1] && texts[0].count > 50)
    var other = EditWalk(seed: 8)
    try other.run(50)
    #expect(!texts.contains(other.text))
  }
}

@Suite struct `Checking a document` {
  @Test func `is silent while transactions and groups are open`() {
    var document = Document(PieceTable("one\n"), coalescing: .typing)
    document.checkInvariants()
    document.edit { $0.insert("zero\n".utf8, at: ByteOffset(0)) }
    document.replace(ByteOffset(3)..<ByteOffset(3), with: "x".utf8)
    document.checkInvariants()
    document.begin()
    document.replace(ByteOffset(0)..<ByteOffset(2), with: [])
    document.checkInvariants()
    document.rollBack()
    document.undo()
    document.edit { $0.insert("another branch\n".utf8, at: ByteOffset(0)) }
    document.checkInvariants()
  }

  @Test func `numbers of neighbouring seeds have nothing in common`() {
    var (one, next) = (SeededGenerator(1), SeededGenerator(2))
    let (numbers, others) = ((0..<100).map { _ in one.next() }, (0..<100).map { _ in next.next() })
    #expect(Set(numbers).isDisjoint(with: others))
  }

  @Test func `a change that does not fit its text throws or traps`() async {
    await #expect(processExitsWith: .failure) {
      let text = PieceTable("one\n")
      var maker = Change.Maker(for: text)
      let change = maker.change(
        at: ByteOffset(0), removing: RawSpan(), inserting: Array("two".utf8).span.bytes)
      let document = try Document(
        restoring: text,
        [RevisionRecord(parent: nil, preferredChild: 1), RevisionRecord(parent: 0)],
        changes: [[], [change]], current: 1, saved: nil)
      document.checkInvariants()
    }
  }
}
