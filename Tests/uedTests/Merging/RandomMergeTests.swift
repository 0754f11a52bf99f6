import Differential
import Testing
import TextBuffer
import TextLines

/// Random merges, compared with `git merge-file`.
@Suite struct RandomMergeTests {
  private static let words = ["a", "", "  b", "}", "<<<<<<< c", "=======", "d\r"]

  private static func line(_ variety: Int, _ random: inout SeededGenerator) -> String {
    random.below(8) == 0 ? "}" : random.pick(words) + String(random.below(variety))
  }

  private static func text(_ lines: [String], _ random: inout SeededGenerator) -> [UInt8] {
    let text = lines.joined(separator: "\n")
    let isUnterminated = random.below(8) == 0 && lines.last?.isEmpty == false
    return Array((lines.isEmpty || isUnterminated ? text : text + "\n").utf8)
  }

  /// Lines after some edits.
  private static func edited(_ lines: [String], _ variety: Int, _ random: inout SeededGenerator)
    -> [String]
  {
    var lines = lines
    for _ in 0..<random.below(5) {
      let place = random.below(lines.count + 1)
      switch random.below(4) {
      case 0: lines.insert(line(variety, &random), at: place)
      case 1 where place < lines.count: lines.remove(at: place)
      case 2 where place + 3 < lines.count:
        let moved = lines[place..<place + 2]
        lines.removeSubrange(place..<place + 2)
        lines.insert(contentsOf: moved, at: random.below(lines.count + 1))
      default: if place < lines.count { lines[place] = line(variety, &random) }
      }
    }
    return lines
  }

  @Test(arguments: seeds(3))
  func `random merges equal git's when git finds no conflict`(_ seed: UInt64) {
    let sandbox = Sandbox()
    var random = SeededGenerator(seed: seed)
    var merges: [LineMerge] = []
    for number in 0..<50 {
      let variety = random.pick([3, 10, 1000])
      let lines = (0..<random.below(60)).map { _ in Self.line(variety, &random) }
      let ours = Self.edited(lines, variety, &random)
      let theirs =
        random.below(4) == 0
        ? Self.edited(ours, variety, &random) : Self.edited(lines, variety, &random)
      let texts = [lines, ours, theirs].map { Self.text($0, &random) }
      for (name, text) in zip(["base", "ours", "theirs"], texts) {
        sandbox[name + "\(number)"] = text
      }
      merges.append(
        LineMerge(of: PieceTable(texts[1]), and: PieceTable(texts[2]), from: PieceTable(texts[0])))
    }
    sandbox.run(
      """
      for n in $(seq 0 49); do
        git merge-file -p ours$n base$n theirs$n >git$n 2>/dev/null || rm git$n
      done; true
      """)
    var cleanCount = 0
    for (number, merge) in merges.enumerated() {
      let name: Comment = "seed \(seed), merge \(number)"
      let expected: [UInt8]? = sandbox["git\(number)"]
      if let expected {
        #expect(merge.text?.bytes == expected, name)
        cleanCount += 1
      } else if let text = merge.text {
        let lines = Self.lines(of: text)
        let known = Self.lines(of: merge.base)
        let new = Self.lines(of: merge.ours).union(Self.lines(of: merge.theirs)).subtracting(known)
        #expect(new.isSubset(of: lines), name)
      }
    }
    #expect(cleanCount > 10, "seed \(seed)")
  }

  private static func lines(of text: PieceTable) -> Set<[UInt8]> {
    Set(
      text.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
        Array($0)
      })
  }
}
