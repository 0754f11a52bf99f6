import Testing
import TextBuffer
import TextBufferTesting

extension Document {
  /// The text of a revision.
  fileprivate func text(of id: Int) -> PieceTable {
    var copy = self
    copy.move(to: id)
    return copy.buffer
  }
}

/// Who wrote each line, beside a model that has a number with each line.
@Suite struct `The origins of lines` {
  /// A document whose lines are all different, and the group that touched each line last.
  private struct Model {
    var document = Document(PieceTable(""))
    var origins: [Int] = []
    /// The lines that each group replaced, and by how many; or moved, and after which.
    var steps: [LineStep] = [.replaced([])]
    private var next = 0

    private mutating func text(_ count: Int) -> String {
      defer { next += count }
      return (next..<next + count).map { "line \($0)\n" }.joined()
    }

    mutating func edit(_ generator: inout SeededGenerator) {
      let lines = generator.range(in: origins.count)
      let range = LineRange(lines.lowerBound + 1, lines.upperBound)
      let id = document.history.revisions.count
      if !lines.isEmpty, Int.random(in: 0..<4, using: &generator) == 0 {
        let target = Int.random(in: 0...origins.count, using: &generator)
        if target < lines.lowerBound || target > lines.upperBound {
          document.edit {
            let moved = $0.removeLines(range).removed
            $0.insertLines(
              moved, after: LineNumber(target < lines.lowerBound ? target : target - lines.count))
          }
          let place = target < lines.lowerBound ? target : target - lines.count
          origins.removeSubrange(lines)
          origins.insert(contentsOf: lines.map { _ in id }, at: place)
          steps.append(.moved(range, after: LineNumber(target)))
          return
        }
      }
      let count = Int.random(in: 0...3, using: &generator)
      if lines.isEmpty && count == 0 { return }
      let inserted = Array(text(count).utf8)
      document.edit { $0.replaceLines(range, with: inserted) }
      origins.replaceSubrange(lines, with: (0..<count).map { _ in id })
      steps.append(
        .replaced([
          LineHunk(old: range, new: LineRange(lines.lowerBound + 1, lines.lowerBound + count))
        ]))
    }
  }

  @Test(arguments: 0..<60) func `are those of a model`(seed: Int) {
    var generator = SeededGenerator(seed)
    var model = Model()
    var (known, knownRevision): (LineOrigins?, Int?) = (nil, nil)
    for _ in 0..<60 {
      model.edit(&generator)
      if Int.random(in: 0..<20, using: &generator) == 0 {
        (known, knownRevision) = (model.document.lineOrigins(), model.document.history.current)
      }
    }
    let all = LineRange(1, model.origins.count)
    #expect(model.document.lineOrigins()[all] == model.origins)
    var visited: [Int] = []
    let since = model.document.lineOrigins { id, _ in
      id == knownRevision ? known : nil
    } visit: { id, origins in
      visited.append(id)
      #expect(origins.lineCount == model.document.text(of: id).lineCount)
    }
    #expect(since[all] == model.origins)
    #expect(visited == Array((knownRevision ?? 0) + 1..<model.steps.count))
    let wrong = LineOrigins(lineCount: 1000, origin: 9)
    #expect(model.document.lineOrigins { _, _ in wrong }[all] == model.origins)
    #expect(LineOrigins(runs: since.runs) == since)
    let runs = since.runs
    #expect(zip(runs, runs.dropFirst()).allSatisfy { $0.origin != $1.origin })
    #expect(runs.allSatisfy { $0.count > 0 })
    var text = PieceTable("")
    for id in model.steps.indices {
      let (before, changes) = (text, model.document.changes(of: id))
      for change in changes { text.apply(change) }
      #expect(LineStep(of: changes, from: before, to: text) == model.steps[id])
    }
  }

  @Test(arguments: 0..<60) func `are what lines that are followed back meet first`(seed: Int) {
    var generator = SeededGenerator(500 + seed)
    var model = Model()
    for _ in 0..<40 { model.edit(&generator) }
    for line in model.origins.indices {
      var (tracked, text) = (TrackedLines(LineRange(line + 1, line + 1)), model.document.buffer)
      var (origin, isAtEnd) = (0, false)
      for id in model.steps.indices.dropFirst().reversed() {
        isAtEnd = tracked.lines.contains {
          $0.first.value == 1 || $0.last.value == text.lineCount
        }
        let isTouched = tracked.goBack(over: model.steps[id], lineCount: text.lineCount) != nil
        for change in model.document.changes(of: id).reversed() { text.apply(change.inverse) }
        #expect(tracked.lines.allSatisfy { $0.first > .zero && $0.last.value <= text.lineCount })
        if isTouched {
          origin = id
          break
        }
      }
      // A line at an end of the text of a revision also meets lines that this removed beside it.
      if !isAtEnd { #expect(origin == model.origins[line]) }
    }
  }

  @Test(arguments: 0..<60) func `of ranges are mapped as line by line`(seed: Int) {
    var generator = SeededGenerator(1000 + seed)
    let count = 12
    for _ in 0..<50 {
      let lines = generator.range(in: count)
      var tracked = TrackedLines(LineRange(lines.lowerBound + 1, lines.upperBound))
      var expected = Set(lines.map { $0 + 1 })
      let block = generator.range(in: count)
      let moved = LineRange(block.lowerBound + 1, block.upperBound)
      let target = Int.random(in: 0...count, using: &generator)
      if moved.count == 0 || moved.contains(LineNumber(target)) || target == block.lowerBound {
        continue
      }
      let edit = LineEdit.moved(moved, after: LineNumber(target))
      let isTouched =
        tracked.goBack(over: .moved(moved, after: LineNumber(target)), lineCount: count) != nil
      expected = Set(expected.compactMap { edit.line(before: LineNumber($0))?.value })
      #expect(Set(tracked.lines.flatMap { $0.first.value...$0.last.value }) == expected)
      #expect(isTouched == expected.contains { moved.contains(LineNumber($0)) })
      let ranges = tracked.lines
      #expect(zip(ranges, ranges.dropFirst()).allSatisfy { $0.last + 1 < $1.first })
    }
  }

  @Test func `a gap between two tracked lines gives back what was removed there`() {
    let step = LineStep.replaced([LineHunk(old: LineRange(3, 4), new: LineRange(3, 2))])
    var around = TrackedLines(LineRange(2, 3))
    #expect(around.goBack(over: step, lineCount: 5) == step)
    #expect(around.lines == [LineRange(2, 5)])
    var above = TrackedLines(LineRange(1, 2))
    #expect(above.goBack(over: step, lineCount: 5) == nil)
    #expect(above.lines == [LineRange(1, 2)])
    let end = LineStep.replaced([LineHunk(old: LineRange(6, 6), new: LineRange(6, 5))])
    var last = TrackedLines(LineRange(5, 5))
    #expect(last.goBack(over: end, lineCount: 5) == end)
    #expect(last.lines == [LineRange(5, 6)])
  }
}
