import Differential
import Testing

/// The contents of a terminal's screen: `screen.py`, with Debian's pyte, knows how terminals work.
struct Screen {
  /// The rows, without blanks at their ends.
  let rows: [String]
  let cursor: (row: Int, column: Int)

  /// Shows the written bytes; the terminal may change its width after given counts of bytes.
  init(
    of written: [UInt8], columns: Int, rows: Int = 24, resized: [(offset: Int, columns: Int)] = []
  ) throws {
    let script = packageFolder + "/Tests/uedTests/Harness/screen.py"
    var process = Process(
      "/usr/bin/python3",
      [script, "\(columns)", "\(rows)"]
        + (resized.flatMap { ["\($0.offset)", "\($0.columns)"] }),
      environment: ["LC_ALL=C.UTF-8"], directory: "/")
    process.secondsAllowed = 60
    let result = try process.run(.pipe(written))
    let lines = String(decoding: result.output, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let position = lines[0].split(separator: " ").compactMap { Int($0) }
    try #require(position.count == 2, "\(String(decoding: result.errors, as: UTF8.self))")
    cursor = (position[0], position[1])
    self.rows = lines.dropFirst().map { String($0) }
  }
}

/// The rows that a line takes, and where its cursor is, by rules that are simpler than the program's.
struct ExpectedLine {
  private(set) var rows = [""]
  private(set) var cursor = (row: 0, column: 0)
  private var column = 0
  private let columns: Int

  /// Lays out a line after a prompt. Combining marks do not join it. The cursor counts scalars,
  /// including the prompt.
  init(prompt: String, _ line: String, cursor: Int, columns: Int) {
    self.columns = columns
    var isFound = false
    var takesMarks = false
    let scalars = Array((prompt + line).unicodeScalars)
    var units: [Int: Int] = [:]
    var start = 0
    for cluster in prompt + line {
      let count = cluster.unicodeScalars.count
      if Self.isUnit(Array(cluster.unicodeScalars)) { units[start] = count }
      start += count
    }
    var next = 0
    for (index, scalar) in scalars.enumerated() where index >= next {
      if let count = units[index] {
        next = index + count
        let unit = scalars[index..<next]
        let isFlag = (0x1F1E6..<0x1F200).contains(scalar.value)
        let isPair = isFlag && count == 2 && scalars[index + 1].value >= 0x1F1E6
        let width =
          isPair
          ? 2 : 1 + unit.reduce(0) { $0 + ($1.value >= 0x1F400 ? 2 : $1.value >= 0x1F1E6 ? 1 : 0) }
        // At its widest, it must not reach the end of the row.
        if column + width > columns { wrap() }
        isFound = isFound || cursor == index
        if isFound && self.cursor == (0, 0) { self.cursor = (rows.count - 1, column) }
        // The rest of a sequence is not shown by every terminal.
        let shown = unit.prefix { $0.value != 0x200D && $0.value != 0xFE0F }
        let isNarrow =
          isFlag && !unit.dropFirst().contains { (0x1F1E6..<0x1F200).contains($0.value) }
        put(String(String.UnicodeScalarView(shown)) + (isNarrow ? " " : ""), 2)
        isFound = isFound || (index..<next).contains(cursor)
        takesMarks = false
        continue
      }
      if index == cursor { isFound = true }
      if index == prompt.unicodeScalars.count { takesMarks = false }
      let value = scalar.value
      if (0x300..<0x370).contains(value) && takesMarks {
        let row = rows[rows.count - 1].isEmpty ? rows.count - 2 : rows.count - 1
        rows[row].unicodeScalars.append(scalar)
        continue
      }
      let isWide = (0x3000..<0xFE00).contains(value) || (0x1F400..<0x1F600).contains(value)
      let isHidden = (0x300..<0x370).contains(value) || value == 0x200D || value == 0xFE0F
      takesMarks = false
      if isWide && column + 1 == columns { wrap() }
      if isFound && self.cursor == (0, 0) { self.cursor = (rows.count - 1, column) }
      if value == 9 {
        repeat { put(" ", 1) } while column % 8 != 0
      } else if value < 0x20 {
        for character in "^" + String(UnicodeScalar(UInt8(value) ^ 0x40)) {
          put(String(character), 1)
        }
      } else if isHidden {
        for character in "<" + String(value, radix: 16) + ">" { put(String(character), 1) }
      } else {
        put(String(scalar), isWide ? 2 : 1)
        takesMarks = true
      }
    }
    if self.cursor == (0, 0) { self.cursor = (rows.count - 1, column) }
    rows = rows.map { row in
      String(String.UnicodeScalarView(row.unicodeScalars.reversed().drop { $0 == " " }.reversed()))
    }
  }

  /// Whether a cluster is a flag, or emoji that are joined.
  private static func isUnit(_ cluster: [Unicode.Scalar]) -> Bool {
    cluster[0].value >= 0x1F1E6 && cluster.dropFirst().contains { $0.value >= 0x200D }
      && zip(cluster, cluster.dropFirst() + [" "]).allSatisfy {
        $0.value != 0x200D || $1.value >= 0x1F1E6
      }
  }

  private mutating func put(_ text: String, _ width: Int) {
    rows[rows.count - 1].unicodeScalars.append(contentsOf: text.unicodeScalars)
    column += width
    if column == columns { wrap() }
  }

  private mutating func wrap() {
    rows.append("")
    column = 0
  }
}
