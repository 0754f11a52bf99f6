import Differential
import Glibc
import Testing
import TextBuffer

@testable import ued

/// Histories of very many groups: ued reads only the needed ones.
@Suite struct LongHistoryTests {
  private let sandbox = Sandbox()
  private static let groupCount = 100_000

  private var place: HistoryPlace {
    let file = Array("\(sandbox.path)/f".utf8)
    let name = Array("\(ContentHash(of: file).hexadecimal).history".utf8)
    return HistoryPlace(
      file: file, folder: Array("\(sandbox.path)/.local/state/ued".utf8), name: name)
  }

  /// The text after `id` groups that each increment the first line.
  private func text(_ id: Int) -> [UInt8] { Array("\(id)\nlast\n".utf8) }

  /// Makes a history of groups, and the file as the last of them has left it.
  private func makeHistory(
    _ count: Int = groupCount, with alter: (inout StoredRevision) -> Void = { _ in }
  ) throws {
    let store = try HistoryStore.created(at: place)
    var update = HistoryUpdate(count: count + 1, current: count, saved: count)
    update.firstText = PieceTable(text(0))
    let context = EditorContext(line: LineNumber(1), marks: Marks())
    update.revisions = (0...count).map { id in
      let isHashed = id == 0 || id == count
      var revision = StoredRevision(
        id: id,
        record: RevisionRecord(
          parent: id == 0 ? nil : id - 1, time: Double(id), wasSaved: isHashed), run: 1,
        hash: isHashed ? ContentHash(of: PieceTable(text(id))) : nil,
        title: Array("Count to \(id)".utf8)[...],
        context: StoredContexts.bytes(before: context, after: context))
      if id > 0 {
        let (old, new) = (Array("\(id - 1)\n".utf8), Array("\(id)\n".utf8))
        var bytes: [UInt8] = []
        for number in [0, old.count, new.count] { bytes.append(varint: number) }
        revision.changes = (bytes + old + new)[...]
      }
      alter(&revision)
      return revision
    }
    try store.write(update)
    store.close()
    sandbox["f"] = text(count)
  }

  /// Opens the history as a session does.
  private func open() throws -> (text: EditedText, keeper: HistoryKeeper, store: HistoryStore) {
    let store = try HistoryStore.opened(at: place)
    var edited = EditedText(Conduct(Options(), isAtTerminal: true))
    edited.insert(text(Self.groupCount), after: .zero)
    edited.startHistory(opening: Array("f".utf8))
    var keeper = HistoryKeeper(
      HistoryKeeper.Policy(
        isOn: true, isAskedFor: true, isRequired: false, isReadOnly: false, retries: true,
        isForPerson: true,
        index: HistoryIndex()))
    let found = try #require(try store.load())
    try keeper.adopt(found, of: store, in: &edited, isMissing: false)
    return (edited, keeper, store)
  }

  /// A screen on which keys are typed, one for each page.
  private final class KeyedScreen: ued.Screen {
    let size = TerminalSize(rows: 24, columns: 80)
    let hasEventAhead = false
    func dropKeys() {}
    private var keys: [ScreenKey]
    private(set) var frames: [ScreenFrame] = []

    init(_ keys: [ScreenKey]) { self.keys = keys }

    func open() {}
    func close() {}
    func show(_ frame: ScreenFrame) { frames.append(frame) }
    func nextEvent() -> ScreenEvent { keys.isEmpty ? .end : .key(keys.removeFirst()) }
  }

  @Test func `the pages of tree read a few rows of a hundred thousand`() throws {
    try makeHistory()
    let (text, keeper, store) = try open()
    let driver = EditorDriver("")
    (driver.editor.text, driver.editor.keeper) = (text, keeper)
    let screen = KeyedScreen([.down, .pageDown, .pageDown, .character("d"), .character("q")])
    var view = TreeView(driver.editor, on: screen)
    view.run(&driver.editor)
    #expect(store.rowCount < 400)
    #expect(screen.frames.count == 5)
    let first = screen.frames[0].lines
    #expect(first[0].hasPrefix(">*w100000  ") && first[0].hasSuffix("  +1-1  o  Count to 100000"))
    #expect(first.contains("-1  99999") && first.contains("+1  100000"))
    let last = screen.frames[4]
    #expect(
      last.lines[last.cursorRow].hasPrefix(">  ") && last.lines[last.cursorRow].contains(" 99975  ")
    )
    #expect(last.lines.contains("-1  99975") && last.lines.contains("+1  100000"))
  }

  @Test func `tree shows the oldest rows, then line counts, and branches last`() throws {
    try makeHistory()
    let (text, keeper, _) = try open()
    let driver = EditorDriver("")
    (driver.editor.text, driver.editor.keeper) = (text, keeper)
    let screen = KeyedScreen([.end, .enter])
    var view = TreeView(driver.editor, on: screen)
    view.run(&driver.editor)
    #expect(screen.frames.count == 4)
    let ends = screen.frames[1...].map { $0.lines[$0.cursorRow - 1] }
    for (line, end) in zip(ends, ["?  Count to 1", "+1-1  Count to 1", "+1-1  o  Count to 1"]) {
      #expect(line.hasPrefix("    1  ") && line.hasSuffix(end))
    }
    #expect(view.hasMoved && driver.editor.text.buffer.bytes == self.text(0))
  }

  @Test func `opening reads a few rows of a hundred thousand, and so do the next commands`() throws
  {
    try makeHistory()
    var (edited, keeper, store) = try open()
    #expect(edited.history.revisions.count == Self.groupCount + 1)
    #expect(store.rowCount < 100)
    for id in (Self.groupCount - 10..<Self.groupCount).reversed() {
      try edited.jump(to: id)
      #expect(edited.buffer.bytes == text(id))
      #expect(edited.title(id) == "Count to \(id)")
    }
    try edited.jump(to: Self.groupCount)
    edited.document.edit { $0.insertLines([UInt8]("new\n".utf8), after: LineNumber(1)) }
    keeper.record(&edited, of: Array("f".utf8))
    #expect(keeper.takeNotices().isEmpty)
    #expect(store.rowCount < 200)
    #expect(edited.document.text(of: 1).bytes == text(1))
  }

  @Test(arguments: [-1, 0, Int.max, Int.min])
  func `promise 14: an unknown run number is damage, even with a right checksum`(
    _ run: Int
  )
    throws
  {
    try makeHistory(3) { if $0.id == 2 { $0.run = run } }
    sandbox.run(
      """
      printf '%s\n' 'history json' 'blame json' 'history all' 'revert run' '1s/$/ new/' w |
        "$UED" --history -s f >out 2>notices || test $? = 1
      grep -q 'the history was damaged' notices; printf '3 new\nlast\n' | cmp - f
      """)
  }

  @Test func `damage that is found late is an error, and costs neither text nor saved work`() throws
  {
    try makeHistory(1000)
    try Database(path: place.database, mayCreate: false)
      .run("UPDATE revision SET changes = x'000101612062' WHERE id = 500")
    sandbox.run(
      """
      printf '%s\\n' 'jump 700' 'w !cat >a' 'jump 300' 'w !cat >b' 'undo' 'w !cat >c' \\
        '1s/$/ new/' w history | "$UED" --history -s f >out 2>notices || test $? = 1
      printf '700\\nlast\\n' | cmp - a; cmp a b; printf '1000\\nlast\\n' | cmp - c
      printf '1000 new\\nlast\\n' | cmp - f; ls .local/state/ued/*.damaged-1
      grep -q 'the history was damaged; a new one begins' notices; grep -q 'Opened f' out
      printf 'undo\\nw\\n' | "$UED" --history -s f; printf '1000\\nlast\\n' | cmp - f
      """)
  }

  @Test func `a history with branches is the same when it is read again`() throws {
    sandbox["f"] = Array("one\n".utf8)
    sandbox.run(
      """
      for id in 0 1 2 4; do printf '%s\\n' "jump $id" ,p redo ,p undo 'diff redo' 'history 9'; done >walk
      for id in 3 5 6 2; do printf '%s\\n' "jump $id" ,p 'history 9' 'diff 4'; done >>walk
      (printf '%s\n' 's/$/ 1/' 's/$/ 2/' undo 's/$/ 3/' 'jump 0' 's/$/ 4/' 's/$/ 5/' 'name five' \
        'jump 2' 's/$/ 6/' w; cat walk walk) | "$UED" --history -s f >before ||
        test $? = 2
      "$UED" --history -s f <walk >after || test $? = 2
      tail -n "$(wc -l <after)" before | sed 's/^[ *sw]*//' >expected
      sed 's/^[ *sw]*//' after | diff expected -; test "$(wc -l <after)" -gt 50
      """)
  }

  @Test func `a group at a terminal waits for the disk once`() {
    sandbox["f"] = Array("one\n".utf8)
    func syncCount(_ session: TerminalSession, _ command: String) -> Int {
      sandbox["trace"] = []
      session.enter(command)
      return sandbox["trace"]?.count { $0 == UInt8(ascii: "\n") } ?? 0
    }
    for isNew in [true, false] {
      let session = TerminalSession.plain(
        ["-qqq", "-A", "-o", "trace", "-e", "trace=fsync,fdatasync", Program.underTest.path, "f"],
        in: sandbox, program: "/usr/bin/strace")
      if isNew { #expect(syncCount(session, "s/$/ 0/") == 2) }
      // The first change of a history creates its log.
      #expect(syncCount(session, "s/$/ 1/") <= 3, "new: \(isNew)")
      for _ in 0..<5 { #expect(syncCount(session, "s/$/ 2/") == 1) }
      for command in ["undo", "redo", "jump 2"] {
        #expect(syncCount(session, command) <= 1, "new: \(isNew), \(command)")
      }
      session.enter("w")
      _ = session.end("q")
    }
  }
}
