import Testing

@testable import TextBuffer
import TextBufferTesting
@testable import TextLines

/// The places of lines after many edits, compared with the edits one by one.
@Suite struct LineMapTests {
  private static func edit(_ count: Int, _ generator: inout SeededGenerator) -> LineEdit {
    let range = generator.range(in: count)
    let lines = LineRange(range.lowerBound + 1, range.upperBound)
    let some = (1...max(count, 1)).filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
    switch Int.random(in: 0..<(count == 0 ? 2 : 9), using: &generator) {
    case 0...3:
      let new = Int.random(in: 0...4, using: &generator)
      let kept = Int.random(in: 0...min(new, range.count), using: &generator)
      return .replaced(lines, by: new, keeping: kept)
    case 4,
      5 where !range.isEmpty:
      let targets = Array(0...range.lowerBound) + Array(range.upperBound...count)
      return .moved(lines, after: LineNumber(targets.randomElement(using: &generator) ?? 0))
    case 6: return .removed(some.map { LineNumber($0) })
    case 7:
      return .split(
        some.map {
          LineEdit.Split(LineNumber($0), into: Int.random(in: 1...3, using: &generator))
        })
    default:
      let below = Int.random(in: 0...(count - some.count), using: &generator)
      return .gathered(
        some.shuffled(using: &generator).map { LineNumber($0) }, below: count == 0 ? 0 : below)
    }
  }

  private static func growth(of edit: LineEdit) -> Int {
    switch edit {
    case .replaced(let lines, let count, _): count - lines.count
    case .moved, .gathered: 0
    case .removed(let lines): -lines.count
    case .split(let splits): splits.reduce(0) { $0 + $1.count - 1 }
    }
  }

  @Test(arguments: 0..<200) func `lines move with each edit`(seed: Int) {
    var generator = SeededGenerator(seed)
    var count = Int.random(in: 0...30, using: &generator)
    let first = count
    var (map, edits) = (LineMap(lineCount: first, []), [LineEdit]())
    var places: [LineNumber?] = (0..<first).map { LineNumber($0 + 1) }
    for _ in 0..<40 {
      let edit = Self.edit(count, &generator)
      count += Self.growth(of: edit)
      edits.append(edit)
      map = LineMap(lineCount: first, edits)
      places = places.map { $0.flatMap { edit.line(after: $0) } }
      for line in 0..<first {
        let found = map.line(after: LineNumber(line + 1))
        if found == places[line] { continue }
        Issue.record("after \(edit): \(line + 1) is \(found as Any), not \(places[line] as Any)")
        return
      }
    }
    #expect(map.line(after: .zero) == nil && map.line(after: LineNumber(first + 1)) == nil)
  }
}
