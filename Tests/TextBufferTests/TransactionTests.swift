import Testing
import TextBuffer
import TextBufferTesting

@Suite struct `A transaction that is open` {
  private func insert(_ text: String, _ offset: Int, in document: inout Document<Int>) {
    document.replace(offsets(offset..<offset), with: text.utf8)
  }

  @Test(arguments: [Coalescing.none, .typing, .commands])
  func `owns typed text, and rolls it back`(coalescing: Coalescing) {
    var document = Document(PieceTable("0123456789"), context: 1, coalescing: coalescing)
    document.begin()
    insert("a", 2, in: &document)
    insert("b", 3, in: &document)
    insert("c", 9, in: &document)
    document.context = 2
    #expect(document.buffer == PieceTable("01ab23456c789") && document.byteCount == 13)
    #expect(document.history.revisions.count == 1)
    document.rollBack()
    #expect(document.buffer == PieceTable("0123456789") && document.context == 1)
    #expect(document.history.revisions.count == 1 && !document.isModified)
    insert("x", 0, in: &document)
    document.closeGroup()
    #expect(document.undo()?.from == 1 && document.buffer == PieceTable("0123456789"))
  }

  @Test func `mixes typing with other edits, in order`() {
    var document = Document(PieceTable("0123456789"), context: 0, coalescing: .typing)
    insert("typed before", 10, in: &document)
    document.begin()
    insert("a", 0, in: &document)
    document.edit { draft in draft.insert("b".utf8, at: ByteOffset(1)) }
    document.begin()
    insert("c", 2, in: &document)
    insert("lost", 0, in: &document)
    document.rollBack()
    document.begin()
    insert("c", 2, in: &document)
    document.commit()
    insert("d", 3, in: &document)
    #expect(document.commit("Letters", coalescing: Coalescing.none)?.to == 2)
    #expect(document.buffer == PieceTable("abcd0123456789typed before"))
    #expect(document.history[2].name == "Letters")
    #expect(document.undo()?.from == 2 && document.buffer == PieceTable("0123456789typed before"))
    #expect(document.undo()?.from == 1 && document.buffer == PieceTable("0123456789"))
  }

  @Test func `traps undo, moves and saving`() async {
    await #expect(processExitsWith: .failure) { inTransaction { $0.undo() } }
    await #expect(processExitsWith: .failure) { inTransaction { $0.redo() } }
    await #expect(processExitsWith: .failure) { inTransaction { $0.move(to: 0) } }
    await #expect(processExitsWith: .failure) { inTransaction { $0.markSaved() } }
    await #expect(processExitsWith: .failure) { inTransaction { $0.markUnsaved() } }
    await #expect(processExitsWith: .failure) { inTransaction { $0.closeGroup() } }
    await #expect(processExitsWith: .failure) { inTransaction { $0.separateLatestEdit() } }
    await #expect(processExitsWith: .success) { inTransaction { $0.setName("one", of: 1) } }
  }

  @Test func `a closure of one expression may return nothing`() {
    var document = Document(PieceTable("text"))
    func press(_ action: () -> Void) { action() }
    press { _ = document.edit("Clear") { draft in draft.remove(ByteOffset(0)..<ByteOffset(4)) } }
    #expect(document.buffer.isEmpty)
  }

  @Test func `strings can have a name, and literals are lines`() {
    var document = Document(PieceTable("a\n"), coalescing: .typing)
    let start = ByteOffset(0)..<ByteOffset(0)
    document.replace(start, with: "pasted", name: "Paste", time: nil)
    document.replace(start, with: [], time: nil)
    document.closeGroup()
    #expect(document.undoName == "Paste")
    document.edit { draft in draft.insertLines("b\n", after: LineNumber(1)) }
    #expect(document.buffer == "pasteda\nb\n")
  }

  @Test func `only a revision that exists gets a name`() async {
    await #expect(processExitsWith: .failure) {
      var document = Document(PieceTable("a"))
      document.setName("one", of: 1)
    }
    await #expect(processExitsWith: .failure) {
      var document = Document(PieceTable("a"))
      document.setName("before", of: -1)
    }
  }

  @Test func `reports the latest edit, not the one before`() {
    var document = Document(PieceTable("text"), context: 0, coalescing: .typing)
    func latest(_ document: Document<Int>) -> [String] {
      document.latestChanges.map { String(decoding: $0.inserted.bytes, as: UTF8.self) }
    }
    document.edit { draft in draft.insert("edit".utf8, at: ByteOffset(0)) }
    #expect(latest(document) == ["edit"])
    insert("ty", 6, in: &document)
    insert("ped", 8, in: &document)
    #expect(latest(document) == ["typed"])
    document.closeGroup()
    #expect(latest(document) == ["typed"])
    document.begin()
    insert("one", 0, in: &document)
    #expect(latest(document) == ["one"])
    document.edit { draft in draft.insert("two".utf8, at: ByteOffset(9)) }
    #expect(latest(document) == ["two"])
    insert("three", 0, in: &document)
    #expect(latest(document) == ["three"])
    document.commit()
    #expect(latest(document) == ["one", "two", "three"])
    insert("", 0, in: &document)
    document.undo()
    #expect(latest(document) == [])
  }
}

private func inTransaction(_ body: (inout Document<Void>) -> Void) {
  var document = Document(PieceTable("text"), coalescing: .typing)
  document.edit { draft in draft.insert("one".utf8, at: ByteOffset(0)) }
  document.begin()
  body(&document)
}

@Suite struct `Typing at several carets` {
  /// A document with carets, one a line, that all type the same.
  struct Typist {
    var document: Document<Void>
    var carets: [Int]
    var time = 0.0
    private let isForwards: Bool

    init(_ count: Int, isForwards: Bool, coalescing: Coalescing) {
      let line = "0123456789\n"
      document = Document(PieceTable(String(repeating: line, count: count)), coalescing: coalescing)
      carets = (0..<count).map { $0 * line.utf8.count + 5 }
      self.isForwards = isForwards
    }

    /// Replaces the text around each caret, as one key does.
    mutating func key(_ text: String, back: Int = 0, ahead: Int = 0) {
      document.begin()
      let growth = text.utf8.count - back - ahead
      for index in isForwards ? Array(carets.indices) : carets.indices.reversed() {
        // The place of the caret after the insertions at earlier carets.
        let caret = carets[index] + (isForwards ? index * growth : 0)
        document.replace(
          offsets(caret - back..<caret + ahead), with: text.utf8, time: start + .seconds(time))
      }
      document.commit(time: start + .seconds(time), date: time)
      for index in carets.indices { carets[index] += index * growth + text.utf8.count - back }
    }

    mutating func moveCarets(by count: Int) {
      for index in carets.indices { carets[index] += count }
    }

    /// The distinct lines, and the number of groups.
    func result() -> (lines: Set<[UInt8]>, groups: Int) {
      (Set(lines(of: document.buffer.bytes)), document.history.current)
    }
  }

  @Test(arguments: [1, 2, 3, 4, 6, 40], [true, false])
  func `makes as many groups as typing at one`(count: Int, isForwards: Bool) {
    var typist = Typist(count, isForwards: isForwards, coalescing: .typing)
    let first = typist.document.buffer
    func expect(_ text: String, _ groups: Int, _ typist: Typist) {
      let result = typist.result()
      #expect(result.lines == [Array(text.utf8)] && result.groups == groups)
      #expect(typist.carets.count == count)
      typist.document.buffer.checkInvariants()
    }
    for letter in "abcde" { typist.key("\(letter)") }
    expect("01234abcde56789", 1, typist)
    typist.key("", back: 1)
    typist.key("", ahead: 2)
    expect("01234abcd789", 1, typist)
    typist.moveCarets(by: 2)
    typist.key("x")
    typist.key("y")
    expect("01234abcd78xy9", 2, typist)
    typist.key("", back: 4)
    typist.key("z", back: 1)
    expect("01234abcz9", 2, typist)
    typist.moveCarets(by: -4)
    typist.key("", ahead: 1)
    typist.key("", back: 1)
    expect("0123bcz9", 3, typist)
    for _ in 0..<3 { typist.document.undo() }
    #expect(typist.document.buffer == first && typist.document.history.current == 0)
    typist.document.move(to: 3)
    expect("0123bcz9", 3, typist)
  }

  @Test(arguments: [1, 3, 6]) func `ends a group with a pause`(count: Int) {
    var typist = Typist(
      count, isForwards: false,
      coalescing: Coalescing(Coalescing.typing.rules, longestPause: .seconds(1)))
    for _ in 0..<4 {
      typist.key("a")
      typist.time += 0.6
    }
    typist.time += 1
    typist.key("b")
    #expect(typist.result().groups == 2)
    #expect(typist.document.history[1].time == 1.7999999999999998)
  }

  @Test(arguments: [1, 3, 6]) func `leaves no group when all edits are undone`(count: Int) {
    var typist = Typist(count, isForwards: true, coalescing: .typing)
    typist.key("ab")
    typist.key("", back: 2)
    #expect(typist.result() == ([Array("0123456789".utf8)], 0))
    typist.key("c")
    #expect(typist.result().groups == 2)
  }

  @Test func `starts a new group when the carets differ`() {
    var typist = Typist(6, isForwards: false, coalescing: .typing)
    typist.key("a")
    let all = typist.carets
    typist.carets = Array(all.suffix(3))
    typist.key("b")
    typist.carets = [typist.carets[2]]
    typist.key("c")
    #expect(typist.result().groups == 3)
  }

  @Test func `splits on request`() {
    var typist = Typist(3, isForwards: false, coalescing: .typing)
    typist.key("a")
    let before = typist.document.buffer
    typist.key("b")
    let after = typist.document.buffer
    #expect(typist.document.separateLatestEdit() == 1)
    #expect(typist.document.buffer == after && typist.document.history.current == 2)
    typist.document.undo()
    #expect(typist.document.buffer == before)
  }
}

@Suite struct `A draft` {
  @Test func `that is swapped for another one traps`() async {
    await #expect(processExitsWith: .failure) {
      var one = Document(PieceTable("one"))
      one.edit { outer in
        var two = Document(PieceTable("two"))
        two.edit { inner in swap(&outer, &inner) }
      }
    }
  }

  @Test func `may be swapped back, and shows the text of its document`() {
    var one = Document(PieceTable("one"))
    var two = Document(PieceTable("two"))
    one.edit { outer in
      two.edit { inner in
        swap(&outer, &inner)
        #expect(outer.buffer == "two" && inner.buffer == "one")
        swap(&outer, &inner)
        inner.insert("2", at: ByteOffset(0))
      }
      outer.insert("1", at: ByteOffset(0))
    }
    #expect(one.buffer == "1one" && two.buffer == "2two")
  }

  @Test func `that is given another text changes the lines that differ`() {
    var document = Document(PieceTable("one\ntwo\nthree\nfour"))
    func change(to text: PieceTable) -> (Range<ByteOffset>, PieceTable) {
      document.edit { draft in
        let change = draft.setText(text)
        return (change.rangeBefore, change.inserted)
      }
    }
    #expect(change(to: "one\ntoo\nthree\nfour") == (offsets(4..<8), "too\n"))
    #expect(change(to: "one\ntoo\nthree\nfour\n") == (offsets(14..<18), "four\n"))
    #expect(change(to: "zero\none\ntoo\nthree\nfour\n") == (offsets(0..<0), "zero\n"))
    #expect(change(to: "zero\none\nthree\nfour\n") == (offsets(9..<13), ""))
    #expect(change(to: "") == (offsets(0..<20), ""))
    #expect(change(to: "a") == (offsets(0..<0), "a"))
    #expect(change(to: "ab") == (offsets(0..<1), "ab"))
  }
}
