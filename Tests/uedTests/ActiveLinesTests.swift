import Differential
import Testing
import TextBuffer

@testable import ued

/// The lines to visit, compared with a plain list of them.
struct ActiveLinesTests {
  /// A model of `ActiveLines` that keeps the whole text as line identities.
  struct Model {
    var text: [Int]
    var waiting: [Int]
    private var fresh: Int

    init(lineCount: Int, active: [Int]) {
      text = Array(1...lineCount)
      waiting = active
      fresh = lineCount
    }

    mutating func next() -> Int? {
      guard !waiting.isEmpty else { return nil }
      let line = waiting.removeFirst()
      return text.firstIndex(of: line).map { $0 + 1 }
    }

    mutating func replaceLines(from first: Int, removing removed: Int, inserting inserted: Int) {
      let range = first - 1..<first - 1 + removed
      let gone = Set(text[range])
      waiting.removeAll { gone.contains($0) }
      text.replaceSubrange(range, with: (0..<inserted).map { fresh + 1 + $0 })
      fresh += inserted
    }

    mutating func moveLines(from first: Int, count: Int, after target: Int) {
      let moved = Array(text[first - 1..<first - 1 + count])
      waiting.removeAll { moved.contains($0) }
      text.removeSubrange(first - 1..<first - 1 + count)
      text.insert(contentsOf: moved, at: target < first ? target : target - count)
    }
  }

  @Test(arguments: seeds(24))
  func `lines to visit keep their places under random edits`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let lineCount = [1, 3, 40, 700, 3000][Int(seed % 5)]
    let active = (1...lineCount).filter { _ in random.chance([100, 60, 10][Int(seed % 3)]) }
    var lines = ActiveLines(active.map { LineNumber($0) })
    var model = Model(lineCount: lineCount, active: active)
    for step in 0..<400 {
      let last = model.text.count
      switch random.below(6) {
      case 0, 1:
        #expect(lines.next()?.value == model.next(), "step \(step)")
      case 2:
        let first = random.below(last + 1) + 1
        let inserted = random.below(3)
        lines.replace(LineRange(first, first - 1), inserting: inserted)
        model.replaceLines(from: first, removing: 0, inserting: inserted)
      case 3, 4:
        guard last > 0 else { continue }
        let first = random.below(last) + 1
        // Now and then a range that takes whole chunks away.
        let most = min(last - first + 1, random.chance(5) ? 900 : 3)
        let removed = random.below(most) + 1
        let inserted = random.below(3)
        lines.replace(LineRange(first, first + removed - 1), inserting: inserted)
        model.replaceLines(from: first, removing: removed, inserting: inserted)
      default:
        guard last > 1 else { continue }
        let first = random.below(last) + 1
        let count = random.below(min(last - first + 1, 4)) + 1
        let target = random.below(last + 1)
        guard target < first || target >= first + count - 1 else { continue }
        lines.move(LineRange(first, first + count - 1), after: LineNumber(target))
        model.moveLines(from: first, count: count, after: target)
      }
    }
    while let line = model.next() { #expect(lines.next()?.value == line) }
    #expect(lines.next()?.value == nil)
  }
}
