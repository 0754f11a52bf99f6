import Synchronization
import Testing
import TextBuffer
import TextBufferModels
import TextBufferTesting
import TextLines

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// README's code, and scenarios of the articles.
@Suite struct LibraryStoryTests {
  @Test func `the first steps`() {
    var text = PieceTable("one\ntwo\nthree\n")
    let before = text
    text.replaceLines(LineRange(2, 2), with: "TWO\n".utf8)
    #expect(text.lineCount == 3 && text.line(LineNumber(2)) == Array("TWO".utf8))
    #expect(text.offset(ofLine: LineNumber(3)) == ByteOffset(8))
    #expect(text.lineNumber(at: ByteOffset(9)) == LineNumber(3))
    #expect(before != text)

    var document = Document(text)
    document.edit("Turn around") { draft in
      let lines = (1...3).reversed().map { draft.buffer.line(LineNumber($0)) + [10] }
      draft.setText(PieceTable(lines.joined()))
    }
    document.undo()
    document.redo()
    #expect(document.buffer == PieceTable("three\nTWO\none\n"))
    #expect(document.history[document.history.current].name == "Turn around")
  }

  @Test func `a context comes back with the text`() {
    var document = Document(PieceTable("one\n"), context: ByteOffset(0))
    document.edit("Insert a line") { draft in
      draft.insert("zero\n".utf8, at: draft.context)
      draft.context = draft.context + 5
    }
    #expect(document.context == ByteOffset(5))
    document.undo()
    #expect(document.context == ByteOffset(0) && document.buffer == PieceTable("one\n"))
  }

  @Test func `a document in ten lines`() {
    var document = Document(PieceTable("one\ntwo\nthree\n"))
    document.edit("Delete line 2") { draft in
      draft.removeLines(LineRange(2, 2))
    }
    document.markSaved()
    document.edit("Add a line") { draft in
      draft.insertLines("four\n".utf8, after: LineNumber(2))
    }
    document.undo()
    document.undo()
    document.move(to: 2)

    #expect(document.buffer == PieceTable("one\nthree\nfour\n") && document.isModified)
    #expect(document.history.revisions.map(\.name) == [nil, "Delete line 2", "Add a line"])
  }

  @Test func `two branches in twelve lines`() {
    var document = Document(PieceTable("one\ntwo\nthree\n"))
    document.edit("Delete line 2") { draft in
      draft.removeLines(LineRange(2, 2))
    }
    document.edit("Add a line") { draft in
      draft.insertLines("four\n".utf8, after: LineNumber(2))
    }
    document.undo()
    document.edit("Replace line 1") { draft in
      draft.replaceLines(LineRange(1, 1), with: "ONE\n".utf8)
    }
    #expect(document.buffer == PieceTable("ONE\nthree\n"))
    document.move(to: 2)

    #expect(document.buffer == PieceTable("one\nthree\nfour\n"))
    #expect(document.history.revisions.count == 4)
  }

  @Test func `a failing edit changes nothing`() {
    struct TooLong: Error {}
    var document = Document(PieceTable("short\n"))
    #expect(throws: TooLong.self) {
      try document.edit("Grow") { (draft) throws(TooLong) in
        draft.insert("much too long\n".utf8, at: ByteOffset(0))
        if draft.buffer.byteCount > 10 { throw TooLong() }
      }
    }
    #expect(document.buffer == PieceTable("short\n") && !document.history.canUndo)
  }

  @Test func `keystrokes at several carets are grouped as at one`() {
    var document = Document(PieceTable("one\ntwo\nthree\n"), coalescing: .typing)
    for typed in 0..<2 {
      let carets = [typed, 4 + 2 * typed, 8 + 3 * typed].map { ByteOffset($0) }
      document.begin()
      for caret in carets.reversed() { document.replace(caret..<caret, with: "a".utf8) }
      document.commit()
    }
    #expect(document.buffer == PieceTable("aaone\naatwo\naathree\n"))
    #expect(document.history.revisions.count == 2)
  }

  @Test func `no transaction joins a closed group`() {
    var document = Document(PieceTable())
    for isClosed in [false, true] {
      document.edit(coalescing: .commands) { $0.insert("a\n".utf8, at: ByteOffset(0)) }
      if isClosed { document.closeGroup() }
      document.edit(coalescing: .commands) { $0.insert("b\n".utf8, at: ByteOffset(0)) }
      #expect(document.history.revisions.count == (isClosed ? 3 : 2))
    }
  }

  // MARK: - Undo for your own data

  struct Playlist: Equatable, Sendable {
    var title = "New playlist"
    var songs: [String] = []
  }

  struct PlaylistEditor {
    private(set) var playlist = Playlist()
    var history = History<Replacement<Playlist>>()

    mutating func change(_ name: String, _ body: (inout Playlist) -> Void) {
      let before = playlist
      body(&playlist)
      history.record(Replacement(before: before, after: playlist), name: name)
    }

    mutating func undo() { apply(history.undo()) }
    mutating func redo() { apply(history.redo()) }
    mutating func go(to id: Int) { apply(history.move(to: id)) }

    private mutating func apply(_ steps: [Replacement<Playlist>]?) {
      if let last = steps?.last { playlist = last.after }
    }

    var undoLabel: String? {
      history.canUndo ? history[history.current].name.map { "Undo \($0)" } : nil
    }
    var redoLabel: String? {
      history[history.current].preferredChild.flatMap { history[$0].name }.map { "Redo \($0)" }
    }
  }

  private func filledEditor() -> PlaylistEditor {
    var editor = PlaylistEditor()
    editor.change("Add songs") { $0.songs = ["C", "A", "B"] }
    return editor
  }

  @Test func `values are undone and redone, with labels`() {
    var editor = filledEditor()
    editor.change("Rename") { $0.title = "Letters" }
    #expect(editor.undoLabel == "Undo Rename" && editor.redoLabel == nil)
    editor.undo()
    #expect(editor.playlist.title == "New playlist" && editor.redoLabel == "Redo Rename")
    editor.undo()
    #expect(editor.playlist == Playlist() && editor.undoLabel == nil)
    editor.redo()
    editor.redo()
    #expect(editor.playlist == Playlist(title: "Letters", songs: ["C", "A", "B"]))
    editor.go(to: 0)
    #expect(editor.playlist == Playlist())
    editor.go(to: 2)
    #expect(editor.playlist.title == "Letters")
  }

  @Test func `a reorder is one step`() {
    var editor = filledEditor()
    editor.change("Sort") { $0.songs.sort() }
    #expect(editor.playlist.songs == ["A", "B", "C"] && editor.history.current == 2)
    editor.undo()
    #expect(editor.playlist.songs == ["C", "A", "B"])
  }

  @Test func `a step that changes nothing is not recorded`() {
    var editor = filledEditor()
    editor.change("Nothing") { _ in }
    editor.change("Nothing") {
      $0.songs.reverse(); $0.songs.reverse()
    }
    #expect(editor.history.current == 1 && editor.undoLabel == "Undo Add songs")
  }

  @Test func `only some levels are kept`() {
    var editor = PlaylistEditor()
    editor.history.levelLimit = 3
    for number in 1...10 { editor.change("Add \(number)") { $0.songs.append("\(number)") } }
    var count = 0
    while editor.history.canUndo {
      editor.undo()
      count += 1
    }
    #expect(count == 3 && editor.playlist.songs.count == 7)
  }

  @Test func `some steps are not worth saving`() {
    var selection = 0
    var history = History<Replacement<Int>>()
    history.record(Replacement(before: selection, after: 5), name: "Select", isDiscardable: true)
    selection = 5
    #expect(!history.isModified && history.canUndo)
    for step in history.undo() ?? [] { selection = step.after }
    #expect(selection == 0)
  }

  @Test func `an observer is notified of each event`() {
    var lines: [String] = []
    let playlists = Observed(History<Replacement<Playlist>>())
    playlists.addObserver { event in lines.append("\(event.kind) \(event.revision)") }
    let after = Playlist(title: "Letters")
    playlists.update { $0.record(Replacement(before: Playlist(), after: after), name: "Rename") }
    playlists.update { _ = $0.undo() }
    playlists.update { _ = $0.redo() }
    #expect(lines == ["recorded 1", "undone 0", "redone 1"])
  }

  // MARK: - Keystrokes of real documents

  /// The trace of the fixtures, and the traces that `TRACES` names, separated by colons.
  static let traces: [String] = {
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    let more = getenv("TRACES").map { String(cString: $0) as String } ?? ""
    return ["/\(folder)/Fixtures/sveltecomponent.trace"]
      + more.split(separator: ":").map { String($0) }
  }()

  @Test(arguments: traces) func `typed text becomes few groups, each in one place`(
    _ path: String
  ) {
    let trace = Trace(path: path)
    var document = Document(PieceTable(), coalescing: .typing)
    for edit in trace.edits {
      document.replace(offsets(edit.range), with: trace.bytes[edit.inserted])
    }
    document.closeGroup()
    #expect(document.buffer.bytes == trace.final)
    let groups = document.history.revisions.dropFirst().filter { !$0.isDropped }
    #expect(groups.count * 4 < trace.edits.count, "\(groups.count) of \(trace.edits.count)")
    for group in groups { #expect(document.history.steps(of: group.id).count == 1) }
    while document.undo() != nil {}
    #expect(document.history.current == 0 && document.buffer.isEmpty)
    while document.redo() != nil {}
    #expect(document.history.current == groups.last?.id && document.buffer.bytes == trace.final)
    document.buffer.checkInvariants()
    if Self.traces.count > 1 {
      print("\(path): \(groups.count) groups of \(trace.edits.count) edits")
    }
  }
}
