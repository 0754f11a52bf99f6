import Differential
import TextBuffer

@testable import ued

/// A random walk of edits, moves through the history, and words about some lines, beside a model.
struct LineHistoryWalk {
  private var random: SeededGenerator
  private let driver: EditorDriver
  private var model = LineHistoryModel()
  private(set) var scripts: [String] = []
  private(set) var failures: [String] = []
  /// What has been checked, by word.
  private(set) var counts: [String: Int] = [:]
  /// The groups that gave lines back as they were.
  private var givenBack: Set<Int> = []
  /// Why the walk ends before its time: what the lines are is no longer known by their texts.
  private(set) var end: String?
  /// The lines of the revisions that have been looked at; a command may change the present one.
  private var known: [Int: [String]] = [:]
  private var textCount = 0
  /// The revision that was compared last, and how many there were.
  private var compared: [Int] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let lines = (0..<3 + random.below(8)).map { "first \($0)" }
    scripts = ["# \(lines.count) lines"]
    driver = EditorDriver(lines.map { $0 + "\n" }.joined())
  }

  private var history: History<Change> { driver.editor.text.history }
  private var lines: [String] { Self.lines(of: driver.editor.text.buffer) }
  private var isInGroup: Bool { driver.editor.text.isInGroup }

  private static func lines(of text: PieceTable) -> [String] {
    String(decoding: text.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  private func lines(of id: Int) -> [String] {
    Self.lines(of: driver.editor.text.document.text(of: id))
  }

  /// The groups from the oldest to the present one, each with its lines.
  private mutating func texts() -> [(id: Int, lines: [String])] {
    ([0] + history.path(to: 0).back.reversed()).map { id in
      let lines = known[id] ?? lines(of: id)
      known[id] = lines
      return (id, lines)
    }
  }

  /// Runs a command and compares.
  mutating func step() {
    switch random.below(14) {
    case _ where isInGroup && random.chance(30): run("end")
    case 0..<7: edit()
    case 7, 8: travel()
    case 9, 10: undoLines()
    case 11: revertLines()
    case 12: revert()
    default: if !isInGroup { run("begin") }
    }
    if Set(lines).count != lines.count, !givenBack.isDisjoint(with: history.path(to: 0).back) {
      // What a group removed may have been given back already when it is taken back.
      if scripts.last?.hasPrefix("revert") ?? false { end = end ?? "a line is there twice" }
    }
    if end != nil { return }
    if Set(lines).count != lines.count { failures.append("a line is there twice: \(lines)") }
    if isInGroup || !failures.isEmpty || lines.isEmpty { return }
    // A command without effect leaves nothing new to compare.
    if compared == [history.current, history.revisions.count] && random.chance(80) { return }
    compared = [history.current, history.revisions.count]
    compareBlame()
    compareHistory()
  }

  @discardableResult
  private mutating func run(_ script: String) -> EditorError? {
    scripts.append(script)
    known[history.current] = nil
    defer { known[history.current] = nil }
    return driver.run(script + "\n")
  }

  private mutating func range(_ most: Int = 4) -> ClosedRange<Int> {
    let first = 1 + random.below(lines.count)
    return first...min(lines.count, first + random.below(most))
  }

  private mutating func new(_ count: Int) -> String {
    (0..<count).map { _ in
      textCount += 1
      return "line \(textCount)\n"
    }.joined()
  }

  // MARK: - Edits

  private mutating func edit() {
    let count = lines.count
    if count < 2 || count < 12 && random.chance(25) {
      run("\(random.below(count + 1))a\n\(new(1 + random.below(3))).")
      return
    }
    let range = range()
    let address = "\(range.lowerBound),\(range.upperBound)"
    switch random.below(6) {
    case 0: run("\(address)c\n\(new(1 + random.below(3))).")
    case 1: run("\(address)d")
    case 2 where range.count > 1: run("\(address)j")
    case 3 where !isInGroup: move(range, address)
    case 4:
      // The lines after a global substitution of several places are one change.
      textCount += 1
      run("\(address)g/[02468]$/s/$/ \(textCount)/")
    default:
      textCount += 1
      run("\(address)s/$/ \(textCount)/")
    }
  }

  private mutating func move(_ range: ClosedRange<Int>, _ address: String) {
    let target = random.below(lines.count + 1)
    if target >= range.lowerBound - 1 && target <= range.upperBound { return }
    let moved = Set(lines[range.lowerBound - 1..<range.upperBound])
    run("\(address)m\(target)")
    model.moved[history.current] = moved
  }

  private mutating func travel() {
    if isInGroup { return }
    let id = random.below(history.revisions.count)
    run(random.pick(["undo", "redo", "jump \(id)", "u", "undo 2"]))
  }

  private mutating func revert() {
    let path = history.path(to: 0).back
    if isInGroup || path.isEmpty { return }
    let id = path[random.below(min(path.count, 4))]
    let before = lines
    let current = history.current
    if run("revert \(id)") == nil, history.current != current {
      noteTaken(id, before, isWhole: true)
    }
  }

  /// Notes that the present group has taken back another one.
  private mutating func noteTaken(_ id: Int, _ before: [String], isWhole: Bool) {
    model.takenBack[history.current] = id
    if !isWhole {
      model.takenLines[history.current] = Set(before).symmetricDifference(lines)
    }
    let changes = driver.editor.text.document.changes(of: history.current)
    if model.moved[id] != nil, changes.count == 2, changes[1].removed.isEmpty,
      changes[0].removed == changes[1].inserted
    {
      model.moved[history.current] = Set(Self.lines(of: changes[0].removed))
    } else if model.moved[id] != nil {
      // Which lines changed places and which stayed can be told in several ways.
      end = "a move was taken back by no move"
    } else if !LineHistoryModel.haveSameOrder(before, lines) {
      end = "lines came back in another order"
    }
  }

  // MARK: - Lines

  private mutating func count(_ what: String) { counts[what, default: 0] += 1 }

  private mutating func compareBlame() {
    _ = driver.takeOutput()
    driver.run("blame\n")
    let found = driver.takeOutput().split(separator: "\n").map {
      Int($0.split(separator: " ")[0]) ?? -1
    }
    let expected = model.origins(texts())
    count("blame")
    if found != expected { failures.append("blame is \(found), not \(expected)") }
  }

  private mutating func compareHistory() {
    let range = range()
    _ = driver.takeOutput()
    driver.run("\(range.lowerBound),\(range.upperBound)history\n")
    let found = driver.takeOutput().split(separator: "\n").dropFirst().map {
      Int($0.dropFirst(2).split(separator: " ")[0]) ?? -1
    }
    let touches = model.touches(of: Set(lines[range.lowerBound - 1..<range.upperBound]), texts())
    count("history")
    if found != touches.map(\.id) {
      failures.append("\(range)history is \(found), not \(touches.map(\.id))")
    }
  }

  private mutating func undoLines() {
    if isInGroup || lines.isEmpty { return }
    let (range, before, texts) = (range(), lines, texts())
    let touches = model.touches(of: Set(lines[range.lowerBound - 1..<range.upperBound]), texts)
    var standing = touches.compactMap { model.standing($0, texts) }
    let start = history.current
    let failure = run("\(range.lowerBound),\(range.upperBound)undo")
    let id =
      history.current == start
      ? nil
      : driver.editor.text.document.contextAfter(history.current).takenBack?.groups.first
    // Moved lines are where they were when those that they were moved past are gone, or have been moved since.
    while let first = standing.first, first.isMove, first.id != id,
      model.isWhereItWas(first, texts)
    {
      if case .revertOverlaps(let later) = failure, later.id > first.id { break }
      standing.removeFirst()
    }
    let expected = standing.first
    switch failure {
    case nil: break
    case .nothingToUndoHere:
      count("nothing to undo")
      if expected != nil { failures.append("did not undo \(expected.map { "\($0)" } ?? "")") }
      return
    case .revertOverlaps(let other):
      count("conflict")
      let later = other.id
      if later <= expected?.id ?? .max { failures.append("conflict with the older \(later)") }
      if let expected, model.isUntouchedSince(expected, texts) {
        failures.append("\(later) did nothing to \(expected)")
      }
      if lines != before { failures.append("a conflict changed the text") }
      return
    default: return failures.append("\(failure.map { "\($0)" } ?? "")")
    }
    guard let id, let expected, id == expected.id else {
      return failures.append("undid \(id ?? -1), not \(expected.map { "\($0)" } ?? "nothing")")
    }
    count(expected.isMove ? "undo of a move" : "undo")
    noteTaken(id, before, isWhole: false)
    if expected.isMove {
      let old = lines(of: history[id].parent ?? 0)
      let shared = Set(old).intersection(lines).intersection(lines(of: id))
      let moved = model.moved[id] ?? []
      if !moved.isSubset(of: shared) || Set(before) != Set(lines) {
        failures.append("a move was undone to \(lines)")
      }
      if before.filter({ !moved.contains($0) }) != lines.filter({ !moved.contains($0) }) {
        failures.append("lines that were not moved changed places")
      }
      return
    }
    if Set(lines).count != lines.count, !givenBack.isDisjoint(with: history.path(to: 0).back) {
      end = "a line is there twice"
    }
    if end == nil { compareUndone(expected, from: before) }
  }

  /// Compares the text with the one that taking back these places makes of the one before.
  private mutating func compareUndone(
    _ touch: LineHistoryModel.Touch, from before: [String]
  ) {
    let (removed, added) = (touch.places.flatMap(\.removed), touch.places.flatMap(\.added))
    if Set(before).subtracting(lines) != Set(added)
      || Set(lines).subtracting(before) != Set(removed)
    {
      failures.append("took back \(before) to \(lines), not \(touch)")
    }
    var expected = before
    for place in touch.places {
      guard let first = place.added.first, let index = expected.firstIndex(of: first) else {
        // Lines that were removed are where they were among those that are still there.
        continue
      }
      expected.replaceSubrange(index..<index + place.added.count, with: place.removed)
    }
    let gone = Set(touch.places.filter { $0.added.isEmpty }.flatMap(\.removed))
    if lines.filter({ !gone.contains($0) }) != expected {
      failures.append("the text is \(lines), not \(expected)")
    }
    let parent = lines(of: history[touch.id].parent ?? 0)
    if touch.places.contains(where: { $0.added.isEmpty }),
      !texts().contains(where: { model.moved[$0.id] != nil }),
      !LineHistoryModel.haveSameOrder(parent, lines)
    {
      failures.append("removed lines are not where they were")
    }
  }

  private mutating func revertLines() {
    if isInGroup || lines.isEmpty { return }
    let (range, before) = (range(), lines)
    let id = random.below(history.revisions.count)
    guard driver.editor.text.isRevision(id) else { return }
    let then = lines(of: id)
    let (back, forward) = history.path(to: id)
    let hasMoves = (back + forward).contains { model.moved[$0] != nil }
    // By its text a line that was given back is the old one; by its place it is the one that it replaced, which
    // then is not where the texts have it. A user may mean either.
    let shared = Set(then).intersection(before)
    let isAmbiguous = back.contains {
      givenBack.contains($0)
        && !shared.intersection(lines(of: $0)).isSubset(of: lines(of: history[$0].parent ?? 0))
    }
    let failure = run("\(range.lowerBound),\(range.upperBound)revert \(id)")
    if failure != nil && failure != .linesAreAs(id) {
      failures.append("\(failure.map { "\($0)" } ?? "")")
    }
    if failure == nil { givenBack.insert(history.current) }
    let addressed = Set(before[range.lowerBound - 1..<range.upperBound])
    if !LineHistoryModel.haveSameOrder(before, lines) { end = "lines came back in another order" }
    if hasMoves || isAmbiguous || !LineHistoryModel.haveSameOrder(then, before) {
      count("revert over moves")
      if !addressed.subtracting(then).isDisjoint(with: lines) {
        failures.append("lines that are not in \(id) are still there: \(before) to \(lines)")
      }
      // Where lines go that were moved and changed is not predicted.
      if Set(lines).count != lines.count { end = "a line is there twice" }
      return
    }
    count("revert")
    var expected = before
    for hunk in LineHistoryModel.hunks(from: then, to: before).reversed() {
      let lines = range.lowerBound - 1..<range.upperBound
      if hunk.old.count == hunk.new.count {
        let part = hunk.new.clamped(to: lines)
        if part.isEmpty { continue }
        let shift = hunk.old.lowerBound - hunk.new.lowerBound
        expected.replaceSubrange(
          part, with: then[part.lowerBound + shift..<part.upperBound + shift])
      } else if hunk.new.isEmpty
        ? isAround(hunk.new.lowerBound, lines, before.count) : hunk.new.overlaps(lines)
      {
        expected.replaceSubrange(hunk.new, with: then[hunk.old])
      }
    }
    if lines != expected { failures.append("reverted \(before) to \(lines), not \(expected)") }
    if (failure != nil) != (expected == before) {
      failures.append("\(failure.map { "\($0)" } ?? "no error")")
    }
  }

  private func isAround(_ index: Int, _ lines: Range<Int>, _ count: Int) -> Bool {
    let (above, below) = (lines.contains(index - 1), lines.contains(index))
    return (above || index == 0) && (below || index == count) && (above || below)
  }
}
