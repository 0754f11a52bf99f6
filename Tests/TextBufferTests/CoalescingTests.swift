import Testing
import TextBuffer
import TextBufferTesting

@Suite struct `Edits that belong together` {
  /// A document and a shorter way to edit it.
  struct Typist {
    var document: Document<Int>

    init(_ text: String, _ coalescing: Coalescing = .typing) {
      document = Document(PieceTable(text), context: 0, coalescing: coalescing)
    }

    mutating func insert(_ text: String, _ offset: Int, time: Double? = nil) {
      document.replace(
        offsets(offset..<offset), with: text.utf8, time: time.map { start + .seconds($0) },
        date: time ?? 0)
    }
    mutating func remove(_ range: Range<Int>, time: Double? = nil) {
      document.replace(
        offsets(range), with: [], time: time.map { start + .seconds($0) },
        date: time ?? 0)
    }
    /// The text after the group is closed, and how many revisions there are then.
    mutating func close() -> (String, Int) {
      document.closeGroup()
      return (text, document.history.revisions.count - 1)
    }
    var text: String { String(decoding: document.buffer.bytes, as: UTF8.self) }
  }

  @Test func `are insertions next to each other`() {
    var typist = Typist("<>")
    for (index, letter) in "several letters".enumerated() { typist.insert("\(letter)", 1 + index) }
    #expect(typist.text == "<several letters>")
    typist.insert("and ", 1)
    #expect(typist.document.byteCount == 21)
    #expect(typist.close() == ("<and several letters>", 1))
    #expect(typist.document.undo()?.from == 1)
    #expect(typist.text == "<>")
    #expect(typist.document.redo()?.to == 1)
    #expect(typist.text == "<and several letters>")
  }

  @Test func `are deletions next to each other in both directions`() {
    var typist = Typist("0123456789")
    typist.remove(4..<5)
    typist.remove(3..<4)
    typist.remove(1..<3)
    typist.remove(1..<2)
    #expect(typist.close() == ("06789", 1))
    typist.document.undo()
    #expect(typist.text == "0123456789")
  }

  @Test func `are a deletion and what is put in its place`() {
    var typist = Typist("one two")
    typist.remove(4..<7)
    typist.insert("t", 4)
    typist.insert("hree", 5)
    typist.remove(7..<9)
    typist.insert("ee", 7)
    #expect(typist.close() == ("one three", 1))
    #expect(typist.document.changes(of: 1).first?.removed == PieceTable("two"))
    #expect(typist.document.changes(of: 1).first?.inserted == PieceTable("three"))
  }

  @Test func `are what is typed and what is taken back past its start`() {
    var typist = Typist("abc")
    typist.insert("xyz", 3)
    typist.remove(2..<6)
    typist.insert("d", 2)
    #expect(typist.close() == ("abd", 1))
  }

  @Test func `are not those in other places`() {
    var typist = Typist("0123456789")
    typist.insert("a", 2)
    typist.insert("b", 8)
    typist.remove(0..<1)
    #expect(typist.close() == ("1a23456b789", 3))
    for _ in 0..<3 { typist.document.undo() }
    #expect(typist.text == "0123456789")
  }

  @Test func `vanish when nothing is different in the end`() {
    var typist = Typist("text")
    typist.insert("abc", 2)
    typist.remove(2..<5)
    #expect(typist.close() == ("text", 0))
    typist.remove(1..<3)
    typist.insert("e", 1)
    #expect(typist.document.isModified)
    typist.insert("x", 2)
    #expect(typist.close() == ("text", 0))
    #expect(!typist.document.isModified)
  }

  @Test func `go on amid the group where something was taken out`() {
    var typist = Typist("")
    typist.insert("one three", 0)
    typist.remove(4..<5)
    let text = String(repeating: "two ", count: 200)
    for (index, letter) in text.enumerated() {
      typist.insert("\(letter)", 4 + index)
      // Neither where memory ends nor who looks at the text makes a difference.
      if index == 400 { typist.document.settle() }
    }
    typist.insert("t", 4 + text.count)
    #expect(typist.close() == ("one \(text)three", 1))
    typist.document.undo()
    #expect(typist.text == "")
  }

  @Test func `are the same group where the text is read after each key`() {
    var (typist, quiet) = (Typist("<>"), Typist("<>"))
    for round in 0..<4 {
      // From the second group on, keys are settled at once.
      for index in 0..<20 {
        let offset = (round % 2 == 0 ? 1 : 10) + index
        typist.insert("x", offset)
        quiet.insert("x", offset)
        if index % 5 == 4 {
          typist.remove(offset - 2..<offset + 1)
          quiet.remove(offset - 2..<offset + 1)
          typist.insert("abc", offset - 2)
          quiet.insert("abc", offset - 2)
        }
        #expect(typist.text.count == quiet.document.byteCount)
      }
    }
    #expect(typist.close() == quiet.close())
    let document = typist.document
    #expect(document.history.revisions.count > 2)
    #expect(document.history.revisions.count == quiet.document.history.revisions.count)
    for id in document.history.revisions.indices {
      #expect(document.text(of: id) == quiet.document.text(of: id))
      #expect(document.changes(of: id) == quiet.document.changes(of: id))
    }
  }

  @Test func `end with a pause`() {
    var typist = Typist("", Coalescing(.insertions, longestPause: .seconds(10)))
    typist.insert("a", 0, time: 0)
    typist.insert("b", 1, time: 10)
    typist.insert("c", 2, time: 21)
    #expect(typist.close() == ("abc", 2))
    #expect(typist.document.history[1].time == 10)
  }

  @Test func `end when the group is closed, saved, undone or edited otherwise`() {
    var typist = Typist("")
    typist.insert("a", 0)
    typist.document.closeGroup()
    typist.insert("b", 1)
    typist.document.markSaved()
    typist.insert("c", 2)
    #expect(typist.document.isModified)
    typist.document.edit { draft in draft.insert("d".utf8, at: ByteOffset(3)) }
    typist.insert("e", 4)
    #expect(typist.close() == ("abcde", 5))
    typist.insert("f", 5)
    #expect(typist.document.undo()?.from == 6)
    #expect(typist.text == "abcde")
  }

  @Test func `are none without a policy`() {
    var typist = Typist("", .none)
    typist.insert("a", 0)
    typist.insert("b", 1)
    typist.insert("", 1)
    #expect(typist.close() == ("ab", 2))
  }

  @Test(
    arguments: [
      (Coalescing.Rules.insertions, 3), (.replacements, 3), ([.insertions, .replacements], 2),
      (.deletions, 4), ([.insertions, .replacements, .corrections], 2),
    ] as [(Coalescing.Rules, Int)]) func `follow the rules that are set`(
      rules: Coalescing.Rules, groups: Int
    )
  {
    var typist = Typist("0123456789", Coalescing(rules))
    typist.remove(3..<5)
    typist.insert("a", 3)
    typist.insert("b", 4)
    typist.remove(2..<3)
    #expect(typist.close() == ("01ab56789", groups))
  }

  @Test func `bring back the context around the group`() {
    var typist = Typist("")
    typist.document.context = 1
    typist.insert("a", 0)
    typist.insert("b", 1)
    typist.document.context = 2
    typist.document.closeGroup()
    typist.document.context = 3
    typist.document.undo()
    #expect(typist.document.context == 1)
    typist.document.redo()
    #expect(typist.document.context == 2)
  }

  @Test func `do not touch copies of the document or its text`() {
    var first = Typist("")
    first.insert("abc", 0)
    let seen = first.document.buffer
    var second = first
    first.remove(1..<3)
    first.insert("XY", 1)
    #expect(second.text == "abc" && seen == PieceTable("abc"))
    second.insert("d", 3)
    let slice = second.document.buffer.slice(offsets(1..<4))
    second = Typist("")
    first.remove(0..<3)
    first.insert("!!!", 0)
    #expect(slice == PieceTable("bcd") && seen == PieceTable("abc"))
    #expect(first.close() == ("!!!", 1))
  }

  @Test(arguments: 0..<30) func `have the text that an array has`(seed: Int) {
    var generator = SeededGenerator(6000 + seed)
    var model = generator.bytes(upTo: 40)
    var document = Document(PieceTable(model), coalescing: .typing)
    let first = model
    var place = 0
    var kept: [(PieceTable, [UInt8])] = []
    for _ in 0..<300 {
      if Int.random(in: 0..<8, using: &generator) == 0 {
        place = Int.random(in: 0...model.count, using: &generator)
      }
      let back = min(place, Int.random(in: 0...3, using: &generator))
      let ahead = min(model.count - place, Int.random(in: 0...2, using: &generator))
      let range: Range<Int>
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: range = place - back..<place
      case 1: range = place..<place + ahead
      default: range = place..<place
      }
      let isDeletion = !range.isEmpty && Int.random(in: 0..<4, using: &generator) > 0
      let bytes = isDeletion ? [] : generator.bytes(upTo: 4)
      document.replace(offsets(range), with: bytes)
      model.replaceSubrange(range, with: bytes)
      place = range.lowerBound + bytes.count
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: document.settle()
      case 1: document.closeGroup()
      case 2: kept.append((document.buffer, model))
      default: break
      }
      #expect(document.byteCount == model.count)
    }
    document.closeGroup()
    #expect(document.buffer.bytes == model)
    document.buffer.checkInvariants()
    for (text, bytes) in kept { #expect(text.bytes == bytes) }
    let last = document.history.current
    document.move(to: 0)
    #expect(document.buffer.bytes == first)
    document.move(to: last)
    #expect(document.buffer.bytes == model)
    document.buffer.checkInvariants()
  }

  @Test func `are one revision when transactions join`() {
    var document = Document(PieceTable("1\n2\n3\n"))
    func append(_ text: String, after line: Int, in document: inout Document<Void>) {
      document.edit("Append", coalescing: .commands) { draft in
        draft.insertLines(text.utf8, after: LineNumber(line))
      }
    }
    append("a\n", after: 1, in: &document)
    append("b\n", after: 2, in: &document)
    #expect(document.history.current == 1)
    #expect(document.latestChanges.first?.inserted == PieceTable("b\n"))
    #expect(document.changes(of: 1).first?.inserted == PieceTable("a\nb\n"))
    append("far\n", after: 5, in: &document)
    #expect(document.history.current == 2)
    document.markSaved()
    append("far 2\n", after: 6, in: &document)
    #expect(document.history.current == 3)
    document.undo()
    document.undo()
    document.undo()
    #expect(document.buffer == PieceTable("1\n2\n3\n"))
    // A removal, and the same text put back, are nothing together.
    document.edit { draft in draft.removeLines(LineRange(2, 2)) }
    append("2\n", after: 1, in: &document)
    #expect(document.history.current == 0)
    #expect(document.history.children(of: 0) == [1])
    document.edit { draft in draft.removeLines(LineRange(1, 1)) }
    #expect(document.history.current == 5, "a number is never given twice")
  }
}
