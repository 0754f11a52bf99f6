import Differential
import TextBuffer
import TextBufferModels
import Testing

@testable import ued

/// The view of `tree` as values: the effect of each key, and the lines of a page.
@Suite struct TreeWalkTests {
  /// Revisions, drawn as `history all` does it; 3 was saved, and then 1.
  ///
  ///      9  o
  ///      8  | o      from 6
  ///      7  o |      from 5
  ///      6  | o      from 0
  ///      5  o |      from 4
  ///      4  o |      from 1
  ///      3  | | o    from 2
  ///      2  | | o    from 1
  ///      1  o-|-'
  ///      0  o-'
  private static let history: History<Change> = {
    var history = History<Change>()
    for (id, parent) in [1: 0, 2: 1, 3: 2, 4: 1, 5: 4, 6: 0, 7: 5, 8: 6, 9: 7].sorted(by: <) {
      _ = history.move(to: parent)
      var text = PieceTable("text\n")
      let change = text.replaceLines(LineRange(LineNumber(1)), with: PieceTable("\(id)\n"))
      history.record(change)
      if id == 3 { history.markSaved() }
    }
    _ = history.move(to: 1)
    history.markSaved()
    _ = history.move(to: 9)
    return history
  }()

  /// The keys that letters and signs stand for here.
  private static func key(_ character: Character) -> ScreenKey {
    switch character {
    case "↑": .up
    case "↓": .down
    case "←": .left
    case "→": .right
    case "⇞": .pageUp
    case "⇟": .pageDown
    case "⇱": .home
    case "⇲": .end
    case "⏎": .enter
    case "⎋": .escape
    case "⌫": .backspace
    case "⌧": .clear
    default: .character(character)
    }
  }

  /// Takes keys, starting at revision 9.
  private func walk(
    _ keys: String, height: Int = 4
  ) -> (walk: TreeWalk, action: TreeWalk.Action, rows: [Int]) {
    var walk = TreeWalk(at: 9)
    var action = TreeWalk.Action.none
    var rows = walk.rows(height, in: Self.history)
    for key in keys {
      action = walk.take(Self.key(key), in: Self.history, height: height)
      rows = walk.rows(height, in: Self.history)
    }
    return (walk, action, rows)
  }

  @Test(arguments: [
    ("", 9), ("↓", 8), ("j", 8), ("jj", 7), ("jjk", 8), ("↓↓↑", 8), ("k", 9), ("⇲", 0), ("⇲j", 0),
    ("⇲↑", 1), ("⇲⇱", 9), ("⇟", 6), ("⇟⇟", 3), ("⇟⇟⇞", 6), ("⇟⇟⇟⇟", 0), ("⇞", 9),
    // Right of 9 is the branch 2-3, which is shorter; right of both is that of 6.
    ("→", 3), ("→←", 5), ("→→", 8), ("l", 3), ("jj→", 3), ("jj→h", 5), ("↓", 8), ("↓←", 4),
    ("↓←←", 4), ("↓→", 8), ("⇲→", 0), ("⇲←", 0), ("←", 9),
  ])
  func `keys select a revision`(_ keys: String, _ id: Int) {
    let (walk, action, rows) = walk(keys)
    #expect(walk.selected == id)
    #expect(action == .none)
    #expect(rows.contains(id) && rows.count == 4)
    #expect(rows == Array((rows[3]...rows[0]).reversed()))
  }

  @Test func `without a branch next to it, a message says so`() {
    #expect(walk("⇲→").walk.note == .noBranchBeside)
    #expect(walk("←").walk.note == .noBranchBeside)
    #expect(walk("←j").walk.note == nil)
  }

  @Test(arguments: [
    ("⏎", TreeWalk.Action.jump(9)), ("j⏎", .jump(8)), ("q", .leave), ("⎋", .leave),
    ("jp", .pick(8)),
    ("jjr", .revert(7)), ("/ab⏎", .search("ab")), ("/abc⌫⏎", .search("ab")),
    ("/ab⌧q⏎", .search("q")), ("/ab⎋", .none), ("/⏎", .none), ("jnv 1⏎", .name(8, "v 1")),
    ("n⏎", .none), ("n⌫x⏎", .name(9, "x")), ("?q", .none), ("?qq", .leave), ("d", .none),
    ("/q↑j⏎", .search("qj")),
  ])
  func `keys ask for actions`(_ keys: String, _ action: TreeWalk.Action) {
    #expect(walk(keys).action == action)
  }

  @Test func `the rows follow the selected revision`() {
    for (keys, rows) in [
      ("", [9, 8, 7, 6]), ("jjj", [9, 8, 7, 6]), ("jjjj", [8, 7, 6, 5]), ("jjjjk", [8, 7, 6, 5]),
      ("jjjjkkkk", [9, 8, 7, 6]), ("⇲", [3, 2, 1, 0]), ("⇲kkkk", [4, 3, 2, 1]),
      ("→", [5, 4, 3, 2]),
    ] {
      #expect(walk(keys).rows == rows, "\(keys)")
    }
    #expect(walk("⇲", height: 60).rows == Array((0...9).reversed()))
    #expect(walk("⇲", height: 1).rows == [0])
  }

  @Test func `s shows saved revisions only, and all again`() {
    var (walk, _, rows) = walk("s")
    #expect(rows == [3, 1] && walk.selected == 3 && walk.note == .onlySaved)
    (walk, _, rows) = self.walk("sj")
    #expect(rows == [3, 1] && walk.selected == 1)
    (walk, _, rows) = self.walk("sjj")
    #expect(walk.selected == 1)
    (walk, _, rows) = self.walk("s⇲ss")
    #expect(rows == [3, 1] && walk.selected == 1)
    (walk, _, rows) = self.walk("⇲s")
    #expect(walk.selected == 1)
    (walk, _, rows) = self.walk("sjs", height: 20)
    #expect(rows == Array((0...9).reversed()) && walk.selected == 1)
    (walk, _, rows) = self.walk("s→")
    #expect(walk.selected == 3 && walk.note == .noBranchBeside)
  }

  @Test func `without a save, all rows stay`() {
    var history = History<Change>()
    history.markUnsaved()
    var walk = TreeWalk(at: 0)
    #expect(walk.take(.character("s"), in: history, height: 4) == .none)
    #expect(walk.rows(4, in: history) == [0] && walk.note == .noneSaved && walk.filter == .all)
  }

  @Test func `keys walk only through the matches of a search`() {
    var walk = TreeWalk(at: 5)
    walk.show(found: [2, 4, 8], in: Self.history)
    #expect(walk.selected == 4 && walk.rows(9, in: Self.history) == [8, 4, 2])
    for (key, id) in [("↓", 2), ("↓", 2), ("⇱", 8), ("↑", 8), ("⇟", 2), ("⇞", 8), ("⇲", 2)] {
      #expect(walk.take(Self.key(Character(key)), in: Self.history, height: 5) == .none)
      #expect(walk.selected == id)
    }
    walk.show(found: [], in: Self.history)
    #expect(walk.rows(9, in: Self.history) == [8, 4, 2])
    walk.select(5, in: Self.history)
    #expect(walk.rows(9, in: Self.history).count == 9 && walk.filter == .all)
  }

  @Test func `groups in the way are selected by their digits`() {
    let groups = [3, 6].map {
      BlockingGroup(group: NamedGroup(id: $0, title: "t"), lines: [], isHere: true)
    }
    for (key, id, action) in [
      ("1", 3, TreeWalk.Action.none), ("2", 6, .none), ("3", 9, .none), ("⎋", 9, .none),
      ("j", 8, .none), ("q", 9, .leave),
    ] {
      var walk = TreeWalk(at: 9)
      walk.fail(.groupsInTheWay(groups), .revert(9))
      #expect(walk.mode == .conflict(TreeConflict(id: 9, isPick: false, groups: groups)))
      #expect(walk.take(Self.key(Character(key)), in: Self.history, height: 4) == action)
      #expect(walk.selected == id && walk.mode == .list, "\(key)")
    }
  }

  @Test func `an error is noted until the next key`() {
    var walk = TreeWalk(at: 9)
    walk.fail(.groupIsOpen, .jump(3))
    #expect(walk.note == .failed(.groupIsOpen))
    _ = walk.take(.down, in: Self.history, height: 4)
    #expect(walk.note == nil && walk.selected == 8)
    _ = walk.take(.character("x"), in: Self.history, height: 4)
    #expect(walk.note == .noSuchKey("x"))
  }

  /// Rows anywhere in a list have the drawing that they have in the whole list.
  @Test(arguments: seeds(4))
  func `branches are drawn next to any rows as in the whole tree`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var history = History<Change>()
    for id in 1...1500 {
      if random.chance(3) { _ = history.move(to: random.below(id)) }
      var text = PieceTable("text\n")
      history.record(text.replaceLines(LineRange(LineNumber(1)), with: PieceTable("\(id)\n")))
    }
    let ids = Array((0...1500).reversed())
    let most = 2 + random.below(6)
    var whole = BranchDrawing(mostColumns: most)
    let expected = ids.map { whole.next($0, parent: history[$0].parent) }
    #expect(expected.contains { $0.contains("'") })
    var drawing = TreeDrawing(mostColumns: most)
    for _ in 1...60 {
      let first = random.below(1490)
      let shown = first..<min(first + 1 + random.below(40), ids.count)
      var count = 1
      while !drawing.approach(ids[first], in: history, atMost: 500) { count += 1 }
      #expect(count <= 4)
      #expect(drawing.rows(Array(ids[shown]), in: history) == Array(expected[shown]))
    }
  }
}

/// The keys in the bytes of a terminal.
@Suite struct FullScreenKeyTests {
  @Test(arguments: [
    ("j", [ScreenKey.character("j")]), ("\u{1B}[A\u{1B}OB", [.up, .down]),
    ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
    ("\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[4~", [.home, .end, .home, .end]), ("\r\n", [.enter, .enter]),
    ("\u{1B}[C\u{1B}[D", [.right, .left]), ("ä日", [.character("ä"), .character("日")]),
    ("\u{8}\u{7F}\u{15}", [.backspace, .backspace, .clear]), ("\u{10}\u{E}", [.up, .down]),
    ("\u{1B}[200~p\rr\u{1B}[201~k", [.pasted("p"), .character("k")]),
    ("\u{1B}[200~a\u{7}\tb\u{1B}[201~", [.pasted("ab")]), ("\u{1B}[I\u{1B}[1;2P", []),
  ])
  func `bytes are keys`(_ typed: String, _ expected: [ScreenKey]) {
    var keys = FullScreenKeys()
    let found = typed.utf8.flatMap { keys.take($0) }
    #expect(found == expected.map { .event(.key($0)) })
    #expect(keys.patience == nil)
  }

  @Test func `an escape alone is a key once nothing follows`() {
    var keys = FullScreenKeys()
    #expect(keys.take(0x1B) == [] && keys.patience != nil)
    #expect(keys.timeOut() == [.event(.key(.escape))])
  }

  @Test func `invalid bytes of characters are dropped`() {
    var keys = FullScreenKeys()
    #expect(keys.take(0xFF) == [] && keys.take(0xC3) == [])
    #expect(keys.take(UInt8(ascii: "k")) == [.event(.key(.character("k")))])
  }

  @Test func `codes of keys with Control act as signals`() {
    var keys = FullScreenKeys()
    #expect("\u{1B}[99;5u".utf8.flatMap { keys.take($0) } == [.event(.interrupted)])
    #expect("\u{1B}[122;5u".utf8.flatMap { keys.take($0) } == [.stop])
  }
}
