import Differential
import Glibc
import Synchronization
import Testing

/// Strict runs that combine each option with each other one, each kind of script and each kind of
/// file.
///
/// ``RunModel`` gives the expected results. A failure shows the command line and the difference.
/// `SEEDS=N` makes N times as many cases. `CASE=NUMBER` runs a single case; it needs the `SEEDS` of
/// the failed run.
@Suite struct StrictTableTests {
  private static let caseCount = 700
  private static let partCount = 16

  private static let cases: [StrictCase] = {
    let table = PairwiseTable(
      columns: StrictCase.columns, options: 3, count: caseCount * max(1, setting("SEEDS", or: 1)),
      seed: 17, where: { StrictCase(row: $0).isStrict })
    return table.rows.map { StrictCase(row: $0) }
  }()

  @Test(arguments: 0..<partCount)
  func `a strict run does what the model predicts, whatever its options, script and files`(
    _ part: Int
  ) {
    let checker = StrictChecker()
    let only = setting("CASE", or: -1)
    var failureCount = 0
    for (index, test) in Self.cases.enumerated()
    where index % Self.partCount == part && failureCount < 5 {
      if only >= 0 && index != only { continue }
      let differences = checker.differences(in: test)
      if differences.isEmpty { continue }
      failureCount += 1
      let script = Escapes.encode(Array(test.lines.joined(separator: "\n").utf8))
      Issue.record(
        """
        case \(index): ued \(test.arguments(hashes: test.files.names.map { _ in "…" }).joined(separator: " "))
        \(test.files), script '\(script)' by \(test.source)
        \(differences.joined(separator: "\n"))
        """)
    }
  }

  @Test func `the table has every pair of values`() {
    let columns = [4, 3, 2, 2]
    let table = PairwiseTable(columns: columns, options: 1, count: 0, seed: 1) { _ in true }
    for first in columns.indices {
      for second in columns.indices where second > first {
        let pairs = Set(table.rows.map { [$0[first], $0[second]] })
        #expect(pairs.count == columns[first] * columns[second])
      }
    }
    #expect(table.rows.count < 24)
  }
}
