import TextBufferTesting
@testable import TextLines
import Testing

@testable import TextBuffer

/// A document with its weave, and random groups.
struct WovenText {
  var document: Document<Void>
  var weave: Weave
  var votes: [Int: [Weave.Vote]] = [:]
  private var random: SeededGenerator
  private var count = 0

  init(seed: UInt64) {
    var random = SeededGenerator(Int(seed))
    var text = PieceTable()
    for _ in 0..<Int.random(in: 1...7, using: &random) {
      text.insert(
        ["a\n", "b\n", "c\n", "d\n", "}\n"][Int.random(in: 0...4, using: &random)].utf8,
        at: ByteOffset(text.byteCount))
    }
    (self.random, document, weave) = (random, Document(text), Weave(text))
  }

  var text: PieceTable { document.buffer }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  private mutating func lines(upTo most: Int) -> String {
    (0..<number(1...most)).map { _ in
      count += 1
      return number(0...9) < 7 ? "n\(count)\n" : ["a\n", "b\n", "c\n", "}\n", "\n"][number(0...4)]
    }.joined()
  }

  private mutating func edit(_ body: (inout Draft<Void>) -> Void) {
    document.edit { draft in body(&draft) }
  }

  /// One command of an editor.
  private mutating func edit() {
    let last = text.lineCount
    func range(_ random: inout SeededGenerator, _ most: Int) -> LineRange {
      let first = Int.random(in: 1...last, using: &random)
      return LineRange(first, min(last, first + Int.random(in: 0...most, using: &random)))
    }
    switch last == 0 ? 0 : number(0...9) {
    case 0...2:
      let (new, place) = (lines(upTo: 3), LineNumber(number(0...last)))
      edit { _ = $0.insertLines(new.utf8, after: place) }
    case 3, 4:
      let lines = range(&random, 2)
      edit { _ = $0.removeLines(lines) }
    case 5, 6:
      let (old, new) = (range(&random, 2), lines(upTo: 3))
      edit { _ = $0.replaceLines(old, with: new.utf8) }
    case 7:
      let (lines, target) = (range(&random, 1), number(0...last))
      if target >= lines.first.value - 1 && target <= lines.last.value { return }
      let moved = text.slice(text.byteRange(of: lines))
      let shift = target > lines.last.value ? lines.count : 0
      edit { _ = $0.removeLines(lines) }
      edit { _ = $0.insertLines(moved, after: LineNumber(target - shift)) }
    case 8:
      let (lines, target) = (range(&random, 1), LineNumber(number(0...last)))
      let copied = text.slice(text.byteRange(of: lines))
      edit { _ = $0.insertLines(copied, after: target) }
    default:
      for line in stride(from: last, to: 0, by: -number(1...3)) {
        let new = lines(upTo: 1)
        edit { _ = $0.replaceLines(LineRange(line, line), with: new.utf8) }
      }
    }
  }

  /// Adds a group of one to three commands.
  mutating func addGroup() {
    document.begin()
    for _ in 0..<number(1...3) { edit() }
    document.commit("")
    bring()
  }

  mutating func bring() {
    document.bring(
      &weave, to: document.history.current, details: { Weave.Details(votes: votes[$0] ?? []) })
  }

  /// Applies a reversal as a group.
  ///
  /// - Returns: False if no text changes.
  @discardableResult
  mutating func make(_ reversal: Weave.Reversal) -> Bool {
    document.begin()
    for replacement in reversal.replacements.reversed() {
      edit { _ = $0.replaceLines(replacement.lines, with: replacement.text) }
    }
    guard document.commit("") != nil else { return false }
    votes[document.history.current] = reversal.votes
    bring()
    return true
  }
}

@Suite struct `The weave` {
  /// In the last three, a group is reverted with the group that restored its lines.
  static let seeds =
    Array(UInt64(setting("FIRST_SEED", or: 1))...UInt64(setting("SEEDS", or: 200)))
    + [2737, 4831, 19509]

  /// A random history, and its texts.
  private func texts(_ seed: UInt64) -> (text: WovenText, texts: [PieceTable]) {
    var text = WovenText(seed: seed)
    var texts = [text.text]
    for _ in 0..<text.number(2...5) {
      text.addGroup()
      if text.document.history.current == texts.count { texts.append(text.text) }
    }
    return (text, texts)
  }

  @Test(arguments: seeds)
  func `law 1: reverting all groups, newest first, gives each earlier text`(seed: UInt64) throws {
    var (text, texts) = texts(seed)
    #expect(text.weave.text == text.text)
    text.weave.checkInvariants()
    for id in (1..<texts.count).reversed() {
      text.make(try text.weave.reverting([id]))
      #expect(text.text == texts[id - 1], "group \(id)")
      #expect(text.weave.text == text.text)
    }
    text.weave.checkInvariants()
  }

  @Test(arguments: seeds)
  func `law 2: reverting several groups gives the same in every order, and at once`(seed: UInt64)
    throws
  {
    var (text, texts) = texts(seed)
    guard texts.count > 2 else { return }
    var all = text
    all.make(try all.weave.reverting(Set(1..<texts.count)))
    #expect(all.text == texts[0])
    let (one, other) = (text.number(1...texts.count - 1), text.number(1...texts.count - 1))
    var results: [PieceTable] = []
    for order in [[one, other], [other, one]] where one != other {
      var text = text
      let isDone = order.allSatisfy { id in
        guard let reversal = try? text.weave.reverting([id]) else { return false }
        return text.make(reversal)
      }
      if isDone { results.append(text.text) }
    }
    if results.count == 2 { #expect(results[0] == results[1]) }
    if let first = results.first, let together = try? text.weave.reverting([one, other]) {
      text.make(together)
      #expect(text.text == first)
    }
  }

  @Test(arguments: seeds)
  func
    `laws 3 and 4: a group is reverted after those in its way; a reverted revert restores the text`(
      seed: UInt64
    ) throws
  {
    var (text, texts) = texts(seed)
    let before = text.text
    let id = text.number(1...max(1, texts.count - 1))
    guard texts.count > 1 else { return }
    if let reversal = try? text.weave.reverting([id]) {
      if text.make(reversal) {
        text.make(try text.weave.reverting([text.document.history.current]))
      }
      #expect(text.text == before)
    }
    var waiting = [id]
    for _ in 0..<200 {
      guard let next = waiting.last else { break }
      do throws(Weave.Conflict) {
        text.make(try text.weave.reverting([next]))
        waiting.removeLast()
      } catch {
        waiting.append(try #require(error.groups.first))
      }
    }
    #expect(waiting.isEmpty)
  }

  @Test(arguments: [
    ([3...3, 1...1, 5...5], [1...1, 3...3, 5...5]), ([4...5, 1...3], [1...5]),
    ([2...6, 3...4, 6...7], [2...7]), ([2...2, 2...2], [2...2]), ([], []),
  ])
  func `adjacent lines of a conflict are joined, but not over a gap`(
    lines: [ClosedRange<Int>], joined: [ClosedRange<Int>]
  ) {
    func ranges(_ all: [ClosedRange<Int>]) -> [LineRange] {
      all.map { LineRange($0.lowerBound, $0.upperBound) }
    }
    #expect(Weave.joined(ranges(lines)) == ranges(joined))
  }

  @Test func `kept lines that have two places are not aligned`() {
    let text = PieceTable("a\nb\nc\n")
    let kept = [(1, 1, 2), (2, 3, 1)].map { Weave.KeptLines(old: $0, new: $1, count: $2) }
    #expect(KeptAlignment(kept, from: text, to: text, differing: []) == nil)
    #expect(KeptAlignment(Array(kept.prefix(1)), from: text, to: text, differing: []) != nil)
  }

  @Test func `a new weave that is brought to a pick also has the picked group`() throws {
    var text = WovenText(seed: 1)
    for _ in 0..<3 { text.addGroup() }
    text.document.undo()
    text.bring()
    text.make(try text.weave.picking(3))
    let (document, votes) = (text.document, text.votes)
    var late = Weave(document.text(of: 0))
    let isThere = document.bring(
      &late, to: document.history.current, details: { Weave.Details(votes: votes[$0] ?? []) })
    #expect(isThere && late.text == text.text && votes[document.history.current]?.isEmpty == false)
  }

  @Test(arguments: seeds)
  func `laws 5 to 7: branches`(seed: UInt64) throws {
    var text = WovenText(seed: seed)
    for _ in 0..<text.number(4...12) {
      if text.number(0...2) == 0 {
        text.document.move(to: text.number(0...text.document.history.revisions.count - 1))
        text.bring()
      }
      text.addGroup()
    }
    let history = text.document.history
    // Law 7, for any order of adding branches.
    var late = Weave(PieceTable(text.document.committedBuffer.bytes))
    var first = text.document
    first.move(to: 0)
    late = Weave(first.buffer)
    let all = history.revisions.indices.filter { history.canMove(to: $0) }
    for id in all.reversed() {
      first.move(to: id)
      first.bring(&late, to: id)
      #expect(late.text == first.buffer, "revision \(id)")
      text.weave.move(to: id)
      #expect(text.weave.text == first.buffer, "revision \(id)")
    }
    late.checkInvariants()
    text.weave.checkInvariants()
    // Law 5.
    text.document.move(to: history.current)
    text.bring()
    let (current, now) = (history.current, text.text)
    if current > 0 {
      text.document.undo()
      text.bring()
      text.make(try text.weave.picking(current))
      #expect(text.text == now)
    }
    // Law 6.
    let id = all[text.number(0...all.count - 1)]
    var then = text.document
    then.move(to: id)
    guard text.text.lineCount > 0 else { return }
    let reversal = try text.weave.restoring(LineRange(1, text.text.lineCount), to: id)
    text.make(reversal)
    #expect(text.text == then.buffer)
    #expect(text.weave.text == then.buffer)
  }
}
