import TextBuffer
import Testing

/// The moment from which tests count.
let start = ContinuousClock.now

/// Groups that end although the rules would let an edit join.
@Suite struct `A boundary` {
  private static let typing = Coalescing.typing.rules

  /// Types letters one by one, each as an edit or as a transaction.
  private func groups(of text: [String], _ coalescing: Coalescing, inTransactions: Bool) -> [String]
  {
    var document = Document(PieceTable("<>"), coalescing: coalescing)
    var place = 1
    for letter in text {
      if inTransactions { document.begin() }
      document.replace(offsets(place..<place), with: letter.utf8)
      if inTransactions { document.commit() }
      place += letter.utf8.count
    }
    document.closeGroup()
    return document.history.revisions.dropFirst().map { revision in
      document.changes(of: revision.id).map { String(decoding: $0.inserted.bytes, as: UTF8.self) }
        .joined()
    }
  }

  @Test(arguments: [false, true]) func `is a newline, a blank or a paste`(inTransactions: Bool) {
    func typed(_ text: String, _ boundaries: Coalescing.Boundaries) -> [String] {
      groups(
        of: text.map { String($0) }, Coalescing(Self.typing, boundaries: boundaries),
        inTransactions: inTransactions)
    }
    #expect(typed("one two\nb\n\n", []) == ["one two\nb\n\n"])
    #expect(typed("one two\nb\n\n", .newlines) == ["one two\n", "b\n", "\n"])
    #expect(typed("one  two\t\nb", .blanks) == ["one  ", "two\t\n", "b"])
    #expect(typed("a b\n c", [.blanks, .newlines]) == ["a ", "b\n", " ", "c"])
    let pastes = Coalescing(Self.typing, longestInsertion: 3)
    #expect(
      groups(of: ["a", "bcd", "paste", "e", "f"], pastes, inTransactions: inTransactions) == [
        "abcd", "paste", "ef",
      ])
  }

  @Test(arguments: [false, true]) func `is a caret that has moved`(inTransactions: Bool) {
    for (boundaries, count) in [(Coalescing.Boundaries.caretMoves, 3), ([], 1)] {
      var document = Document(
        PieceTable("<>"), coalescing: Coalescing(Self.typing, boundaries: boundaries))
      func edit(_ range: Range<Int>, _ text: String) {
        if inTransactions { document.begin() }
        document.replace(offsets(range), with: text.utf8)
        if inTransactions { document.commit() }
      }
      edit(1..<1, "a")
      edit(2..<2, "b")
      edit(2..<3, "")
      edit(2..<2, "cde")
      edit(1..<1, "f")  // The caret was behind "e".
      edit(2..<2, "g")
      edit(4..<5, "")  // The caret was behind "g".
      document.closeGroup()
      // Transactions without boundaries are not checked.
      if !inTransactions || !boundaries.isEmpty { #expect(document.history.current == count) }
    }
  }

  @Test func `ends groups at several carets`() {
    var document = Document(
      PieceTable("..."), coalescing: Coalescing(Self.typing.union(.carets), boundaries: .blanks))
    var carets = [0, 1, 2]
    for letter in "ab c" {
      document.begin()
      for caret in carets.reversed() {
        document.replace(offsets(caret..<caret), with: String(letter).utf8)
      }
      document.commit()
      for index in carets.indices { carets[index] += index + 1 }
    }
    #expect(document.history.current == 2)
    #expect(document.changes(of: 1).map(\.insertedByteCount) == [3, 3, 3])
  }

  @Test func `ignores revision dates`() {
    let policy = Coalescing(Self.typing, longestPause: .seconds(1))
    var document = Document(PieceTable(), coalescing: policy)
    for (place, seconds) in [0.0, 1.0, 2.5, 3.0].enumerated() {
      document.replace(
        offsets(place..<place), with: "x".utf8, time: start + .seconds(seconds),
        date: 1000 * Double(place))
    }
    document.closeGroup()
    #expect(document.history.revisions.map(\.time) == [0, 1000, 3000])
    for (place, seconds) in [0.0, 1.0, 2.5, 3.0].enumerated() {
      document.begin()
      document.replace(offsets(place..<place), with: "x".utf8)
      document.commit(time: start + .seconds(seconds), date: Double(place))
    }
    #expect(document.history.revisions.map(\.time) == [0, 1000, 3000, 1, 3])
    document.edit(coalescing: policy) { draft in draft.insert("x".utf8, at: ByteOffset(4)) }
    #expect(document.history.current == 4, "an edit without a time comes soon enough")
  }
}
