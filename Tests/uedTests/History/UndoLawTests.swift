import Differential
import Testing
import TextBuffer
import TextLines

@testable import ued

/// Random commands, and then the laws of undo; see `Weave`.
private struct UndoWalk {
  var random: SeededGenerator
  let driver: EditorDriver
  private(set) var scripts: [String] = []
  private var count = 0
  /// Whether all lines differ from each other and none is moved.
  private let isPlain: Bool

  init(seed: UInt64, isPlain: Bool = false) {
    random = SeededGenerator(seed: seed)
    self.isPlain = isPlain
    var lines: [String] = []
    for index in 0..<random.below(9) {
      lines.append(isPlain ? "\(index)" : random.pick(["a", "b", "c", "}", "", "\(index)"]))
    }
    let text = lines.joined(separator: "\n")
    let lacksNewline = random.chance(20)
    driver = EditorDriver(lines.isEmpty || lacksNewline ? text : text + "\n")
    for _ in 0...random.below(6) { step() }
  }

  var history: History<Change> { driver.editor.text.history }
  var text: PieceTable { driver.editor.text.document.committedBuffer }
  /// The groups on the way to the present revision, newest first.
  var path: [Int] { Array(sequence(first: history.current) { history[$0].parent }.dropLast()) }

  func text(of id: Int) -> PieceTable { driver.editor.text.document.text(of: id) }

  @discardableResult
  mutating func run(_ script: String) -> EditorError? {
    scripts.append(script)
    return driver.run(script + "\n")
  }

  // MARK: - Commands

  private mutating func step() {
    switch random.below(isPlain ? 8 : 12) {
    case 0...5: run(edit())
    case 6:
      run((["begin"] + (0...random.below(4)).map { _ in edit() } + ["end"]).joined(separator: "\n"))
    case 7: run("1,$c\n" + wholeText())
    case 8:
      run(random.pick(["undo", "redo", "u", "jump \(random.below(history.revisions.count))"]))
    case 9: run("revert \(random.below(history.revisions.count))")
    case 10: run("pick \(random.below(history.revisions.count))")
    default: run("\(range())undo")
    }
  }

  /// Lines as `a` takes them.
  private mutating func newLines() -> String {
    (0...random.below(3)).map { _ in
      count += 1
      return isPlain || random.chance(60)
        ? "n\(count)\n" : random.pick(["a\n", "b\n", "c\n", "}\n", "\n"])
    }.joined() + "."
  }

  /// The text with some lines left out and some new ones, as another program would have changed it.
  private mutating func wholeText() -> String {
    var lines: [String] = []
    for line in driver.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if random.chance(85) { lines.append(String(line)) }
      if random.chance(15) {
        count += 1
        lines.append("n\(count)")
      }
    }
    return (lines + ["."]).joined(separator: "\n")
  }

  private var lastLine: Int { driver.editor.text.buffer.newlineCount }

  private mutating func range() -> String {
    let first = 1 + random.below(max(lastLine, 1))
    return "\(first),\(min(max(lastLine, 1), first + random.below(4)))"
  }

  private mutating func edit() -> String {
    let (range, line) = (range(), random.below(lastLine + 1))
    if lastLine == 0 { return "0a\n" + newLines() }
    count += 1
    return switch random.below(isPlain ? 10 : 16) {
    case 0...2: "\(line)a\n" + newLines()
    case 3, 4: "\(range)d"
    case 5, 6: "\(range)c\n" + newLines()
    case 7: "\(range)s/$/x\(count)/"
    case 8: "\(range)s/$/\\\nn\(count)/"
    case 9: "g/[1-4]/s/^/\(count)/"
    case 10, 11: "\(range)m\(line)"
    case 12: "\(range)t\(line)"
    case 13: "\(range)j"
    case 14: "g/[abc]/m\(line)"
    default: "g/[bc}]/\(random.pick(["d", "t$", "j", "a\\\nnew", ".,+1m0", "i\\\na\\\n"]))"
    }
  }

  // MARK: - Laws

  /// Takes a group back, those in its way first.
  ///
  /// - Returns: Whether the group could be reverted.
  mutating func revert(_ id: Int) -> Bool {
    var waiting = [id]
    for _ in 0..<300 {
      guard let next = waiting.last else { return true }
      switch run("revert \(next)") {
      case nil, .nothingToRevert: waiting.removeLast()
      case .groupsInTheWay(let groups):
        // Each is named once, and with lines of the text.
        let ids = Set(groups.map(\.group.id))
        let lines = groups.flatMap(\.lines)
        if ids.count < groups.count || ids.contains(next) || groups.contains(where: \.lines.isEmpty)
          || lines.contains(where: { $0.first.value < 1 || $0.last.value > lastLine })
        {
          return false
        }
        waiting.append(ids.max() ?? 0)
      default: return false
      }
    }
    return false
  }
}

/// The laws of undo, by commands.
@Suite struct UndoLawTests {
  /// The last ones pick a group of another branch, undo lines twice, type all lines anew, and pick a reverted group.
  static let histories = seeds(150) + [8676, 27322, 28667, 34299, 43230]

  private func check(_ fact: Bool, _ walk: UndoWalk, _ what: String) {
    if fact { return }
    Issue.record("\(what)\n\(walk.scripts.joined(separator: "\n"))\ngives\n\(walk.driver.text)")
  }

  @Test(arguments: histories)
  func `promise 22: law 1: reverting all groups, newest first, gives each earlier text`(
    _ seed: UInt64
  ) {
    var walk = UndoWalk(seed: seed)
    for id in walk.path {
      let error = walk.run("revert \(id)")
      let earlier = walk.text(of: walk.history[id].parent ?? 0)
      if case .nothingToRevert? = error {} else { check(error == nil, walk, "\(id) is refused") }
      check(walk.text == earlier, walk, "\(id) is not taken back")
    }
  }

  @Test(arguments: histories)
  func
    `promise 22: laws 2 to 4: order does not matter, advice can be followed, and reverts can be reverted`(
      _ seed: UInt64
    )
  {
    var walk = UndoWalk(seed: seed)
    let (path, start) = (walk.path, walk.history.current)
    if path.isEmpty { return }
    let ids = [walk.random.pick(path), walk.random.pick(path)]
    var results: [PieceTable] = []
    for order in [ids, ids.reversed()] {
      walk.run("jump \(start)")
      if order.allSatisfy({ walk.run("revert \($0)") == nil }) { results.append(walk.text) }
    }
    if results.count == 2 { check(results[0] == results[1], walk, "the order of \(ids) matters") }
    walk.run("jump \(start)")
    let text = walk.text
    if walk.run("revert \(ids[0])") == nil {
      check(walk.run("revert \(walk.history.current)") == nil, walk, "a revert is not reverted")
      check(walk.text == text, walk, "a reverted revert is not the text before")
    }
    walk.run("jump \(start)")
    check(walk.revert(ids[0]), walk, "the advice to revert others before \(ids[0]) does not help")
  }

  @Test(arguments: histories)
  func `promise 22: laws 5 to 7: a redo is a pick, and lines are given back as they were`(
    _ seed: UInt64
  ) {
    var walk = UndoWalk(seed: seed)
    let (current, text) = (walk.history.current, walk.text)
    if current > 0 {
      walk.run("undo")
      let before = walk.text
      let error = walk.run("pick \(current)")
      check(error == nil || before == text, walk, "\(current) is not picked")
      check(walk.text == text, walk, "a pick is not a redo")
    }
    let ids = walk.history.revisions.indices.filter { walk.driver.editor.text.isRevision($0) }
    let id = walk.random.pick(ids)
    if walk.text.isEmpty { return }
    let error = walk.run("1,$revert \(id)")
    if case .linesAreAs? = error {} else { check(error == nil, walk, "lines are not given back") }
    check(walk.text == walk.text(of: id), walk, "all lines are not as at \(id)")
    let document = walk.driver.editor.text.document
    var weave = Weave(document.text(of: 0))
    for id in ids {
      document.bring(&weave, to: id, details: { document.contextAfter($0).details })
      check(weave.text == document.text(of: id).withLastNewline, walk, "the atoms are not \(id)")
    }
    weave.checkInvariants()
    // A later process begins with the present revision.
    var late = Weave(document.text(of: 0))
    let now = walk.history.current
    document.bring(&late, to: now, details: { document.contextAfter($0).details })
    check(late.text == document.text(of: now).withLastNewline, walk, "the atoms are not \(now)")
    late.checkInvariants()
  }

  @Test(arguments: histories)
  func `promise 22: law 8: where a merge of the texts is clean, a revert gives the same`(
    _ seed: UInt64
  ) {
    var walk = UndoWalk(seed: seed, isPlain: true)
    guard !walk.path.isEmpty else { return }
    let id = walk.random.pick(walk.path)
    let (before, after) = (walk.text(of: walk.history[id].parent ?? 0), walk.text(of: id))
    guard let merged = LineMerge(of: walk.text, and: before, from: after).text else { return }
    if walk.run("revert \(id)") == nil {
      check(walk.text == merged, walk, "a merge without \(id) differs")
    }
  }

  @Test(arguments: [
    ("x\ny\n", "1i\nb\nc\nd\n.\n", "3"), ("x\ny\n", "1i\nb\nc\nd\n.\n", "1,3"),
    ("x\n", "$a\nb\nc\n.\n", "3"), ("", "a\nb\nc\n.\n", "1,2"),
    ("x\ny\nz\n", "1a\nb\n.\n", "2"), ("b\na\nb a\nb a\n", "3,4g/a/m0\n", "1"),
  ])
  func `undo 2 fails in lines that one group has made`(
    _ text: String, _ script: String, _ lines: String
  ) {
    let driver = EditorDriver(text)
    #expect(driver.run(script) == nil)
    let (before, error) = (driver.text, driver.run("\(lines)undo 2\n"))
    #expect(error == .tooFewGroups(1))
    #expect(driver.text == before)
  }

  @Test(arguments: seeds(8))
  func `promise 22: law 1 holds across processes and changes by other programs`(_ seed: UInt64)
    throws
  {
    var walk = UndoWalk(seed: seed)
    let sandbox = Sandbox("UED_HISTORY=on")
    sandbox["f"] = Array(walk.text(of: 0).bytes)
    for script in walk.scripts {
      sandbox["script"] = Array((script + "\nw\n").utf8)
      sandbox.shell(
        """
        status=0; "$UED" -s f <script || status=$?; test $status -le 1
        test \(walk.random.below(3)) -gt 0 || sed -i '2d; 3s/$/ outside/; $a\\new' f
        """)
    }
    let rows = sandbox.shell(#""$UED" -s -e 'history json' f"#).split(separator: "\n").compactMap {
      try? ParsedJSON(Array($0.utf8))
    }
    let parents = Dictionary(
      uniqueKeysWithValues: rows.compactMap { row in
        row["id"]?.number.map { ($0, row["parent"]?.number) }
      })
    let current = try #require(rows.first { $0["current"] == .bool(true) }?["id"]?.number)
    let path = Array(sequence(first: current) { parents[$0] ?? nil }.dropLast())
    var script = ""
    for id in path { script += "revert \(id)\n,p\npeek \((parents[id] ?? nil) ?? 0) 1,$\n" }
    sandbox["script"] = Array((script + "Q\n").utf8)
    let output = sandbox.shell(
      #"status=0; "$UED" --json f <script || status=$?; test $status -le 1"#)
    let answers = Answers(Array(output.utf8))
    try #require(answers.commands.count > 3 * path.count, "\(walk.scripts)")
    for (index, id) in path.enumerated() {
      let (code, outputs) = (answers.codes[3 * index], answers.outputs[(3 * index + 1)...])
      #expect(["ok", "nothing-to-do"].contains(code), "\(id), \(walk.scripts)")
      #expect(outputs[3 * index + 1] == outputs[3 * index + 2], "\(id), \(walk.scripts)")
    }
  }
}
