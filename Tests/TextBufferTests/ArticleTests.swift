import Foundation
import TextBuffer
import TextBufferModels
import Testing
import TextLines

/// The code of the articles, word for word. The examples have the code of the articles
/// on adopting the library, and their own test.
@Suite struct ArticleTests {
  @Test(arguments: [
    "TextBuffer.docc/GettingStarted", "TextBuffer.docc/Grouping", "TextBuffer.docc/KeepingAHistory",
    "TextBufferModels.docc/TextBufferModels", "TextBufferModels.docc/UndoForYourOwnData",
    "TextBufferModels.docc/InADrawingApp", "TextBufferModels.docc/FollowingCarets",
    "TextLines.docc/TextLines",
  ])
  func `every piece of code is in this file`(article: String) throws {
    let folder = URL(filePath: #filePath).appending(path: "../../..").standardized
    let path = "Sources/\(article.prefix { $0 != "." })/\(article).md"
    let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    let pieces = text.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
      .filter { !$0.contains(".package(") }  // a manifest is no part of a program
    let tests = Self.plain(try String(contentsOfFile: #filePath, encoding: .utf8))
    #expect(!pieces.isEmpty)
    for piece in pieces {
      #expect(tests.contains(Self.plain(piece)), "not in the tests: \(piece)")
      #expect(piece.split(separator: "\n").count <= 40)
    }
  }

  /// The lines of code without their indentation.
  private static func plain(_ code: String) -> String {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
  }

  // MARK: - Getting started

  @Test func `a text is a value, and adds no newlines`() {
    var text = PieceTable("one\ntwo\nthree\n")
    let before = text
    text.replaceLines(LineRange(2, 2), with: "TWO\n".utf8)

    assert(text.lineCount == 3)
    assert(text.line(LineNumber(2)) == Array("TWO".utf8))
    assert(text.offset(ofLine: LineNumber(3)) == ByteOffset(8))
    assert(text.lineNumber(at: ByteOffset(9)) == LineNumber(3))
    assert(before != text)

    var unfinished = PieceTable("a\nb")
    unfinished.insertLines("c\n".utf8, after: LineNumber(2))
    assert(unfinished == "a\nbc\n")
    #expect(text == "one\nTWO\nthree\n" && unfinished == "a\nbc\n")
  }

  @Test func `an edit is a step with a name`() {
    let text = PieceTable("one\ntwo\nthree\n")
    var document = Document(text)
    document.edit("Turn around") { draft in
      let lines = (1...3).reversed().map { draft.buffer.line(LineNumber($0)) + [10] }
      draft.setText(PieceTable(lines.joined()))
    }
    document.undo()
    document.redo()
    assert(document.history[document.history.current].name == "Turn around")
    #expect(document.buffer == "three\ntwo\none\n")
  }

  @Test func `a context comes back with its text`() {
    let text = PieceTable("one\n")
    var document = Document(text, context: ByteOffset(0))
    document.edit("Insert a line") { draft in
      draft.insert("zero\n".utf8, at: draft.context)
      draft.context = draft.context + 5
    }
    document.undo()
    assert(document.context == ByteOffset(0))
    document.redo()
    #expect(document.context == ByteOffset(5))
  }

  // MARK: - What one undo takes back

  @Test func `keystrokes are one group, which a long pause can end`() {
    var document = Document(PieceTable(), coalescing: .typing)
    for (index, byte) in "helo".utf8.enumerated() {
      let place = ByteOffset(index)
      document.replace(place..<place, with: CollectionOfOne(byte), time: .now)
    }
    document.replace(ByteOffset(3)..<ByteOffset(4), with: [], time: .now)
    document.replace(ByteOffset(3)..<ByteOffset(3), with: "lo".utf8, time: .now)
    document.closeGroup()
    document.undo()
    #expect(document.buffer.isEmpty && document.text(of: 1) == "hello")
    #expect(document.history.revisions.count == 2)

    var coalescing = Coalescing.typing
    coalescing.longestPause = .seconds(1)
    document.coalescing = coalescing
    let now = ContinuousClock.now
    for (index, seconds) in [0, 1, 3].enumerated() {
      let place = ByteOffset(index)
      document.replace(place..<place, with: "a".utf8, time: now + .seconds(seconds))
    }
    document.undo()
    #expect(document.buffer == "aa")
  }

  struct MenuItem { var title = "" }

  @Test func `a keystroke has a name, except in a transaction`() {
    var document = Document(PieceTable("one\n"), coalescing: .typing)
    var menuItem = MenuItem()
    let place = ByteOffset(3)
    document.replace(place..<place, with: "pasted".utf8, name: "Paste", time: .now)
    menuItem.title = document.undoName.map { "Undo \($0)" } ?? "Undo"
    #expect(menuItem.title == "Undo Paste")
    document.begin()
    document.replace(place..<place, with: "more".utf8, name: "Ignored", time: .now)
    #expect(document.canUndo)
    document.commit("Transaction")
    #expect(document.undoName == "Transaction")
  }

  @Test func `several carets make one group, and a cancelled group is dropped`() {
    var document = Document(PieceTable("one two\n"), coalescing: .typing)
    for carets in [[ByteOffset(0), ByteOffset(4)], [ByteOffset(1), ByteOffset(6)]] {
      document.begin()
      for caret in carets.reversed() { document.replace(caret..<caret, with: "a".utf8) }
      document.commit()
    }
    #expect(document.buffer == "aaone aatwo\n" && document.history.revisions.count == 2)
    document.begin()
    for start in [ByteOffset(6), ByteOffset(0)] {
      document.replace(start..<start + 2, with: "".utf8)
    }
    document.commit()
    #expect(document.history.revisions.count == 2 && document.history[1].isDropped)
    #expect(document.history.current == 0 && !document.history.canMove(to: 1))
  }

  @Test func `a command joins the one before`() {
    var document = Document(PieceTable("one\ntwo\nthree\n"), coalescing: .commands)
    for _ in 1...2 {
      document.edit { draft in draft.insertLines("line\n".utf8, after: LineNumber(3)) }
    }
    #expect(document.history.current == 2)
    document.edit(coalescing: .commands) { draft in
      draft.insertLines("a line\n".utf8, after: LineNumber(3))
    }
    #expect(document.history.current == 2)
    document.begin()
    document.replace(ByteOffset(14)..<ByteOffset(14), with: "b".utf8)
    let steps = document.commit()?.steps ?? []
    #expect(document.history.current == 2 && steps.map(\.inserted) == ["b"])
  }

  // MARK: - Storing a history

  struct StoredChange: Codable {
    var offset: Int
    var removed: [UInt8]
    var inserted: [UInt8]

    init(_ change: Change) {
      offset = change.offset.value
      removed = change.removed.bytes
      inserted = change.inserted.bytes
    }
  }

  private func changes(_ stored: [[StoredChange]], of text: PieceTable) -> [[Change]] {
    var maker = Change.Maker(for: text)
    let changes = stored.map { group in
      group.map {
        maker.change(
          at: ByteOffset($0.offset), removing: $0.removed.span.bytes,
          inserting: $0.inserted.span.bytes)
      }
    }
    return changes
  }

  @Test func `a history is stored, and restored from its first text`() throws {
    let firstText = PieceTable("one\ntwo\nthree\n")
    var records: [RevisionRecord] = []
    var stored: [[StoredChange]] = []
    var (current, saved) = (0, Int?.none)
    func store(_ id: Int, _ record: RevisionRecord, _ changes: [StoredChange]) {
      if id == records.count {
        records.append(record)
        stored.append(changes)
      } else {
        (records[id], stored[id]) = (record, changes)
      }
    }
    func store(current newCurrent: Int, saved newSaved: Int?) {
      (current, saved) = (newCurrent, newSaved)
    }
    do {
      var document = Document(firstText)
      document.trackChanges()
      document.edit("Delete line 2") { draft in draft.removeLines(LineRange(2, 2)) }
      for id in document.takeChangedRevisions() {
        let record = RevisionRecord(document.history[id])
        store(id, record, document.changes(of: id).map { StoredChange($0) })
      }
      store(current: document.history.current, saved: document.history.saved)
    }
    let changes = changes(stored, of: firstText)
    var document = try Document(
      restoring: firstText, records, changes: changes, current: 0, saved: saved)
    document.move(to: current)
    #expect(document.buffer == "one\nthree\n" && document.undoName == "Delete line 2")

    let (id, bytes) = (current, Array("lost\n".utf8))
    document.edit("Changed elsewhere") { draft in draft.setText(PieceTable(bytes)) }
    var text = document.text(of: id)
    let change = text.replace(ByteOffset(0)..<ByteOffset(text.byteCount), with: bytes)
    document.addBranch([change], from: id, name: "Kept", context: ())
    #expect(document.history.current == 2 && document.history.children(of: id) == [2, 3])
    #expect(document.text(of: 3) == "lost\n" && document.history[3].name == "Kept")
  }

  @Test func `a history is restored with its contexts`() throws {
    var edited = Document(PieceTable("one\ntwo\n"), context: ByteOffset(3))
    edited.edit("Insert") { draft in
      draft.insert("!", at: draft.context)
      draft.context = draft.context + 1
    }
    let text = edited.buffer
    let (current, saved) = (edited.history.current, edited.history.saved)
    let records = edited.history.revisions.map { RevisionRecord($0) }
    let stored = records.indices.map { edited.changes(of: $0).map { StoredChange($0) } }
    let contexts = records.indices.map {
      (before: edited.contextBefore($0), after: edited.contextAfter($0))
    }
    let changes = changes(stored, of: text)
    var document = try Document(
      restoring: text, records, changes: changes, contexts: contexts, current: current,
      saved: saved)
    #expect(document.context == ByteOffset(4))
    document.undo()
    #expect(document.context == ByteOffset(3) && document.buffer == "one\ntwo\n")
  }

  @Test func `undo passes over the changes of others`() {
    var shared = Document(PieceTable("one\ntwo\n"))
    shared.edit { draft in draft.replaceLines(LineRange(2, 2), with: "TWO\n".utf8) }
    shared.editFromOutside { draft in draft.insertLines("theirs\n".utf8, after: LineNumber(1)) }
    shared.undo()
    assert(shared.buffer == "one\ntheirs\ntwo\n")
    shared.redo()
    assert(shared.buffer == "one\ntheirs\nTWO\n")
    #expect(shared.buffer == "one\ntheirs\nTWO\n")
  }

  @Test func `one group is taken back among others`() {
    var notes = Document(PieceTable("one\ntwo\n"))
    notes.edit("First") { draft in draft.insert("zero\n", at: ByteOffset(0)) }
    notes.edit("Second") { draft in draft.replaceLines(LineRange(3, 3), with: "TWO\n".utf8) }
    notes.revert(1, name: "Revert First")
    assert(notes.buffer == "one\nTWO\n")
    #expect(notes.undoName == "Revert First")
  }

  // MARK: - The pages of the other libraries

  @Test func `undo for any value, UTF-16 units, and matches`() {
    var playlist = Undoable(Playlist())
    playlist.edit("Rename") { $0.title = "Letters" }
    playlist.undo()
    #expect(playlist.value == Playlist())

    let text = PieceTable("let 😀 = one\n")
    assert(text.utf16Count == 13)
    assert(text.position(at: ByteOffset(8), in: .utf16) == LinePosition(LineNumber(1), column: 6))

    let settings = PieceTable("width = 80\nheight = 24\n")
    var values: [Substring: Substring] = [:]
    settings.forEachMatch(of: /(\w+) = (\d+)/) { range, output in
      values[output.1] = output.2
      return true
    }
    assert(values == ["width": "80", "height": "24"])
    assert(settings.firstRange(of: /\d+/) == ByteOffset(8)..<ByteOffset(10))
    #expect(values.count == 2)
  }

  @Test func `who wrote a line, how to take that back, differences and merges`() throws {
    var document = Document(PieceTable("one\ntwo\nthree\n"))
    document.edit("Replace line 2") { draft in
      draft.replaceLines(LineRange(2, 2), with: "TWO\n".utf8)
    }
    document.edit("Add a line") { draft in
      draft.insertLines("zero\n".utf8, after: .zero)
    }
    var weave = Weave(document.text(of: 0))
    document.bring(&weave, to: document.history.current)
    assert(weave.group(showing: LineNumber(3)) == 1)
    assert(weave.groups(touching: LineRange(3, 3)) == [1])
    let reversal = try weave.reverting([1])  // line 3 by "two"

    #expect((1...4).map { weave.group(showing: LineNumber($0)) } == [2, 0, 1, 0])

    var details: [Int: Weave.Details] = [:]
    document.edit("Revert 1") { draft in
      for replacement in reversal.replacements.reversed() {
        draft.replaceLines(replacement.lines, with: replacement.text)
      }
    }
    let id = document.history.current
    details[id] = Weave.Details(votes: reversal.votes)
    document.bring(&weave, to: id, details: { details[$0] ?? .init() })
    #expect(reversal.replacements.map(\.text) == ["two\n"])
    #expect(document.buffer == "zero\none\ntwo\nthree\n" && weave.text == document.buffer)
    #expect(weave.group(showing: LineNumber(3)) == id)

    for hunk in LineDifference(from: document.text(of: 2), to: document.text(of: 3)).hunks {
      assert(hunk.old == LineRange(3, 3) && hunk.new == LineRange(3, 3))
    }
    let added = LineDifference(from: document.text(of: 1), to: document.text(of: 2)).hunks
    assert(added == [LineHunk(old: LineRange(1, 0), new: LineRange(1, 1))])
    #expect(added.count == 1)

    let base = PieceTable("one\ntwo\nthree\n")
    let merge = LineMerge(
      of: PieceTable("1\ntwo\nthree\n"), and: PieceTable("one\ntwo\n3\n"), from: base)
    assert(merge.text == "1\ntwo\n3\n")
    #expect(merge.conflicts.isEmpty)
  }

  // MARK: - Undo for your own data

  struct Playlist: Codable, Equatable, Sendable {
    var title = "New playlist"
    var songs: [String] = []
  }

  @Test func `named actions, redo, and a reordering that is one entry`() {
    var playlist = Undoable(Playlist(songs: ["C", "A", "B"]))
    playlist.edit("Rename") { $0.title = "Letters" }
    playlist.edit("Sort") { $0.songs.sort() }
    playlist.undo()
    let undoLabel = playlist.undoName.map { "Undo \($0)" } ?? "Undo"
    let redoLabel = playlist.redoName.map { "Redo \($0)" } ?? "Redo"
    #expect(undoLabel == "Undo Rename" && redoLabel == "Redo Sort")
    #expect(playlist.value.songs == ["C", "A", "B"] && playlist.value.title == "Letters")
    playlist.redo()
    #expect(playlist.value.songs == ["A", "B", "C"] && playlist.redoName == nil)
  }

  final class PlaylistModel {
    private(set) var playlist = Undoable(Playlist())

    func modify(_ name: String, _ body: (inout Playlist) -> Void) {
      playlist.edit(name, body)
    }
  }

  @Test func `a model with one way to modify it`() {
    let model = PlaylistModel()
    model.modify("Add two songs") {
      $0.songs.append("A")
      $0.songs.append("B")
    }
    model.modify("Nothing") { $0.title += "" }
    #expect(model.playlist.history.revisions.count == 2 && model.playlist.isModified)
    #expect(model.playlist.undoName == "Add two songs")
  }

  @Test func `a tree that is saved and restored`() throws {
    var playlist = Undoable(Playlist())
    playlist.edit("Rename") { $0.title = "Letters" }
    playlist.undo()
    playlist.edit("Rename") { $0.title = "Numbers" }
    playlist.markSaved()
    let data = try JSONEncoder().encode(playlist)
    var restored = try JSONDecoder().decode(Undoable<Playlist>.self, from: data)
    restored.move(to: 1)
    #expect(restored.value.title == "Letters" && restored.isModified)
    restored.move(to: 2)
    #expect(restored.value.title == "Numbers" && !restored.isModified)
  }

  /// One cell of a sheet, before and after.
  struct CellStep: Reversible, Sendable {
    var place: Int
    var old: Int
    var new: Int

    var inverse: CellStep { CellStep(place: place, old: new, new: old) }
    var changesNothing: Bool { old == new }
  }

  struct Sheet {
    private(set) var cells: [Int]
    private(set) var history = History<CellStep>()

    init(_ cells: [Int]) { self.cells = cells }

    mutating func set(_ new: [Int: Int], _ name: String) {
      let steps = new.map { CellStep(place: $0.key, old: cells[$0.key], new: $0.value) }
      apply(steps)
      history.record(steps, name: name)
    }

    mutating func undo() { apply(history.undo() ?? []) }
    mutating func redo() { apply(history.redo() ?? []) }

    private mutating func apply(_ steps: [CellStep]) {
      for step in steps { cells[step.place] = step.new }
    }
  }

  @Test func `a step that flips an old and a new value`() {
    var sheet = Sheet([1, 2, 3])
    sheet.set([0: 10, 2: 30], "Fill")
    sheet.set([1: 2], "Nothing")
    #expect(sheet.cells == [10, 2, 30] && sheet.history.revisions.count == 2)
    sheet.undo()
    #expect(sheet.cells == [1, 2, 3] && sheet.history.redoName == "Fill")
    sheet.redo()
    #expect(sheet.cells == [10, 2, 30])
  }

  @Test func `a limit, steps that need not be saved, and observers`() {
    var playlist = Undoable(Playlist())
    playlist.levelLimit = 3
    for number in 1...10 { playlist.edit("Add") { $0.songs.append("\(number)") } }
    while playlist.undo() != nil {}
    #expect(playlist.value.songs.count == 7)

    var lines: [String] = []
    let observed = Observed(Undoable(Playlist()))
    observed.addObserver { event in lines.append("\(event.kind) \(event.revision)") }
    observed.update { $0.edit("Rename") { $0.title = "Letters" } }
    observed.update { _ = $0.undo() }
    #expect(lines == ["recorded 1", "undone 0"])
  }

  // MARK: - In a drawing app

  struct Shape: Equatable, Identifiable, Sendable {
    let id: Int
    var x = 0
  }

  struct Drawing: Equatable, Sendable {
    var shapes: [Shape] = []
    var selection: Set<Int> = []
  }

  @Test func `a drag is one step, and a selection is no unsaved change`() {
    var drawing = Undoable(Drawing(shapes: [Shape(id: 1), Shape(id: 2)]))
    drawing.edit("Select", isDiscardable: true) { $0.selection = [1] }
    #expect(drawing.canUndo && !drawing.isModified)
    for x in 1...20 {
      drawing.edit("Move", joining: .sameName) { $0.shapes[0].x = x }
    }
    drawing.closeGroup()
    #expect(drawing.value.shapes[0].x == 20 && drawing.history.revisions.count == 3)
    drawing.undo()
    #expect(drawing.value.shapes[0].x == 0 && drawing.value.selection == [1])
  }

  enum Refusal: Error { case outsideThePage(Int) }

  @Test func `a change of many shapes is one step, or an error and none`() throws {
    var drawing = Undoable(Drawing(shapes: (1...3).map { Shape(id: $0, x: 10 * $0) }))
    func move(by distance: Int) throws(Refusal) {
      try drawing.edit("Move all") { drawing throws(Refusal) in
        for index in drawing.shapes.indices {
          drawing.shapes[index].x += distance
          guard drawing.shapes[index].x < 100 else {
            throw .outsideThePage(drawing.shapes[index].id)
          }
        }
      }
    }
    try move(by: 5)
    do {
      try move(by: 70)
    } catch .outsideThePage(let id) {
      #expect(id == 3)
    }
    #expect(drawing.value.shapes.map(\.id) == [1, 2, 3])
    #expect(drawing.value.shapes.map(\.x) == [15, 25, 35] && drawing.undoName == "Move all")
    drawing.undo()
    #expect(drawing.value.shapes.map(\.x) == [10, 20, 30] && !drawing.canUndo)
  }

  // MARK: - Carets and selections

  @Test func `carets follow the edits of others, and undo`() {
    var document = Document(PieceTable("one two\n"))
    var caret = ByteOffset(7)
    var selection = ByteOffset(4)..<ByteOffset(7)
    document.edit("Insert") { draft in
      let change = draft.insert("zero ", at: ByteOffset(0))
      caret = caret.adjusted(by: change)
      selection = selection.adjusted(by: change)
    }
    #expect(caret == ByteOffset(12) && String(document.buffer, in: selection) == "two")
    if let undone = document.undo() {
      caret = caret.adjusted(by: undone.steps)
      selection = selection.adjusted(by: undone.steps)
    }
    #expect(caret == ByteOffset(7) && selection == ByteOffset(4)..<ByteOffset(7))
  }

  @Test func `a bookmark stays before what is typed there, a caret moves behind it`() {
    var text = PieceTable("one two\n")
    let (bookmark, caret) = (ByteOffset(4), ByteOffset(4))
    let change = text.insert("and ", at: caret)
    #expect(bookmark.adjusted(by: change, affinity: .before) == ByteOffset(4))
    #expect(caret.adjusted(by: change) == ByteOffset(8))
  }

  @Test func `the selection of a revision comes back with its text`() {
    var document = Document(PieceTable("one two\n"), context: [ByteOffset(3)])
    document.edit("Type at both carets") { draft in
      for caret in [ByteOffset(7), ByteOffset(3)] { draft.insert("!", at: caret) }
      draft.context = [ByteOffset(4), ByteOffset(9)]
    }
    document.undo()
    #expect(document.context == [ByteOffset(3)])
    document.redo()
    #expect(document.context == [ByteOffset(4), ByteOffset(9)])
    #expect(document.buffer == "one! two!\n")
  }
}
