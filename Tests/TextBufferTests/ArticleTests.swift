import Foundation
import TextBuffer
import TextBufferModels
import Testing

/// The code of the articles of `TextBufferModels`, word for word.
@Suite struct ArticleTests {
  @Test(arguments: ["UndoForYourOwnData", "InADrawingApp", "FollowingCarets"])
  func `every piece of code is in this file`(article: String) throws {
    let folder = URL(filePath: #filePath).appending(path: "../../..").standardized
    let path = "Sources/TextBufferModels/TextBufferModels.docc/\(article).md"
    let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    let pieces = text.components(separatedBy: "```swift\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
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

  @Test func `a drag is one step, and a selection is no question when the window closes`() {
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
