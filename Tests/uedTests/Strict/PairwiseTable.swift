import Differential

/// Rows that combine every value of a column with every value of every other column.
struct PairwiseTable {
  /// The rows, each with the index of a value for every column.
  private(set) var rows: [[Int]] = []

  /// Makes rows until each pair is in one, then random rows up to `count`.
  ///
  /// - Parameters:
  ///   - columns: The number of values of each column.
  ///   - options: The first column of options. Value 0 of an option means that it is not given.
  ///     Random rows give few options, since combinations of few would otherwise be rare.
  ///   - count: The least number of rows.
  ///   - seed: Chooses the rows.
  ///   - isRow: Whether a row belongs to the table.
  init(columns: [Int], options: Int, count: Int, seed: UInt64, where isRow: ([Int]) -> Bool) {
    var random = SeededGenerator(seed: seed)
    func randomRow() -> [Int] { columns.map { random.below($0) } }
    var starts: [Int] = []
    var valueCount = 0
    for column in columns {
      starts.append(valueCount)
      valueCount += column
    }
    var isCovered = Array(repeating: false, count: valueCount * valueCount)
    func pairs(of row: [Int]) -> [Int] {
      var found: [Int] = []
      for first in row.indices {
        for second in row.indices where second > first {
          found.append((starts[first] + row[first]) * valueCount + starts[second] + row[second])
        }
      }
      return found
    }
    func add(_ row: [Int]) {
      rows.append(row)
      for pair in pairs(of: row) { isCovered[pair] = true }
    }
    for first in columns.indices {
      for second in columns.indices where second > first {
        for (one, other) in Self.pairs(columns[first], columns[second]) {
          if isCovered[(starts[first] + one) * valueCount + starts[second] + other] { continue }
          var best: (row: [Int], gain: Int)?
          for _ in 0..<40 where (best?.gain ?? 0) < columns.count * 4 {
            var row = randomRow()
            row[first] = one
            row[second] = other
            guard isRow(row) else { continue }
            let gain = pairs(of: row).count { !isCovered[$0] }
            if gain > best?.gain ?? -1 { best = (row, gain) }
          }
          if let best { add(best.row) }
        }
      }
    }
    while rows.count < count {
      let row = columns.indices.map { column in
        column >= options && random.chance(60) ? 0 : random.below(columns[column])
      }
      if isRow(row) { rows.append(row) }
    }
  }

  private static func pairs(_ first: Int, _ second: Int) -> [(Int, Int)] {
    (0..<first).flatMap { one in (0..<second).map { (one, $0) } }
  }
}
