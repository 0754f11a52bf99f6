import Testing

@testable import ued

@Suite struct PatternCostTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let atoms: Int
    let depth: Int
    let references: Int
    var isExtended = false

    init(_ pattern: String, _ atoms: Int, _ depth: Int, _ references: Int, isExtended: Bool = false)
    {
      (testDescription, self.atoms, self.depth) = (pattern, atoms, depth)
      (self.references, self.isExtended) = (references, isExtended)
    }
  }

  @Test(arguments: [
    Row("abc", 3, 0, 0), Row("", 0, 0, 0), Row("\\(a\\)\\1", 3, 1, 1),
    Row("\\(\\(a\\)\\(b\\)\\)", 5, 2, 0), Row("x\\{1,255\\}\\{2\\}", 510, 0, 0),
    Row("\\(x\\{1,20\\}\\)\\{30\\}y", 631, 1, 0), Row("[]x\\(]\\{3\\}", 3, 0, 0),
    Row("[[:alpha:]]", 1, 0, 0), Row("(a)", 3, 0, 0), Row("\\(a", 1, 1, 0),
    Row("(a){3,}\\(", 7, 1, 0, isExtended: true), Row("x{2,3}", 3, 0, 0, isExtended: true),
    Row("\\", 0, 0, 0), Row("x\\{", 1, 0, 0),
  ])
  func `atoms, depth and back-references are counted`(_ row: Row) {
    let cost = PatternCost(of: Array(row.testDescription.utf8), extended: row.isExtended)
    #expect(cost.atomCount == row.atoms)
    #expect(cost.depth == row.depth)
    #expect(cost.backReferenceCount == row.references)
  }

  @Test(arguments: [
    ("x\\{100\\}\\{100\\}", true), ("x\\{100\\}\\{100\\}\\{100\\}", false),
    (String(repeating: "\\(", count: 10_001), false),
  ])
  func `too many atoms are not allowed, nor are too deep groups`(
    _ source: String, _ isAllowed: Bool
  ) {
    #expect(PatternCost(of: Array(source.utf8), extended: false).isAllowed == isAllowed)
  }

  @Test func `counts beyond all sense don't overflow`() {
    let part = "\\(" + String(repeating: "x\\{1,32767\\}\\{32767\\}", count: 100)
    let source =
      String(repeating: part, count: 50)
      + String(repeating: "\\)\\{99999999999999999999\\}", count: 50)
    #expect(!PatternCost(of: Array(source.utf8), extended: false).isAllowed)
  }

  @Test(arguments: [
    String(repeating: "\\(", count: 20_000) + "x" + String(repeating: "\\)", count: 20_000),
    "\\(\\(x\\{1,255\\}\\)\\{1,255\\}\\)\\{1,255\\}",
  ])
  func `a pattern that glibc can't compile in its memory or stack is an error`(_ source: String) {
    #expect(throws: MatchError.invalidPattern(message: Array("Regular expression too big".utf8))) {
      try Pattern(Array(source.utf8), extended: false, ignoreCase: false)
    }
  }

  @Test(arguments: [0, 1999, 2000, 2001, 40_000])
  func `a long line is matched on another thread with the same result`(_ count: Int) throws {
    let pattern = try Pattern(
      Array("\\(b\\)\\(c*\\)d".utf8), extended: false, ignoreCase: false, automatonThreshold: .max)
    let line = [UInt8](repeating: 97, count: count) + Array("bccd bd".utf8)
    let span = line.span.bytes
    let first = pattern.firstMatch(in: span, from: 0, isStart: true)
    #expect(first && pattern.group(0) == count..<count + 4)
    #expect(pattern.group(2) == count + 1..<count + 3)
    let second = pattern.firstMatch(in: span, from: count + 4, isStart: false)
    #expect(second && pattern.group(0) == count + 5..<count + 7)
    let third = pattern.firstMatch(in: span, from: count + 7, isStart: false)
    #expect(!third)
    #expect(pattern.takeFailure() == nil)
  }

  @Test func `searches of several threads don't get each other's results`() async throws {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for caller in 0..<8 {
        group.addTask {
          let pattern = try Pattern(
            Array("\\(b\\)c*d".utf8), extended: false, ignoreCase: false, automatonThreshold: .max)
          return (0..<2000).count { round in
            let start = 3000 + 8 * (round & 63) + caller
            let line = [UInt8](repeating: 97, count: start) + Array("bccd".utf8)
            let isFound = pattern.firstMatch(in: line.span.bytes, from: 0, isStart: true)
            return !isFound || pattern.group(0) != start..<start + 4
          }
        }
      }
      for try await failures in group { #expect(failures == 0) }
    }
  }
}
