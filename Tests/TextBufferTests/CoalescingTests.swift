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
        offsets(range), with: [], time: time.map { start + .seconds($0) }, date: time ?? 0)
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

  /// A text, the typed keys, the resulting text, and the number of groups.
  @Test(
    arguments: [
      ("0123456789", .typing, [(4..<5, ""), (3..<4, ""), (1..<3, ""), (1..<2, "")], "06789", 1),
      ("abc", .typing, [(3..<3, "xyz"), (2..<6, ""), (2..<2, "d")], "abd", 1),
      ("0123456789", .typing, [(2..<2, "a"), (8..<8, "b"), (0..<1, "")], "1a23456b789", 3),
      ("", .none, [(0..<0, "a"), (1..<1, "b"), (1..<1, "")], "ab", 2),
    ]
      + [
        (.insertions, 3), (.replacements, 3), ([.insertions, .replacements], 2), (.deletions, 4),
        ([.insertions, .replacements, .corrections], 2),
      ].map { (rules: Coalescing.Rules, groups: Int) in
        let edits = [(3..<5, ""), (3..<3, "a"), (4..<4, "b"), (2..<3, "")]
        return ("0123456789", Coalescing(rules), edits, "01ab56789", groups)
      } as [(String, Coalescing, [(Range<Int>, String)], String, Int)])
  func `follow the rules that are set`(
    _ text: String, _ rules: Coalescing, _ edits: [(Range<Int>, String)], _ after: String,
    _ groups: Int
  ) {
    var typist = Typist(text, rules)
    for (range, new) in edits { typist.document.replace(offsets(range), with: new.utf8) }
    #expect(typist.close() == (after, groups))
    while typist.document.undo() != nil {}
    #expect(typist.text == text)
  }

  @Test func `are a deletion and its replacement`() {
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

  @Test func `go on where the group removed text`() {
    var typist = Typist("")
    typist.insert("one three", 0)
    typist.remove(4..<5)
    let text = String(repeating: "two ", count: 200)
    for (index, letter) in text.enumerated() {
      typist.insert("\(letter)", 4 + index)
      // Settling the document makes no difference.
      if index == 400 { typist.document.settle() }
    }
    typist.insert("t", 4 + text.count)
    #expect(typist.close() == ("one \(text)three", 1))
    typist.document.undo()
    #expect(typist.text == "")
  }

  @Test func `are grouped alike if the text is read after each key`() {
    var (typist, quiet) = (Typist("<>"), Typist("<>"))
    for round in 0..<4 {
      // Reading makes keys of later groups settle at once.
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

  @Test(arguments: [.none, .typing, .commands, Coalescing(.deletions)] as [Coalescing])
  func `keep the last context set before the next edit, undo or save`(policy: Coalescing) {
    var typist = Typist("", policy)
    typist.document.trackChanges()
    typist.insert("a", 0)
    typist.document.context = 1
    if policy == .none { #expect(typist.document.contextAfter(1) == 1) }
    _ = typist.document.takeChangedRevisions()
    typist.document.context = 2
    typist.document.undo()
    #expect(typist.document.context == 0)
    #expect(typist.document.takeChangedRevisions().contains(1))
    typist.document.redo()
    #expect(typist.document.context == 2)
    typist.document.context = 3
    typist.insert("b", 1)
    typist.document.context = 4
    typist.document.markSaved()
    typist.document.context = 5
    #expect(typist.document.contextAfter(2) == 4)
    typist.document.undo()
    #expect(typist.document.contextAfter(1) == 2 && typist.document.context == 3)
  }

  @Test func `have the same name`() {
    for policy in [Coalescing.typing, .none] {
      var typist = Typist("", policy)
      func type(_ text: String, _ name: String?) {
        let end = ByteOffset(typist.document.byteCount)
        typist.document.replace(end..<end, with: text.utf8, name: name, time: nil)
      }
      for letter in ["a", "b"] { type(letter, "Typing") }
      #expect(typist.document.undoName == "Typing" && typist.document.redoName == nil)
      type("c", "Paste")
      for letter in ["d", "e"] { type(letter, nil) }
      #expect(typist.document.undoName == nil)
      typist.insert("f", 5)
      typist.document.closeGroup()
      let names = typist.document.history.revisions.dropFirst().map(\.name)
      let all = ["Typing", "Typing", "Paste", nil, nil, nil]
      #expect(names == (policy == .none ? all : ["Typing", "Paste", nil]))
      typist.document.undo()
      #expect(typist.document.redoName == nil)
      typist.document.move(to: 0)
      #expect(typist.document.redoName == "Typing")
    }
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
    // A removal and its re-insertion cancel out.
    document.edit { draft in draft.removeLines(LineRange(2, 2)) }
    append("2\n", after: 1, in: &document)
    #expect(document.history.current == 0)
    #expect(document.history.children(of: 0) == [1])
    document.edit { draft in draft.removeLines(LineRange(1, 1)) }
    #expect(document.history.current == 5, "a number is never given twice")
  }
}
