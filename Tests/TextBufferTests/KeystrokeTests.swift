import Testing
import TextBuffer
import TextBufferTesting

/// The same keys, once typed and once as a transaction each.
@Suite struct `The same keys` {
  @Test(arguments: 0..<20)
  func `make the same groups, typed or as transactions`(portion: Int) {
    let count = setting("SEEDS", or: 1000) / 20
    for seed in portion * count..<(portion + 1) * count {
      var session = KeystrokeSession(seed)
      do {
        try session.run(30)
      } catch {
        Issue.record("seed \(seed): \(error)\n\(session.log.joined(separator: "\n"))")
        return
      }
    }
  }

  @Test func `join a group when they edit text it inserted`() {
    for isTyped in [true, false] {
      var document = Document(PieceTable(), context: 0, coalescing: .typing)
      document.press(0..<0, "one three", isTyped)
      document.press(4..<5, "", isTyped)
      document.press(4..<4, "t", isTyped)
      document.press(5..<5, "w", isTyped)
      document.closeGroup()
      #expect(document.history.current == 1)
    }
  }

  @Test func `make one group even after some cancel out`() {
    for isTyped in [true, false] {
      var document = Document(PieceTable("text"), context: 0, coalescing: .typing)
      document.press(4..<4, "a", isTyped)
      document.press(4..<5, "", isTyped)
      document.context = 7
      document.press(4..<4, "b", isTyped)
      document.press(5..<5, "c", isTyped)
      document.undo()
      #expect(document.buffer == "text" && document.context == 0 && !document.canUndo)
    }
  }
}

extension Document<Int> {
  /// Makes one edit and keeps the caret as the context.
  mutating func press(
    _ range: Range<Int>, _ text: String, name: String? = nil,
    time: ContinuousClock.Instant? = nil, date: Double = 0, _ isTyped: Bool
  ) {
    if !isTyped { begin() }
    replace(offsets(range), with: text.utf8, name: name, time: time, date: date)
    context = range.lowerBound + text.utf8.count
    if !isTyped { commit(name, time: time, date: date) }
  }
}

/// Random keys for two documents with the same policy.
struct KeystrokeSession {
  private var generator: SeededGenerator
  private var typed: Document<Int>
  private var transacted: Document<Int>
  private var text: [UInt8]
  private var caret: Int
  private var time = ContinuousClock.now
  private var date = 0.0
  /// Whether the caret also moves while a group is open. A transaction already has its context,
  /// so contexts differ.
  private let movesFreely: Bool
  private let name: String?
  private(set) var log: [String]

  init(_ seed: Int) {
    generator = SeededGenerator(seed)
    text = Array(generator.text(upTo: 20).utf8.filter { $0 < 0x80 })
    let policy = LibrarySession.coalescing(&generator)
    typed = Document(PieceTable(text), context: 0, coalescing: policy)
    transacted = typed
    (caret, movesFreely, name) = (0, seed % 2 == 0, seed % 3 == 0 ? "Typing" : nil)
    log = ["\(policy)", String(decoding: text, as: UTF8.self)]
  }

  mutating func run(_ count: Int) throws {
    for _ in 0..<count { try next() }
    try close()
  }

  private mutating func random(_ count: Int) -> Int { Int.random(in: 0..<count, using: &generator) }

  private mutating func next() throws {
    switch random(14) {
    case 0..<5: press(caret..<caret, ["a", "b", " ", "\n", "ä"][random(5)])
    case 5, 6: if caret > 0 { press(caret - 1..<caret, "") }
    case 7: if caret < text.count { press(caret..<caret + 1, "") }
    case 8:
      press(caret..<caret, String(repeating: "paste ", count: [1, 4, 200][max(0, random(10) - 7)]))
    case 9:
      let range = max(0, caret - random(4))..<min(text.count, caret + random(4))
      if !range.isEmpty { press(range, ["A", "BCD", "E\n"][random(3)]) }
    case 10: time += .milliseconds([500, 2000, 2001][random(3)])
    case 11, 12: try move()
    default: if random(4) == 0 { try undo() }
    }
  }

  private mutating func press(_ range: Range<Int>, _ new: String) {
    log.append("replace \(range) by \(new.debugDescription)")
    if text[range].elementsEqual(new.utf8) { return }
    date += 1
    let stamp = random(4) == 0 ? nil : time
    typed.press(range, new, name: name, time: stamp, date: date, true)
    transacted.press(range, new, name: name, time: stamp, date: date, false)
    text.replaceSubrange(range, with: new.utf8)
    caret = range.lowerBound + new.utf8.count
  }

  private mutating func move() throws {
    if !movesFreely || random(3) == 0 { try close() }
    let near = max(0, min(text.count, caret + random(5) - 2))
    caret = random(2) == 0 ? near : random(text.count + 1)
    log.append("move to \(caret)")
    (typed.context, transacted.context) = (caret, caret)
  }

  private mutating func undo() throws {
    log.append("undo and redo")
    let (redoes, count) = (random(3) > 0, random(3))
    for _ in 0...count { _ = (typed.undo(), transacted.undo()) }
    if redoes { for _ in 0...count { _ = (typed.redo(), transacted.redo()) } }
    text = typed.buffer.bytes
    caret = min(typed.context, text.count)
    (typed.context, transacted.context) = (caret, caret)
    try compare()
  }

  private mutating func close() throws {
    log.append("close")
    typed.closeGroup()
    transacted.closeGroup()
    try compare()
  }

  private func compare() throws {
    let (first, second) = (groups(of: typed), groups(of: transacted))
    try require(typed.buffer.bytes == text && transacted.buffer.bytes == text, "the texts")
    for (one, other) in zip(first, second) { try require(one == other, "\(one)\n\(other)") }
    try require(first.count == second.count, "\(first.count) groups and \(second.count)")
  }

  /// The revisions of a document as text, without those that have cancelled out.
  private func groups(of document: Document<Int>) -> [String] {
    let ids = document.history.revisions.indices.filter { document.history.canMove(to: $0) }
    return ids.map { id in
      let revision = document.history[id]
      let (parent, child) = (revision.parent, revision.preferredChild)
      let links = [parent, child].map { $0.flatMap { ids.firstIndex(of: $0) } ?? -1 }
      let after = movesFreely ? 0 : document.contextAfter(id)
      let changes = document.changes(of: id).map {
        "\($0.offset.value) \(String($0.removed).debugDescription) \(String($0.inserted).debugDescription)"
      }
      return "\(links) \(revision.name ?? "-") \(revision.time) \(changes) "
        + "\(document.contextBefore(id)) \(after)"
    }
  }
}
